"""Turn a dataset of `spades generate` into one that `minari.load_dataset` opens.

    pip install ".[minari]"
    spades generate --agent rule --hands 5000 --out data
    python examples/minari_dataset.py data spades/rule-v0

An episode is what `Spades-v0` with episode="hand" shows to one seat: a hand makes four, South's first. To see it, the
hand is played again, by its seed and actions. Cards of others are in no part of the dataset.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import minari
import numpy as np
import pyarrow.parquet as pq
from minari.data_collector import EpisodeBuffer

from spades_env import Rules, spades_v0
from spades_env.envs.aec import AGENTS
from spades_env.game.cards import NUM_ACTIONS

LABELS = {"bid": "bids", "nil": "nils", "tricks": "tricks"}  # of a seat: the column of `hands`
Row = dict[str, Any]


def hands(folder: Path) -> Iterator[tuple[Row, list[Row]]]:
    """Yield every hand with its decisions."""
    for path in sorted((folder / "hands").glob("*.parquet")):
        columns = ["hand_id", "seat", "agent", "action"]
        decisions = iter(pq.read_table(folder / "decisions" / path.name, columns=columns).to_pylist())
        row = next(decisions)
        for hand in pq.read_table(path).to_pylist():
            own = []
            while row and row["hand_id"] == hand["hand_id"]:
                own.append(row)
                row = next(decisions, None)
            yield hand, own


def options(hand: Row) -> Row:
    """Return the options of `reset` that begin a hand where it began."""
    sides = Rules.parse(hand["rules"]).sides
    standing = {name: np.array(hand[f"{name}_before"][:sides], np.int32) for name in ("scores", "bags")}
    return {"hand_number": hand["hand_number"], "dealer": hand["dealer"], **standing}


def episodes(hand: Row, decisions: list[Row]) -> Iterator[EpisodeBuffer]:
    """Play a hand again, and yield each seat's episode."""
    env = spades_v0.raw_env(hand["rules"], episode="hand", truncate_after=None)
    env.reset(seed=hand["seed"], options=options(hand))
    seen: dict[str, list[tuple]] = {agent: [] for agent in AGENTS}
    for step, decision in enumerate(decisions):
        agent = env.agent_selection
        seen[agent].append((env.observe(agent), decision["action"], step))
        env.step(decision["action"])
    for agent in AGENTS:
        observations, actions, steps = zip(*seen[agent], strict=True)
        last = {"observation": env.observe(agent)["observation"], "action_mask": np.ones(NUM_ACTIONS, np.int8)}
        ends = np.arange(1, len(actions) + 1) == len(actions)
        played: Row = {
            "seed": hand["seed"],
            "options": options(hand),
            "observations": {name: np.stack([each[name] for each in (*observations, last)]) for name in last},
            "actions": np.array(actions),
            "rewards": np.where(ends, env.rewards[agent], 0).astype(np.float32),
            "terminations": ends,
            "truncations": np.zeros(len(actions), bool),
            "infos": {"step": np.array([*steps, len(decisions)], np.int16)},  # in the hand, all seats counted
        }
        yield EpisodeBuffer(**played)


def labels(hand: Row, decisions: list[Row]) -> Iterator[Row]:
    """Yield what is known of each episode afterwards; `won` is missing where the game was cut."""
    agents = {row["seat"]: row["agent"] for row in decisions}
    for seat in range(len(AGENTS)):
        label = {"hand_id": hand["hand_id"], "seat": seat, "agent": agents[seat]}
        label |= {name: hand[column][seat] for name, column in LABELS.items()}
        if (winner := hand["winner"]) is not None:
            label["won"] = 0 if winner < 0 else 1 if winner == Rules.parse(hand["rules"]).side(seat) else -1
        yield label


def convert(folder: Path, dataset_id: str) -> minari.MinariDataset:
    """Write the dataset below the folder that MINARI_DATASETS_PATH names."""
    first, decisions = next(hands(folder), (None, []))
    if first is None:
        raise SystemExit(f"{folder} holds no hands: spades generate writes some")
    players = ", ".join(dict.fromkeys(row["agent"] for row in decisions))
    dataset = minari.create_dataset_from_buffers(
        dataset_id,
        (episode for played in hands(folder) for episode in episodes(*played)),  # pyright: ignore[reportArgumentType]
        gymnasium.make("Spades-v0", rules=first["rules"], episode="hand"),
        algorithm_name=players,
        author="spades-env",
        description=f"Self-play of {players} under {first['rules']}: an episode for each seat of a hand.",
    )
    known = (label for played in hands(folder) for label in labels(*played))
    dataset.storage.update_episode_metadata(known, range(dataset.total_episodes))
    return dataset


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("dataset_id", help="NAME-vN, such as spades/rule-v0")
    given = parser.parse_args()
    made = convert(given.folder, given.dataset_id)
    print(f"{made.id}: {made.total_episodes:,} episodes, {made.total_steps:,} steps")
