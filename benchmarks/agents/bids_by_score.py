"""How do bids depend on the score? python benchmarks/agents/bids_by_score.py [--write] [AGENT …]

    --write    keep the result in docs/bids.json

The same deals at one score after another, with the agent in every seat: the mean of our bids other than nil, our share
of nils, and the sum of all four bids.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.measure import write_record
from spades_env import SpadesVectorEnv, agents
from spades_env.agents import Batch
from spades_env.game.cards import BID_ZERO

RULES = "match"
DEALS, SEED = 2000, 77
RECORD = Path(__file__).resolve().parents[2] / "docs" / "bids.json"
SCORES = {  # ours, theirs, our bags, theirs
    "0 : 0": (0, 0, 0, 0),
    "450 : 300": (450, 300, 0, 0),
    "300 : 450": (300, 450, 0, 0),
    "470 : 460": (470, 460, 0, 0),
    "100 : 460": (100, 460, 0, 0),
    "300 : 300, nine bags": (300, 300, 9, 0),
    "300 : 300, theirs nine": (300, 300, 0, 9),
}


def bids(name: str, score: tuple[int, int, int, int]) -> np.ndarray:
    """Return the bids by seat, South and North being our side: int64[DEALS, 4]."""
    env, agent = SpadesVectorEnv(DEALS, rules=RULES), agents.load(name)
    sides = np.zeros((2, DEALS, 4), np.int32)
    sides[:, :, :2] = np.reshape(score, (2, 1, 2))
    env.reset(SEED, scores=sides[0], bags=sides[1])
    found = np.empty((DEALS, 4), np.int64)
    for _ in range(4):
        turn, action = env.turn.copy(), agent.act_batch(Batch.at(env))
        found[np.arange(DEALS), turn] = action - BID_ZERO
        env.step(action)
    return found


def summary(found: np.ndarray) -> dict[str, float]:
    """Return the mean of our bids other than nil, our share of nils, and the mean sum of all bids."""
    ours = found[:, ::2]
    means = {"bid": ours[ours > 0].mean(), "nils": (ours == 0).mean(), "all": found.sum(axis=1).mean()}
    return {name: float(mean) for name, mean in means.items()}


def main(names: list[str], write: bool) -> None:
    found: dict = {"rules": RULES, "deals": DEALS, "seed": SEED, "bids": {}}
    for name in names:
        found["bids"][name] = {words: summary(bids(name, score)) for words, score in SCORES.items()}
        for words, means in found["bids"][name].items():
            print(name, words, *(f"{what} {mean:.3f}" for what, mean in means.items()), sep="  ", flush=True)
    if write:
        write_record(RECORD, found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["standard", "rule"], metavar="AGENT")
    parser.add_argument("--write", action="store_true")
    main(**vars(parser.parse_args()))
