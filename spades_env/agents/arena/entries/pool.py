"""The frozen pool: the panel's members as they were when this version of the benchmark began.

A member that plays otherwise is another opponent. So entries are refused where one does: after a change of its code or
of its fitted numbers, or on a processor that computes differently. A wanted change raises `benchmark.VERSION`.
"""

import hashlib
from functools import cache

from spades_env.agents.arena import benchmark
from spades_env.agents.arena.characters import answers, moments
from spades_env.agents.base import AgentError
from spades_env.agents.registry import load

PLAYS = {  # a hash of what each member does at 100 moments
    "rb": "83d42824cb65acde",
    "bis": "e3c54afea540197e",
    "club": "4974cc2cdd9b820f",
    "rule": "a1783035bfefa259",
    "pimc:20": "a6656d5d5fd91b98",
    "bis/mc:30x30": "101dc6b2d8fe5b4d",
}


def digest() -> str:
    """Return the SHA-256 of the pool: of its members' names and hashes."""
    return hashlib.sha256("".join(f"{name} {PLAYS[name]}\n" for name in benchmark.PANEL).encode()).hexdigest()


def check() -> None:
    """Raise an AgentError if a member of the panel doesn't play as in the pool."""
    for name in benchmark.PANEL:
        if plays(name) != PLAYS[name]:
            raise AgentError(
                f"{name} plays differently here from the frozen pool of benchmark {benchmark.VERSION} "
                f"({plays(name)}, not {PLAYS[name]}): its figures would not be comparable"
            )


@cache
def plays(name: str) -> str:
    """Return a hash of what an agent does at 100 moments."""
    return hashlib.sha256(answers(load(name), moments(100)).tobytes()).hexdigest()[:16]
