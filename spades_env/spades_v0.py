"""Spades as a PettingZoo AEC environment.

    from spades_env import spades_v0

    env = spades_v0.env("classic")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        done = terminated or truncated
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

`env` wraps `raw_env` as PettingZoo does: an illegal move ends the episode at the mover's cost. `raw_env` raises
IllegalActionError instead, and is the faster one. `player_0` … `player_3` are South, West, North and East.
"""

import operator
import warnings
from copy import deepcopy

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from spades_env._jit import njit
from spades_env.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.engine import compile_rules, is_legal, new_game, new_tables
from spades_env.episodes import RUNNING, TERMINATED, TRUNCATED, Terms, advance, one_of
from spades_env.game import LARGEST_SEED, Game, IllegalActionError, whole
from spades_env.observe import (
    NUM_FEATURES,
    STATE_SIZE,
    TABLE_SIZE,
    observe,
    rules_features,
    write_features,
    write_hidden,
)
from spades_env.rules import Rules
from spades_env.view import View

AGENTS = tuple(f"player_{seat}" for seat in range(NUM_SEATS))
SEAT_OF = {agent: seat for seat, agent in enumerate(AGENTS)}
ILLEGAL = -1  # a status of _act
ILLEGAL_REWARD = -1.0
SETUP_OPTIONS = ("rules", "seed", "deal", "dealer", "scores", "bags", "hand_number")  # of reset
OBS_DTYPES = ("int8", "float32")
MASK_PLACES = ("obs", "info")
NOT_COPIED = ("_window",)
RENDER_MODES = ("ansi", "rgb_array", "human")


