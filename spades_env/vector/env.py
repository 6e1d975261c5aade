"""Many tables in lockstep: one call moves them all.

    env = SpadesVectorEnv(4096, "classic", seed=0)
    step = env.reset()
    while True:
        actions = policy(step.observation, step.mask)      # int[4096], for the seats in step.turn
        step = env.step(actions)

All arrays are allocated once and written in place: `step` always shows the present, and torch wraps it without copying.
Copy what you need after the next call.

Auto-reset: when an episode ends, `done` is set, `reward` is that of the last action, and the table already shows the
first decision of its next episode. `final_observation` (of all four seats), `final_scores` and `winner` (−1: a draw, or
truncated) keep the end of the episode until the next one ends there; `terminated` and `truncated` say how it ended.
With `autoreset=False` an ended table ignores its actions until `reset(which=…)` names it.

Table i plays the games `Game(rules, seed=s)` for s = `seeds[i]`: first `seed + i`, then `next_seed` of that, and so on.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode

from spades_env.checks import array, whole
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.game.episodes import Episode, Paid, Terms
from spades_env.game.facts import Position
from spades_env.game.observe import NUM_FEATURES, STATE_SIZE
from spades_env.game.refusals import IllegalActionError, refusal
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.starts import BEGINNING, Start, StartSource
from spades_env.game.state import STATE, new_tables, plain
from spades_env.game.view import View
from spades_env.vector import kernels
from spades_env.vector.arguments import checked_actions, checked_seeds, checked_standings
from spades_env.vector.arrays import Step, TableRules, Tables, new_ends, new_progress, new_step
from spades_env.vector.kernels import STAY
from spades_env.vector.snapshot import State, arrays_of, restore
from spades_env.vector.threads import Workers, usable_threads

__all__ = ["STAY", "SpadesVectorEnv", "Step"]

MOST_TABLES = 1 << 24
FROM_BEGINNING = Start(BEGINNING, ()).record


class SpadesVectorEnv:
    """N tables in lockstep; one call moves them all.

    Args:
        num_envs: N.
        rules: One set of rules for all tables, or a list of N.
        episode: "game": to the end of the game; "hand": one hand.
        seed: Table i begins with seed + i; or a list of N seeds.
        reward: "points": after each hand; "win": 1 or −1 when the episode ends.
        truncate_after: Truncate an unfinished game after this many hands; None: never.
        autoreset: Begin the next episode within the step that ends one.
        start: Where episodes begin: "beginning", "situations", or a dict of scores, bags, dealer, hand_number.
        reward_scale: Multiplies every reward.
        threads: How many cores work; by default one for every 4,096 tables.

    Raises:
        SpadesError: An argument is wrong; the message says what is allowed.

    Examples:
        >>> from spades_env import SpadesVectorEnv
        >>> env = SpadesVectorEnv(4096, "classic", seed=0)
        >>> step = env.reset()
        >>> step.observation.shape, step.mask.shape, step.turn.shape
        ((4096, 824), (4096, 70), (4096,))
        >>> step = env.step(env.random_actions())

    `num_envs`, `single_observation_space`, `single_action_space`, `metadata` and `spec` are Gymnasium's.
    """

    spec = None  # None, because gymnasium.make_vec doesn't make it

    def __init__(
        self,
        num_envs: int,
        rules: RulesSource | Sequence[RulesSource] = "classic",
        episode: Episode = "game",
        seed: int | Sequence[int] | None = None,
        *,
        reward: Paid = "points",
        truncate_after: int | None = 50,
        autoreset: bool = True,
        start: StartSource = BEGINNING,
        reward_scale: float = 1.0,
        threads: int | None = None,
    ):
        self.num_envs = whole("num_envs", num_envs, 1, MOST_TABLES)
        self.terms = Terms(episode, reward, truncate_after, reward_scale)
        self.autoreset = autoreset
        self._rules = TableRules(rules, self.num_envs)
        self.rules = self._rules.each
        self.threads = usable_threads(self.num_envs) if threads is None else whole("threads", threads, 1, 1024)
        self.seeds = checked_seeds(seed, self.num_envs)
        self.begun = False  # whether there has been a reset
        self._workers = Workers(self.threads, self.num_envs)
        self._everywhere = np.ones(self.num_envs, bool)
        self._codes = self.terms.codes(autoreset=autoreset)
        starts = Start(start, self._rules.distinct).record
        self._at = Tables(plain(new_tables(self.num_envs)), self._rules.records, self._rules.numbers, starts)
        self._progress = new_progress(self.seeds)
        features = self._rules.features()
        self._ends = new_ends(features)
        self._step = new_step(features, self._ends)
        self.observation, self.mask, self.turn, self.reward, self.done = self._step
        self.terminated, self.truncated, self.final_observation, self.final_scores, self.winner = self._ends

    def __repr__(self) -> str:
        played = "; ".join(map(str, self._rules.distinct[:3])) + "; …" * (len(self._rules.distinct) > 3)
        return f"<SpadesVectorEnv: {self.num_envs:,} tables, {played}, episode {self.terms.episode}>"

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

        Args:
            seed: Table i begins with seed + i; or a list of N. None: each table goes on to its next seed.
            which: bool[N].
            scores: int32[N, 4], by side, to begin in the middle of a game. With any of these, `start` is not asked.
            bags: int32[N, 4], by side.
            hand_numbers: int32[N].

        Returns:
            The first decisions. The arrays are the same after every call.

        Raises:
            SpadesError: An argument is wrong; no table has changed.
        """
        which = self._everywhere if which is None else array("which", which, (self.num_envs,), bool)
        if not self.begun and not which.all():
            raise SpadesError("the first reset begins all tables: leave out which")
        seeds = None if seed is None else checked_seeds(seed, self.num_envs)
        standings = checked_standings(self._at, self.rules, which, scores, bags, hand_numbers)
        if seeds is not None:  # everything is checked before anything changes
            self.seeds[which] = seeds[which]
        elif self.begun:
            kernels.walk_seeds(self.seeds, which)
        self.begun = True
        self.reward[which] = 0
        self.done[which] = self.terminated[which] = self.truncated[which] = False
        at = self._at if standings is None else self._at._replace(start=FROM_BEGINNING)
        self._workers.run(kernels.begin, at, which, self._progress, self._step)
        if standings is not None:
            self._workers.run(kernels.continue_games, self._at, which, standings, self._progress, self._step)
        return self._step

    def step(self, actions: np.ndarray) -> Step:
        """Let every seat to move act.

        Args:
            actions: int[N]; STAY (−1) leaves a table as it is.

        Returns:
            The next decisions, with rewards and ends.

        Raises:
            IllegalActionError: An action is illegal; no table has moved.
            SpadesError: `actions` has another shape or type.
        """
        self._check_begun()
        actions = checked_actions(actions, self.num_envs)
        illegal = kernels.first_illegal(self._at, actions)
        if illegal >= 0:
            raise self.illegal(illegal, actions[illegal])
        self._run(kernels.step, actions)
        return self._step

    def play_random(self, seats: np.ndarray) -> Step:
        """Play at random for these seats (bool[4]) until another seat is to move or the episode ends.

        The rewards are the sums over all these moves. Other tables stay as they are.
        """
        self._check_begun()
        self._run(kernels.step_random, array("seats", seats, (NUM_SEATS,), bool))
        return self._step

    def random_actions(self, out: np.ndarray | None = None, which: np.ndarray | None = None) -> np.ndarray:
        """Return a legal action for every table, drawn uniformly by the game's seed, int64[N].

        Ended tables get STAY, and so do those where `which` (bool[N]) is false.
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
        """Return STATE[N], each table as the seat to move may know it, for compiled bots."""
        self._check_begun()
        views = new_tables(self.num_envs) if out is None else out
        array("out", views, (self.num_envs,), STATE)
        self._workers.run(kernels.write_views, self._at, views)
        return views

    def view(self, table: int, seat: int) -> View:
        """Return what a seat of one table may know."""
        self._check_begun()
        position = self._position(whole("table", table, 0, self.num_envs - 1))
        seat = whole("seat", seat, 0, NUM_SEATS - 1)
        return View(position.rules, position._table, seat, compiled=position._compiled)

    # Gymnasium's words

    @cached_property
    def single_observation_space(self) -> Box:
        """The space of one row of `observation`."""
        return Box(-128, 127, (NUM_FEATURES,), np.int8)

    @cached_property
    def single_action_space(self) -> Discrete:
        """The actions of one table."""
        return Discrete(NUM_ACTIONS)

    @property
    def metadata(self) -> dict[str, Any]:
        """Metadata, as Gymnasium's vector environments have it."""
        mode = AutoresetMode.SAME_STEP if self.autoreset else AutoresetMode.DISABLED
        return {"render_modes": [], "autoreset_mode": mode}

    # Looking

    @property
    def tables(self) -> np.recarray:
        """STATE[N], a copy of the tables with all cards open, for critics and analysis, never for a player."""
        return self._at.states.copy().view(np.recarray)

    @property
    def scores(self) -> np.ndarray:
        """int32[N, 4], per side."""
        return self._at.states["scores"].copy()

    @property
    def hand_numbers(self) -> np.ndarray:
        """int32[N], the hands finished in each game."""
        return self._at.states["hand_number"].copy()

    @property
    def compiled_rules(self) -> tuple[np.recarray, np.ndarray]:
        """RULES[K], the distinct rules, and int32[N], which of them each table plays by; for kernels."""
        return self._at.rules.view(np.recarray), self._at.rules_of

    @property
    def distinct_rules(self) -> tuple[Rules, ...]:
        """The rules that `compiled_rules` were compiled from."""
        return self._rules.distinct

    def illegal(self, table: int, action: int) -> IllegalActionError:
        """Return the error that `step` raises for an illegal action at a table."""
        return IllegalActionError(f"table {table}: {self.refusal(table, int(action))}; no table has moved")

    def refusal(self, table: int, action: Any) -> IllegalActionError:
        """Return the error for an illegal action at a table, as a Game gives it."""
        return refusal(self._position(table), action)

    def close(self) -> None:
        """Stop the threads; the next step starts them again."""
        self._workers.close()

    # Copying

    def get_state(self) -> State:
        """Return copies of all that `set_state` needs to return to this moment, by name (vector/snapshot.py)."""
        self._check_begun()
        return {name: array.copy() for name, array in self._arrays().items()}

    def set_state(self, state: Mapping[str, np.ndarray]) -> Step:
        """Return to the moment of `get_state`, in this environment or one made with the same arguments."""
        restore(self._arrays(), state)
        self.begun = True
        return self._step

    # Helpers

    def _arrays(self) -> State:
        return arrays_of(self._at, self._progress, self._step, self._ends)

    def _check_begun(self) -> None:
        if not self.begun:
            raise RuntimeError("call reset() first")

    def _position(self, table: int) -> Position:
        at = self._at
        return Position(self.rules[table], at.rules[at.rules_of[table] :][:1], at.states[table:][:1])

    def _run(self, kernel, acting: np.ndarray) -> None:
        self._workers.run(kernel, self._at, acting, self._codes, self._progress, self._ends, self._step)
