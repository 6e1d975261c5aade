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
`final_scores` and `winner` until the table's next end; `terminated` and `truncated` say how it ended. With
`autoreset=False` an ended table waits, whatever its action, until `reset(which=…)` names it.

Table i plays the games `Game(rules, seed=s)` for s = `seeds[i]`: at first `seed + i`, then `next_seed` of that.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from spades_env._jit import njit, wrap_around
from spades_env.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.checks import LARGEST_SEED, random_seed, whole
from spades_env.engine import apply, is_legal, mix, new_game, next_random, random_action, write_mask
from spades_env.episodes import RUNNING, TERMINATED, TRUNCATED, Terms, next_seed, play_random, seeds_from, settle
from spades_env.game import IllegalActionError, refusal
from spades_env.observe import NUM_FEATURES, STATE_SIZE, TABLE_SIZE, blank, rules_features, write_features, write_hidden
from spades_env.rules import Rules, RulesSource
from spades_env.state import GOES_ON, OVER, compile_rules, new_tables
from spades_env.view import View

STAY = -1  # an action that leaves its table as it is
TABLES_PER_THREAD = 2048  # fewer are not worth the wake-up: a thread starts some 50 µs late


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
        self.num_envs = whole("num_envs", num_envs, 1, 1 << 24)
        self.terms = Terms(episode, reward, truncate_after)
        self.autoreset = autoreset
        self.rules = self._rules_of_tables(rules)
        self._compile_rules()
        self._allocate()
        self.threads = self._usable_threads() if threads is None else whole("threads", threads, 1, 1024)
        self.seeds = self._seeds(seed)
        self._fresh = True

    # Playing ---------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | Sequence[int] | None = None, which: np.ndarray | None = None) -> Step:
        """Begin new games, at all tables or where `which` (bool[N]) is true.

        A seed s gives table i the seed s + i, a sequence names each; without one the walk of seeds goes on.
        """
        which = self._everywhere if which is None else self._checked_which(which)
        if self._fresh and not which.all():
            raise ValueError("the first reset begins all tables: leave out which")
        if seed is not None:
            self.seeds[which] = self._seeds(seed)[which]
        elif not self._fresh:
            self.seeds[which] = [next_seed(np.uint64(seed)) for seed in self.seeds[which]]
        self._fresh = False
        self.reward[which] = 0
        self.done[which] = self.terminated[which] = self.truncated[which] = False
        self._in_threads(_begin, self._tables, self._rules, self._which, which, self.seeds, self._walks)
        self._in_threads(_show, self._tables, self._rules, self._which, self.observation, self.mask, self.turn)
        return self._step

    def step(self, actions: np.ndarray) -> Step:
        """Every seat to move acts: actions int[N]; STAY (−1) leaves a table as it is.

        An illegal action raises IllegalActionError, and no table has moved.
        """
        actions = self._checked_actions(actions)
        illegal = _first_illegal(self._tables, self._rules, self._which, actions)
        if illegal >= 0:
            raise self.illegal(illegal, actions[illegal])
        self._in_threads(self._step_share, actions)
        return self._step

    def _step_share(self, low: int, high: int, actions: np.ndarray) -> None:
        share = self._share(low, high)
        _advance(*share, actions, *self.terms.codes(), self.reward, self._status)
        self._finish_share(low, high)

    def play_random(self, seats: np.ndarray) -> Step:
        """Where one of these seats (bool[4]) is to move, they play at random until another is or the episode ends.

        The rewards are those of all moves together; other tables stay as they are.
        """
        self._in_threads(self._play_random_share, seats)
        return self._step

    def _play_random_share(self, low: int, high: int, seats: np.ndarray) -> None:
        share = self._share(low, high)
        _play_random(*share, seats, self._walks, *self.terms.codes(), self.reward, self._status)
        self._finish_share(low, high)

    def _finish_share(self, low: int, high: int) -> None:
        share = self._share(low, high)
        ends = (self.done, self.terminated, self.truncated, self.final_observation, self.final_scores, self.winner)
        _finish(*share, self._status, self.autoreset, self.seeds, *ends)
        _show(*share, self.observation, self.mask, self.turn)

    def random_actions(self, out: np.ndarray | None = None, which: np.ndarray | None = None) -> np.ndarray:
        """A legal action for every table, each as likely as another; from a walk seeded with the tables' seeds.

        STAY at ended tables, and where `which` (bool[N]) is false.
        """
        out = np.empty(self.num_envs, np.int64) if out is None else out
        which = self._everywhere if which is None else self._checked_which(which)
        self._in_threads(_choose, self._tables, self._rules, self._which, which, self._walks, out)
        return out

    # Looking ---------------------------------------------------------------------------------------------------------

    def state(self, out: np.ndarray | None = None) -> np.ndarray:
        """int8[N, STATE_SIZE]: the observation of the seat to move and all four hands, for central critics."""
        out = np.empty((self.num_envs, STATE_SIZE), np.int8) if out is None else out
        out[:, :NUM_FEATURES] = self.observation
        self._in_threads(_write_states, self._tables, self._rules, self._which, out)
        return out

    def views(self, out: np.recarray | None = None) -> np.recarray:
        """STATE[N], each as the seat to move may know it: what compiled players read."""
        out = new_tables(self.num_envs) if out is None else out
        self._in_threads(_write_views, self._tables, out)
        return out

    def view(self, table: int, seat: int) -> View:
        """What a seat of one table may know."""
        table = whole("table", table, 0, self.num_envs - 1)
        return View(self.rules[table], self._table(table), seat)

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
        return self._rules, self._which

    def illegal(self, table: int, action: int) -> IllegalActionError:
        """The error that `step` raises for an action that may not be chosen at a table."""
        why = refusal(self.rules[table], self._table(table), int(action))
        return IllegalActionError(f"table {table}: {why}; no table has moved")

    def close(self) -> None:
        """Let the threads go; the next step would start them again."""
        if self._pool:
            self._pool.shutdown()
        self._pool = None

    # Helpers ---------------------------------------------------------------------------------------------------------

    def _rules_of_tables(self, rules) -> list[Rules]:
        if isinstance(rules, list | tuple):
            if len(rules) != self.num_envs:
                raise ValueError(f"rules must be one set of rules or a list of {self.num_envs}, not of {len(rules)}")
            return [Rules.of(source) for source in rules]
        return [Rules.of(rules)] * self.num_envs

    def _compile_rules(self) -> None:
        distinct = list(dict.fromkeys(self.rules))
        number = {rules: i for i, rules in enumerate(distinct)}
        self._rules = np.concatenate([compile_rules(rules) for rules in distinct]).view(np.recarray)
        self._which = np.array([number[rules] for rules in self.rules], np.int32)
        self._rules_features = np.stack([rules_features(rules) for rules in distinct])

    def _allocate(self) -> None:
        n = self.num_envs
        self._everywhere = np.ones(n, bool)
        self._tables = new_tables(n)
        self._walks = np.zeros(n, np.uint64)
        self._pool: ThreadPoolExecutor | None = None
        self.observation = np.zeros((n, NUM_FEATURES), np.int8)
        self.observation[:, TABLE_SIZE:] = self._rules_features[self._which]
        self.mask = np.zeros((n, NUM_ACTIONS), np.int8)
        self.turn = np.zeros(n, np.int64)
        self.reward = np.zeros((n, NUM_SEATS), np.float32)
        self.done = np.zeros(n, bool)
        self._status = np.zeros(n, np.int8)
        self.terminated = np.zeros(n, bool)
        self.truncated = np.zeros(n, bool)
        self.final_observation = np.zeros((n, NUM_SEATS, NUM_FEATURES), np.int8)
        self.final_observation[:, :, TABLE_SIZE:] = self._rules_features[self._which][:, None]
        self.final_scores = np.zeros((n, NUM_SEATS), np.int32)
        self.winner = np.full(n, -1, np.int8)
        self._step = Step(self.observation, self.mask, self.turn, self.reward, self.done)

    def _usable_threads(self) -> int:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return max(1, min(cores, self.num_envs // TABLES_PER_THREAD))

    def _seeds(self, seed) -> np.ndarray:
        if seed is None:
            seed = random_seed()
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise ValueError(f"seed must be one number or {self.num_envs}, not {len(seed)}")
            return np.array([whole("seed", value, 0, LARGEST_SEED) for value in seed], np.uint64)
        return seeds_from(whole("seed", seed, 0, LARGEST_SEED), self.num_envs)

    def _checked_which(self, which) -> np.ndarray:
        which = np.asarray(which)
        if which.shape != (self.num_envs,) or which.dtype != bool:
            raise ValueError(f"which must be bool[{self.num_envs}], not {which.dtype}{list(which.shape)}")
        return which

    def _checked_actions(self, actions) -> np.ndarray:
        if self._fresh:
            raise RuntimeError("call reset() before step()")
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions must be int[{self.num_envs}], not {actions.dtype}{list(actions.shape)}")
        return actions.astype(np.int64, copy=False)

    def _table(self, table: int) -> np.recarray:
        return self._tables[table : table + 1].view(np.recarray)

    def _share(self, low: int, high: int) -> tuple[int, int, np.recarray, np.recarray, np.ndarray]:
        """What every kernel begins with: which tables, and whose rules they play."""
        return low, high, self._tables, self._rules, self._which

    def _in_threads(self, kernel, *arguments) -> None:
        """Run a kernel over all tables, each thread over its own share."""
        bounds = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        if self.threads == 1:
            kernel(0, self.num_envs, *arguments)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1, initializer=wrap_around)
        others = [self._pool.submit(kernel, low, high, *arguments) for low, high in pairwise(bounds[1:])]
        kernel(bounds[0], bounds[1], *arguments)
        for other in others:
            other.result()

    def __getstate__(self) -> dict:
        return {name: value for name, value in self.__dict__.items() if name not in ("_pool", "_step")}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state, _pool=None)
        self._step = Step(self.observation, self.mask, self.turn, self.reward, self.done)


