"""The tables of how agents bid (training_results.md) and of the coach's grades (playing.md), from:

bids.json      what `python benchmarks/agents/bids_by_score.py --write` makes
grades.json    what `python benchmarks/agents/coach.py --write` makes
"""

import json
from pathlib import Path

from spades_env.play.coach.grade import BEST, LEAST

DOCS = Path(__file__).resolve().parents[1]
BIDS, GRADES = DOCS / "bids.json", DOCS / "grades.json"


def bids() -> str:
    """Return a row for each score, with three figures for each agent."""
    found = json.loads(BIDS.read_text(encoding="utf-8"))["bids"]
    rows = ["| we : they | " + " | ".join(f"`{name}`: our bid | our nils | all four" for name in found) + " |"]
    rows.append("|---|" + "---:|" * (3 * len(found)))
    for score in next(iter(found.values())):
        means = [by_score[score] for by_score in found.values()]
        cells = [f"{one['bid']:.2f} | {one['nils']:.1%} | {one['all']:.2f}" for one in means]
        rows.append(f"| {score} | {' | '.join(cells)} |")
    return "\n".join(rows)


def grades() -> str:
    """Return a row for each grade: what it says, how often it was given, and how often the long search confirms it."""
    found = json.loads(GRADES.read_text(encoding="utf-8"))["grades"]
    rows = ["| grade | lost, percentage points | decisions | lost by the long search | confirmed |"]
    rows.append("|---|---|---:|---:|---:|")
    for grade, row in found.items():
        says = f"{100 * LEAST[grade]:g} or more" if grade in LEAST else "nothing" if grade == BEST else "less"
        low, high = row["confirmed_ci"]
        share = f"{100 * row['confirmed'] / row['decisions']:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        rows.append(f"| {grade} | {says} | {row['decisions']:,} | {100 * row['lost']:.2f} | {share} |")
    return "\n".join(rows)
