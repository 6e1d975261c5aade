"""The benchmark: one agent against seven opponents, always on the same deals (docs/benchmark.md has the protocol).

    row = benchmark.run("mine:policy", seen=["rule"])
    row.as_dict()                   all figures, for JSON
    row.markdown()                  the line to report

An opponent is seen if the agent learned from it, trained against it, or was chosen by its results against it. Figures
against seen opponents are marked: what counts is the result against those held out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents import arena
from agents.arena.result import Result
from agents.base import FAILURES, Agent, AgentError
from agents.figures import STATS, stat_text
from agents.registry import load
from spades_env import Rules, __version__

VERSION = 3  # of the protocol: a new one when opponents, rules, deals or figures change
RULES = "classic blind_nil_deficit=off"
OPPONENTS = ("random", "rb", "bis", "club", "rule", "standard", "bis/mc:30x30")
GAMES, SEED = 1000, 31415
STYLE = ("mean_bid", "set_rate", "bags_per_hand", "nil_rate", "nil_kept")  # figures shown of the agent's play,
REFERENCE = "rule"  # … against this opponent
SEEN = "†"

Progress = Callable[[str, int, int], Any]  # against whom, games finished, games in all


@dataclass(frozen=True)
class Row:
    """The results of a match against each opponent; `seen` are those that the agent knew before."""

    agent: str
    cheats: bool
    seen: tuple[str, ...]
    games: int
    seed: int
    results: dict[str, Result]

    @property
    def by_protocol(self) -> bool:
        """Whether it has the games and deals of the protocol; else it is a trial."""
        return self.games >= GAMES and self.seed == SEED

    @property
    def held_out(self) -> tuple[str, ...]:
        return tuple(name for name in self.results if name not in self.seen)

    @property
    def held_out_rate(self) -> float | None:
        rates = [self.results[name].win_rate for name in self.held_out]
        return float(np.mean(rates)) if rates else None

    @property
    def failures(self) -> dict[str, int]:
        """How many of the agent's decisions in all matches were made in its place, by reason."""
        each = [result.counts["a"] for result in self.results.values()]
        return {reason: sum(counts[reason] for counts in each) for reason in FAILURES}

    def as_dict(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        kept = ("win_rate", "win_rate_ci", "points_per_hand", "points_per_hand_ci", *FAILURES, "cut")
        against = {}
        for name, result in self.results.items():
            figures = result.as_dict()
            against[name] = {key: figures[key] for key in kept} | {"seen": name in self.seen}
            against[name] |= {"stats": figures["stats"]["a"]}
        protocol = {"benchmark": VERSION, "version": __version__, "agent": self.agent, "cheats": self.cheats}
        protocol |= {"rules": RULES, "games": self.games, "seed": self.seed, "by_protocol": self.by_protocol}
        found = {"held_out": list(self.held_out), "held_out_rate": self.held_out_rate, "failures": self.failures}
        return protocol | found | {"against": against}

    def markdown(self) -> str:
        return markdown_row(self.as_dict())


def run(
    agent: str | Agent,
    games: int = GAMES,
    seed: int = SEED,
    seen: Sequence[str] = (),
    jobs: arena.Jobs = None,
    progress: Progress | None = None,
) -> Row:
    """Play the benchmark. Other numbers of games and other seeds are for trials during development."""
    for name in seen:
        if name not in OPPONENTS:
            raise AgentError(f"{name!r} is no opponent of the benchmark: there are {', '.join(OPPONENTS)}")
    own = load(agent, seed) if isinstance(agent, str) else agent
    rules, results = Rules.parse(RULES), {}
    try:
        for name in OPPONENTS:
            if name != own.name:  # against itself every agent wins half
                report = progress and (lambda done, total, name=name: progress(name, done, total))
                results[name] = arena.play(own, name, rules, games, seed=seed, jobs=jobs, progress=report)
    finally:
        if own is not agent:
            own.close()
    return Row(own.name, own.cheats, tuple(seen), games, seed, results)


def header() -> str:
    names = [*(f"`{name}`" for name in OPPONENTS), "held out", *(STATS[key][0] for key in STYLE)]
    return f"| agent | {' | '.join(names)} |\n|---|{'---:|' * len(names)}"


def markdown_row(figures: dict[str, Any]) -> str:
    """Return a row, given `Row.as_dict()`: games won in percent, half the interval's width; points a hand below."""
    cells = [_cell(figures["against"].get(name)) for name in OPPONENTS]
    rate = figures["held_out_rate"]
    cells.append("–" if rate is None else f"{100 * rate:.1f} ({len(figures['held_out'])})")
    shown = figures["against"].get(REFERENCE)
    cells += [stat_text(key, shown["stats"][key]) if shown else "–" for key in STYLE]
    return f"| `{figures['agent']}` | {' | '.join(cells)} |"


def _cell(found: dict[str, Any] | None) -> str:
    if found is None:
        return "–"
    low, high = found["win_rate_ci"]
    won = f"{100 * found['win_rate']:.1f} ± {50 * (high - low):.1f}"
    return f"{won}{SEEN if found['seen'] else ''}<br>{found['points_per_hand']:+.1f}"
