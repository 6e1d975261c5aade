"""Pages of text: keys, rules, scores with their graph, fairness, counts of many deals, statistics."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from rich.text import Text

from spades_env.play.table.rating import bot_name
from spades_env.play.terminal.pictures.canvas import wrapped
from spades_env.play.terminal.pictures.cards import face
from spades_env.play.terminal.pictures.log_lines import score_words, sheet_lines
from spades_env.play.terminal.words import said, spoken
from spades_env.play.texts import decimal, grouped, number, percent

GRAPH_ROWS = 9
MARKS = "●▲■◆"
HELP = ("aided", "hints", "takebacks", "moved_for")
NILS = ("nils", "nils_kept", "blind_nils", "blind_nils_kept")


class Lines:
    """A page of this width, written line by line, with styles by name."""

    def __init__(self, width: int, styles: Mapping[str, str]):
        self.width, self._styles, self._text = max(20, width), styles, Text()

    def add(self, text: str = "", style: str = "", indent: str = "") -> None:
        for line in wrapped(text, self.width, indent) or [""]:
            self._text.append(line + "\n", self._styles[style] if style else None)

    def head(self, text: str) -> None:
        if self._text.plain:
            self.add()
        self.add(text, "gold")

    def text(self) -> Text:
        self._text.rstrip()
        return self._text


Fill = Callable[[Lines], object]  # writes the text of a page


def write_help(lines: Lines, keys: Sequence[tuple[str, str]]) -> None:
    room = max(len(shown) for shown, _ in keys)
    for shown, words in keys:
        lines.add(f"{shown:<{room}}  {words}", indent=" " * (room + 2))


def write_rules(lines: Lines, rules: Mapping) -> None:
    """Show the rules in words, and the trumps, highest first."""
    lines.head(rules["text"])
    for words in rules["words"]:
        lines.add(f"• {words}", indent="  ")
    lines.head(said("form.trumps"))
    lines.add(" ".join(map(face, rules["trumps"])))


def write_scores(lines: Lines, view: Mapping, end: Sequence[str] = (), latest_only: bool = False) -> None:
    """Explain every hand and draw the scores as a graph; the lines of `end` come first."""
    for words in end:
        lines.add(words, "gold")
    lines.add(score_words(dict(view)), "strong")
    for hand in view["sheet"][-1:] if latest_only else view["sheet"][::-1]:
        lines.head(said("hand", hand=hand["hand_number"]))
        for line in sheet_lines([hand]):
            lines.add(line.partition(": ")[2], indent="  ")
    if len(view["graph"]) > 1:
        lines.head(said("terminal.graph"))
        for line in graph_lines(view["graph"], [side["side"] for side in view["sides"]], lines.width):
            lines.add(line)
        names = [f"{MARKS[i]} {side['called']}" for i, side in enumerate(view["sides"])]
        lines.add("    ".join(names), "quiet")


def graph_lines(graph: Sequence[Sequence[int]], sides: Sequence[int], width: int) -> list[str]:
    """Draw the scores of the sides over the hands; where marks overlap, the first side's is on top."""
    scores = [score for after in graph for score in after]
    low, high = min(*scores, 0), max(*scores, 1)
    columns = max(1, width - 9)
    gap = max(1, min(6, (columns - 1) // max(1, len(graph) - 1)))
    shown = graph[-((columns - 1) // gap + 1) :]
    rows = [[" "] * ((len(shown) - 1) * gap + 1) for _ in range(GRAPH_ROWS)]

    def draw(column: int, score: float, mark: str) -> None:
        rows[GRAPH_ROWS - 1 - round((score - low) / (high - low) * (GRAPH_ROWS - 1))][column] = mark

    for number_of_side, side in reversed(list(enumerate(sides))):
        for hand, (before, after) in enumerate(pairwise(shown)):
            for step in range(1, gap):
                draw(hand * gap + step, before[side] + (after[side] - before[side]) * step / gap, "·")
        for hand, after in enumerate(shown):
            draw(hand * gap, after[side], MARKS[number_of_side])
    labels = {0: number(high), GRAPH_ROWS - 1: number(low)}
    return [f"{labels.get(i, ''):>6} │ {''.join(row)}".rstrip() for i, row in enumerate(rows)]


def write_fairness(lines: Lines, fair: Mapping, first: int, proofs: Sequence[Mapping]) -> None:
    """Show the hashes of hands from `first` on, and the proofs of those that may be opened."""
    lines.add(said("fairness.how"))
    for sentence in fair["words"]:
        lines.add(sentence)
    opened = {proof["commitment"]: proof for proof in proofs}
    hashes = [(said(f"fairness.game.{fair['drawn_from']}"), fair["game"])]
    hashes += [(said("hand", hand=number), found) for number, found in enumerate(fair["hands"], first)]
    for name, commitment in hashes:
        lines.head(name)
        lines.add(commitment)
        proof = opened.get(commitment)
        if proof:
            lines.add(f'printf %s "{proof["salt"]} {proof["told"]}" | sha256sum', "good")
        else:
            lines.add(said("terminal.unopened"), "quiet")


def write_deals(lines: Lines, counted: Mapping) -> None:
    """Show counts over many deals beside the counts expected by chance."""
    lines.add(said("terminal.deals", count=spoken(grouped(counted["deals"])), secret=counted["secret"]), "strong")
    lines.add(counted["words"])
    found, expected = said("terminal.found"), said("terminal.expected")
    for figure in counted["figures"]:
        lines.head(figure["name"])
        room = max(len(row["words"]) for row in figure["rows"])
        for row in figure["rows"]:
            lines.add(f"  {row['words']:>{room}} {row['found']:>7} {found} {row['expected']:>9.1f} {expected}")
        lines.add(figure["words"], "quiet")


def write_statistics(lines: Lines, found: Mapping, unaided: Mapping) -> None:
    """Show a person's statistics; `unaided` counts only games without help."""
    lines.add(said("terminal.rating", rating=found["rating"]), "strong")
    lines.add(_tally(found["total"]))
    for words in found["left_out"][:3]:
        lines.add(words, "quiet")
    if len(found["left_out"]) > 3:
        lines.add(said("terminal.more", count=len(found["left_out"]) - 3), "quiet")
    if found["aided"]:
        lines.add(said("stats.help", **{name: found[name] for name in HELP}))
        lines.add(said("terminal.unaided", rating=unaided["rating"], games=_tally(unaided["total"])))
    for title, name in (
        ("stats.difficulty", "by_difficulty"),
        ("stats.with", "with_partner"),
        ("stats.against", "against"),
    ):
        if found[name]:
            lines.head(said(title))
        for key, tally in found[name].items():
            lines.add(f"{spoken(bot_name(key)):>17}  {_tally(tally)}")
    _write_bids(lines, found["bids"])
    lines.add(said("stats.left_open"), "quiet")


def _write_bids(lines: Lines, bids: Mapping) -> None:
    lines.head(said("bids"))
    if bids["off"] is not None and bids["mean_bid"] is not None:
        means = {name: decimal(bids[name]) for name in ("mean_bid", "off")}
        lines.add(said("terminal.bids", hands=bids["hands"], exact=bids["exact"], **means))
    lines.add(said("terminal.made", made=bids["made"], bags=bids["bags"]))
    lines.add(said("terminal.nils", **{name: bids[name] for name in NILS}))


def _tally(tally: Mapping) -> str:
    if tally["win_rate"] is None:
        return said("terminal.no_games")
    tallied = {name: tally[name] for name in ("wins", "losses", "draws")}
    return said("terminal.tally", count=tally["games"], rate=percent(tally["win_rate"]), **tallied)
