"""Many tables as a Gymnasium vector environment: at each of them one seat learns, agents play the other three.

    envs = gymnasium.make_vec("Spades-v0", 1024, opponents="random")
    observations, infos = envs.reset(seed=7)
    observations, rewards, terminations, truncations, infos = envs.step(actions)

Table i plays what `SpadesEnv` plays after `reset(seed=envs.seeds[i])`: at first `seed + i`, or entry i of a list; then
each table walks on by itself (`episodes.next_seed`). Random opponents are compiled. A named agent, or any
`agents.Agent`, answers for all waiting tables in one call, from records; an object with `act_batch` gets a list of
views, and any other agent one view at a time. A named agent is loaded once for all tables, by the first one's seed, so
one that draws lots draws them in the order of the tables.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from spades_env.cards import NUM_ACTIONS
from spades_env.checks import as_int, one_of, whole
from spades_env.episode_table import RENDER_FPS, SETUP_OPTIONS, Options, Screen, observation_space, options_of
from spades_env.episodes import ILLEGAL_REWARDS, next_seed
from spades_env.gym_env import ILLEGAL
from spades_env.opponents import RANDOM, Opponents, words
from spades_env.refusals import IllegalActionError
from spades_env.rules import RulesSource
from spades_env.vector_env import MOST_TABLES, STAY, SpadesVectorEnv, Step
from spades_env.view import View

RENDER_MODES = ("ansi", "rgb_array")


def _autoreset(mode: AutoresetMode | str) -> AutoresetMode:
    """Return a mode by its name, or by what Gymnasium writes for it."""
    known = {text: one for one in AutoresetMode for text in (one, one.name, one.value)}
    if mode not in known:
        raise ValueError(f"autoreset_mode must be one of {', '.join(AutoresetMode.__members__)}, not {mode!r}")
    return known[mode]


def _as_numbers(answers) -> np.ndarray:
    """Return what agents answered, int[M]; STAY, which no agent may do, for what is no action."""
    if isinstance(answers, np.ndarray) and answers.ndim == 1 and answers.dtype.kind in "iu":
        return answers
    numbers = [as_int(action) for action in answers]
    return np.array([STAY if n is None or not 0 <= n < NUM_ACTIONS else n for n in numbers], np.int64)


class SpadesGymVectorEnv(VectorEnv):
    """N tables. Arguments as of `SpadesEnv`; `rules` may be a list of N, and besides there are

    autoreset_mode      Gymnasium's three: NEXT_STEP, SAME_STEP, DISABLED
    copy                False: observations stand in buffers that the next call overwrites
    threads             as many as are worth it, unless given
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: RulesSource | Sequence[RulesSource] = "classic",
        seat: int = 0,
        opponents: Any = RANDOM,
        partner: Any = None,
        episode: str = "game",
        reward: str = "points",
        truncate_after: int | None = 50,
        render_mode: str | None = None,
        *,
        illegal: str = "random",
        flat: bool = False,
        obs_dtype: str = "int8",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int | None = None,
    ):
        self.num_envs = whole("num_envs", num_envs, 1, MOST_TABLES)
        self.illegal = one_of("illegal", illegal, ILLEGAL)
        self.flat = flat
        self.copy = copy
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.autoreset_mode = _autoreset(autoreset_mode)
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = observation_space(obs_dtype, with_mask=not flat)
        self.single_action_space = Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._obs_dtype = np.dtype(obs_dtype)
        self._opponents = Opponents(seat, opponents, partner)
        self.seat = self._opponents.seat
        self._tables = SpadesVectorEnv(
            num_envs, rules, episode, reward=reward, truncate_after=truncate_after, autoreset=False, threads=threads
        )
        self._ended = np.zeros(num_envs, bool)  # tables that wait for their reset
        self._rewards = np.zeros(num_envs)  # of the learners, in this step
        self._ready = False  # are the learners to move?

    # Playing

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict | None = None) -> tuple:
        """Begin new games at all tables, or where `options["reset_mask"]` (bool[N]) is true.

        A seed s gives table i the seed s + i, a list names each; where it says None, the table's own walk goes on.
        """
        which = self._asked_for(options_of(options))
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._begin(which, seed)
        self._ready = False
        if seed is not None or not self._opponents.loaded:
            self._opponents.load(int(self._tables.seeds[0]))
        self._let_others_play()
        return self._look(np.zeros(self.num_envs, bool))

    def step(self, actions) -> tuple:
        """Let the learners act, then the others; tables that ended are treated as `autoreset_mode` says."""
        if not self._ready:
            raise ResetNeeded("the learners are not to move: call reset() first")
        begin = self._ended.copy()
        if begin.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            raise ResetNeeded(f"tables {np.flatnonzero(begin).tolist()} have ended: name them in options' reset_mask")
        actions, illegal = self._checked_actions(actions, ~begin)
        self._ready = False
        if begin.any():
            self._begin(begin)
        thrown_out = illegal & (self.illegal == "terminate")
        self._ended |= thrown_out
        self._rewards = np.where(thrown_out, ILLEGAL_REWARDS[self._tables.terms.reward], 0.0)
        self._count(self._tables.step(actions))
        self._let_others_play()
        rewards, ended, infos = self._rewards, self._ended.copy(), {}
        truncations = ended & self._tables.truncated
        if ended.any() and self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos = self._last_looks(ended, illegal)
            illegal &= ~ended  # final_info says so
            self._begin(ended)
            self._let_others_play()
        observations, present = self._look(illegal)
        return observations, rewards, ended & ~truncations, truncations, present | infos

    def render(self) -> tuple:
        """Return every table as its learner may know it: texts or pictures."""
        return tuple(Screen(self.render_mode).show(self.view(i)) for i in range(self.num_envs))

    def close_extras(self, **kwargs) -> None:
        """Let the threads go."""
        self._tables.close()

    # Looking

    def action_masks(self) -> np.ndarray:
        """Return what the learners may do, bool[N, 70]; all true at tables that have ended."""
        return self._tables.mask.astype(bool)

    def view(self, table: int) -> View:
        """Return what the learner at a table may know."""
        return self._tables.view(table, self.seat)

    @property
    def seeds(self) -> np.ndarray:
        """uint64[N], of the games now played."""
        return self._tables.seeds.copy()

    # Helpers

    def _begin(self, which: np.ndarray, seed=None) -> None:
        """Begin new games at these tables."""
        if isinstance(seed, list | tuple) and len(seed) == self.num_envs:
            own = [next_seed(past) if self._tables.begun else past for past in self._tables.seeds]
            seed = [int(own[i]) if one is None else one for i, one in enumerate(seed)]
        self._tables.reset(seed, which)
        self._ended[which] = False
        self._rewards = np.zeros(self.num_envs)

    def _let_others_play(self) -> None:
        """Go on until the learner is to move, or the episode has ended, at every table."""
        tables, others = self._tables, self._opponents
        while True:
            if others.at_random.any():
                self._count(tables.play_random(others.at_random))
            waiting = ~self._ended & (tables.turn != self.seat)
            if not waiting.any():
                break
            self._count(tables.step(self._answers(waiting)))
        self._show_ends()
        self._ready = True

    def _count(self, step: Step) -> None:
        self._rewards += step.reward[:, self.seat]
        self._ended |= step.done

    def _answers(self, waiting: np.ndarray) -> np.ndarray:
        """Return what the agents do at the tables that wait for them; STAY elsewhere."""
        actions = np.full(self.num_envs, STAY)
        for seat in set(self._tables.turn[waiting].tolist()):
            tables = np.flatnonzero(waiting & (self._tables.turn == seat))
            answers = self._opponents.act_at_tables(seat, self._tables, tables)
            actions[tables] = self._checked_answers(tables, seat, answers)
        return actions

    def _checked_answers(self, tables: np.ndarray, seat: int, answers) -> np.ndarray:
        numbers = _as_numbers(answers)
        legal = self._legal(tables, numbers)
        if not legal.all():
            wrong = int(legal.argmin())
            table, action = int(tables[wrong]), answers[wrong]
            action = action.item() if isinstance(action, np.generic) else action
            raise IllegalActionError(f"{words(seat, action)} at table {table}: {self._tables.refusal(table, action)}")
        return numbers

    def _checked_actions(self, actions, playing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the actions to take (STAY where nobody plays), and where those asked for were illegal."""
        actions = np.array(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions must be int[{self.num_envs}], not {actions.dtype}{list(actions.shape)}")
        legal = self._legal(np.arange(self.num_envs), actions)
        illegal = playing & ~legal
        if self.illegal == "raise" and illegal.any():
            table = int(illegal.argmax())
            raise self._tables.illegal(table, actions[table])
        instead = self._tables.random_actions(which=illegal & (self.illegal == "random"))
        return np.where(playing & legal, actions, instead), illegal

    def _legal(self, tables: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """bool[M]: may these actions (int[M]) be chosen at these tables (int[M])?"""
        known = (actions >= 0) & (actions < NUM_ACTIONS)
        return known & (self._tables.mask[tables, np.where(known, actions, 0)] != 0)

    def _show_ends(self) -> None:
        """Show the learner what it sees last at tables that have ended, and a mask that leaves a policy something."""
        tables = self._tables
        over = self._ended & (tables.terminated | tables.truncated)  # an illegal action ends nothing at the table
        tables.observation[over] = tables.final_observation[over, self.seat]
        tables.mask[self._ended] = 1

    def _look(self, illegal: np.ndarray) -> tuple:
        """Return observations and infos, in fresh arrays (observations only if they are copied)."""
        everywhere = np.ones(self.num_envs, bool)
        mask = self._tables.mask.copy()
        infos = {"action_mask": mask, "_action_mask": everywhere, "illegal": illegal, "_illegal": everywhere.copy()}
        features = self._tables.observation.astype(self._obs_dtype, copy=self.copy)
        if self.flat:
            return features, infos
        return {"observation": features, "action_mask": mask.copy() if self.copy else self._tables.mask}, infos

    def _last_looks(self, ended: np.ndarray, illegal: np.ndarray) -> dict:
        """Return infos: what the learners saw when their episodes ended."""
        infos = {}
        for i in np.flatnonzero(ended).tolist():
            features, mask = self._tables.observation[i].astype(self._obs_dtype), self._tables.mask[i].copy()
            observation = features if self.flat else {"observation": features, "action_mask": mask}
            last = {"final_obs": observation, "final_info": {"action_mask": mask, "illegal": bool(illegal[i])}}
            infos = self._add_info(infos, last, i)
        return infos

    def _asked_for(self, options: Options) -> np.ndarray:
        """Return at which tables to begin anew: bool[N]."""
        setup = [name for name in SETUP_OPTIONS if name in options]
        if setup:
            raise ValueError(
                f"{setup[0]} cannot be an option here: many tables take reset_mask, one SpadesEnv the rest"
            )
        which = options.get("reset_mask", np.ones(self.num_envs, bool))
        if not isinstance(which, np.ndarray) or which.shape != (self.num_envs,) or which.dtype != bool:
            raise ValueError(f"reset_mask must be bool[{self.num_envs}], not {which!r}")
        if not self._ready and not which.all():
            raise ResetNeeded("not all tables are in play: the first reset must begin all of them")
        return which
