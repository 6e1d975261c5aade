"""Tables of the baselines from baselines.json, which examples/baselines/run_all.py writes: games won, cost, bids."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "baselines.json"
WORDS = {
    "bc": "behaviour cloning of `rule`",
    "ppo": "masked PPO",
    "ppo-average": "masked PPO, its bids pulled towards averaged weights",
    "nfsp": "NFSP",
    "dqn": "double DQN",
}
COMPARED = ("ppo", "ppo-average")


def measured() -> dict[str, Any]:
    """Return what is known of each baseline that has been run."""
    return json.loads(DATA.read_text(encoding="utf-8"))


def results() -> str:
    """A row for each baseline: games won against the three bots, points a hand, and cost."""
    rows = [
        "| baseline | seeds | decisions | minutes | won against `rule` | won against `rb` | won against `random` "
        "| points a hand against `rule` |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, one in measured().items():
        last = one["last"]
        won = [_text(last[other]["win_rate"], "{:.1f}", 100) for other in ("rule", "rb", "random")]
        points = _text(last["rule"]["points_per_hand"], "{:+.1f}")
        cost = [str(len(one["seeds"])), f"{one['decisions'] / 1e6:.2f} M", f"{one['minutes']['mean']:.1f}"]
        rows.append(f"| {' | '.join([WORDS[name], *cost, *won, points])} |")
    return "\n".join(rows)


def bids() -> str:
    """How PPO bids while it learns, without and with the pull: means over the seeds."""
    columns = [f"{what}, {how}" for how in ("without", "with") for what in ("mean bid", "nils", "entropy of bids")]
    rows = [f"| million decisions | {' | '.join(columns)} |", "|---:|" + "---:|" * len(columns)]
    without, pulled = ([_habits(measured()[name]["curves"], n) for n in range(_length(name))] for name in COMPARED)
    for (decisions, *first), (_, *second) in zip(without, pulled, strict=True):
        rows.append(f"| {' | '.join([decisions, *first, *second])} |")
    return "\n".join(rows)


def _length(name: str) -> int:
    return len(measured()[name]["curves"]["bid"])


def _habits(curves: dict[str, Any], number: int) -> list[str]:
    bid, nil, entropy = (curves[key][number] for key in ("bid", "nil", "entropy_of_bids"))
    decisions = f"{bid['decisions'] / 1e6:.2f}"
    return [decisions, f"{bid['mean']:.2f}", f"{nil['mean']:.1%}", f"{entropy['mean']:.2f}"]


def _text(one: dict[str, Any], form: str, times: float = 1) -> str:
    """Return a mean and its interval over the seeds; a single seed has none."""
    mean = form.format(times * one["mean"])
    return mean if one["ci"] is None else f"{mean} [{', '.join(form.format(times * end) for end in one['ci'])}]"
