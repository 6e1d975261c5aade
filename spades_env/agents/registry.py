"""Load any agent by its string.

rule                  a kind of agent
mc:30x30              … with its setting
mc:30x30+rule         … with options
bis/mc:30x30          the bidding of one with the card play of another
milly                 a character (agents/roster.toml), however it is capitalised
milly+trial:32        … within a longer string, its level: agents/levels/milly.safetensors
runs/x.safetensors    a level's file, …
./x.safetensors+trial:64    … with options, such as to try its cards in 64 worlds (agent_name.LEVEL_OPTIONS)
./x.onnx              a network as an ONNX file (agents/onnx_player.py)
hf:owner/name         a level on the Hugging Face Hub (agents/network/hub.py)
mine:policy           a callable, by its import path (agents/imported.py)
cmd:python3 bot.py    a program in any language (agents/command)
chat:MODEL            a language model behind an HTTP endpoint (agents/chat)

A slash behind an agent separates a pair, also with files: `bis/./x.safetensors`, `x.safetensors/bis`. Any other slash
belongs to a path, which ends with its first `.safetensors` or `.onnx`. So a file in a folder with an agent's name is
written `./bis/x.safetensors`. A command or a model reaches to the end of the string, whatever is in it: it takes no
options, and can only be the second of a pair.
"""

import importlib
import os.path
import sys
from pathlib import Path

from spades_env.agents.agent_name import (
    CHAT,
    COMMAND,
    IMPORTED,
    KINDS,
    LEVEL,
    LEVEL_OPTIONS,
    NETWORK,
    ONNX,
    REMOTE,
    AgentName,
    Kind,
    shipped,
)
from spades_env.agents.base import Agent, AgentError
from spades_env.agents.roster import LEVELS, Character, character_named
from spades_env.checks import LARGEST_SEED, nearest, whole

OTHERS = (LEVEL, NETWORK, REMOTE, IMPORTED, COMMAND, CHAT)  # kinds of agents that don't come with the package


def names() -> tuple[str, ...]:
    """Return the forms of all agents' strings and the names of our levels, but not files and import paths.

    Examples:
        >>> from spades_env import agents
        >>> agents.names()[:4]
        ('random', 'rb', 'bis', 'rule')
    """
    return (*(kind.form for kind in KINDS.values()), *shipped())


def load(name: str, seed: int = 0) -> Agent:
    """Return the agent that a string names.

    Args:
        name: A kind (`rule`, `mc:30x30`), a character (`milly`), a level or its file, an ONNX file, a function's import
            path (`mine:policy`), a program (`cmd:python3 bot.py`), a level on the hub (`hf:owner/name`), or `A/B` for
            the bidding of A with the card play of B. Options follow a `+`.
        seed: Of its random numbers.

    Returns:
        The agent. The same seed and view give the same action.

    Raises:
        AgentError: Nothing has this name, or what has it can't be loaded.

    Examples:
        >>> from spades_env import Game, agents, cards
        >>> bot = agents.load("rule")
        >>> game = Game("classic", seed=7)
        >>> cards.action_name(bot.act(game.view(game.turn)))
        'bid:2'
    """
    if not isinstance(name, str):
        raise AgentError(f"unknown agent {name!r}; {_expected(*OTHERS)}")
    seed = whole("seed", seed, 0, LARGEST_SEED)
    agent = _loaded(name.strip(), seed)
    agent.loaded_as = name, seed
    return agent


def _loaded(name: str, seed: int) -> Agent:
    character = character_named(name)
    if character:
        return load_character(character, seed)
    first, second = AgentName.parse_pair(name)
    if second is None:
        return _make(first, seed)
    from spades_env.agents.pair import pair

    return pair(name, _make(first, seed), _make(second, seed))


def check_name(name: str) -> None:
    """Check that a string names an agent, but not its settings and files, as nothing is loaded.

    Args:
        name: As `load` takes it.

    Raises:
        AgentError: It names none; the message says what is allowed.

    Examples:
        >>> from spades_env import agents
        >>> agents.check_name("bis/mc:30x30")
    """
    if not character_named(name.strip()):
        for one in AgentName.parse_pair(name.strip()):
            if one:
                _kind_of(one)


def check_bundled(name: str) -> None:
    """Check that an untrusted string names only agents that come with the package: no file, program or code.

    Raises:
        AgentError: It names another.
    """
    if isinstance(name, str) and not character_named(name.strip()):
        for one in filter(None, AgentName.parse_pair(name.strip())):
            if one.name not in KINDS and one.name.lower() not in shipped():
                raise AgentError(f"agent {name!r} doesn't come with the package; {_expected()}")


def load_character(character: Character, seed: int = 0, levels: Path | None = None) -> Agent:
    """Return a character's agent, with its level from this folder (by default that of the package)."""
    levels = levels or LEVELS
    if not (levels / character.level).is_file():
        raise _untrained(character)
    agent = load(character.string(levels), seed)
    agent.name = character.key
    return agent


def fingerprint_source(name: str) -> bytes:
    """Return everything that may change behind an agent's string: a character's agent, the files of levels, networks
    and imported modules (not what these import), and the files that a command names.
    """
    character = character_named(name.strip())
    return b"".join([character.agent.encode() if character else b"", *(file.read_bytes() for file in files_of(name))])


def files_of(name: str) -> list[Path]:
    """Return the files behind an agent's string: those that `fingerprint_source` reads."""
    files = [file for one in parts_of(name) for file in _files_of(one)]
    return [file for file in files if os.path.isfile(file)]  # Path.is_file raises an error for a very long name


def parts_of(name: str) -> list[AgentName]:
    """Return the parsed agent of a string, or both of a pair. A character is the agent that plays for it."""
    character = character_named(name.strip())
    first, second = AgentName.parse_pair(character.string() if character else name.strip())
    return [first, second] if second else [first]


def _files_of(name: AgentName) -> list[Path]:
    if name.kind is COMMAND:
        from spades_env.agents.command.program import words_of

        return list(map(Path, words_of(name)))
    if name.kind is IMPORTED:
        module = sys.modules.get(name.name)
        return [Path(module.__file__)] if module and module.__file__ else []
    if name.kind is REMOTE:
        found = [importlib.import_module("spades_env.agents.network.hub").level_file(name)]
    else:
        found = [name.level or Path(name.name)] if name.level or name.name.endswith(ONNX) else []
    if name.kind in (LEVEL, REMOTE) and "believe" in name.read(*LEVEL_OPTIONS):
        found.append(importlib.import_module("spades_env.agents.network.beliefs").FILE)
    return found


def _make(name: AgentName, seed: int) -> Agent:
    return importlib.import_module(f"spades_env.agents.{_kind_of(name).module}").make(name, seed)


def _kind_of(name: AgentName) -> Kind:
    if name.kind:
        return name.kind
    character = character_named(name.name)
    if character:
        raise _untrained(character)
    known = nearest(name.name, [*KINDS, *shipped()])
    raise AgentError(f"unknown agent {name.text!r}{known}; {_expected(*OTHERS)}")


def _untrained(character: Character) -> AgentError:
    return AgentError(
        f"{character.name} hasn't been trained yet: level file {character.level} not found "
        f"(spades roster train, then spades roster build, make it)"
    )


def _expected(*more: Kind) -> str:
    forms = ", ".join([*names(), *(kind.form for kind in more)])
    return f"expected {forms}, or A/B for the bidding of A with the card play of B"
