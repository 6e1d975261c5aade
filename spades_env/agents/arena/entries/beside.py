"""The score beside strangers: a bot with each member of the panel as its partner, against a fixed pair.

    beside.run("mine:policy", games=100)     {"score": …, "score_ci": […], "with": {"rb": {…}, …}}

The main score gives a bot its own copy as a partner, with whom any private convention works. Here it has South, then
West, and a stranger sits opposite. A deal is played twice, as everywhere; the two other seats have `rule`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from spades_env.agents import arena
from spades_env.agents.arena import benchmark
from spades_env.agents.arena.match_result import Result, panel_interval, share_interval
from spades_env.agents.base import Agent
from spades_env.agents.pair import Pair
from spades_env.agents.registry import load

PAIR = "rule"
SEED = benchmark.SEED + 1  # other deals than the score's
TRIAL_SEED = benchmark.TRIAL_SEED + 1
KEPT = ("win_rate", "win_rate_ci", "points_per_hand", "points_per_hand_ci")
Beside = dict[str, Any]


def run(
    agent: arena.Player,
    games: int = benchmark.GAMES,
    seed: int = TRIAL_SEED,
    jobs: arena.Jobs = None,
    progress: benchmark.Progress | None = None,
) -> Beside:
    """Play a match beside each member of the panel but the bot itself; return the figures as plain data."""
    own, _ = arena.players(agent, "random", seed)
    try:
        names = benchmark.opponents_of(own.name)
        results = {name: _beside(own, name, games, seed, jobs, progress) for name in names}
    finally:
        if own is not agent:
            own.close()
    found = {name: _figures(result) for name, result in results.items()}
    return {"pair": PAIR, "games": games, "seed": seed, **scores(found), "with": found}


def scores(found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the mean share of games won over the partners, with its 95 % interval, and the mean of the points."""
    shares = np.stack([benchmark.shares_of(one["deals"]) for one in found.values()], axis=1)
    points = float(np.mean([one["points_per_hand"] for one in found.values()]))
    return {"score": float(shares.mean()), "score_ci": list(panel_interval(shares)), "points_per_hand": points}


def partners(first: Agent, second: Agent) -> Agent:
    """Seat the first at South or West, and the second opposite."""
    return Pair(f"{first.name} beside {second.name}", first, second, lambda batch: batch.tables.turn < 2)


def match_figures(deals: str) -> dict[str, Any]:
    """Return what follows from the deals of one match."""
    shares = benchmark.shares_of(deals)
    return {"win_rate": float(shares.mean()), "win_rate_ci": list(share_interval(shares))}


def _beside(own: Agent, name: str, games: int, seed: int, jobs: arena.Jobs, progress) -> Result:
    report: Callable | None = progress and (lambda done, total: progress(name, done, total))
    return arena.play(
        partners(own, load(name, seed)), PAIR, benchmark.RULES, games, seed=seed, jobs=jobs, progress=report
    )


def _figures(result: Result) -> dict[str, Any]:
    figures = result.as_dict()
    return {key: figures[key] for key in KEPT} | {"deals": benchmark.digits_of(result)}
