"""Training speed: decisions played and learned from a second, on all cores; and that of sb3-contrib's MaskablePPO.

Ours are rounds of self-play, all four seats learning at every table, in bfloat16 where the processor has units for it;
and the same self-play by one worker and by two, of one thread each, as torchrun starts them.
MaskablePPO, where `sb3_contrib` is installed, learns at one seat against
three `rule`, on our Gymnasium vector environment, with three layers of 256 and as many decisions between two
updates: with its own settings, and with a single pass over minibatches like ours. Its rows have a unit of their own,
the steps of that one seat, where ours count what all four seats do: they give no ratio.
"""

import importlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Row, rate, rate_of

ROOT = Path(__file__).resolve().parent.parent
TABLES, WIDTH, LAYERS = 512, 256, 3
MINIBATCH = 2048
WARM_UP, ROUNDS = 4, 10  # rounds of a worker
ALONE = f"""
tables = {TABLES}
evaluate = {{ every = 0 }}
network = {{ critic_width = {WIDTH} }}
pool = {{ past = 0.0 }}
[[stage]]
kind = "selfplay"
iterations = {WARM_UP + ROUNDS}
minibatch = {MINIBATCH}
"""
ENVS = 64
STEPS = TABLES * 56 // ENVS  # of each of them, between two updates: a hand is 56 decisions
MOST_REPEATS = 3  # of theirs, as a round takes a quarter of a minute
BUDGET = 25_000


def measure(repeats: int) -> list[Row]:
    """Measure training; nothing without torch."""
    if not find_spec("torch"):
        return []
    rows = [*ours(repeats), *scaling(min(repeats, MOST_REPEATS))]
    if not find_spec("sb3_contrib"):
        return rows
    for name, settings in (
        ("its own settings", {}),
        ("one pass, minibatches of 2,048", {"n_epochs": 1, "batch_size": 2048}),
    ):
        work = masked_ppo(settings)
        rows.append(rate("learning", f"MaskablePPO, {name}", work, min(repeats, MOST_REPEATS), unit="steps/s"))
    return rows


def ours(repeats: int) -> list[Row]:
    """Measure rounds, and the share of playing in their time."""
    shares: list[float] = []
    row = rate_of("learning", "ours, PPO in self-play", rounds(shares), repeats, BUDGET)
    playing = [100 * share for share in shares[1:]]  # the first one warmed up
    learning = [100 - share for share in playing]
    return [row, _share("playing", playing), _share("learning", learning)]


def _share(name: str, percent: list[float]) -> Row:
    return Row("learning", f"ours, of it {name}", statistics.median(percent), min(percent), max(percent), "%")


def rounds(shares: list[float]):
    """Play one round after another; append each round's share of time spent playing to the list."""
    import torch

    from train.collect import new_hands, play_hand
    from train.learner import Learner
    from train.recipe import Network, Recipe, SelfPlay
    from train.rewards import Weights, reward_of
    from train.stages.passes import Update
    from train.stages.selfplay import Player, self_play

    recipe, stage = Recipe(), SelfPlay(minibatch=MINIBATCH)
    device = torch.device("cpu")
    learner = Learner(Network(critic_width=WIDTH), device, seed=1)
    generator, rng = learner.generator(1), np.random.default_rng(1)
    all_learn = np.zeros((TABLES, 4), np.int64)

    def timed() -> tuple[int, float]:
        start = time.perf_counter()
        env = new_hands(recipe.rules, TABLES, rng)
        player = Player(learner, generator)
        hand = play_hand(env, all_learn, [player])
        reward = reward_of(hand.before, hand.after, hand.style_counts, Weights.of(recipe.reward))
        played = time.perf_counter()
        self_play(Update(learner, hand, reward, 0.0, generator), player, stage)
        seconds = time.perf_counter() - start
        shares.append((played - start) / seconds)
        return hand.actions, seconds

    return timed


def scaling(repeats: int) -> list[Row]:
    """Measure one worker and two, a thread each, and the gain."""
    alone, both = ([worker_rate(count) for _ in range(repeats)] for count in (1, 2))
    rows = [
        Row("learning", f"ours under torchrun, {name}", statistics.median(rates), min(rates), max(rates), "decisions/s")
        for name, rates in (("one worker, one thread", alone), ("two workers, one thread each", both))
    ]
    one, two = rows
    gain = two.median / one.median, two.low / one.high, two.high / one.low
    return [*rows, Row("learning", "two workers to one", *gain, "×")]


def worker_rate(count: int) -> float:
    """Return the decisions a second of several workers together."""
    with tempfile.TemporaryDirectory() as folder:
        recipe, run = Path(folder) / "alone.toml", Path(folder) / "run"
        recipe.write_text(ALONE)
        launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(count)]
        command = [*launcher, "-m", "train", str(recipe), "--out", str(run), "--threads", "1"]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    first, last = lines[WARM_UP - 1], lines[-1]
    return (last["decisions"] - first["decisions"]) / (last["seconds"] - first["seconds"])


def masked_ppo(settings: dict[str, int]):
    """Time the decisions of one update, and the update."""
    from spades_env.adapters import sb3_vec_env

    library: Any = importlib.import_module("sb3_contrib")
    env = sb3_vec_env(ENVS, opponents="rule", episode="hand", truncate_after=None)
    layers = [WIDTH] * LAYERS
    model = library.MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=STEPS,
        policy_kwargs={"net_arch": {"pi": layers, "vf": layers}},
        seed=1,
        device="cpu",
        **settings,
    )

    def work() -> int:
        before = model.num_timesteps
        model.learn(ENVS * STEPS, reset_num_timesteps=False)
        return model.num_timesteps - before

    return work
