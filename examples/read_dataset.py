"""Learn from a dataset of `spades generate`: shards into numpy, then a policy that imitates.

    spades generate --agent rule --hands 10000 --out data
    python examples/read_dataset.py data

It needs pyarrow and numpy. The policy is one linear layer on the observation, fitted by gradient descent on the cross
entropy over legal actions; on hands it has not seen it is compared with guessing.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

COLUMNS = ("hand_id", "observation", "mask", "action", "phase")


def shards(folder: Path) -> Iterator[dict[str, np.ndarray]]:
    """Yield the decisions of a dataset by file: hand_id, observation int8[N, 824], mask bool[N, 70], action, phase."""
    for path in sorted((folder / "decisions").glob("*.parquet")):
        table = pq.read_table(path, columns=list(COLUMNS)).combine_chunks()
        yield {
            "hand_id": table["hand_id"].to_numpy(),
            "observation": as_rows(table["observation"]),
            "mask": as_rows(table["mask"]).astype(bool),
            "action": table["action"].to_numpy(),
            "phase": np.array(table["phase"].to_pylist()),
        }


def as_rows(column) -> np.ndarray:
    """Return a column of bytes as int8[N, width], without copying the file's buffer."""
    chunk = column.chunk(0)
    width = chunk.type.byte_width
    start = chunk.offset * width
    return np.frombuffer(chunk.buffers()[1], np.int8)[start : start + len(chunk) * width].reshape(-1, width)


def load(folder: Path) -> dict[str, np.ndarray]:
    """Return all decisions in which there was a choice."""
    parts = list(shards(folder))
    if not parts:
        raise SystemExit(f"{folder} holds no decisions: spades generate writes some")
    data = {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}
    free = data["mask"].sum(1) > 1
    return {name: column[free] for name, column in data.items()}


class Linear:
    """A policy whose logits are linear in the observation; illegal actions are masked."""

    def __init__(self, inputs: int, actions: int):
        self.weights = np.zeros((inputs + 1, actions), np.float32)
        self.steps = np.ones_like(self.weights) * 1e-6  # Adagrad's sums

    def chances(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the probabilities of actions: float32[N, 70]."""
        scores = np.where(mask, _with_one(observation) @ self.weights, -np.inf)
        raised = np.exp(scores - scores.max(1, keepdims=True))
        return raised / raised.sum(1, keepdims=True)

    def learn(self, observation: np.ndarray, mask: np.ndarray, action: np.ndarray, rate: float = 0.05) -> float:
        """Take one step; return the mean cross entropy before it."""
        chances, rows = self.chances(observation, mask), np.arange(len(action))
        loss = float(-np.log(chances[rows, action] + 1e-9).mean())
        chances[rows, action] -= 1
        slope = _with_one(observation).T @ chances / len(action)
        self.steps += slope * slope
        self.weights -= rate * slope / np.sqrt(self.steps)
        return loss


def fit(folder: Path, passes: int = 2, batch: int = 256, seed: int = 0) -> dict[str, float]:
    """Imitate the decisions of nine tenths of the hands; return the accuracy on the others."""
    data, chance = load(folder), np.random.default_rng(seed)
    hands = chance.permutation(np.unique(data["hand_id"]))
    held_back = np.flatnonzero(np.isin(data["hand_id"], hands[: max(1, len(hands) // 10)]))
    learned = np.setdiff1d(np.arange(len(data["action"])), held_back)
    policy = Linear(data["observation"].shape[1], data["mask"].shape[1])
    losses = []
    for _ in range(passes):
        chance.shuffle(learned)
        for which in np.array_split(learned, max(1, len(learned) // batch)):
            losses.append(policy.learn(*(data[name][which] for name in ("observation", "mask", "action"))))
    some = {name: column[held_back] for name, column in data.items()}
    favourites = policy.chances(some["observation"], some["mask"]).argmax(1)
    tenth = max(1, len(losses) // 10)
    return {
        "decisions": len(data["action"]),
        "loss_first": float(np.mean(losses[:tenth])),
        "loss_last": float(np.mean(losses[-tenth:])),
        "agreement": float((favourites == some["action"]).mean()),
        "agreement_by_guessing": float((1 / some["mask"].sum(1)).mean()),
    }


def _with_one(observation: np.ndarray) -> np.ndarray:
    return np.concatenate([observation.astype(np.float32), np.ones((len(observation), 1), np.float32)], 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--passes", type=int, default=2)
    options = parser.parse_args()
    for name, value in fit(options.folder, options.passes).items():
        print(f"{name:24}{value:10.3f}")
