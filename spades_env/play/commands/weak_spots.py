"""Weak spots as Markdown or as a page of HTML: `spades benchmark` and `spades gaps` with `--weak-spots`.

add_weak_spots_argument(parser)
check_weak_spots(path)               before hours of play
write_weak_spots(path, found)        FILE.md, FILE.html, or - for the output
"""

import argparse
import html
from pathlib import Path

from spades_env.agents.arena import gaps
from spades_env.agents.arena.weak_spots import Mistake, WeakSpots, WorstHand
from spades_env.agents.atomic_files import write_whole
from spades_env.play.commands.parsing import UsageError
from spades_env.play.commands.report import PAGE
from spades_env.play.commands.shared import check_folder, interval

OUTPUT = "-"
SUFFIXES = (".md", ".html")
HEADS = ["", "decisions a hand", "otherwise", "lost a hand", "95 %"]
WORST_NOTE = "Among many hands the largest estimates are also the luckiest: these look worse than they are."
REPLAY = "from spades_env import Game"


def add_weak_spots_argument(parser: argparse.ArgumentParser) -> None:
    """Let a command report regret by kind of decision and the worst hands."""
    parser.add_argument(
        "--weak-spots",
        nargs="?",
        const=OUTPUT,
        metavar="FILE",
        help="regret by kind of decision and the ten worst hands, as FILE.html or FILE.md (default: printed)",
    )


def check_weak_spots(path: str | None) -> None:
    """Raise an error if the report can't be written there."""
    if path is None or path == OUTPUT:
        return
    if Path(path).suffix not in SUFFIXES:
        raise UsageError(f"weak spots are written to a file that ends with {' or '.join(SUFFIXES)}, not to {path}")
    check_folder(path, "the weak spots")


def write_weak_spots(path: str, found: WeakSpots, quiet: bool = False) -> None:
    """Write the report to its file, or print it unless the output is for something else."""
    if path != OUTPUT:
        write_whole(path, page(found) if path.endswith(".html") else markdown(found))
    elif not quiet:
        print("\n" + markdown(found))


def gap_rows(report: gaps.Report, by_loss: bool = False) -> list[list[str]]:
    """Return what was lost, by kinds of decisions and by scores, as rows of words."""
    kinds = sorted(report.gaps.items(), key=lambda pair: -pair[1].lost * by_loss)
    rows, meanings = [], gaps.KINDS | {"all": "every decision"} | gaps.SCORES
    for name, gap in (dict(kinds) | {"all": report.total} | report.by_score).items():
        if gap.decisions:
            often, changed = gap.decisions / report.hands, gap.otherwise / gap.decisions
            lost, ends = f"{gap.lost_a_hand:+.2f}", interval(gap.lost_a_hand_ci, "{:+.2f}")
            rows.append([f"{name}: {meanings[name]}", f"{often:.2f}", f"{changed:.0%}", lost, ends])
    return rows


def markdown(found: WeakSpots) -> str:
    """Write the report as Markdown."""
    lines = [f"# Weak spots of `{found.report.agent}`", "", _about(found), "", f"| {' | '.join(HEADS)} |"]
    lines += ["|---|---:|---:|---:|---:|", *(f"| {' | '.join(row)} |" for row in gap_rows(found.report, by_loss=True))]
    lines += ["", "## The worst hands", "", WORST_NOTE if found.hands else "No hand lost anything."]
    for number, hand in enumerate(found.hands, 1):
        lines += ["", f"### {number}. {_title(hand)}", "", "```text", hand.text, "```", ""]
        lines += [f"- {_mistake_words(one)}" for one in hand.mistakes]
        lines += ["", "```python", REPLAY, "", hand.mistakes[0].position, "```"] if hand.mistakes else []
    return "\n".join(lines) + "\n"


def page(found: WeakSpots) -> str:
    """Write the report as a page of HTML that loads nothing from elsewhere."""
    title = html.escape(f"Weak spots of {found.report.agent}")
    rows = [_row("th", HEADS), *(_row("td", row) for row in gap_rows(found.report, by_loss=True))]
    parts = [f'<h1>{title}</h1>\n<p class="about">{html.escape(_about(found))}</p>']
    parts += [f'<div class="wide"><table>{"".join(rows)}</table></div>', "<h2>The worst hands</h2>"]
    parts += [f"<p>{WORST_NOTE if found.hands else 'No hand lost anything.'}</p>"]
    for number, hand in enumerate(found.hands, 1):
        mistakes = "".join(f"<li>{html.escape(_mistake_words(one))}</li>" for one in hand.mistakes)
        lines = f"{REPLAY}\n\n{hand.mistakes[0].position}" if hand.mistakes else ""
        parts += [f"<h2>{number}. {_title(hand)}</h2>\n<pre>{html.escape(hand.text)}</pre>\n<ul>{mistakes}</ul>"]
        parts += [f'<pre class="wide">{html.escape(lines)}</pre>'] if lines else []
    return PAGE.format(title=title, body="\n".join(parts))


def _row(tag: str, cells: list[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>\n"


def _about(found: WeakSpots) -> str:
    report = found.report
    return (
        f"{report.games:,} games, {report.hands:,} hands against {report.against}: {report.rules}, seed {report.seed}. "
        f"Judged by {report.judge}. What is lost is counted in hundredths of a game; "
        f"not judged: {report.unjudged:,} decisions."
    )


def _title(hand: WorstHand) -> str:
    return f"Game {hand.game + 1}, hand {hand.hand + 1}, as {' and '.join(hand.seats)}: {hand.lost:.1f} lost"


def _mistake_words(one: Mistake) -> str:
    where = f", trick {one.trick}" if one.trick else ""
    return f"{one.seat}{where}: {one.did}; better {one.better}, by {one.lost:.1f} ({one.kind})"
