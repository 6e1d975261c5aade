"""Parse the strings that name agents.

AgentName.parse("mc:30x30+rule")      name "mc", setting "30x30", options ("rule",)
AgentName.parse_pair("bis/mc:30x30")  the names of both, here "bis" and "mc:30x30"
AgentName.parse("cmd:./my bot/x+1")   name "cmd", setting "./my bot/x+1": all behind cmd: is the command; chat: likewise
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from spades_env.agents.base import AgentError
from spades_env.agents.roster import LEVELS, SUFFIX
from spades_env.game.cards import NUM_TRICKS
from spades_env.import_path import is_import_path

SOLVER = "solver"  # an option of levels that try their cards,
SOLVED = {"trial", "believe"}  # … with one of these
LONGEST_MS = 60_000
MOST_WORLDS = 10_000


@dataclass(frozen=True)
class Kind:
    """A kind of agent: the module whose `make(name, seed)` builds it, and the form of its string."""

    module: str
    form: str
    searches: bool = False  # does it try actions out?


KINDS = {
    "random": Kind("compiled", "random"),  # any legal action, each as likely as another
    "rb": Kind("compiled", "rb"),  # the points of a rule bidder from the literature; plain simple card play
    "bis": Kind("compiled", "bis"),  # bids by the probability of every trick; plain simple card play
    "rule": Kind("compiled", "rule"),  # our rule-based bidder and player
    "club": Kind("compiled", "club"),  # bids and plays by eye, as at a club table; held out of all training
    "mc": Kind("search.monte_carlo", "mc:WxR", True),  # flat: W determinizations, R rollouts of each for every action
    "ismcts": Kind("search.ismcts", "ismcts:N", True),  # tree search over public actions, N iterations
    "pimc": Kind("solver.pimc", "pimc:W", True),  # open cards in W determinizations when few tricks are left; held out
    "oracle": Kind("solver.oracle", "oracle", True),  # CHEATS: sees all cards; a yardstick, never an opponent
}
LEVEL = Kind("network.options", "FILE.safetensors")  # a learned player: a file, or a shipped one by its name
NETWORK = Kind("onnx_player", "FILE.onnx")  # that any framework trained
IMPORTED = Kind("imported", "MODULE:NAME")  # a function, object or class of your own
REMOTE = Kind("network.hub", "hf:OWNER/NAME")  # a level on the Hugging Face Hub
COMMAND = Kind("command.program", "cmd:COMMAND")  # a program in any language; the command reaches to the end
CHAT = Kind("chat.agent", "chat:MODEL")  # a language model behind an endpoint; its name reaches to the end
COMMAND_PREFIX, CHAT_PREFIX = WHOLE = ("cmd:", "chat:")
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
        if text.startswith(WHOLE):
            name, _, setting = text.partition(":")
            return cls(text, name, setting, ())
        path = FILE.match(text)
        end = path.end() if path else 0
        head, *options = text[end:].split("+")
        name, _, setting = head.partition(":")
        return cls(text, text[:end] + name, setting, tuple(options))

    @classmethod
    def parse_pair(cls, text: str) -> "tuple[AgentName, AgentName | None]":
        """Parse a whole string; the second name is None unless a slash separates a pair."""
        if text.startswith(WHOLE):
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
        if self.text.startswith(CHAT_PREFIX):
            return CHAT
        return IMPORTED if is_import_path(f"{self.name}:{self.setting}") else None

    def read(self, *known: str) -> dict[str, Any]:
        """Read options of a level such as `ending:3` into a dict; refuse all but those of these names."""
        values = dict[str, Any]()
        for option in self.options:
            key, _, text = option.partition(":")
            if key not in known or key in values:
                raise self.refuse(f"unknown or repeated +{option}")
            values[key] = LEVEL_OPTIONS[key].read(self, text)
        others = values.keys() - {SOLVER}
        if SOLVER in values and not others & SOLVED:
            raise self.refuse(f"+{SOLVER} goes with +trial or +believe")
        for key in others:
            if LEVEL_OPTIONS[key].alone and len(others) > 1:
                more = f" but +{SOLVER}" if key in SOLVED else ""
                raise self.refuse(f"+{key} goes with no other option{more}")
        return values

    def worlds(self, text: str) -> int:
        return self.whole("determinizations", text, MOST_WORLDS)

    def whole(self, what: str, text: str, most: int) -> int:
        if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not 1 <= int(text) <= most:
            raise self.refuse(f"{what} must be a whole number from 1 to {most}, not {text!r}")
        return int(text)

    def seconds(self, text: str) -> float | None:
        found = re.fullmatch(r"(\d+)ms", text, re.ASCII)
        return self.whole("milliseconds", found[1], LONGEST_MS) / 1000 if found else None

    def refuse(self, reason: str) -> AgentError:
        """Return the error for a wrong setting or option."""
        options = ", ".join(option.form for option in LEVEL_OPTIONS.values())
        form = KINDS[self.name].form if self.name in KINDS else f"{self.name}, alone or with {options}"
        return AgentError(f"invalid agent {self.text!r}: {reason}; expected {form}")


@dataclass(frozen=True)
class Option:
    """An option of a level's name. read: converts the text behind its colon; alone: does it go with no other?"""

    form: str
    read: Callable[[AgentName, str], Any]
    searches: bool = True  # does it try actions out?
    alone: bool = False


def _tricks(name: AgentName, text: str) -> int:
    return name.whole("tricks", text, NUM_TRICKS)


def _worlds_or_time(name: AgentName, text: str) -> tuple[int | None, float | None]:
    """Return a number of worlds and None, or None and a time in seconds."""
    seconds = name.seconds(text)
    return (name.worlds(text), None) if seconds is None else (None, seconds)


def _nothing(name: AgentName, text: str) -> None:
    if text:
        raise name.refuse(f"+{SOLVER} takes no setting, not {text!r}")


def _worlds_of_rule(name: AgentName, text: str) -> int:
    model, _, worlds = text.rpartition(":")
    if model != "rule":
        raise name.refuse(f"+against:{text} must name rule and a number of determinizations")
    return name.worlds(worlds)


LEVEL_OPTIONS = {
    "temperature": Option("+temperature:T", lambda name, text: text, searches=False),  # samples its actions
    "ending": Option("+ending:N", _tricks),  # a search plays the last tricks
    "hunt": Option("+hunt:K", AgentName.worlds),  # it tries its cards while another side has a living nil
    "trial": Option("+trial:K", _worlds_or_time, alone=True),  # it tries its card and the others in K determinizations
    "believe": Option("+believe:K", AgentName.worlds, alone=True),  # … dealt by the odds of a network
    SOLVER: Option(f"+{SOLVER}", _nothing),  # of these two: last tricks are solved with open cards
    "against": Option("+against:rule:K", _worlds_of_rule, alone=True),  # … that `rule` plays on exactly
}
SEARCHES = tuple(key for key, option in LEVEL_OPTIONS.items() if option.alone)


def shipped() -> tuple[str, ...]:
    """Return the names of the levels that come with the package."""
    return tuple(sorted(path.stem for path in LEVELS.glob(f"*{SUFFIX}")))
