"""Tables of the baselines from baselines.json, which train/run_all.py writes: games won, cost, bids."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "baselines.json"
PICTURE = (
    "![Games won, points a hand, bids and nils by decisions; bands are 95 % intervals over the seeds](baselines.svg)"
)
WORDS = {
    "bc": "`bc`: behaviour cloning of `rule`",
    "ppo": "`ppo`: masked PPO",
    "ppo-average": "`ppo-average`: … pulled towards averaged weights",
    "nfsp": "`nfsp`: NFSP",
    "dqn": "`dqn`: double DQN",
}
COMPARED = ("ppo", "ppo-average")


def measured() -> dict[str, Any]:
    """Return what is known of each baseline that has been run."""
    return json.loads(DATA.read_text(encoding="utf-8"))


def results() -> str:
    """Return a row for each baseline: games won against the three bots, points a hand, and cost; then the curves."""
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
    return "\n".join([*rows, "", PICTURE])


def bids() -> str:
    """Return how PPO bids while it learns, without and with the pull: means over the seeds."""
    found = {name: one["curves"] for name, one in measured().items() if name in COMPARED}
    columns = [f"`{name}`: {what}" for name in found for what in ("mean bid", "nils", "entropy of bids")]
    rows = [f"| million decisions | {' | '.join(columns)} |", "|---:|" + "---:|" * len(columns)]
    habits = [[_habits(curves, number) for number in range(len(curves["bid"]))] for curves in found.values()]
    for of_all in zip(*habits, strict=True):
        rows.append(f"| {of_all[0][0]} | {' | '.join(cell for one in of_all for cell in one[1:])} |")
    return "\n".join(rows)


def _habits(curves: dict[str, Any], number: int) -> list[str]:
    bid, nil, entropy = (curves[key][number] for key in ("bid", "nil", "entropy_of_bids"))
    decisions = f"{bid['decisions'] / 1e6:.2f}"
    return [decisions, f"{bid['mean']:.2f}", f"{nil['mean']:.1%}", f"{entropy['mean']:.2f}"]


def _text(one: dict[str, Any], form: str, times: float = 1) -> str:
    """Return a mean and its interval over the seeds; a single seed has none."""
    mean = form.format(times * one["mean"])
    return mean if one["ci"] is None else f"{mean} [{', '.join(form.format(times * end) for end in one['ci'])}]"
