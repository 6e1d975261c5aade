"""What an agent is, and the batches of positions that it is asked about.

    agent.act(view)           one position -> one action
    agent.act_batch(views)    many positions -> int64[N]: a list of views, or a Batch
    agent.hint(view)          [(action, weight), …], best first; agents/measures.py says what weights mean
    agent.weigh_batch(views)  many positions -> float32[N, 70]: what actions are worth, to an agent that tries them

An agent keeps nothing between questions: its answer is a function of its own seed and of what the seat may know,
nothing else. If it needs random numbers, they follow from a hash of both. So the same question gets the same answer
after an undo, in a batch of any size, in any thread and in any order.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from spades_env import Game, Rules
from spades_env._jit import njit
from spades_env.cards import NUM_ACTIONS, SEATS, Action
from spades_env.checks import LARGEST_SEED, whole
from spades_env.engine import mix, next_random
from spades_env.observe import blank
from spades_env.state import RULES, STATE, new_tables, packed_rules, plain, unpacked
from spades_env.vector_env import SpadesVectorEnv
from spades_env.view import View

Hint = list[tuple[Action, float]]
CHOICE, CHANCE = "choice", "chance"  # what the weights of a hint mean: agents/measures.py
NOT_TRIED = -1.0  # instead of a match equity
WHOLE = np.dtype((np.void, STATE.itemsize))  # a table in one piece


class AgentError(ValueError):
    """An agent that does not exist or cannot be loaded; the message says what there is."""


class Batch:
    """N positions, each as the seat to move may know it (whole tables for agents that cheat).

    tables    STATE[N]
    rules     RULES[K], the distinct rules
    rules_of  int32[N], which of them each position is played by
    named     the K rules as Rules, if the caller has them
    """

    def __init__(
        self, tables: np.recarray, rules: np.recarray, rules_of: np.ndarray, named: tuple[Rules, ...] | None = None
    ):
        self.tables, self.rules, self.rules_of, self.named = tables, rules, rules_of, named

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def for_kernels(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return tables, rules and rules_of: the first arguments of most kernels."""
        return plain(self.tables), plain(self.rules), self.rules_of

    @classmethod
    def of(cls, views: "Batch | Sequence[View | Game]") -> "Batch":
        """Make a batch of views, or of games whose cards all lie open."""
        if isinstance(views, Batch):
            return views
        for view in views:
            _check_to_move(view)
        distinct = {rules: number for number, rules in enumerate(dict.fromkeys(view.rules for view in views))}
        tables = unpacked(b"".join(view.packed() for view in views), STATE).view(np.recarray)
        compiled = unpacked(b"".join(packed_rules(rules) for rules in distinct), RULES).view(np.recarray)
        return cls(tables, compiled, np.array([distinct[view.rules] for view in views], np.int32), tuple(distinct))

    @classmethod
    def at(cls, env: SpadesVectorEnv, tables: np.recarray | None = None) -> "Batch":
        """Make a batch of all tables of an environment, by default as the seats to move see them."""
        return cls(env.views() if tables is None else tables, *env.compiled_rules, env.distinct_rules)

    def take(self, which: np.ndarray | slice) -> "Batch":
        """Return some of the positions: bool[N], int[M] or a slice."""
        taken = plain(self.tables).view(WHOLE)[which].view(STATE).view(np.recarray)  # else numpy copies field by field
        return Batch(taken, self.rules, self.rules_of[which], self.named)

    def views(self) -> list[View]:
        """Return each position as a view of the seat to move."""
        if self.named is None:
            raise AgentError("an agent that reads views cannot be asked here, where there are only compiled rules")
        tables = (self.tables[i : i + 1].view(np.recarray) for i in range(len(self)))
        return [
            View(self.named[k], table, int(table[0].turn), compiled=self.rules[k : k + 1].view(np.recarray))
            for k, table in zip(self.rules_of.tolist(), tables, strict=True)
        ]

    def blanked(self) -> "Batch":
        """Return the same positions with what is hidden from the seat to move set to zero."""
        views = new_tables(len(self))
        _blank_all(self.tables, views)
        return Batch(views, self.rules, self.rules_of, self.named)

    def walks(self, seed: int) -> np.ndarray:
        """Return uint64[N]: where the random numbers of an agent with this seed begin at each position."""
        words = np.ascontiguousarray(plain(self.tables)).view(np.uint64).reshape(len(self), -1)
        out = np.empty(len(self), np.uint64)
        _hash(words, np.uint64(seed), out)
        return out


class Agent(ABC):
    """A player of any seat. `name` is the string that `agents.load` takes."""

    cheats = False  # does it look at hidden cards? Then it is asked about games, not about views
    weighs = False  # does it try its actions, a fixed number of times, so that it knows what each is worth?

    def __init__(self, name: str, seed: int = 0):
        self.name = name
        self.seed = whole("seed", seed, 0, LARGEST_SEED)

    def act(self, view: View | Game) -> Action:
        """Return what to do as the seat to move (an agent that cheats is asked about the game, not a view)."""
        return int(self.act_batch([view])[0])

    def act_batch(self, views: Batch | Sequence[View | Game]) -> np.ndarray:
        """Return int64[N]: what to do at each of many positions."""
        self._check_sight(views)
        batch = Batch.of(views)
        return self._choose(batch) if len(batch) else np.zeros(0, np.int64)

    def act_at_tables(self, env: SpadesVectorEnv, tables: np.ndarray) -> np.ndarray:
        """Return int64[M]: what to do at these tables (int[M]) of an environment, as the seats to move there."""
        if self.cheats:
            raise self._needs_a_game()
        return self.act_batch(Batch.at(env).take(tables))

    def hint(self, view: View | Game) -> Hint:
        """Return the actions it considers, with weights from 0 to 1 (the higher the better), best first."""
        self._check_sight([view])
        return sorted(self._hint(Batch.of([view])), key=lambda pair: -pair[1])

    def weigh_batch(self, views: Batch | Sequence[View | Game]) -> np.ndarray:
        """Return float32[N, 70]: the mean match equity of every action tried, all equally often; others: NOT_TRIED.
        Where there is nothing to try, and for an agent that does not weigh, the action chosen stands alone, at 1.
        """
        self._check_sight(views)
        batch = Batch.of(views)
        return self._worths(batch) if len(batch) else untried(0)

    @abstractmethod
    def _choose(self, batch: Batch) -> np.ndarray:
        """Return int64[N]: an action for every position of the batch, which is not empty."""

    def _hint(self, batch: Batch) -> Hint:
        """Answer `hint` at the one position of the batch."""
        return [(int(self._choose(batch)[0]), 1.0)]

    def _hint_measure(self, batch: Batch) -> str:
        """Return what the weights of the hint mean at the one position of the batch."""
        return CHOICE

    def _worths(self, batch: Batch) -> np.ndarray:
        """Answer `weigh_batch` for a batch that is not empty."""
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
                raise AgentError(f"{self.name} is asked about a view, such as game.view(game.turn), not about {view!r}")

    def _needs_a_game(self) -> AgentError:
        return AgentError(f"{self.name} plays with all cards open: ask it about a game, not about a view")

    def __repr__(self) -> str:
        return f"agents.load({self.name!r}, seed={self.seed})"


def untried(count: int) -> np.ndarray:
    """Return float32[count, 70]: NOT_TRIED for every action."""
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
    """Write to out[i] a hash of the seed and of words[i] (uint64[N, words of a STATE])."""
    for i in range(len(words)):
        x = mix(next_random(seed))
        for word in words[i]:
            x = mix(next_random(x ^ word))
        out[i] = x
