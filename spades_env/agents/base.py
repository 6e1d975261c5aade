"""Define agents, and the batches of positions on which they decide.

    agent.act(view)           one position -> one action
    agent.act_batch(views)    many positions -> int64[N]: a list of views, or a Batch
    agent.hint(view)          [(action, weight), …], best first; agents/measures.py explains the weights
    agent.weigh_batch(views)  many positions -> float32[N, 70]: the values of actions, from an agent that tries them

An agent keeps no state between calls: its answer depends only on its own seed and on what the seat may know. Random
numbers follow from a hash of both. So the same position gets the same answer after an undo, in a batch of any size, in
any thread and in any order.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from spades_env._jit import njit
from spades_env.checks import LARGEST_SEED, whole
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_ACTIONS, SEATS, Action
from spades_env.game.engine import mix, next_random
from spades_env.game.game import Game
from spades_env.game.observe import blank
from spades_env.game.rules import Rules
from spades_env.game.state import STATE, compile_each, new_tables, plain, unpacked
from spades_env.game.view import View

if TYPE_CHECKING:
    from spades_env.vector.env import SpadesVectorEnv

Hint = list[tuple[Action, float]]
CHOICE, CHANCE = "choice", "chance"  # what the weights of a hint mean: agents/measures.py
NOT_TRIED = -1.0  # instead of a match equity
FAILURES = ("illegal", "unreadable", "timeouts", "crashes")  # why an agent's decision is made in its place
TOKENS = ("prompt_tokens", "completion_tokens")  # that a language model reads and writes
WHOLE = np.dtype((np.void, STATE.itemsize))  # a table as one opaque item


class AgentError(SpadesError):
    """An agent that does not exist, cannot be loaded, or gave a wrong answer; the message says what is allowed."""


class Batch:
    """N positions as the seats to move see them (whole tables for agents that cheat).

    Args:
        tables: STATE[N].
        rules: RULES[K], the distinct rules.
        rules_of: int32[N], the number of each position's rules.
        named: The K rules as Rules, if the caller has them.

    Examples:
        >>> from spades_env import SpadesVectorEnv, agents
        >>> env = SpadesVectorEnv(64, seed=0)
        >>> step = env.reset()
        >>> step = env.step(agents.load("random").act_batch(agents.Batch.at(env)))
    """

    def __init__(
        self, tables: np.recarray, rules: np.recarray, rules_of: np.ndarray, named: tuple[Rules, ...] | None = None
    ):
        self.tables, self.rules, self.rules_of, self.named = tables, rules, rules_of, named

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def for_kernels(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the first arguments of most kernels."""
        return plain(self.tables), plain(self.rules), self.rules_of

    @classmethod
    def of(cls, views: "Batch | Sequence[View | Game]") -> "Batch":
        """Make a batch of views, or of games with all cards open."""
        if isinstance(views, Batch):
            return views
        for view in views:
            _check_to_move(view)
        distinct, compiled, rules_of = compile_each(view.rules for view in views)
        tables = unpacked(b"".join(view.packed() for view in views), STATE).view(np.recarray)
        return cls(tables, compiled.view(np.recarray), rules_of, distinct)

    @classmethod
    def at(cls, env: "SpadesVectorEnv", tables: np.recarray | None = None) -> "Batch":
        """Make a batch of all tables of an environment, by default as the seats to move see them."""
        return cls(env.views() if tables is None else tables, *env.compiled_rules, env.distinct_rules)

    def take(self, which: np.ndarray | slice) -> "Batch":
        """Return some of the positions: bool[N], int[M] or a slice."""
        taken = plain(self.tables).view(WHOLE)[which].view(STATE).view(np.recarray)  # else numpy copies field by field
        return Batch(taken, self.rules, self.rules_of[which], self.named)

    def views(self) -> list[View]:
        """Return each position as a View."""
        if self.named is None:
            raise AgentError("an agent that reads views cannot be asked here, where there are only compiled rules")
        tables = (self.tables[i : i + 1].view(np.recarray) for i in range(len(self)))
        return [
            View(self.named[k], table, int(table[0].turn), compiled=self.rules[k : k + 1].view(np.recarray))
            for k, table in zip(self.rules_of.tolist(), tables, strict=True)
        ]

    def blanked(self) -> "Batch":
        """Return the positions without what is hidden from the seats to move."""
        views = new_tables(len(self))
        _blank_all(self.tables, views)
        return Batch(views, self.rules, self.rules_of, self.named)

    def walks(self, seed: int) -> np.ndarray:
        """Return uint64[N]: the first random number at each position for an agent with this seed."""
        words = np.ascontiguousarray(plain(self.tables)).view(np.uint64).reshape(len(self), -1)
        out = np.empty(len(self), np.uint64)
        _hash(words, np.uint64(seed), out)
        return out


