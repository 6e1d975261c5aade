"""How fast and how right is the regret of a move? python benchmarks/agents/regret.py

    --decisions N    how many decisions are judged (1,000)
    --out FILE       write the figures to FILE (docs/regret.json)

The decisions are those of benchmarks/agents/coach.py: weak players at scores drawn at random. Each is judged by quick
searches with `rule` as adviser, and by a long one: the coach's of the reviews with four times its worlds, other ones.
Speed is in decisions for each second of CPU time, the compiler's left out.
"""

import argparse
import itertools
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.agents.coach import LONGER, decisions
from benchmarks.measure import write_record
from spades_env.game.cards import Action
from spades_env.game.view import View
from spades_env.play.coach.grade import WORLDS, Judge
from spades_env.play.coach.regret import RegretJudge

QUICK = (4, 8, 16, 32, 64)
LARGE = 0.05  # a loss that the coach calls a blunder
RECORD = Path(__file__).resolve().parents[2] / "docs" / "regret.json"
Made = list[tuple[View, Action]]


def quick(worlds: int, made: Made, long: np.ndarray) -> dict:
    """Return the speed of a quick search, and how its regrets differ from those of the long one."""
    judge = RegretJudge(worlds, seed=1)
    judge.regret(*made[0])
    start = time.process_time()
    found = np.array([judge.regret(*one) for one in made])
    seconds = time.process_time() - start
    errors = found - long
    return {
        "worlds": worlds,
        "decisions_a_second": len(made) / seconds,
        "mean_regret": float(found.mean()),
        "mean_error": float(errors.mean()),
        "mean_absolute_error": float(np.abs(errors).mean()),
        "correlation": float(np.corrcoef(found, long)[0, 1]),
        "blunders_found": float((found[long >= LARGE] >= LARGE).mean()),
        "blunders_right": float((long[found >= LARGE] >= LARGE).mean()),
    }


def long_regrets(made: Made) -> np.ndarray:
    judge, found = Judge("zofia", LONGER * WORLDS, seed=2), []
    for view, action in made:
        verdict = judge.verdict(view, action)
        found.append(verdict.whole.lost if verdict else 0.0)
    return np.array(found)


def measure(count: int) -> dict:
    made = list(itertools.islice(decisions(), count))
    long = long_regrets(made)
    facts = {"decisions": count, "long_worlds": LONGER * WORLDS, "long_regret": float(long.mean())}
    return facts | {"judges": [quick(worlds, made, long) for worlds in QUICK]}


def table(found: dict) -> str:
    """Return a row for each number of worlds; losses are in points of a hundred of the chance to win."""
    rows = [
        "| worlds | decisions/s a core | regret | error | absolute error | correlation | blunders found | right |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in found["judges"]:
        losses = (f"{100 * one[key]:.2f}" for key in ("mean_regret", "mean_error", "mean_absolute_error"))
        shares = (f"{one[key]:.0%}" for key in ("blunders_found", "blunders_right"))
        cells = [str(one["worlds"]), f"{one['decisions_a_second']:,.0f}", *losses, f"{one['correlation']:.2f}", *shares]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=1000, metavar="N")
    parser.add_argument("--out", type=Path, default=RECORD, metavar="FILE")
    args = parser.parse_args()
    found = measure(args.decisions)
    write_record(args.out, found)
    print(table(found))


if __name__ == "__main__":
    main()
