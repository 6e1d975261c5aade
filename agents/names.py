"""One string for every agent, everywhere.

rule                  a kind of agent
mc:30x30              … with its setting
mc:30x30+rule         … with options
bis/mc:30x30          the bidding of one with the card play of another
"""

import difflib
import importlib
from dataclasses import dataclass

from agents.base import Agent, AgentError


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
    "mc": Kind("agents.monte_carlo", "mc:WxR", "flat Monte Carlo: W worlds, R roll-outs of each for every action"),
    "ismcts": Kind("agents.ismcts", "ismcts:N", "tree search over public actions, N iterations (or ismcts:200ms)"),
    "oracle": Kind("agents.oracle", "oracle", "CHEATS: sees all cards; a yardstick, never an opponent"),
}


@dataclass(frozen=True)
class Word:
    """One agent's string, taken apart: `mc:30x30+rule` has the setting `30x30` and the option `rule`."""

    text: str
    name: str
    setting: str
    options: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "Word":
        head, *options = text.split("+")
        name, _, setting = head.partition(":")
        return cls(text, name, setting, tuple(options))

    def refuse(self, reason: str) -> AgentError:
        """The error for a setting or an option that does not fit."""
        kind = KINDS[self.name]
        return AgentError(f"{self.text!r} is no agent: {reason}; it is written {kind.form}")


def names() -> tuple[str, ...]:
    """How the strings of all agents are written."""
    return tuple(kind.form for kind in KINDS.values())


def load(name: str, seed: int = 0) -> Agent:
    """The agent that a string names."""
    if not isinstance(name, str):
        raise AgentError(f"{name!r} names no agent: {_there_are()}")
    first, slash, second = name.strip().partition("/")
    if not slash:
        return _load_one(first, seed)
    from agents.pair import pair

    return pair(name.strip(), _load_one(first, seed), _load_one(second, seed))


def _load_one(text: str, seed: int) -> Agent:
    word = Word.parse(text)
    if word.name not in KINDS:
        close = difflib.get_close_matches(word.name, KINDS, n=1)
        nearest = f" (did you mean {close[0]!r}?)" if close else ""
        raise AgentError(f"there is no agent {text!r}{nearest}: {_there_are()}")
    return importlib.import_module(KINDS[word.name].module).make(word, seed)


def _there_are() -> str:
    return f"there are {', '.join(names())}, and A/B for the bidding of A with the card play of B"
