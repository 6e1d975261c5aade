"""The agents at the seats around a learner.

"random"                  any legal action; compiled, and decided by the game's seed
any other name            `agents.load(name, seed=…)`; the name is checked (`agents.check_name`) when an
                          environment is made
a callable                view -> action
an object                 with `act(view)`, and perhaps `act_batch(views)` for many tables at once, or
                          `act_at_tables(env, tables)`, which reads a SpadesVectorEnv, as every `agents.Agent` does
"""

import importlib
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from spades_env.checks import whole
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_SEATS, SEATS, Action, Seat
from spades_env.game.secret_deals import agent_seed
from spades_env.game.view import View
from spades_env.import_path import refused_call

RANDOM = "random"
MOST_DEALS = 100  # in a row without anything for a learner to decide


class Opponents:
    """Three agents around a seat. `at_random` (bool[4]) says which seats kernels play."""

    def __init__(self, seat: Seat, opponents, partner=None, stand_in: str | None = None):
        """`opponents`: one agent for both neighbours, or the left and the right one. No partner: the left one again.

        `stand_in` decides at the seat itself where the learner doesn't.
        """
        self.seat = whole("seat", seat, 0, NUM_SEATS - 1)
        pair = opponents if isinstance(opponents, tuple | list) else (opponents, opponents)
        if len(pair) != 2:
            raise SpadesError(f"opponents must be one agent, or two: the left and the right neighbour; not {len(pair)}")
        left, right = pair
        self._named: list[Any] = [None] * NUM_SEATS
        for i, named in enumerate((left, left if partner is None else partner, right), 1):
            self._named[(self.seat + i) % NUM_SEATS] = _checked(named)
        self._named[self.seat] = stand_in
        self._agents = list(self._named)
        self.at_random = np.array([named == RANDOM for named in self._named])
        self.loaded = False
        for seat in filter(self._is_name, range(NUM_SEATS)):
            _agents().check_name(self._named[seat])

    def load(self, seed: int) -> None:
        self.close()
        self.loaded = True
        for seat in filter(self._is_name, range(NUM_SEATS)):
            self._agents[seat] = _agents().load(self._named[seat], seed=agent_seed(seed, seat))

    def close(self) -> None:
        """End what the named agents have started, such as programs."""
        for seat in filter(self._is_name, range(NUM_SEATS)):
            if hasattr(agent := self._agents[seat], "close"):
                agent.close()

    def act(self, view: View) -> Action:
        agent = self._agents[view.seat]
        return agent.act(view) if hasattr(agent, "act") else agent(view)

    def act_at_tables(self, seat: Seat, env: Any, tables: np.ndarray) -> Sequence[Action] | np.ndarray:
        """Return the actions of the agent at a seat at these tables (int[M]) of a SpadesVectorEnv, one for each."""
        agent = self._agents[seat]
        if hasattr(agent, "act_at_tables"):
            return _one_for_each(seat, agent.act_at_tables(env, tables), len(tables))
        views = [env.view(table, seat) for table in tables.tolist()]
        if hasattr(agent, "act_batch"):
            return _one_for_each(seat, agent.act_batch(views), len(tables))
        return [self.act(view) for view in views]

    def _is_name(self, seat: Seat) -> bool:
        return isinstance(self._named[seat], str) and not self.at_random[seat]


def words(seat: Seat, action) -> str:
    """Return the beginning of an error about an agent's answer."""
    return f"the agent at {SEATS[seat]} answered {action!r}"


def _one_for_each(seat: Seat, answers: Any, count: int) -> Sequence[Action] | np.ndarray:
    answers = list(answers) if isinstance(answers, Iterator) else answers
    try:
        as_many = len(answers) == count
    except TypeError:
        as_many = False
    if not as_many:
        raise SpadesError(
            f"the agent at {SEATS[seat]} answered {answers!r:.60} at {count} tables: it must answer one action for each"
        )
    return answers


def _checked(named):
    asked = getattr(named, "act", named)
    if isinstance(named, str):
        return named
    if not callable(asked):
        raise SpadesError(
            f"an agent must be a name, a callable view -> action, or an object with act(view), not {named!r}"
        )
    if refused_call(asked, None):
        raise SpadesError(
            f"an agent here must take a view alone, and {named!r} takes {inspect.signature(asked)}; "
            'what takes (observation, agent), and a class, can be given by import path, "MODULE:NAME"'
        )
    return named


def _agents() -> Any:
    """Return the agents' package, which stands above the environments: it is imported when a name is first used."""
    return importlib.import_module("spades_env.agents")
