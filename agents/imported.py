"""Agents made elsewhere: any Python callable, by its import path.

    agents.load("mine:policy")      `policy` of the module mine, which is looked for in the current folder first

What the path leads to may be

    an Agent                                            it plays as it is
    a function of one argument                          view -> action
    a function of two                                   (observation, agent) -> action, as PettingZoo has them:
                                                        {"observation": int8[768], "action_mask": int8[70]}, "player_2"
    an object with such an `act`                        perhaps also act_batch(views) -> actions, one for each view
    a class, or a function without arguments            makes one of these, and is called once; it may take `seed`

An answer is a whole number from 0 to 69 that the seat may do now. Whatever else happens is an AgentError that says who
sat where and what was asked of it. Calls come one after the other, whatever the number of threads.
"""

import importlib
import inspect
import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agents.base import Agent, AgentError, Batch
from agents.names import Word, nearest
from spades_env.cards import NUM_ACTIONS, SEATS
from spades_env.checks import as_int
from spades_env.refusals import refusal
from spades_env.spades_v0 import AGENTS
from spades_env.view import View

ALLOWED = (
    "allowed are a function view -> action, a function (observation, agent) -> action, an object with such an `act`, "
    "an Agent, and a class or a function without arguments (but `seed`) that makes one of these"
)

Policy = Callable[[View], Any]


class Imported(Agent):
    """Somebody else's policy. many: for several views at once, where it has such a thing."""

    def __init__(self, name: str, policy: Policy, many: Callable | None = None, seed: int = 0):
        super().__init__(name, seed)
        self._policy, self._many = policy, many
        self._one_by_one = threading.Lock()

    def _choose(self, batch: Batch) -> np.ndarray:
        views = batch.views()
        with self._one_by_one:
            if not self._many:
                return np.array([self._checked(view, self._ask(self._policy, view, view)) for view in views], np.int64)
            answers = self._ask(self._many, views, views[0])
        if not hasattr(answers, "__len__") or len(answers) != len(views):
            raise AgentError(
                f"{self.name} answered {answers!r:.60} to {len(views)} views: one action for each is asked"
            )
        return np.array([self._checked(*pair) for pair in zip(views, answers, strict=True)], np.int64)

    def _ask(self, function: Callable, about: View | list[View], view: View) -> Any:
        try:
            return function(about)
        except Exception as error:
            raise AgentError(f"{self._where(view)} failed: {told(error)}") from error

    def _checked(self, view: View, answer: Any) -> int:
        """The answer, if the seat may do that."""
        action = as_int(answer)
        if action is None:
            what = "a whole number from 0 to 69 is asked"
            raise AgentError(f"{self._where(view)} answered {answer!r:.60}: {what}")
        if not 0 <= action < NUM_ACTIONS or not view.action_mask[action]:
            raise AgentError(f"{self._where(view)} answered {action}, which is not legal: {refusal(view, action)}")
        return action

    def _where(self, view: View) -> str:
        trick = f", trick {len(view.tricks_played) + 1}" if view.phase == "play" else ""
        asked = f"asked to {view.phase}" if view.phase != "blind" else "asked to look or to bid blind nil"
        return f"{self.name} as {SEATS[view.seat]}, {asked} in hand {view.hand_number + 1}{trick},"


def make(word: Word, seed: int) -> Agent:
    """The agent that an import path leads to."""
    if word.options:
        raise AgentError(f"{word.text!r} is no agent: an import path takes no options, it is written MODULE:NAME")
    agent = _agent(word.text, _found(word), seed, makes=True)
    agent.name = word.text
    return agent


def told(error: Exception) -> str:
    """An error in somebody else's code, in one line, with its place."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{what} ({os.path.basename(place.filename)}, line {place.lineno})"


def _found(word: Word) -> Any:
    """What the path leads to."""
    found = _module(word)
    for name in word.setting.split("."):
        if not hasattr(found, name):
            close = nearest(name, [other for other in dir(found) if not other.startswith("_")])
            raise AgentError(f"{word.text!r} is no agent: {_called(found)} has no {name!r}{close}")
        found = getattr(found, name)
    return found


def _module(word: Word) -> Any:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(word.name)
    except Exception as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name
        if missing and f"{word.name}.".startswith(f"{missing}."):
            raise AgentError(
                f"{word.text!r} is no agent: there is no module {missing!r}, neither in this folder nor where Python "
                "looks for modules; MODULE:NAME is written as in `from MODULE import NAME`"
            ) from None
        raise AgentError(f"{word.text!r} is no agent: {word.name} cannot be imported: {told(error)}") from error


def _agent(name: str, found: Any, seed: int, makes: bool) -> Agent:
    """The agent that this is, or makes."""
    if isinstance(found, Agent):
        return found
    is_class: bool = inspect.isclass(found)
    wanted = [] if is_class else _wanted(name, found)
    if not wanted:
        if not makes:
            raise AgentError(f"{name!r} is no agent: what it makes, {found!r:.60}, takes no view; {ALLOWED}")
        return _agent(name, _made(name, found, seed), seed, makes=False)
    policy: Any = getattr(found, "act", found)
    if len(wanted) == 2:
        return Imported(name, lambda view: policy(*_as_pettingzoo(view)), None, seed)
    return Imported(name, policy, getattr(found, "act_batch", None), seed)


def _made(name: str, maker: Callable, seed: int) -> Any:
    """What a class or a function without arguments makes."""
    try:
        takes_seed = "seed" in inspect.signature(maker).parameters
        return maker(seed=seed) if takes_seed else maker()
    except Exception as error:
        raise AgentError(f"{name!r} is no agent: it could not be made: {told(error)}") from error


def _wanted(name: str, found: Any) -> Sequence[str]:
    """The arguments that it cannot do without, those of its `act` if there is one; `seed` is not counted."""
    asked = getattr(found, "act", found)
    if not callable(asked):
        raise AgentError(f"{name!r} is no agent: {found!r:.60} cannot be called; {ALLOWED}")
    try:
        parameters = inspect.signature(asked).parameters.values()
    except (TypeError, ValueError):
        raise AgentError(f"{name!r} is no agent: {found!r:.60} does not say what it takes; {ALLOWED}") from None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    wanted = [one.name for one in parameters if one.kind in positional and one.default is one.empty]
    wanted = [one for one in wanted if one != "seed"]
    if len(wanted) > 2:
        raise AgentError(f"{name!r} is no agent: it takes {len(wanted)} arguments ({', '.join(wanted)}); {ALLOWED}")
    return wanted


def _as_pettingzoo(view: View) -> tuple[dict[str, np.ndarray], str]:
    features, mask = view.observation()
    return {"observation": features, "action_mask": mask}, AGENTS[view.seat]


def _called(found: Any) -> str:
    kind = "module " if inspect.ismodule(found) else ""
    return kind + getattr(found, "__name__", repr(found))
