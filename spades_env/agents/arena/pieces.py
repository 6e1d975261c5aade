"""Split a match into pieces for the nodes of a cluster, and join their results.

A piece is a range of deals. Each game's result depends on its own deal alone, so neither the size of the pieces nor the
order in which they are done decides anything.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from spades_env.agents.base import Agent, AgentError
from spades_env.agents.cluster.ray_cluster import Cluster
from spades_env.agents.cluster.worker import Work

PIECES_A_CORE = 4  # so that cores end together, though games take longer here than there

Counts = dict[str, int]


class DealGames(NamedTuple):
    """The games of some deals. rows: GAME[N]; moves, seconds and counted: of A and of B, as in `Result`."""

    rows: np.ndarray
    moves: tuple[int, int]
    seconds: tuple[float, float]
    counted: tuple[Counts, Counts]


def play_in_pieces(
    cluster: Cluster,
    work: Work,
    agents: tuple[Agent, Agent],
    deals: range,
    about: tuple,
    progress: Callable[[int, int], Any] | None,
) -> DealGames:
    """Let nodes play the deals; `work` is called with the agents' strings and seeds, a range of deals, and `about`."""
    players = tuple(_string_and_seed(agent) for agent in agents)
    ranges = split(len(deals), PIECES_A_CORE * cluster.cores)
    tasks = [(players, deals[one.start : one.stop], *about) for one in ranges]
    found, done = dict[int, DealGames](), 0
    for number, games in cluster.run(work, tasks, [name for name, _ in players]):
        found[number] = games
        done += len(games.rows)
        if progress:
            progress(done, 2 * len(deals))
    return joined([found[number] for number in range(len(ranges))])


def split(count: int, most: int) -> list[range]:
    """Split range(count) into at most `most` near-equal ranges, none of them empty."""
    ends = [count * i // min(most, count) for i in range(min(most, count) + 1)]
    return [range(first, last) for first, last in pairwise(ends)]


def joined(pieces: Sequence[DealGames]) -> DealGames:
    """Join the pieces of a match, in their order."""
    rows = np.concatenate([one.rows for one in pieces]).view(np.recarray)
    moves = np.sum([one.moves for one in pieces], axis=0).tolist()
    seconds = np.sum([one.seconds for one in pieces], axis=0).tolist()
    counted = [_sum(one.counted[who] for one in pieces) for who in range(2)]
    return DealGames(rows, (moves[0], moves[1]), (seconds[0], seconds[1]), (counted[0], counted[1]))


def _sum(counts: Iterable[Counts]) -> Counts:
    total = Counter[str]()
    for one in counts:
        total.update(one)
    return dict(total)


def _string_and_seed(agent: Agent) -> tuple[str, int]:
    if agent.loaded_as is None:
        raise AgentError(f"{agent.name} is an object of this process: on a cluster agents are given by their strings")
    return agent.loaded_as
