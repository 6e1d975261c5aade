"""Many tables in lockstep: one call moves them all.

    env = SpadesVectorEnv(4096, "classic", seed=0)
    step = env.reset()
    while True:
        actions = policy(step.observation, step.mask)      # int[4096], for the seats in step.turn
        step = env.step(actions)

All arrays are allocated once and written in place: `step` always shows the present, and torch wraps it without a copy.
Copy what must outlive the next call.

Auto-reset: when an episode ends, `done` is set, `reward` is that of the last action, and the table already shows the
first decision of its next episode. What the ended one looked like stands in `final_observation` (of all four seats),
`final_scores` and `winner` (−1: a draw, or cut off) until the table's next end; `terminated` and `truncated` say how it
ended. With `autoreset=False` an ended table waits, whatever its action, until `reset(which=…)` names it.

Table i plays the games `Game(rules, seed=s)` for s = `seeds[i]`: at first `seed + i`, then `next_seed` of that.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from spades_env import vector_kernels as kernels
from spades_env._jit import wrap_around
from spades_env.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.checks import LARGEST_SEED, array, random_seed, usable_cores, whole
from spades_env.episodes import Terms, seeds_from
from spades_env.facts import Position
from spades_env.observe import NUM_FEATURES, STATE_SIZE, TABLE_SIZE, rules_features
from spades_env.refusals import IllegalActionError, refusal
from spades_env.rules import Rules, RulesSource
from spades_env.state import LARGEST_SCORE, RULES, new_tables, packed_rules, plain, unpacked
from spades_env.vector_kernels import STAY
from spades_env.view import View

__all__ = ["STAY", "SpadesVectorEnv", "Step"]

MOST_TABLES = 1 << 24
TABLES_PER_THREAD = 4096  # fewer are not always worth the wake-up: a thread starts some 50 µs late


Standings = tuple[np.ndarray, np.ndarray, np.ndarray]  # scores, bags, hand numbers


class Step(NamedTuple):
    """What a call shows; N tables, F features."""

    observation: np.ndarray  # int8[N, F], of the seat to move
    mask: np.ndarray  # int8[N, 70], what it may do; all ones at a table that waits for its reset
    turn: np.ndarray  # int64[N], who is to move
    reward: np.ndarray  # float32[N, 4], by seat, for the action just taken
    done: np.ndarray  # bool[N], did the episode end with it?


class SpadesVectorEnv:
    """N tables. `rules` is one set of rules for all tables, or a list of N."""

    def __init__(
        self,
        num_envs: int,
        rules: RulesSource | Sequence[RulesSource] = "classic",
        episode: str = "game",
        seed: int | Sequence[int] | None = None,
        *,
        reward: str = "points",
        truncate_after: int | None = 50,
        autoreset: bool = True,
        threads: int | None = None,
    ):
        self.num_envs = whole("num_envs", num_envs, 1, MOST_TABLES)
        self.terms = Terms(episode, reward, truncate_after)
        self.autoreset = autoreset
        self.rules = self._rules_of_tables(rules)
        self._compile_rules()
        self._allocate()
        self.threads = self._usable_threads() if threads is None else whole("threads", threads, 1, 1024)
        self.seeds = self._seeds(seed)
        self._fresh = True

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        which: np.ndarray | None = None,
        *,
        scores: np.ndarray | None = None,
        bags: np.ndarray | None = None,
        hand_numbers: np.ndarray | None = None,
    ) -> Step:
        """Begin new games, at all tables or where `which` (bool[N]) is true.

        A seed s gives table i the seed s + i, a sequence names each; without one the walk of seeds goes on. `scores`
        and `bags` (int32[N, 4], per side) and `hand_numbers` (int32[N]) begin in the middle of a game, as the same
        arguments of `Game` do.
        """
        which = self._everywhere if which is None else array("which", which, (self.num_envs,), bool)
        if self._fresh and not which.all():
            raise ValueError("the first reset begins all tables: leave out which")
        seeds = None if seed is None else self._seeds(seed)
        standings = self._standings(which, scores, bags, hand_numbers)
        if seeds is not None:  # nothing is changed before all is checked
            self.seeds[which] = seeds[which]
        elif not self._fresh:
            kernels.walk_seeds(self.seeds, which)
        self._fresh = False
        self.reward[which] = 0
        self.done[which] = self.terminated[which] = self.truncated[which] = False
        self._in_threads(self._begin_share, which)
        if standings is not None:
            self._in_threads(self._continue_share, which, standings)
        return self._step

    def step(self, actions: np.ndarray) -> Step:
        """Every seat to move acts: actions int[N]; STAY (−1) leaves a table as it is.

        An illegal action raises IllegalActionError, and no table has moved.
        """
        self._check_begun()
        actions = self._checked_actions(actions)
        illegal = kernels.first_illegal(*self._shared, actions)
        if illegal >= 0:
            raise self.illegal(illegal, actions[illegal])
        self._in_threads(self._step_share, actions)
        return self._step

    def play_random(self, seats: np.ndarray) -> Step:
        """Where one of these seats (bool[4]) is to move, they play at random until another is or the episode ends.

        The rewards are those of all moves together; other tables stay as they are.
        """
        self._check_begun()
        self._in_threads(self._play_random_share, array("seats", seats, (NUM_SEATS,), bool))
        return self._step

    def random_actions(self, out: np.ndarray | None = None, which: np.ndarray | None = None) -> np.ndarray:
        """int64[N]: a legal action for every table, each as likely as another; the game's seed decides.

        STAY at ended tables, and where `which` (bool[N]) is false.
        """
        self._check_begun()
        out = np.empty(self.num_envs, np.int64) if out is None else array("out", out, (self.num_envs,), np.int64)
        which = self._everywhere if which is None else array("which", which, (self.num_envs,), bool)
        self._in_threads(kernels.choose, *self._shared, which, self._walks, out)
        return out

    def state(self, out: np.ndarray | None = None) -> np.ndarray:
        """int8[N, STATE_SIZE]: the observation of the seat to move and all four hands, for central critics."""
        self._check_begun()
        shape = (self.num_envs, STATE_SIZE)
        out = np.empty(shape, np.int8) if out is None else array("out", out, shape, np.int8)
        out[:, :NUM_FEATURES] = self.observation
        self._in_threads(kernels.write_states, *self._shared, out)
        return out

    def views(self, out: np.recarray | None = None) -> np.recarray:
        """STATE[N], each as the seat to move may know it: what compiled bots read."""
        self._check_begun()
        views = new_tables(self.num_envs) if out is None else out
        array("out", views, (self.num_envs,), self._tables.dtype)
        self._in_threads(kernels.write_views, *self._shared, views)
        return views

    def view(self, table: int, seat: int) -> View:
        """What a seat of one table may know."""
        self._check_begun()
        position = self._position(whole("table", table, 0, self.num_envs - 1))
        seat = whole("seat", seat, 0, NUM_SEATS - 1)
        return View(position.rules, position._table, seat, compiled=position._compiled)

    @property
    def begun(self) -> bool:
        """Has there been a reset?"""
        return not self._fresh

    @property
    def tables(self) -> np.recarray:
        """STATE[N], a copy of the tables with all cards open: for critics and analysis, never for a player."""
        return self._tables.copy()

    @property
    def scores(self) -> np.ndarray:
        """int32[N, 4], per side."""
        return self._tables.scores.copy()

    @property
    def hand_numbers(self) -> np.ndarray:
        """int32[N]: hands finished in each game."""
        return self._tables.hand_number.copy()

    @property
    def compiled_rules(self) -> tuple[np.recarray, np.ndarray]:
        """RULES[K], the distinct rules, and int32[N], which of them each table plays: for kernels."""
        return self._rules, self._rules_of

    @property
    def distinct_rules(self) -> tuple[Rules, ...]:
        """What `compiled_rules` were compiled from."""
        return self._distinct

    def illegal(self, table: int, action: int) -> IllegalActionError:
        """The error that `step` raises for an action that may not be chosen at a table."""
        return IllegalActionError(f"table {table}: {self.refusal(table, int(action))}; no table has moved")

    def refusal(self, table: int, action: Any) -> IllegalActionError:
        """Why the seat to move at a table may not do so."""
        return refusal(self._position(table), action)

    def close(self) -> None:
        """Let the threads go; the next step would start them again."""
        if self._pool:
            self._pool.shutdown()
        self._pool = None

    def _rules_of_tables(self, rules) -> list[Rules]:
        if isinstance(rules, list | tuple):
            if len(rules) != self.num_envs:
                raise ValueError(f"rules must be one set of rules or a list of {self.num_envs}, not of {len(rules)}")
            return [Rules.of(source) for source in rules]
        return [Rules.of(rules)] * self.num_envs

    def _compile_rules(self) -> None:
        distinct = self._distinct = tuple(dict.fromkeys(self.rules))
        number = {rules: i for i, rules in enumerate(distinct)}
        self._rules = unpacked(b"".join(packed_rules(rules) for rules in distinct), RULES).view(np.recarray)
        self._rules_of = np.array([number[rules] for rules in self.rules], np.int32)
        self._rules_features = np.stack([rules_features(rules) for rules in distinct])

    def _allocate(self) -> None:
        n = self.num_envs
        self._everywhere = np.ones(n, bool)
        self._tables = new_tables(n)
        self._walks = np.zeros(n, np.uint64)
        self._first_hands = np.zeros(n, np.int64)
        self.observation = np.zeros((n, NUM_FEATURES), np.int8)
        self.observation[:, TABLE_SIZE:] = self._rules_features[self._rules_of]
        self.mask = np.zeros((n, NUM_ACTIONS), np.int8)
        self.turn = np.zeros(n, np.int64)
        self.reward = np.zeros((n, NUM_SEATS), np.float32)
        self.done = np.zeros(n, bool)
        self._status = np.zeros(n, np.int8)
        self.terminated = np.zeros(n, bool)
        self.truncated = np.zeros(n, bool)
        self.final_observation = np.zeros((n, NUM_SEATS, NUM_FEATURES), np.int8)
        self.final_observation[:, :, TABLE_SIZE:] = self._rules_features[self._rules_of][:, None]
        self.final_scores = np.zeros((n, NUM_SEATS), np.int32)
        self.winner = np.full(n, -1, np.int8)
        self._moved = np.ones(n, bool)
        self._connect()

    def _connect(self) -> None:
        """What is made anew in a copy."""
        self._pool: ThreadPoolExecutor | None = None
        self._pool_process = 0
        self._shared = (plain(self._tables), plain(self._rules), self._rules_of)
        self._step = Step(self.observation, self.mask, self.turn, self.reward, self.done)

    def _usable_threads(self) -> int:
        return max(1, min(usable_cores(), self.num_envs // TABLES_PER_THREAD))

    def _seeds(self, seed) -> np.ndarray:
        if seed is None:
            seed = random_seed()
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise ValueError(f"seed must be one number or {self.num_envs}, not {len(seed)}")
            return np.array([whole("seed", value, 0, LARGEST_SEED) for value in seed], np.uint64)
        return seeds_from(whole("seed", seed, 0, LARGEST_SEED - self.num_envs + 1), self.num_envs)

    def _standings(self, which: np.ndarray, scores, bags, hand_numbers) -> Standings | None:
        """Where games begin, checked for those that do; what is not given is zero. None: at their beginning."""
        if scores is None and bags is None and hand_numbers is None:
            return None
        n = self.num_envs
        given = (("scores", scores, (n, 4)), ("bags", bags, (n, 4)), ("hand_numbers", hand_numbers, (n,)))
        scores, bags, hand_numbers = (
            np.zeros(shape, np.int32) if value is None else array(name, value, shape, np.int32)
            for name, value, shape in given
        )
        wrong = kernels.first_impossible(self._rules, self._rules_of, which, scores, bags, hand_numbers)
        if wrong >= 0:
            raise ValueError(
                f"table {wrong} cannot begin with scores {scores[wrong].tolist()}, bags {bags[wrong].tolist()} and "
                f"{hand_numbers[wrong]} hands finished: scores are within ±{LARGEST_SCORE}, bags below the rules' "
                f"limit ({self.rules[wrong]}), hands below their number of hands"
            )
        return scores, bags, hand_numbers

    def _check_begun(self) -> None:
        if not self.begun:
            raise RuntimeError("call reset() first")

    def _checked_actions(self, actions) -> np.ndarray:
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions must be int[{self.num_envs}], not {actions.dtype}{list(actions.shape)}")
        if actions.dtype.kind == "u":
            actions = np.minimum(actions, NUM_ACTIONS)  # the greatest would become negative
        return np.array(actions, np.int64)

    def _position(self, table: int) -> Position:
        return Position(self.rules[table], self._rules[self._rules_of[table] :][:1], self._tables[table:][:1])

    # What a thread does with the tables from low to high

    def _begin_share(self, low: int, high: int, which: np.ndarray) -> None:
        kernels.begin(low, high, *self._shared, which, self.seeds, self._walks, self._first_hands, self._moved)
        self._show_share(low, high)

    def _continue_share(self, low: int, high: int, which: np.ndarray, standings: Standings) -> None:
        kernels.continue_games(low, high, *self._shared, which, *standings, self._first_hands, self._moved)
        self._show_share(low, high)

    def _step_share(self, low: int, high: int, actions: np.ndarray) -> None:
        kernels.advance(low, high, *self._shared, actions, *self._paid())
        self._finish_share(low, high)

    def _play_random_share(self, low: int, high: int, seats: np.ndarray) -> None:
        kernels.advance_random(low, high, *self._shared, seats, self._walks, *self._paid())
        self._finish_share(low, high)

    def _finish_share(self, low: int, high: int) -> None:
        anew = (self.autoreset, self.seeds, self._walks, self._first_hands)
        ends = (self.done, self.terminated, self.truncated, self.final_observation, self.final_scores, self.winner)
        kernels.finish(low, high, *self._shared, self._status, *anew, *ends)
        self._show_share(low, high)

    def _paid(self) -> tuple:
        """When an episode ends, and what its table writes of it."""
        return *self.terms.codes(), self._first_hands, self.reward, self._status, self._moved

    def _show_share(self, low: int, high: int) -> None:
        kernels.show(low, high, *self._shared, self._moved, self.observation, self.mask, self.turn)

    def _in_threads(self, work, *arguments) -> None:
        """Do the work at all tables, each thread at its own share."""
        if self.threads == 1:
            work(0, self.num_envs, *arguments)
            return
        if self._pool is None or self._pool_process != os.getpid():  # threads don't live on in a forked process
            self._pool, self._pool_process = ThreadPoolExecutor(self.threads - 1, initializer=wrap_around), os.getpid()
        bounds = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        others = [self._pool.submit(work, low, high, *arguments) for low, high in pairwise(bounds[1:])]
        work(bounds[0], bounds[1], *arguments)
        for other in others:
            other.result()

    def __getstate__(self) -> dict:
        return {name: value for name, value in self.__dict__.items() if name not in ("_pool", "_step", "_shared")}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._connect()
