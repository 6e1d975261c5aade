"""Training speed: decisions played and learned from a second, on all cores.

Hands of self-play, all four seats learning at every table, in bfloat16 where the processor has units for it; the same
self-play by one worker and by two, of one thread each; and, where `sb3_contrib` is installed, ours beside its
MaskablePPO in like units (benchmarks/training/maskable_ppo.py).
"""

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import Row, rate_of, ratio, spread_of
from benchmarks.training import maskable_ppo

ROOT = Path(__file__).resolve().parents[2]
TABLES, WIDTH = 512, 256
MINIBATCH = 2048
WARM_UP, ITERATIONS = 4, 10  # iterations of a worker
ALONE = f"""
tables = {TABLES}
evaluate = {{ every = 0 }}
network = {{ width = {WIDTH} }}
[[stage]]
kind = "selfplay"
hands = 1
iterations = {WARM_UP + ITERATIONS}
minibatch = {MINIBATCH}
"""
MOST_REPEATS = 3  # of what takes a quarter of a minute
BUDGET, BUDGET_OF_TWO = 25_000, 40_000


def measure(repeats: int) -> list[Row]:
    """Measure training; nothing without torch."""
    if not find_spec("torch"):
        return []
    rows = [*ours(repeats), *scaling(min(repeats, MOST_REPEATS))]
    return [*rows, *maskable_ppo.rows(min(repeats, MOST_REPEATS))] if find_spec("sb3_contrib") else rows


def ours(repeats: int) -> list[Row]:
    """Measure hands, and the share of playing in their time."""
    shares: list[float] = []
    row = rate_of("learning", "ours, self-play", iterations(shares), repeats, BUDGET)
    playing = [100 * share for share in shares[1:]]  # the first one warmed up
    learning = [100 - share for share in playing]
    shared = {"playing": playing, "learning": learning}
    return [row, *(spread_of("learning", f"ours, of it {name}", percent, "%") for name, percent in shared.items())]


def iterations(shares: list[float]):
    """Play one hand after another; append each hand's share of time spent playing to the list."""
    from benchmarks.training.iterations import learning
    from spades_env.training.recipe import NetworkShape, SelfPlay

    play = learning(NetworkShape(width=WIDTH), SelfPlay(minibatch=MINIBATCH))

    def timed() -> tuple[int, float]:
        hand, playing, seconds = play(TABLES)
        shares.append(playing / seconds)
        return hand.actions, seconds

    return timed


def scaling(repeats: int) -> list[Row]:
    """Measure one worker and two, a thread each, and the gain."""
    names = {1: ("one worker, one thread", None), 2: ("two workers, one thread each", BUDGET_OF_TWO)}
    one, two = (
        spread_of(
            "learning",
            f"ours under torchrun, {name}",
            [worker_rate(count) for _ in range(repeats)],
            "decisions/s",
            budget,
        )
        for count, (name, budget) in names.items()
    )
    return [one, two, ratio("learning", "two workers to one", two, one)]


def worker_rate(count: int) -> float:
    """Return the decisions a second of several workers together."""
    with tempfile.TemporaryDirectory() as folder:
        recipe, run = Path(folder) / "alone.toml", Path(folder) / "run"
        recipe.write_text(ALONE)
        launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(count)]
        command = [*launcher, "-m", "spades_env.training", str(recipe), "--out", str(run), "--threads", "1"]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    first, last = lines[WARM_UP - 1], lines[-1]
    return (last["decisions"] - first["decisions"]) / (last["seconds"] - first["seconds"])
