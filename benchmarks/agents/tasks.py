"""Measure what known players reach in the graded tasks: `python benchmarks/agents/tasks.py` writes docs/tasks.json.

Each sits at the learner's seat, with the table's other seats as the task has them.
"""

import argparse
import sys
from pathlib import Path

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import write_record  # noqa: E402
from spades_env import TASKS, SpadesGymVectorEnv, agents  # noqa: E402
from spades_env.agents.arena.match_result import ratio_interval, share_interval  # noqa: E402

PLAYERS = ("random", "rule", "standard")
RECORD = ROOT / "docs" / "tasks.json"


def returns(task: str, player: str, episodes: int, seed: int) -> np.ndarray:
    """Return what the learner is paid in each episode, float64[episodes]; each is played at a table of its own."""
    envs = gymnasium.make_vec(task, episodes, autoreset_mode=AutoresetMode.SAME_STEP)
    assert isinstance(envs, SpadesGymVectorEnv)
    envs.reset(seed=seed)
    agent, paid, playing = agents.load(player, seed=seed), np.zeros(episodes), np.ones(episodes, bool)
    while playing.any():
        _, rewards, terminated, truncated, _ = envs.step(agent.act_at_tables(envs._tables, np.arange(episodes)))
        paid += rewards * playing
        playing &= ~(terminated | truncated)
    return paid


def score(paid: np.ndarray, is_win: bool) -> dict:
    """Return the mean with its 95 % interval. is_win: the episodes were won or lost, for 1 or −1."""
    ends = ratio_interval(paid, np.ones(len(paid)))
    if is_win:
        ends = (2 * end - 1 for end in share_interval((paid + 1) / 2))
    return {"mean": paid.mean(), "ci": list(ends), "episodes": len(paid)}


def main(hands: int, games: int, seed: int) -> None:
    found: dict = {"seed": seed, "scores": {}}
    for task, settings in TASKS.items():
        is_win = settings.get("reward") == "win"
        paid = {player: returns(task, player, games if is_win else hands, seed) for player in PLAYERS}
        found["scores"][task] = {player: score(each, is_win) for player, each in paid.items()}
        print(task, *(f"{name} {one['mean']:+.2f}" for name, one in found["scores"][task].items()), flush=True)
    write_record(RECORD, found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=5_000_000)
    main(**vars(parser.parse_args()))
