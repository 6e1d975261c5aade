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

from collections.abc import Sequence
from typing import Any

import numpy as np

from spades_env import vector_kernels as kernels
from spades_env.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.checks import array, whole
from spades_env.episodes import Terms
from spades_env.facts import Position
from spades_env.observe import NUM_FEATURES, STATE_SIZE, TABLE_SIZE, rules_features
from spades_env.refusals import IllegalActionError, refusal
from spades_env.rules import Rules, RulesSource
from spades_env.state import RULES, new_tables, packed_rules, plain, unpacked
from spades_env.vector_checks import Standings, checked_actions, checked_rules, checked_seeds, checked_standings
from spades_env.vector_kernels import STAY, Step
from spades_env.view import View
from spades_env.workers import Workers, usable_threads

__all__ = ["STAY", "SpadesVectorEnv", "Step"]

MOST_TABLES = 1 << 24


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
        self.rules = checked_rules(rules, self.num_envs)
        self._compile_rules()
        self.threads = usable_threads(self.num_envs) if threads is None else whole("threads", threads, 1, 1024)
        self.seeds = checked_seeds(seed, self.num_envs)
        self._fresh = True
        self._allocate()
        self._connect()

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
        seeds = None if seed is None else checked_seeds(seed, self.num_envs)
        standings = checked_standings(self._at, self.rules, which, scores, bags, hand_numbers)
        if seeds is not None:  # nothing is changed before all is checked
            self.seeds[which] = seeds[which]
        elif not self._fresh:
            kernels.walk_seeds(self.seeds, which)
        self._fresh = False
        self.reward[which] = 0
        self.done[which] = self.terminated[which] = self.truncated[which] = False
        self._workers.run(self._begin_share, which)
        if standings is not None:
            self._workers.run(self._continue_share, which, standings)
        return self._step

    def step(self, actions: np.ndarray) -> Step:
        """Let every seat to move act: actions int[N]; STAY (−1) leaves a table as it is.

        An illegal action raises IllegalActionError, and no table has moved.
        """
        self._check_begun()
        actions = checked_actions(actions, self.num_envs)
        illegal = kernels.first_illegal(self._at, actions)
        if illegal >= 0:
            raise self.illegal(illegal, actions[illegal])
        self._run(kernels.step, actions)
        return self._step

    def play_random(self, seats: np.ndarray) -> Step:
        """Let these seats (bool[4]) play at random, where one is to move, until another is or the episode ends.

        The rewards are those of all moves together; other tables stay as they are.
        """
        self._check_begun()
        self._run(kernels.step_random, array("seats", seats, (NUM_SEATS,), bool))
        return self._step

    def random_actions(self, out: np.ndarray | None = None, which: np.ndarray | None = None) -> np.ndarray:
        """Return a legal action for every table, each as likely as another, int64[N]; the game's seed decides.

        STAY at ended tables, and where `which` (bool[N]) is false.
        """
        self._check_begun()
        out = np.empty(self.num_envs, np.int64) if out is None else array("out", out, (self.num_envs,), np.int64)
        which = self._everywhere if which is None else array("which", which, (self.num_envs,), bool)
        self._workers.run(kernels.choose, self._at, which, self._progress.walks, out)
        return out

    def state(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return the observation of the seat to move and all four hands, int8[N, STATE_SIZE], for central critics."""
        self._check_begun()
        shape = (self.num_envs, STATE_SIZE)
        out = np.empty(shape, np.int8) if out is None else array("out", out, shape, np.int8)
        out[:, :NUM_FEATURES] = self.observation
        self._workers.run(kernels.write_states, self._at, out)
        return out

    def views(self, out: np.recarray | None = None) -> np.recarray:
        """Return STATE[N], each as the seat to move may know it: what compiled bots read."""
        self._check_begun()
        views = new_tables(self.num_envs) if out is None else out
        array("out", views, (self.num_envs,), self._tables.dtype)
        self._workers.run(kernels.write_views, self._at, views)
        return views

    def view(self, table: int, seat: int) -> View:
        """Return what a seat of one table may know."""
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
        """Return the error that `step` raises for an action that may not be chosen at a table."""
        return IllegalActionError(f"table {table}: {self.refusal(table, int(action))}; no table has moved")

    def refusal(self, table: int, action: Any) -> IllegalActionError:
        """Return why the seat to move at a table may not do so."""
        return refusal(self._position(table), action)

    def close(self) -> None:
        """Let the threads go; the next step would start them again."""
        self._workers.close()

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

    def _connect(self) -> None:
        """Put the arrays together as kernels and callers take them; a copy does so anew."""
        self._workers = Workers(self.threads, self.num_envs)
        self._at = kernels.Tables(plain(self._tables), plain(self._rules), self._rules_of)
        self._codes = kernels.Codes(*self.terms.codes(), self.autoreset)
        self._progress = kernels.Progress(self.seeds, self._walks, self._first_hands, self._status, self._moved)
        self._ends = kernels.Ends(
            self.terminated, self.truncated, self.final_observation, self.final_scores, self.winner
        )
        self._step = Step(self.observation, self.mask, self.turn, self.reward, self.done)

    def _check_begun(self) -> None:
        if not self.begun:
            raise RuntimeError("call reset() first")

    def _position(self, table: int) -> Position:
        return Position(self.rules[table], self._rules[self._rules_of[table] :][:1], self._tables[table:][:1])

    def _run(self, kernel, acting: np.ndarray) -> None:
        self._workers.run(kernel, self._at, acting, self._codes, self._progress, self._ends, self._step)

    # What a thread does with the tables from low to high

    def _begin_share(self, low: int, high: int, which: np.ndarray) -> None:
        kernels.begin(low, high, self._at, which, self._progress)
        self._show_share(low, high)

    def _continue_share(self, low: int, high: int, which: np.ndarray, standings: Standings) -> None:
        kernels.continue_games(low, high, self._at, which, standings, self._progress)
        self._show_share(low, high)

    def _show_share(self, low: int, high: int) -> None:
        kernels.show(low, high, self._at, self._moved, self._step)

    def __getstate__(self) -> dict:
        made_anew = ("_workers", "_at", "_codes", "_progress", "_ends", "_step")
        return {name: value for name, value in self.__dict__.items() if name not in made_anew}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._connect()
