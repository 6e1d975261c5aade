"""Parse the strings that name agents.

AgentName.parse("mc:30x30+rule")      name "mc", setting "30x30", options ("rule",)
AgentName.parse_pair("bis/mc:30x30")  the names of both, here "bis" and "mc:30x30"
AgentName.parse("cmd:./my bot/x+1")   name "cmd", setting "./my bot/x+1": all behind cmd: is the command
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from spades_env.agents.base import AgentError
from spades_env.agents.roster import LEVELS, SUFFIX
from spades_env.import_path import is_import_path

LONGEST_MS = 60_000
LEVEL_OPTIONS = "+temperature:T", "+ending:N", "+hunt:K", "+search:K", "+trial:K", "+against:NAME:K"


@dataclass(frozen=True)
class Kind:
    """A kind of agent: the module whose `make(name, seed)` builds it, the form of its string, what it is."""

    module: str
    form: str
    meaning: str


KINDS = {
    "random": Kind("compiled", "random", "any legal action, each as likely as another"),
    "rb": Kind("compiled", "rb", "the points of a rule bidder from the literature; plain simple card play"),
    "bis": Kind("compiled", "bis", "bids by the probability of every trick; plain simple card play"),
    "rule": Kind("compiled", "rule", "our rule-based bidder and player"),
    "club": Kind("compiled", "club", "bids and plays by eye, as at a club table; held out of all training"),
    "mc": Kind("search.monte_carlo", "mc:WxR", "flat Monte Carlo: W worlds, R roll-outs of each for every action"),
    "ismcts": Kind("search.ismcts", "ismcts:N", "tree search over public actions, N iterations (or ismcts:200ms)"),
    "pimc": Kind("solver.pimc", "pimc:W", "open cards in W worlds when few tricks are left; `club` before; held out"),
    "oracle": Kind("solver.oracle", "oracle", "CHEATS: sees all cards; a yardstick, never an opponent"),
}
LEVEL = Kind("network.options", "FILE.safetensors", "a learned player: a level's file, or a character's by its name")
NETWORK = Kind("onnx_player", "FILE.onnx", "a network that any framework trained")
IMPORTED = Kind("imported", "MODULE:NAME", "a function, object or class of your own")
REMOTE = Kind("network.hub", "hf:OWNER/NAME", "a level on the Hugging Face Hub")
COMMAND = Kind("command.agent", "cmd:COMMAND", "a program in any language; the command reaches to the end")
COMMAND_PREFIX = "cmd:"
ONNX = ".onnx"
HUB = "hf:"
REPOSITORY = re.compile(r"([\w.-]+/[\w.-]+)(?:@([\w.-]+))?", re.ASCII)  # and a revision of it
FILE = re.compile(rf"({HUB}{REPOSITORY.pattern}|.*?({re.escape(SUFFIX)}|{re.escape(ONNX)}))(?=[+/]|$)", re.ASCII)


@dataclass(frozen=True)
class AgentName:
    """The parsed string of one agent."""

    text: str
    name: str
    setting: str
    options: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "AgentName":
        """Parse the string of one agent, where slashes belong to a path. A command is taken as it stands."""
        if text.startswith(COMMAND_PREFIX):
            return cls(text, COMMAND_PREFIX[:-1], text.removeprefix(COMMAND_PREFIX), ())
        path = FILE.match(text)
        end = path.end() if path else 0
        head, *options = text[end:].split("+")
        name, _, setting = head.partition(":")
        return cls(text, text[:end] + name, setting, tuple(options))

    @classmethod
    def parse_pair(cls, text: str) -> "tuple[AgentName, AgentName | None]":
        """Parse a whole string; the second name is None unless a slash separates a pair."""
        if text.startswith(COMMAND_PREFIX):
            return cls.parse(text), None
        first, slash, second = text.partition("/")
        path, head = FILE.match(text), cls.parse(first)
        is_agent = head.kind and not (head.kind is IMPORTED and head.options)  # import paths take no options
        if path and not is_agent:
            options, slash, second = text[path.end() :].partition("/")
            head = cls.parse(path[0] + options)
        return head, cls.parse(second) if slash else None

    @cached_property
    def level(self) -> Path | None:
        if self.name.startswith(HUB):
            return None
        if self.name.endswith(SUFFIX):
            return Path(self.name)
        return LEVELS / (self.name.lower() + SUFFIX) if self.name.lower() in shipped() else None

    @cached_property
    def kind(self) -> Kind | None:
        """The kind of agent that it names, if any."""
        if self.name in KINDS:
            return KINDS[self.name]
        if self.name.startswith(HUB):
            return REMOTE
        if self.name == HUB[:-1]:
            return None  # hf:NAME lacks an owner
        if self.level:
            return LEVEL
        if self.name.endswith(ONNX):
            return NETWORK
        if self.text.startswith(COMMAND_PREFIX):
            return COMMAND
        return IMPORTED if is_import_path(f"{self.name}:{self.setting}") else None

    def read(self, readers: Mapping[str, "Reader"]) -> dict[str, Any]:
        """Read options such as `ending:3` into a dict; refuse unknown and repeated ones."""
        values = {key: value for key, _, value in (option.partition(":") for option in self.options)}
        for option in self.options:
            if option.partition(":")[0] not in readers or len(values) < len(self.options):
                raise self.refuse(f"+{option} is no option of it, or is given twice")
        return {key: reader(self, values[key]) for key, reader in readers.items() if key in values}

    def whole(self, what: str, text: str, most: int) -> int:
        if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not 1 <= int(text) <= most:
            raise self.refuse(f"{what} must be a whole number from 1 to {most}, not {text!r}")
        return int(text)

    def seconds(self, text: str) -> float | None:
        found = re.fullmatch(r"(\d+)ms", text, re.ASCII)
        return self.whole("milliseconds", found[1], LONGEST_MS) / 1000 if found else None

    def refuse(self, reason: str) -> AgentError:
        """Return the error for a wrong setting or option."""
        *some, last = [self.name + option for option in ("", *LEVEL_OPTIONS)]
        form = KINDS[self.name].form if self.name in KINDS else f"{', '.join(some)} or {last}"
        return AgentError(f"{self.text!r} is no agent: {reason}; it is written {form}")


Reader = Callable[[AgentName, str], Any]  # converts the text behind an option's colon


def shipped() -> tuple[str, ...]:
    """Return the names of the levels that come with the package."""
    return tuple(sorted(path.stem for path in LEVELS.glob(f"*{SUFFIX}")))