# Kernels -------------------------------------------------------------------------------------------------------------
# Each is one plain loop with few calls, so that the compiler makes one piece of it.


@njit
def _begin(low, high, tables, rules, which_rules, which, seeds, walks):
    """New games where `which` says so."""
    for i in range(low, high):
        if which[i]:
            new_game(tables[i], rules[which_rules[i]], seeds[i])
            walks[i] = mix(seeds[i])


@njit
def _show(low, high, tables, rules, which_rules, observation, mask, turn):
    """Every table as the seat to move sees it."""
    for i in range(low, high):
        s = tables[i]
        r = rules[which_rules[i]]
        turn[i] = s.turn
        write_features(s, r, s.turn, observation[i])
        if s.phase == OVER:
            mask[i, :] = 1
        else:
            write_mask(s, r, mask[i])


@njit
def _first_illegal(tables, rules, which_rules, actions):
    """The first table whose action is not legal, or −1."""
    for i in range(len(tables)):
        action = actions[i]
        if action != STAY and tables[i].phase != OVER and not is_legal(tables[i], rules[which_rules[i]], action):
            return i
    return -1


@njit
def _advance(low, high, tables, rules, which_rules, actions, by_hand, by_win, last_hand, reward, status):
    """The seats to move act; status[i] says what became of the episode."""
    reward[low:high] = 0
    for i in range(low, high):
        status[i] = RUNNING
        if actions[i] != STAY and tables[i].phase != OVER:
            r = rules[which_rules[i]]
            event = apply(tables[i], r, actions[i])
            if event != GOES_ON:
                status[i] = settle(tables[i], r, event, by_hand, by_win, last_hand, reward[i])


