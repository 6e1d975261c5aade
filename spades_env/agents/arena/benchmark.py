"""The benchmark: one agent against a fixed panel, always on the same deals (docs/benchmark.md has the protocol).

    row = benchmark.run("mine:policy", games=100)              a trial, while you work
    row = benchmark.run("mine:policy", seed=benchmark.SEED)    the protocol's own deals, to report
    row.score, row.score_ci         the mean share of games won over the panel, with its 95 % interval
    row.as_dict()                   all figures, for JSON

Every agent is measured against the whole panel. A member of it would win exactly half of its games against itself, so
that match is not played and counts as one half.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spades_env._version import __version__
from spades_env.agents import arena
from spades_env.agents.arena.match_result import Interval, Result, panel_interval, stats_of, student, tokens_of
from spades_env.agents.base import FAILURES, Agent, AgentError
from spades_env.game.rules import Rules

VERSION = 4  # of the protocol: a new one when panel, rules, deals or figures change
RULES = "match"
PANEL = ("rb", "bis", "club", "rule", "pimc:20", "bis/mc:30x30")
HELD_OUT = ("club", "pimc:20")  # of the panel: nothing in this package is trained, fitted or chosen by them
GAMES, LEAST_GAMES = 1000, 50  # against each: the usual number, and the fewest of an entry
RESERVED = range(4_000_000, 5_000_000)  # seeds whose deals are for reporting: no training, no selection by them
SEED = RESERVED[0]  # of every report
TRIAL_SEED = 3_000_000
MIRROR = 0.5  # what a match of an agent against itself counts

Progress = Callable[[str, int, int], Any]  # against whom, games finished, games in all


@dataclass(frozen=True)
class PanelRow:
    """The results of a match against each opponent of the panel.

    Attributes:
        agent: Its name.
        cheats: Whether it sees hidden cards.
        seen: The opponents that it was trained, fitted or chosen by.
        games: Against each.
        seed: Of the deals; None: a secret decides them.
        results: The matches, by opponent.

    Examples:
        >>> from spades_env.agents import benchmark
        >>> row = benchmark.run("rule", games=2)  # a first look: far too few games
        >>> row.by_protocol, list(row.results)
        (False, ['rb', 'bis', 'club', 'pimc:20', 'bis/mc:30x30'])
    """

    agent: str
    cheats: bool
    seen: tuple[str, ...]
    games: int
    seed: int | None  # None: a secret decides the deals (entries/verification.py)
    results: dict[str, Result]

    @property
    def by_protocol(self) -> bool:
        """Whether it has the deals of the protocol, and enough of them; else it is a trial."""
        return is_by_protocol(self.games, self.seed)

    @property
    def deals(self) -> dict[str, np.ndarray]:
        """The agent's share of each deal by opponent, float[games / 2]."""
        return {name: result.deal_wins for name, result in self.results.items()}

    @property
    def score(self) -> float:
        """The mean share of games won over the panel."""
        return score(self.deals, PANEL)[0]

    @property
    def score_ci(self) -> tuple[float, float]:
        """The 95 % interval of `score`."""
        return score(self.deals, PANEL)[1]

    @property
    def points_per_hand(self) -> float:
        """The mean over the panel of the points ahead in a hand."""
        return float(sum(result.points_per_hand for result in self.results.values()) / len(PANEL))

    @property
    def points_per_hand_ci(self) -> Interval:
        """The 95 % interval of `points_per_hand`."""
        n = self.games // 2
        if n < 2:
            return None, None
        errors = sum(
            (one.deal_points - one.points_per_hand * one.deal_hands) / one.deal_hands.mean()
            for one in self.results.values()
        )
        width = student(n - 1) * float(np.sqrt(np.sum(errors**2) / (n * (n - 1)))) / len(PANEL)
        return self.points_per_hand - width, self.points_per_hand + width

    @property
    def stats(self) -> dict[str, Any]:
        """How the agent plays, in all matches together."""
        return stats_of(self._counts)

    @property
    def tokens(self) -> dict[str, float] | None:
        """The tokens of the agent's language model for each decision; None if it has counted none."""
        return tokens_of(self._counts)

    @property
    def failures(self) -> dict[str, int]:
        """How many decisions were made in the agent's place, in all matches, by reason."""
        return {reason: self._counts[reason] for reason in FAILURES}

    @property
    def _counts(self) -> dict[str, Any]:
        counts = [result.counts["a"] for result in self.results.values()]
        return {key: sum(one[key] for one in counts) for key in counts[0]}

    def as_dict(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        protocol = {"benchmark": VERSION, "version": __version__, "agent": self.agent, "cheats": self.cheats}
        protocol |= {"rules": RULES, "games": self.games, "seed": self.seed, "by_protocol": self.by_protocol}
        found = scores(self.deals)
        found |= {"points_per_hand": self.points_per_hand, "points_per_hand_ci": list(self.points_per_hand_ci)}
        found |= {"failures": self.failures, "tokens": self.tokens, "stats": self.stats}
        against = {name: _figures(result, name in self.seen) for name, result in self.results.items()}
        return protocol | found | {"against": against}


def run(
    agent: arena.Player,
    games: int = GAMES,
    seed: int = TRIAL_SEED,
    seen: Sequence[str] = (),
    jobs: arena.Jobs = None,
    progress: Progress | None = None,
) -> PanelRow:
    """Play the benchmark: a match against each agent of the panel.

    Args:
        agent: A name, an Agent, or a function view -> action.
        games: Against each, an even number. Ask for fewer with a slow agent.
        seed: Of the deals. Ask for SEED only to report the figures.
        seen: The opponents that the agent was trained, fitted or chosen by.
        jobs: Threads, by default one for each core, or a cluster.
        progress: Called with the opponent, games finished and games in all.

    Returns:
        The results, which don't depend on `jobs`.

    Raises:
        AgentError: The agent can't be loaded or gave a wrong answer, or an opponent in `seen` is unknown.

    Examples:
        >>> from spades_env.agents import benchmark
        >>> row = benchmark.run("rule", games=2)  # a first look: far too few games
        >>> low, high = row.score_ci
        >>> low < row.score < high
        True
    """
    for name in seen:
        if name not in PANEL:
            raise AgentError(f"unknown opponent {name!r}; the panel of the benchmark is {', '.join(PANEL)}")
    own, _ = arena.players(agent, "random", seed)  # whose seed says nothing about the deals
    try:
        results = meet_panel(own, games, lambda name: seed, jobs, progress)
    finally:
        if own is not agent:
            own.close()
    return PanelRow(own.name, own.cheats, tuple(seen), games, seed, results)


def meet_panel(
    agent: Agent, games: int, seed_of: Callable[[str], int], jobs: arena.Jobs = None, progress: Progress | None = None
) -> dict[str, Result]:
    """Play a match against each member of the panel but the agent itself. seed_of: returns the seed of a match."""
    rules, results = Rules.parse(RULES), {}
    for name in opponents_of(agent.name):
        report = progress and (lambda done, total, name=name: progress(name, done, total))
        results[name] = arena.play(agent, name, rules, games, seed=seed_of(name), jobs=jobs, progress=report)
    return results


def opponents_of(agent: str) -> tuple[str, ...]:
    """Return the members of the panel that an agent plays: all but itself."""
    return tuple(name for name in PANEL if name != agent)


def is_by_protocol(games: int, seed: int | None) -> bool:
    return games >= LEAST_GAMES and seed == SEED


def seed_of(seed: int | None, games: int, reported: bool) -> int:
    """Return the seed to play: by default the protocol's for a report of enough games, else that of trials.

    seed: the one that is wanted, if any; the reserved ones are refused to a trial
    """
    if seed is None:
        return SEED if reported and games >= LEAST_GAMES else TRIAL_SEED
    if seed in RESERVED and not (reported and is_by_protocol(games, seed)):
        raise AgentError(
            f"seeds {RESERVED[0]:,} to {RESERVED[-1]:,} are kept for entries, which have {LEAST_GAMES} games at least "
            f"and the seed {SEED}: a trial needs another seed than {seed}"
        )
    return seed


def scores(deals: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return the score over the panel and that over its held-out members, each with its interval, as plain data."""
    (all_rate, all_ci), (held_rate, held_ci) = score(deals, PANEL), score(deals, HELD_OUT)
    return {"score": all_rate, "score_ci": list(all_ci), "held_out": held_rate, "held_out_ci": list(held_ci)}


def score(deals: dict[str, np.ndarray], members: Sequence[str]) -> tuple[float, tuple[float, float]]:
    """Return the mean share over these members of the panel, and its 95 % interval.

    deals: the agent's share of each deal by opponent; a member that is missing is the agent itself
    """
    met = np.stack([deals[name] for name in members if name in deals], axis=1)
    mirrors = MIRROR * (len(members) - met.shape[1])
    rate, low, high = ((met.shape[1] * x + mirrors) / len(members) for x in (met.mean(), *panel_interval(met)))
    return float(rate), (float(low), float(high))


def digits_of(result: Result) -> str:
    """Return the share of each deal's two games in quarters, a digit for each."""
    return "".join(str(int(4 * share)) for share in result.deal_wins)


def shares_of(digits: str) -> np.ndarray:
    """Return the share of each deal, from its quarters."""
    return np.array([int(digit) for digit in digits]) / 4


def _figures(result: Result, seen: bool) -> dict[str, Any]:
    """Return what is reported of one match."""
    figures, counts = result.as_dict(), result.counts["a"]
    kept = ("win_rate", "win_rate_ci", "points_per_hand", "points_per_hand_ci", "cut")
    failures = {reason: counts[reason] for reason in FAILURES}
    known = {"seen": seen, "deals": digits_of(result), "stats": figures["stats"]["a"]}
    return {key: figures[key] for key in kept} | failures | known
