"""The answer to a drill: how the bid adds up, or how often each choice wins."""

from collections.abc import Mapping

from spades_env.game.cards import SUIT_LETTERS, SUIT_SYMBOLS
from spades_env.play.terminal.pictures.pages import Lines
from spades_env.play.terminal.words import said, spoken
from spades_env.play.texts import decimal, percent, text


def drill_lines(lines: Lines, kind: str, found: Mapping) -> None:
    """Show what the champion and a search say about a hand, and the person's tally."""
    lines.add(found["words"], "strong")
    if kind == "bid":
        lines.head(said("lessons.count"))
        for line in found["lines"]:
            symbol = SUIT_SYMBOLS[SUIT_LETTERS.index(line["suit"])]
            lines.add(f"{symbol} {spoken(decimal(line['total'])):>5}  {line['words']}", indent=" " * 9)
        lines.add(f"{said('lessons.together')}: {spoken(decimal(found['total']))}", "strong")
        lines.add(said("lessons.counted", bid=found["counted"]), "quiet")
    else:
        lines.head(said("lessons.chances"))
        for one in found["chances"]:
            lines.add(f"{spoken(percent(one['chance'], decimals=True)):>7}  {one['words']}")
        lines.add(found["champion_words"])
        lines.head(said("lessons.dangers"))
        for words in found["dangers"]:
            lines.add(f"• {words}", indent="  ")
    lines.head(tally_words(kind, found["tally"]))


def tally_words(kind: str, tally: Mapping) -> str:
    """Say how many hands of a drill were answered, and how well."""
    if not tally["hands"]:
        return said("lessons.none")
    error = decimal(tally["average"] * (1 if kind == "bid" else 100))
    hands, average = text("hands", count=tally["hands"]), text(f"lessons.{kind}.average", error=error)
    return said("lessons.tally", hands=hands, average=average)
