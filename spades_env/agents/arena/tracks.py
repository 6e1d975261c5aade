"""The tracks of the benchmark: what an agent reads and computes to decide, how long that takes, what its training took.

    tracks.track_of("zofia")              "search": what is known of an agent's string; None if nothing is
    tracks.checked_track("mine:policy", "raw")
    tracks.times_of(agent)                the time of single decisions
    tracks.training_of("standard")        "808.8 M decisions in 10 h 32 min", which is all

What the string of an agent tells is checked. Nobody can look into a program, so its track is what its author declares.
"""

from dataclasses import dataclass

import numpy as np

from spades_env.agents.agent_name import CHAT, COMMAND, IMPORTED, LEVEL, LEVEL_OPTIONS, NETWORK, REMOTE, AgentName
from spades_env.agents.arena.characters import TIMED, decision_times, moments
from spades_env.agents.base import Agent, AgentError
from spades_env.agents.network import beliefs
from spades_env.agents.network.level import Level
from spades_env.agents.network.model_card import recipe_of
from spades_env.agents.registry import files_of, parts_of
from spades_env.agents.roster import SUFFIX
from spades_env.game.observe import NUM_FEATURES

TRACKS = {  # the later, the more an agent may do
    "raw": f"reads the {NUM_FEATURES} features of the observation, arranged and counted at most, or the view",
    "computed": "also reads what is computed from them, by a rule bot for example; tries no action out",
    "search": "tries actions out when it decides, for example in determinizations",
    "words": "asks a language model, whose tokens are counted",
}
RAW, COMPUTED, SEARCH, WORDS = TRACKS
LIMITS = (1, 10, 100)  # milliseconds a decision
WITHIN = 95  # of a hundred decisions that must keep to a limit


@dataclass(frozen=True)
class Times:
    """How long single decisions take, in milliseconds, where there is a choice; asked for one by one."""

    decisions: int
    mean: float
    median: float
    within: float  # of WITHIN of a hundred

    def keeps_to(self, limit_ms: int) -> bool:
        return self.within <= limit_ms


def track_of(name: str) -> str | None:
    """Return the track of an agent's string; None if only its author knows it."""
    found = [_track_of_part(one) for one in parts_of(name)]
    known = [track for track in found if track]
    most = max(known, key=list(TRACKS).index, default=None)
    return most if len(known) == len(found) or most in (SEARCH, WORDS) else None


def checked_track(name: str, declared: str | None) -> tuple[str | None, bool]:
    """Return an agent's track, and whether its string tells that; refuse a track that the string belies."""
    if declared is not None and declared not in TRACKS:
        raise AgentError(f"unknown track {declared!r}; expected {', '.join(TRACKS)}")
    known = track_of(name)
    if known and declared and known != declared:
        raise AgentError(f"{name} belongs to the track {known}, not to {declared}: {known} {TRACKS[known]}")
    return known or declared, known is not None


def times_of(agent: Agent) -> Times | None:
    """Return the times of an agent's single decisions; None for one that needs to see all cards."""
    if agent.cheats:
        return None
    spent = decision_times(agent, moments(TIMED))
    median, within = np.percentile(spent, (50, WITHIN))
    return Times(len(spent), float(spent.mean()), float(median), float(within))


def training_of(name: str) -> tuple[str | None, bool]:
    """Return what the files of an agent's levels say of its training, and whether that is all of it."""
    files = [path for path in files_of(name) if path.name.endswith(SUFFIX) and path != beliefs.FILE]
    levels = list(map(Level.read, files))
    starts = [str(recipe_of(level).get("start", "")) for level in levels]  # whose figures the level's own leave out
    words = [_training_words(level, start) for level, start in zip(levels, starts, strict=True)]
    return "; ".join(filter(None, words)) or None, all(words) and not any(starts)


def _training_words(level: Level, start: str) -> str | None:
    decisions, seconds = level.trained.get("decisions"), level.trained.get("seconds")
    if not isinstance(decisions, int) or not isinstance(seconds, int | float) or decisions <= 0:
        return None
    count = f"{decisions / 1e6:.1f} M" if decisions >= 1e5 else f"{decisions:,}"
    hours, minutes = divmod(max(1, round(seconds / 60)), 60)
    return f"{count} decisions in " + f"{hours} h " * bool(hours) + f"{minutes} min" + f" from {start}" * bool(start)


def _track_of_part(name: AgentName) -> str | None:
    if name.kind in (LEVEL, REMOTE):
        return SEARCH if any(LEVEL_OPTIONS[key].searches for key in name.read(*LEVEL_OPTIONS)) else RAW
    if name.kind in (None, IMPORTED, COMMAND):
        return None
    if name.kind is CHAT:
        return WORDS
    if name.kind is NETWORK or name.name == "random":
        return RAW
    return SEARCH if name.kind.searches else COMPUTED
