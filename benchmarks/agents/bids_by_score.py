"""How bids depend on the score: python benchmarks/agents/bids_by_score.py standard rule

The same deals at one score after another, with the agent in every seat. The columns are the mean of our bids other
than nil, our share of nils, and the sum of all four bids. Classic without blind nil.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from spades_env import SpadesVectorEnv, agents
from spades_env.agents import Batch
from spades_env.game.cards import BID_ZERO

RULES = "match"
DEALS, SEED = 2000, 77
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


def table(names: list[str]) -> str:
    """Return a row for each score, with three numbers for each agent."""
    rows = ["| we : they | " + " | ".join(f"`{name}`: our bid | our nils | all four" for name in names) + " |"]
    rows.append("|---|" + "---:|" * (3 * len(names)))
    for told, score in SCORES.items():
        cells = [told]
        for name in names:
            found = bids(name, score)
            ours = found[:, ::2]
            cells += [f"{ours[ours > 0].mean():.2f}", f"{(ours == 0).mean():.1%}", f"{found.sum(axis=1).mean():.2f}"]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table(sys.argv[1:] or ["standard", "rule"]))