@njit
def _play_random(low, high, tables, rules, which_rules, seats, walks, by_hand, by_win, last_hand, total, status):
    """Seats play at random until another is to move; total: what they were paid at each table."""
    reward = np.zeros(4, np.float32)
    for i in range(low, high):
        r = rules[which_rules[i]]
        status[i] = play_random(tables[i], r, seats, walks, i, by_hand, by_win, last_hand, total[i], reward)


@njit
def _finish(
    low, high, tables, rules, which_rules, status, autoreset, seeds, done, terminated, truncated,
    final_observation, final_scores, winner,
):  # fmt: skip
    """What ended episodes looked like, to each seat; then the next ones."""
    for i in range(low, high):
        done[i] = status[i] != RUNNING
        if not done[i]:
            continue
        s = tables[i]
        r = rules[which_rules[i]]
        terminated[i] = status[i] == TERMINATED
        truncated[i] = status[i] == TRUNCATED
        for seat in range(4):
            write_features(s, r, seat, final_observation[i, seat])
            final_scores[i, seat] = s.scores[seat]
        winner[i] = s.winner
        if autoreset:
            seeds[i] = next_seed(seeds[i])
            new_game(s, r, seeds[i])


@njit
def _choose(low, high, tables, rules, which_rules, which, walks, out):
    for i in range(low, high):
        if tables[i].phase == OVER or not which[i]:
            out[i] = STAY
        else:
            walks[i] = next_random(walks[i])
            out[i] = random_action(tables[i], rules[which_rules[i]], mix(walks[i]))


@njit
def _write_states(low, high, tables, rules, which_rules, out):
    for i in range(low, high):
        write_hidden(tables[i], rules[which_rules[i]], tables[i].turn, out[i])


@njit
def _write_views(low, high, tables, out):
    for i in range(low, high):
        blank(tables, i, tables[i].turn, out, i)