def env(rules="classic", **options) -> AECEnv:
    """The environment with PettingZoo's wrappers; arguments as of `raw_env`."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(rules, **options), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # noqa: N801 — the name PettingZoo's users expect
    """One table as an AEC environment; strict about illegal actions.

    rules            what `Rules.of` takes
    episode, reward, truncate_after   see `spades_env.episodes`
    render_mode      None, "ansi", "rgb_array" or "human"; pictures show what `render_seat` may know
    obs_dtype        "int8", or "float32" for frameworks whose layers want floats
    mask_in          "obs": {"observation", "action_mask"}; "info": the plain array, the mask in `infos`
    """

    metadata = {  # noqa: RUF012 — PettingZoo reads it from the class
        "name": "spades_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules="classic",
        episode: str = "game",
        reward: str = "points",
        truncate_after: int | None = 50,
        render_mode: str | None = None,
        *,
        obs_dtype: str = "int8",
        mask_in: str = "obs",
        render_seat: int = 0,
    ):
        super().__init__()
        self.terms = Terms(episode, reward, truncate_after)
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.mask_in = one_of("mask_in", mask_in, MASK_PLACES)
        self.render_seat = whole("render_seat", render_seat, 0, NUM_SEATS - 1)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._obs_dtype = np.dtype(one_of("obs_dtype", obs_dtype, OBS_DTYPES))
        self._table = new_tables(1)
        self._reward = np.zeros(NUM_SEATS, np.float32)
        self.np_random: np.random.Generator | None = None
        self._window = None
        self._default_rules = Rules.of(rules)
        self._use(self._default_rules)
        features = Box(-128, 127, (NUM_FEATURES,), self._obs_dtype)
        mask = Box(0, 1, (NUM_ACTIONS,), np.int8)
        space = Dict({"observation": features, "action_mask": mask}) if mask_in == "obs" else features
        self.state_space = Box(-128, 127, (STATE_SIZE,), self._obs_dtype)
        self.observation_spaces = {agent: deepcopy(space) for agent in AGENTS}
        self.action_spaces = {agent: Discrete(NUM_ACTIONS) for agent in AGENTS}

    def observation_space(self, agent: str):
        return self.observation_spaces[agent]

    def action_space(self, agent: str):
        return self.action_spaces[agent]

    # Playing ---------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """A new game: with this seed, or the next of the env's own generator.

        Options are those of `Game`: rules, seed, deal, dealer, scores, bags, hand_number. Unknown ones are ignored.
        """
        setup = {name: value for name, value in (options or {}).items() if name in SETUP_OPTIONS}
        self.game_seed = self._next_game_seed(seed, setup.pop("seed", None))
        rules = Rules.of(setup.pop("rules", self._default_rules))
        table = Game(rules, self.game_seed, **setup).full_record if setup else None
        if rules != self.rules:
            self._use(rules)
        if table is None:
            new_game(self._table[0], self._compiled[0], np.uint64(self.game_seed))
        else:
            self._table[:] = table
        self._codes = self.terms.codes(int(self._table[0].hand_number))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self._show(int(self._table[0].turn))

    def step(self, action) -> None:
        """The agent to move acts; a finished agent takes None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        status, turn = _act(self._table, self._compiled, self._number(action), *self._codes, self._reward)
        if status == ILLEGAL:
            raise self._illegal(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(AGENTS, self._reward.tolist(), strict=True))
        self._accumulate_rewards()
        if status == TERMINATED:
            self.terminations = dict.fromkeys(AGENTS, True)
        elif status == TRUNCATED:
            self.truncations = dict.fromkeys(AGENTS, True)
        self._show(turn)
        if status != RUNNING:
            self._deads_step_first()

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window:
            self._window.close()
        self._window = None

    # Looking ---------------------------------------------------------------------------------------------------------

    def observe(self, agent: str):
        """What an agent may know, in fresh arrays; its mask is all zeros unless it is to move."""
        features, mask = self._observation(SEAT_OF[agent])
        return {"observation": features, "action_mask": mask} if self.mask_in == "obs" else features

    def state(self, agent: str = "player_0") -> np.ndarray:
        """The full table, laid out by `observe.STATE_LAYOUT`, seen from an agent's seat: for central critics."""
        out = np.empty(STATE_SIZE, np.int8)
        out[TABLE_SIZE:NUM_FEATURES] = self._rules_features
        _write_state(self._table, self._compiled, SEAT_OF[agent], out)
        return out.astype(self._obs_dtype, copy=False)

    def view(self, agent: str) -> View:
        """What an agent may know, as a View: what bots and people play from."""
        return View(self.rules, self._table, SEAT_OF[agent], None, self._compiled)

    def render(self):
        """The table as `render_seat` may know it: text, a picture, or a window."""
        if self.render_mode is None:
            warnings.warn("render() shows nothing: make the env with a render_mode", stacklevel=2)
            return None
        from spades_env import render  # late: only those who look need it

        view = self.view(AGENTS[self.render_seat])
        if self.render_mode == "ansi":
            return render.ansi(view)
        if self.render_mode == "rgb_array":
            return render.rgb_array(view)
        self._window = self._window or render.Window()
        self._window.show(view)
        return None

    # Copying ---------------------------------------------------------------------------------------------------------

    def clone(self) -> "raw_env":
        """A copy that plays on by itself, the deal and the generator included."""
        return deepcopy(self)

    def get_state(self) -> dict:
        """Everything that `set_state` needs to come back to this moment."""
        return deepcopy(self.__getstate__())

    def set_state(self, state: dict) -> None:
        """Back to the moment of `get_state`."""
        self.__dict__.update(deepcopy(state))

    def __getstate__(self) -> dict:
        return {name: value for name, value in self.__dict__.items() if name not in NOT_COPIED}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state, _window=None)

    # Helpers ---------------------------------------------------------------------------------------------------------

    def _use(self, rules: Rules) -> None:
        self.rules = rules
        self._compiled = compile_rules(rules)
        self._rules_features = rules_features(rules)

    def _next_game_seed(self, seed: int | None, option: int | None) -> int:
        """The game's seed; a seed given to reset also restarts the env's generator."""
        if seed is not None:
            seed = whole("seed", seed, 0, LARGEST_SEED)
        if seed is not None or self.np_random is None:
            self.np_random, _ = seeding.np_random(seed)
        if option is not None:
            return whole("seed", option, 0, LARGEST_SEED)
        return int(self.np_random.integers(2**63)) if seed is None else seed

    def _show(self, turn: int) -> None:
        """Give the word to a seat, masks to infos that carry them, and a picture to who watches."""
        self.agent_selection = AGENTS[turn]
        if self.mask_in == "info":
            self.infos = {agent: {"action_mask": self._observation(SEAT_OF[agent])[1]} for agent in AGENTS}
        if self.render_mode == "human":
            self.render()

    def _observation(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        features = np.empty(NUM_FEATURES, np.int8)
        mask = np.empty(NUM_ACTIONS, np.int8)
        observe(self._table, 0, self._compiled, seat, features, mask)
        features[TABLE_SIZE:] = self._rules_features
        return features.astype(self._obs_dtype, copy=False), mask

    def _number(self, action) -> int:
        try:
            return operator.index(action)
        except TypeError:
            raise self._illegal(action) from None

    def _illegal(self, action) -> IllegalActionError:
        """The error that a Game at this point gives."""
        try:
            Game.check(self.rules, self._table, action)
        except IllegalActionError as error:
            return error
        raise AssertionError("a legal action was refused")


@njit
def _act(tables, rules, action, by_hand, by_win, last_hand, reward):
    """Check and advance the first table: (status or ILLEGAL, who is to move)."""
    s = tables[0]
    if not is_legal(s, rules[0], action):
        return ILLEGAL, np.int64(s.turn)
    status = advance(s, rules[0], action, by_hand, by_win, last_hand, reward)
    return status, np.int64(s.turn)


@njit
def _write_state(tables, rules, seat, out):
    write_features(tables[0], rules[0], seat, out)
    write_hidden(tables[0], rules[0], seat, out)