class Agent(ABC):
    """A player of any seat, which `agents.load` makes.

    Args:
        name: The string that `agents.load` takes.
        seed: Of its random numbers.

    Examples:
        >>> from spades_env import Game, agents
        >>> bot, game = agents.load("random", seed=3), Game(seed=7)
        >>> bot.act(game.view(game.turn)) in game.legal_actions()
        True
    """

    cheats = False  # does it see hidden cards? Then it takes games instead of views
    weighs = False  # does it try its actions, a fixed number of times, and so value each of them?
    loaded_as: tuple[str, int] | None = None  # the string and the seed that `agents.load` made it from

    def __init__(self, name: str, seed: int = 0):
        self.name = name
        self.seed = whole("seed", seed, 0, LARGEST_SEED)

    @property
    def failures(self) -> dict[str, int]:
        """How many decisions were made in its place since it was loaded, by reason; FAILURES lists them."""
        return dict.fromkeys(FAILURES, 0)

    @property
    def tokens(self) -> dict[str, int]:
        """How many tokens its language model has read and written since it was loaded; TOKENS lists them."""
        return dict.fromkeys(TOKENS, 0)

    def close(self) -> None:  # noqa: B027 — most agents have nothing to end
        """End what it has started, such as a process. It can be asked again."""

    def act(self, view: View | Game) -> Action:
        """Return an action for the seat to move (an agent that cheats takes the game, not a view)."""
        return int(self.act_batch([view])[0])

    def act_batch(self, views: Batch | Sequence[View | Game]) -> np.ndarray:
        """Return int64[N]: an action at each position."""
        self._check_sight(views)
        batch = Batch.of(views)
        return self._choose(batch) if len(batch) else np.zeros(0, np.int64)

    def act_at_tables(self, env: "SpadesVectorEnv", tables: np.ndarray) -> np.ndarray:
        """Return int64[M]: an action for the seat to move at each of these tables (int[M]) of an environment."""
        if self.cheats:
            raise self._needs_a_game()
        return self.act_batch(Batch.at(env).take(tables))

    def hint(self, view: View | Game) -> Hint:
        """Return the actions it considers, best first, with weights from 0 to 1."""
        self._check_sight([view])
        return sorted(self._hint(Batch.of([view])), key=lambda pair: -pair[1])

    def weigh_batch(self, views: Batch | Sequence[View | Game]) -> np.ndarray:
        """Return float32[N, 70]: the mean match equity of each action tried, all equally often; else NOT_TRIED.

        Where there is nothing to try, and for an agent that does not weigh, only the action chosen has a value: 1.
        """
        self._check_sight(views)
        batch = Batch.of(views)
        return self._worths(batch) if len(batch) else untried(0)

    @abstractmethod
    def _choose(self, batch: Batch) -> np.ndarray:
        """Return int64[N]: an action at each position of the batch, which is not empty."""

    def _hint(self, batch: Batch) -> Hint:
        """Return the hint, in any order, at the one position of the batch."""
        return [(int(self._choose(batch)[0]), 1.0)]

    def _hint_measure(self, batch: Batch) -> str:
        """Return CHOICE or CHANCE: what the weights of the hint mean."""
        return CHOICE

    def _worths(self, batch: Batch) -> np.ndarray:
        """Return the values of `weigh_batch` for a batch that is not empty."""
        out = untried(len(batch))
        out[np.arange(len(batch)), self._choose(batch)] = 1
        return out

    def _check_sight(self, views: Batch | Sequence[View | Game]) -> None:
        if isinstance(views, Batch):
            return
        for view in views:
            if self.cheats and not isinstance(view, Game):
                raise self._needs_a_game()
            if not self.cheats and not isinstance(view, View):
                raise AgentError(f"{self.name} takes a view, such as game.view(game.turn), not {view!r}")

    def _needs_a_game(self) -> AgentError:
        return AgentError(f"{self.name} plays with all cards open: ask it about a game, not about a view")

    def __repr__(self) -> str:
        return f"agents.load({self.name!r}, seed={self.seed})"


def untried(count: int) -> np.ndarray:
    return np.full((count, NUM_ACTIONS), NOT_TRIED, np.float32)


def _check_to_move(view: View | Game) -> None:
    if view.over:
        raise AgentError("the game is over: nobody is to move")
    if isinstance(view, View) and view.seat != view.turn:
        raise AgentError(f"{SEATS[view.seat]} is not to move, {SEATS[view.turn]} is")


@njit
def _blank_all(tables, views):
    for i in range(len(tables)):
        blank(tables, i, tables[i].turn, views, i)


@njit
def _hash(words, seed, out):
    """Write to out[i] a hash of the seed and of words[i]; words: uint64[N, words of a STATE]."""
    for i in range(len(words)):
        x = mix(next_random(seed))
        for word in words[i]:
            x = mix(next_random(x ^ word))
        out[i] = x
