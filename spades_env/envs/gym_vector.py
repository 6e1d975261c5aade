"""Many tables as a Gymnasium vector environment: at each of them one seat learns, agents play the other three.

    envs = gymnasium.make_vec("Spades-v0", 1024, opponents="random")
    observations, infos = envs.reset(seed=7)
    observations, rewards, terminations, truncations, infos = envs.step(actions)

Table i plays what `SpadesEnv` plays after `reset(seed=envs.seeds[i])`: first `seed + i`, or entry i of a list; then
each table goes on to its own next seed (`episodes.next_seed`). Random opponents are compiled. A named agent, or any
`agents.Agent`, answers for all waiting tables in one call, from records; an object with `act_batch` gets a list of
views, and any other agent one view at a time. A named agent is loaded once for all tables, with the first one's seed;
if it draws random numbers, it draws them in the order of the tables.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from spades_env.checks import as_int, one_of, whole
from spades_env.envs.episode_table import RENDER_FPS, SETUP_OPTIONS, ObsDtype, Options, Screen, options_of, usable
from spades_env.envs.learner_seat import Decides, LearnerSeat, OnIllegal
from spades_env.envs.learner_tables import LearnerTables
from spades_env.envs.opponents import RANDOM
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_ACTIONS, SEATS
from spades_env.game.episodes import Episode, Paid
from spades_env.game.rules import RulesSource
from spades_env.game.starts import BEGINNING, StartSource
from spades_env.game.view import View
from spades_env.vector.arguments import checked_actions
from spades_env.vector.env import MOST_TABLES, SpadesVectorEnv

RENDER_MODES = ("ansi", "rgb_array")
Autoreset = Literal["NEXT_STEP", "SAME_STEP", "DISABLED", "NextStep", "SameStep", "Disabled"]


class SpadesGymVectorEnv(VectorEnv):
    """N tables; at each of them one seat learns. It takes the arguments of `SpadesEnv`, and these:

    Args:
        num_envs: N.
        rules: One set of rules for all tables, or a list of N.
        autoreset_mode: One of Gymnasium's: NEXT_STEP, SAME_STEP, DISABLED.
        copy: False: the next call overwrites the observations.
        threads: How many cores work; by default one for every 4,096 tables.

    Raises:
        SpadesError: An argument is wrong; the message says what is allowed.

    Examples:
        >>> import gymnasium, spades_env
        >>> envs = gymnasium.make_vec("Spades-v0", 64, opponents="random")
        >>> observations, infos = envs.reset(seed=7)
        >>> actions = infos["action_mask"].argmax(1)  # the first legal ones
        >>> observations, rewards, terminations, truncations, infos = envs.step(actions)
        >>> rewards.shape
        (64,)
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: RulesSource | Sequence[RulesSource] = "classic",
        seat: int = 0,
        opponents: Any = RANDOM,
        partner: Any = None,
        episode: Episode = "game",
        reward: Paid = "points",
        truncate_after: int | None = 50,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        *,
        illegal: OnIllegal = "random",
        flat: bool = False,
        obs_dtype: ObsDtype = "int8",
        start: StartSource = BEGINNING,
        reward_scale: float = 1.0,
        decides: Decides = "all",
        autoreset_mode: AutoresetMode | Autoreset = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int | None = None,
    ):
        self.num_envs = whole("num_envs", num_envs, 1, MOST_TABLES)
        self.copy = copy
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.autoreset_mode = _autoreset(autoreset_mode)
        self.metadata = {
            "render_modes": usable(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        self._learner = LearnerSeat(seat, opponents, partner, illegal, flat, obs_dtype, decides)
        self.seat, self.illegal, self.flat = self._learner.seat, self._learner.illegal, flat
        self.single_observation_space = self._learner.space
        self.single_action_space = Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._tables = SpadesVectorEnv(
            num_envs,
            rules,
            episode,
            reward=reward,
            truncate_after=truncate_after,
            start=start,
            reward_scale=reward_scale,
            autoreset=False,
            threads=threads,
        )
        self._game = LearnerTables(self._tables, self._learner.opponents, self._learner.is_its_own)

    def __repr__(self) -> str:
        played = repr(self._tables).strip("<>").partition(": ")[2]
        return f"<SpadesGymVectorEnv: {played}, {SEATS[self.seat]} learns>"

    # Playing

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict | None = None) -> tuple:
        """Begin new games at all tables, or where `options["reset_mask"]` (bool[N]) is true.

        A seed s gives table i the seed s + i, a list gives one to each; with None, a table goes on to its next seed.
        """
        which = self._reset_mask(options_of(options))
        self._game.begin(which, seed)
        super().reset(seed=as_int(seed))
        self._game.ready = False
        if seed is not None or not self._learner.opponents.loaded:
            self._learner.opponents.load(int(self._tables.seeds[0]))
        self._game.play_on(which)
        return self._look(np.zeros(self.num_envs, bool))

    def step(self, actions) -> tuple:
        """Let the learners act, then the others; tables that ended are treated as `autoreset_mode` says."""
        game = self._game
        if not game.ready:
            raise ResetNeeded("the learners are not to move: call reset() first")
        begin = game.ended.copy()
        if begin.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            raise ResetNeeded(f"tables {np.flatnonzero(begin).tolist()} have ended: name them in options' reset_mask")
        actions, illegal = self._checked_actions(actions, ~begin)
        game.ready = False
        if begin.any():
            game.begin(begin)
        thrown_out = illegal & (self.illegal == "terminate")
        game.ended |= thrown_out
        game.rewards = np.where(thrown_out, self._tables.terms.illegal_reward, 0.0)
        game.act(actions)
        game.play_on(begin)
        rewards, ended, infos = game.rewards.copy(), game.ended.copy(), {}
        truncations = ended & self._tables.truncated
        if ended.any() and self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos = self._last_looks(ended, illegal)
            illegal &= ~ended  # final_info says so
            game.begin(ended)
            game.play_on(ended)
        observations, present = self._look(illegal)
        return observations, rewards, ended & ~truncations, truncations, present | infos

    def render(self) -> tuple:
        """Return every table as its learner may know it: texts or pictures."""
        return tuple(Screen(self.render_mode).show(self.view(i)) for i in range(self.num_envs))

    def close_extras(self, **kwargs) -> None:
        """Stop the threads, and end the programs of opponents."""
        self._tables.close()
        self._learner.opponents.close()

    # Looking

    def action_masks(self) -> np.ndarray:
        """Return the learners' legal actions, bool[N, 70]; all true at tables that have ended."""
        return self._tables.mask.astype(bool)

    def view(self, table: int) -> View:
        """Return what the learner at a table may know."""
        return self._tables.view(table, self.seat)

    @property
    def seeds(self) -> np.ndarray:
        """uint64[N], the seeds of the current games."""
        return self._tables.seeds.copy()

    # Helpers

    def _checked_actions(self, actions, playing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the actions to take (STAY where nobody plays), and where the given ones are illegal."""
        actions = checked_actions(actions, self.num_envs)
        legal = self._game.are_legal(np.arange(self.num_envs), actions)
        illegal = playing & ~legal
        if self.illegal == "raise" and illegal.any():
            table = int(illegal.argmax())
            raise self._tables.illegal(table, actions[table])
        instead = self._tables.random_actions(which=illegal & (self.illegal == "random"))
        return np.where(playing & legal, actions, instead), illegal

    def _look(self, illegal: np.ndarray) -> tuple:
        """Return observations and infos, in fresh arrays (observations only if they are copied)."""
        everywhere = np.ones(self.num_envs, bool)
        mask = self._tables.mask.copy()
        infos = {"action_mask": mask, "_action_mask": everywhere, "illegal": illegal, "_illegal": everywhere.copy()}
        features = self._tables.observation.astype(self._learner.obs_dtype, copy=self.copy)
        return self._learner.observation(features, mask.copy() if self.copy else self._tables.mask), infos

    def _last_looks(self, ended: np.ndarray, illegal: np.ndarray) -> dict:
        """Return infos with what the learners saw when their episodes ended."""
        infos = {}
        for i in np.flatnonzero(ended).tolist():
            mask = self._tables.mask[i].copy()
            observation = self._learner.observation(self._tables.observation[i].astype(self._learner.obs_dtype), mask)
            last = {"final_obs": observation, "final_info": {"action_mask": mask, "illegal": bool(illegal[i])}}
            infos = self._add_info(infos, last, i)
        return infos

    def _reset_mask(self, options: Options) -> np.ndarray:
        """Return the tables at which to begin a new game: bool[N]."""
        setup = [name for name in SETUP_OPTIONS if name in options]
        if setup:
            raise SpadesError(
                f"{setup[0]} cannot be an option here: many tables take reset_mask, and start when they are made"
            )
        which = options.get("reset_mask", np.ones(self.num_envs, bool))
        if not isinstance(which, np.ndarray) or which.shape != (self.num_envs,) or which.dtype != bool:
            raise SpadesError(f"reset_mask must be bool[{self.num_envs}], not {which!r}")
        if not self._game.ready and not which.all():
            raise ResetNeeded("not all tables are in play: the first reset must begin all of them")
        return which


def _autoreset(mode: AutoresetMode | str) -> AutoresetMode:
    """Return the mode with this name, or with the value that Gymnasium writes for it."""
    known = {text: one for one in AutoresetMode for text in (one, one.name, one.value)}
    if not isinstance(mode, str | AutoresetMode) or mode not in known:
        raise SpadesError(f"autoreset_mode must be one of {', '.join(AutoresetMode.__members__)}, not {mode!r}")
    return known[mode]
