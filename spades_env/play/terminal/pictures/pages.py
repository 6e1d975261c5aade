"""Pages of text: keys, rules, scores with their graph, fairness, counts of many deals, statistics."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from rich.text import Text

from spades_env.play.store.statistics import Statistics, Tally
from spades_env.play.table.fairness import Proof, drawn_words
from spades_env.play.table.standing import bot_name
from spades_env.play.terminal.pictures.canvas import wrapped
from spades_env.play.terminal.pictures.cards import face
from spades_env.play.terminal.pictures.log_lines import score_words, sheet_lines
from spades_env.play.texts import number, text

GRAPH_ROWS = 9
MARKS = "●▲■◆"


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
    for shown, words in keys:
        lines.add(f"{shown:<8} {words}", indent=" " * 9)


def write_rules(lines: Lines, rules: Mapping) -> None:
    """Show the rules in words, and the trumps, highest first."""
    lines.head(rules["text"])
    for words in rules["words"]:
        lines.add(f"• {words}", indent="  ")
    lines.head("Trumps, highest first")
    lines.add(" ".join(map(face, rules["trumps"])))


def write_scores(lines: Lines, view: Mapping, end: Sequence[str] = (), latest_only: bool = False) -> None:
    """Explain every hand and draw the scores as a graph; the lines of `end` come first."""
    for words in end:
        lines.add(words, "gold")
    lines.add(score_words(dict(view)), "strong")
    for hand in view["sheet"][-1:] if latest_only else view["sheet"][::-1]:
        lines.head(f"Hand {hand['hand_number']}")
        for line in sheet_lines([hand]):
            lines.add(line.partition(": ")[2], indent="  ")
    if len(view["graph"]) > 1:
        lines.head("Scores, hand by hand")
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


def write_fairness(lines: Lines, commitments: Mapping, first: int, proofs: Sequence[Proof]) -> None:
    """Show the hashes of hands from `first` on, and the proofs of those that may be opened."""
    lines.add(text("fairness.how"))
    for sentence in drawn_words(commitments):
        lines.add(sentence)
    opened = {proof.commitment: proof for proof in proofs}
    hashes = [(f"The game's {commitments['drawn_from']}", commitments["game"])]
    hashes += [(f"Hand {number}", found) for number, found in enumerate(commitments["hands"], first)]
    for name, commitment in hashes:
        lines.head(name)
        lines.add(commitment)
        proof = opened.get(commitment)
        if proof:
            lines.add(f'printf %s "{proof.salt} {proof.told}" | sha256sum', "good")
        else:
            lines.add("shown when the hand is over and you've reviewed it (E)", "quiet")


def write_deals(lines: Lines, counted: Mapping) -> None:
    """Show counts over many deals beside the counts expected by chance."""
    lines.add(f"{counted['deals']:,} deals, all from the secret {counted['secret']}.", "strong")
    lines.add(counted["words"])
    for figure in counted["figures"]:
        lines.head(figure["name"])
        room = max(len(row["words"]) for row in figure["rows"])
        for row in figure["rows"]:
            lines.add(f"  {row['words']:>{room}} {row['found']:>7,} found {row['expected']:>10,.1f} expected")
        lines.add(figure["words"], "quiet")


def write_statistics(lines: Lines, found: Statistics, unaided: Statistics) -> None:
    """Show a person's statistics; `unaided` counts only games without help."""
    lines.add(f"Rating {found.rating}", "strong")
    lines.add(_tally(found.total))
    for words in found.left_out[:3]:
        lines.add(words, "quiet")
    if len(found.left_out) > 3:
        lines.add(f"And {len(found.left_out) - 3} more.", "quiet")
    if found.aided:
        lines.add(f"Games with help: {found.aided}; hints: {found.hints}; undos: {found.takebacks}")
        lines.add(f"Without help: rating {unaided.rating}, {_tally(unaided.total)}")
    groups = (("Difficulty", found.by_difficulty), ("With partner", found.with_partner), ("Against", found.against))
    for title, tallies in groups:
        if tallies:
            lines.head(title)
        for key, tally in sorted(tallies.items()):
            lines.add(f"{bot_name(str(key)):>17}  {_tally(tally)}")
    lines.head("Bids")
    bids = found.bids
    if bids.off is not None and bids.mean_bid is not None:
        lines.add(
            f"Hands: {bids.hands}; average bid {bids.mean_bid:.1f}, {bids.off:.1f} tricks off; exact bids {bids.exact}"
        )
    lines.add(f"Team bids made {bids.made}, bags {bids.bags}")
    lines.add(f"Nils made {bids.nils_kept} of {bids.nils}, blind nils {bids.blind_nils_kept} of {bids.blind_nils}")


def _tally(tally: Tally) -> str:
    if tally.win_rate is None:
        return "no games yet"
    games = f"{tally.games} game{'s' * (tally.games > 1)}"
    return f"{games}: {tally.wins} won, {tally.losses} lost, {tally.draws} drawn, {tally.win_rate:.0%}"
