"""Agents of your own: any Python callable, by its import path.

    agents.load("mine:policy")      `policy` of the module mine, searched for in the current folder first

The path may lead to

    an Agent                                            it plays as it is
    a function of one argument                          view -> action
    a function of two                                   (observation, agent) -> action, as in PettingZoo:
                                                        {"observation": int8[824], "action_mask": int8[70]}, "player_2"
    an object with such an `act`                        optionally with act_batch(views) -> actions, one for each view,
                                                        and with `failures` and `tokens`, counts of those in
                                                        base.FAILURES and base.TOKENS
    a class, or a function without arguments            makes one of these, and is called once; it may take `seed`

An answer is a legal action, a whole number from 0 to 69. Anything else raises an AgentError that names the seat and the
decision. Calls never overlap, even with many threads.
"""

import inspect
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import FAILURES, TOKENS, Agent, AgentError, Batch
from spades_env.checks import as_int
from spades_env.envs.aec import AGENTS
from spades_env.game.cards import NUM_ACTIONS, SEATS
from spades_env.game.refusals import refusal
from spades_env.game.view import View
from spades_env.import_path import ImportPathError, error_line, import_object

ALLOWED = (
    "allowed are a function view -> action, a function (observation, agent) -> action, an object with such an `act`, "
    "an Agent, and a class or a function without arguments (but `seed`) that makes one of these"
)

Policy = Callable[[View], Any]
ONE_BY_ONE = threading.RLock()  # of all: two may share a network


class Acts(Protocol):
    """An object with `act`."""

    @property
    def act(self) -> Callable[..., Any]: ...


class Imported(Agent):
    """An agent that calls a policy. `many` answers several views at once; `owner` may count failures."""

    def __init__(self, name: str, policy: Policy, many: Callable | None = None, seed: int = 0, owner: Any = None):
        super().__init__(name, seed)
        self._policy, self._many, self._owner = policy, many, owner

    @property
    def failures(self) -> dict[str, int]:
        """How many decisions were made in its place, by reason, as far as its owner counts them."""
        return super().failures | self._counted("failures", FAILURES)

    @property
    def tokens(self) -> dict[str, int]:
        """How many tokens its language model has read and written, as far as its owner counts them."""
        return super().tokens | self._counted("tokens", TOKENS)

    def _counted(self, name: str, kinds: tuple[str, ...]) -> dict[str, int]:
        counted = getattr(self._owner, name, {})
        if not isinstance(counted, dict) or not set(counted) <= set(kinds) or None in map(as_int, counted.values()):
            raise AgentError(
                f"{self.name} has {name} {counted!r:.60}: a dict with counts of {', '.join(kinds)} is expected"
            )
        return counted

    def _choose(self, batch: Batch) -> np.ndarray:
        views = batch.views()
        with ONE_BY_ONE:
            if not self._many:
                return np.array([self._checked(view, self._ask(self._policy, view, view)) for view in views], np.int64)
            answers = self._ask(self._many, views, views[0])
        if not hasattr(answers, "__len__") or len(answers) != len(views):
            raise AgentError(
                f"{self.name} answered {answers!r:.60} to {len(views)} views: one action for each is expected"
            )
        return np.array([self._checked(*pair) for pair in zip(views, answers, strict=True)], np.int64)

    def _ask(self, function: Callable, about: View | list[View], view: View) -> Any:
        try:
            return function(about)
        except Exception as error:
            raise AgentError(f"{self._where(view)} failed: {error_line(error)}") from error

    def _checked(self, view: View, answer: Any) -> int:
        """Return the answer as an action, if it is legal."""
        action = as_int(answer)
        if action is None:
            expected = "a whole number from 0 to 69 is expected"
            raise AgentError(f"{self._where(view)} answered {answer!r:.60}: {expected}")
        if not 0 <= action < NUM_ACTIONS or not view.action_mask[action]:
            raise AgentError(f"{self._where(view)} answered {action}, which is not legal: {refusal(view, action)}")
        return action

    def _where(self, view: View) -> str:
        trick = f", trick {len(view.tricks_played) + 1}" if view.phase == "play" else ""
        asked = f"asked to {view.phase}" if view.phase != "blind" else "asked to look or to bid blind nil"
        return f"{self.name} as {SEATS[view.seat]}, {asked} in hand {view.hand_number + 1}{trick},"


def make(name: AgentName, seed: int) -> Agent:
    if name.options:
        raise AgentError(f"invalid agent {name.text!r}: an import path takes no options; expected MODULE:NAME")
    agent = _agent(name.text, _import_object(name), seed, may_make=True)
    agent.name = name.text
    return agent


def agent_of(name: str, found: Any) -> Agent:
    """Return the agent that an object is, or that plays by its `act`."""
    return _agent(name, found, 0, may_make=False)


def given_agent(found: Any, seed: int) -> Agent:
    """Return the agent that an object is, plays by or makes, as if it were loaded by its import path."""
    named = found if hasattr(found, "__qualname__") else type(found)
    return _agent(f"{named.__module__}:{named.__qualname__}", found, seed, may_make=True)


def _import_object(name: AgentName) -> Any:
    try:
        return import_object(name.name, name.setting)
    except ImportPathError as error:
        raise AgentError(f"invalid agent {name.text!r}: {error}") from error.__cause__


def _agent(name: str, found: Any, seed: int, may_make: bool) -> Agent:
    """Return the agent that the object is, or that it makes when called, if `may_make`."""
    if isinstance(found, Agent):
        return found
    is_class: bool = inspect.isclass(found)
    arguments = [] if is_class else _needed_arguments(name, found)
    if not arguments:
        if not may_make:
            raise AgentError(f"invalid agent {name!r}: what it makes, {found!r:.60}, takes no view; {ALLOWED}")
        return _agent(name, _call_maker(name, found, seed), seed, may_make=False)
    policy: Any = getattr(found, "act", found)
    if len(arguments) == 2:
        return Imported(name, lambda view: policy(*_as_pettingzoo(view)), None, seed, found)
    return Imported(name, policy, getattr(found, "act_batch", None), seed, found)


def _call_maker(name: str, maker: Callable, seed: int) -> Any:
    try:
        takes_seed = "seed" in inspect.signature(maker).parameters
        return maker(seed=seed) if takes_seed else maker()
    except Exception as error:
        raise AgentError(f"invalid agent {name!r}: it could not be made: {error_line(error)}") from error


def _needed_arguments(name: str, found: Any) -> Sequence[str]:
    """Return the names of the required arguments, of its `act` if there is one, without `seed`."""
    function = getattr(found, "act", found)
    if not callable(function):
        raise AgentError(f"invalid agent {name!r}: {found!r:.60} cannot be called; {ALLOWED}")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise AgentError(f"invalid agent {name!r}: {found!r:.60} does not say what it takes; {ALLOWED}") from None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [one.name for one in parameters if one.kind in positional and one.default is one.empty]
    needed = [one for one in needed if one != "seed"]
    if len(needed) > 2:
        raise AgentError(f"invalid agent {name!r}: it takes {len(needed)} arguments ({', '.join(needed)}); {ALLOWED}")
    return needed


def _as_pettingzoo(view: View) -> tuple[dict[str, np.ndarray], str]:
    features, mask = view.observation()
    return {"observation": features, "action_mask": mask}, AGENTS[view.seat]
