"""Build the agent of a level's string: the level itself, or the level combined with searches.

x.safetensors                    the level plays everything
x.safetensors+temperature:0.5    … and samples its actions at this temperature
x.safetensors+ending:3           … but a search plays the last three tricks
x.safetensors+hunt:64            … but it tries its cards in 64 worlds while an opponent's nil is alive
x.safetensors+search:32          it tries its likeliest actions in 32 worlds (or search:100ms)
x.safetensors+trial:64           it tries its card, and the others, in 64 worlds (or trial:100ms)
x.safetensors+against:rule:64    … in 64 worlds that `rule` plays to their end exactly
x.safetensors+against:otto:8     it tries its likeliest actions in 8 worlds where the other side plays like this level
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from spades_env.agents.agent_name import AgentName, Reader
from spades_env.agents.base import Agent
from spades_env.agents.network.against import LevelAgainst
from spades_env.agents.network.level import Level, checked_number
from spades_env.agents.network.player import NetworkAgent
from spades_env.agents.network.search import LevelSearch, worlds_in
from spades_env.agents.network.trial import LevelTrial
from spades_env.agents.pair import with_cards, with_ending, with_hunt
from spades_env.agents.search import monte_carlo
from spades_env.agents.search.monte_carlo import MOST_WORLDS, TIMED_WORLDS
from spades_env.game.cards import NUM_TRICKS

FINISHER = "mc:30x30+rule+loyal"  # plays the last tricks of +ending
MOST_KEPT = 16  # levels in memory
RULE_BOT = "rule"
ALONE = ("search", "trial", "against")  # options that go with no other


def _worlds_or_time(worlds_in: Callable[[float], int]) -> Reader:
    """Return a reader of `32` worlds or of a time such as `100ms`; its value is (worlds, seconds or None)."""

    def read(name: AgentName, text: str) -> tuple[int, float | None]:
        seconds = name.seconds(text)
        return name.whole("worlds", text, MOST_WORLDS) if seconds is None else worlds_in(seconds), seconds

    return read


def _against(name: AgentName, text: str) -> tuple[str, int]:
    """Return whom a response expects, and the number of worlds."""
    other, _, worlds = text.rpartition(":")
    if other != RULE_BOT and not AgentName.parse(other).level:
        raise name.refuse(f"+against:{text} must name {RULE_BOT} or a level, and worlds, such as +against:otto:8")
    return other, name.whole("worlds", worlds, MOST_WORLDS)


OPTIONS: dict[str, Reader] = {
    "temperature": lambda name, text: checked_number("temperature", text),
    "ending": lambda name, text: name.whole("tricks", text, NUM_TRICKS),
    "hunt": lambda name, text: name.whole("worlds", text, MOST_WORLDS),
    "search": _worlds_or_time(worlds_in),
    "trial": _worlds_or_time(lambda seconds: TIMED_WORLDS),
    "against": _against,
}


def make(name: AgentName, seed: int) -> Agent:
    """Return the agent of a level's string."""
    if name.level is None or name.setting:
        raise name.refuse("it takes no setting")
    return play_level(name, name.level, seed)


def play_level(name: AgentName, path: Path, seed: int) -> Agent:
    """Return the agent that plays the level in a file, with the options of its name."""
    given = [option.partition(":")[0] for option in name.options]
    for option in ALONE:
        if option in given and len(given) > 1:
            raise name.refuse(f"+{option} goes with no other option")
    options, level = name.read(OPTIONS), read_level(path)
    if "search" in options:
        return LevelSearch(name.text, level, *options["search"], seed=seed)
    if "against" in options:
        opponent, worlds = options["against"]
        return response(name.text, level, opponent, worlds, seed)
    agent = NetworkAgent(name.text, level, options.get("temperature"), seed)
    if "trial" in options:
        return with_cards(name.text, agent, LevelTrial(name.text, agent, *options["trial"], seed=seed))
    if "ending" in options:
        finisher = monte_carlo.make(AgentName.parse(FINISHER), seed)
        agent = with_ending(name.text, agent, finisher, options["ending"])
    if "hunt" in options:
        agent = with_hunt(name.text, agent, LevelTrial(name.text, agent, options["hunt"], None, seed))
    return agent


def response(name: str, level: Level, other: str, worlds: int, seed: int) -> Agent:
    """Return a search by a level that expects the other side to play like `rule`, or like the level of this name."""
    path = AgentName.parse(other).level
    if path:
        return LevelAgainst(name, level, read_level(path), worlds, seed)
    player = NetworkAgent(name, level, 0.0, seed)
    return with_cards(name, player, LevelTrial(name, player, worlds, None, seed, straying=0.0))


def read_level(path: Path) -> Level:
    """Read the level in a file, again only if the file has changed: environments load their agents at every reset."""
    if not path.is_file():
        return Level.read(path)  # raises the error that says so
    found = path.stat()
    return _read_once(path.absolute(), (found.st_mtime_ns, found.st_size, found.st_ino))


@lru_cache(maxsize=MOST_KEPT)
def _read_once(path: Path, version: tuple[int, ...]) -> Level:
    return Level.read(path)
