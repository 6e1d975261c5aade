"""One string for every agent, everywhere.

rule                  a kind of agent
mc:30x30              … with its setting
mc:30x30+rule         … with options
bis/mc:30x30          the bidding of one with the card play of another
milly                 a character (agents/roster.toml), however it is capitalised
milly+search:32       … within a longer string, its level: agents/levels/milly.safetensors
runs/x.safetensors    a level's file, …
./x.safetensors+temperature:0.5       … with an option
./x.safetensors+search:32             … that thinks ahead in 32 worlds
./x.safetensors+trial:64              … that tries its card, and the others, in 64 worlds
./x.safetensors+ending:3              … that calculates the last three tricks
./x.safetensors+hunt:64               … that tries its cards in 64 worlds while a nil of the others stands
./x.onnx              a network as an ONNX file (agents/onnx_player.py)
mine:policy           anything callable, by its import path (agents/imported.py)

Where there is a file, too, a slash behind an agent separates a pair: `bis/./x.safetensors`, `x.safetensors/bis`.
Any other slash belongs to a path, which ends with its first `.safetensors` or `.onnx`. So a file in a folder that bears
an agent's name is written `./bis/x.safetensors`.
"""

import difflib
import importlib
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from agents.base import Agent, AgentError
from agents.roster import LEVELS, SUFFIX, Character, character_named

LEVEL_OPTIONS = "+temperature:T", "+ending:N", "+hunt:K", "+search:K", "+trial:K"


@dataclass(frozen=True)
class Kind:
    """A kind of agent: the module whose `make(word, seed)` builds it, how its string is written, what it is."""

    module: str
    form: str
    meaning: str


KINDS = {
    "random": Kind("agents.compiled", "random", "any legal action, each as likely as another"),
    "rb": Kind("agents.compiled", "rb", "the points of a rule bidder from the literature; plain simple card play"),
    "bis": Kind("agents.compiled", "bis", "bids by the probability of every trick; plain simple card play"),
    "rule": Kind("agents.compiled", "rule", "our rule-based bidder and player"),
    "club": Kind("agents.compiled", "club", "bids and plays by eye, as at a club table; held out of all training"),
    "mc": Kind("agents.monte_carlo", "mc:WxR", "flat Monte Carlo: W worlds, R roll-outs of each for every action"),
    "ismcts": Kind("agents.ismcts", "ismcts:N", "tree search over public actions, N iterations (or ismcts:200ms)"),
    "pimc": Kind("agents.pimc", "pimc:W", "open cards in W worlds when few tricks are left; `club` before; held out"),
    "oracle": Kind("agents.oracle", "oracle", "CHEATS: sees all cards; a yardstick, never an opponent"),
}
LEVEL = Kind("agents.network", "FILE.safetensors", "a learned player: a level's file, or a character's by its name")
NETWORK = Kind("agents.onnx_player", "FILE.onnx", "a network that any framework trained")
IMPORTED = Kind("agents.imported", "MODULE:NAME", "a function, object or class of your own")
ONNX = ".onnx"
FILE = re.compile(rf".*?({re.escape(SUFFIX)}|{re.escape(ONNX)})(?=[+/]|$)")
PATH = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")  # of a module, or of something in it


@dataclass(frozen=True)
class Word:
    """One agent's string, taken apart: `mc:30x30+rule` has the setting `30x30` and the option `rule`."""

    text: str
    name: str
    setting: str
    options: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "Word":
        """Take a string apart."""
        file = FILE.match(text)
        end = file.end() if file else 0
        head, *options = text[end:].split("+")
        name, _, setting = head.partition(":")
        return cls(text, text[:end] + name, setting, tuple(options))

    @property
    def level(self) -> Path | None:
        """The level file that it names, if it names one."""
        if self.name.endswith(SUFFIX):
            return Path(self.name)
        return LEVELS / (self.name.lower() + SUFFIX) if self.name.lower() in shipped() else None

    @property
    def kind(self) -> Kind | None:
        """What it names, if there is such a thing."""
        if self.name in KINDS:
            return KINDS[self.name]
        if self.level:
            return LEVEL
        if self.name.endswith(ONNX):
            return NETWORK
        return IMPORTED if PATH.fullmatch(self.name) and PATH.fullmatch(self.setting) else None

    def refuse(self, reason: str) -> AgentError:
        """The error for a setting or an option that does not fit."""
        *some, last = [self.name + option for option in ("", *LEVEL_OPTIONS)]
        form = KINDS[self.name].form if self.name in KINDS else f"{', '.join(some)} or {last}"
        return AgentError(f"{self.text!r} is no agent: {reason}; it is written {form}")


