"""Build the agent of a level's string: the level itself, or the level combined with searches.

x.safetensors               the level plays everything
x.safetensors+trial:64      … with one of `agent_name.LEVEL_OPTIONS`, or with several
"""

import os
from functools import lru_cache
from pathlib import Path

from spades_env.agents.agent_name import LEVEL_OPTIONS, SOLVER, AgentName
from spades_env.agents.base import Agent
from spades_env.agents.network.level import Level
from spades_env.agents.network.player import NetworkAgent
from spades_env.agents.network.trial import BelievingTrial, LevelTrial
from spades_env.agents.pair import with_cards, with_ending, with_hunt
from spades_env.agents.search import monte_carlo

FINISHER = "mc:30x30+rule+loyal"  # plays the last tricks of +ending
MOST_KEPT = 16  # levels in memory


def make(name: AgentName, seed: int) -> Agent:
    """Return the agent of a level's string."""
    if name.level is None or name.setting:
        raise name.refuse("it takes no setting")
    return play_level(name, name.level, seed)


def play_level(name: AgentName, path: Path, seed: int) -> Agent:
    """Return the agent that plays the level in a file, with the options of its name."""
    options, level = name.read(*LEVEL_OPTIONS), read_level(path)
    agent = NetworkAgent(name.text, level, options.get("temperature"), seed)
    solves = SOLVER in options
    search = None
    if "trial" in options:
        search = LevelTrial(name.text, agent, *options["trial"], seed=seed, solves=solves)
    elif "believe" in options:
        search = BelievingTrial(name.text, agent, options["believe"], seed=seed, solves=solves)
    elif "against" in options:
        search = LevelTrial(name.text, agent, options["against"], seed=seed, straying=0.0)
    if search:
        return with_cards(name.text, agent, search)
    if "ending" in options:
        finisher = monte_carlo.make(AgentName.parse(FINISHER), seed)
        agent = with_ending(name.text, agent, finisher, options["ending"])
    if "hunt" in options:
        agent = with_hunt(name.text, agent, LevelTrial(name.text, agent, options["hunt"], seed=seed))
    return agent


def read_level(path: Path) -> Level:
    """Read the level in a file, again only if the file has changed: environments load their agents at every reset."""
    if not os.path.isfile(path):
        return Level.read(path)  # raises the error that says so
    found = path.stat()
    return _read_once(path.absolute(), (found.st_mtime_ns, found.st_size, found.st_ino))


@lru_cache(maxsize=MOST_KEPT)
def _read_once(path: Path, version: tuple[int, ...]) -> Level:
    return Level.read(path)