def names() -> tuple[str, ...]:
    """How the strings of all agents are written, characters among them; files and import paths are some, too."""
    return (*(kind.form for kind in KINDS.values()), *shipped())


def shipped() -> tuple[str, ...]:
    """The names of the levels that come with the package."""
    return tuple(sorted(path.stem for path in LEVELS.glob(f"*{SUFFIX}")))


def load(name: str, seed: int = 0) -> Agent:
    """The agent that a string names."""
    if not isinstance(name, str):
        raise AgentError(f"{name!r} names no agent: {_there_are()}")
    character = character_named(name.strip())
    if character:
        return load_character(character, seed)
    first, second = _halves(name.strip())
    if second is None:
        return _load_one(first, seed)
    from agents.pair import pair

    return pair(name.strip(), _load_one(first, seed), _load_one(second, seed))


def check_name(name: str) -> None:
    """Raise an AgentError where a string names no agent. Nothing is loaded: settings and files may still be wrong."""
    if not character_named(name.strip()):
        first, second = _halves(name.strip())
        _parsed(first)
        if second is not None:
            _parsed(second)


def load_character(character: Character, seed: int = 0, levels: Path | None = None) -> Agent:
    """The agent that a character is, its level from this folder (else from the one that we ship)."""
    levels = levels or LEVELS
    if not (levels / character.level).is_file():
        raise _has_not_learned(character)
    agent = load(character.string(levels), seed)
    agent.name = character.key
    return agent


def behind(name: str) -> bytes:
    """What may change behind the string of an agent: how a character plays, files of levels and networks, the module
    that an import path leads to (not what that module imports).
    """
    character = character_named(name.strip())
    words = [Word.parse(half) for half in _halves(character.string() if character else name.strip()) if half]
    files = [file for file in map(_file_of, words) if file and file.is_file()]
    return b"".join([character.agent.encode() if character else b"", *(file.read_bytes() for file in files)])


def _file_of(word: Word) -> Path | None:
    if word.kind is IMPORTED:
        module = sys.modules.get(word.name)
        return Path(module.__file__) if module and module.__file__ else None
    return word.level or (Path(word.name) if word.name.endswith(ONNX) else None)


def nearest(word: str, known: Iterable[str]) -> str:
    """What was probably meant, to be said behind a word that is not known."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _halves(text: str) -> tuple[str, str | None]:
    """The agents on both sides of the slash that separates a pair; the second is None where there is no such slash."""
    first, slash, second = text.partition("/")
    file = FILE.match(text)
    head = Word.parse(first)
    if file and (not head.kind or (head.kind is IMPORTED and head.options)):
        options, slash, second = text[file.end() :].partition("/")
        first = text[: file.end()] + options
    return first, second if slash else None


def _load_one(text: str, seed: int) -> Agent:
    word, kind = _parsed(text)
    return importlib.import_module(kind.module).make(word, seed)


def _parsed(text: str) -> tuple[Word, Kind]:
    """Take the string of one agent apart, and find its kind."""
    word = Word.parse(text)
    kind = word.kind
    if not kind:
        character = character_named(word.name)
        if character:
            raise _has_not_learned(character)
        raise AgentError(f"there is no agent {text!r}{nearest(word.name, [*KINDS, *shipped()])}: {_there_are()}")
    return word, kind


def _has_not_learned(character: Character) -> AgentError:
    return AgentError(
        f"{character.name} has not learned yet: there is no level {character.level} "
        f"(spades roster train, then spades roster build, make it)"
    )


def _there_are() -> str:
    more = ", ".join(kind.form for kind in (LEVEL, NETWORK, IMPORTED))
    return f"there are {', '.join(names())}, {more}, and A/B for the bidding of A with the card play of B"
