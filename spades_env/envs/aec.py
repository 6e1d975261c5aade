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

from copy import deepcopy
from typing import Any, Literal, get_args

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from spades_env.checks import LARGEST_SEED, one_of, whole
from spades_env.envs.episode_table import (
    RENDER_FPS,
    RENDER_MODES,
    EpisodeTable,
    ObsDtype,
    RenderMode,
    Screen,
    observation_space,
    options_of,
    usable,
)
from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.game.episodes import RUNNING, TERMINATED, TRUNCATED, Episode, Paid, Terms
from spades_env.game.observe import ENV, STATE_SIZE
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.starts import BEGINNING, StartSource
from spades_env.game.view import View

AGENTS = tuple(f"player_{seat}" for seat in range(NUM_SEATS))
SEAT_OF = {agent: seat for seat, agent in enumerate(AGENTS)}
MaskPlace = Literal["obs", "info"]
MASK_PLACES = get_args(MaskPlace)
NEVER_CHANGE = ("possible_agents", "observation_spaces", "action_spaces", "state_space", "_screen")


class SpadesWrapper(wrappers.OrderEnforcingWrapper):
    """The outermost of PettingZoo's wrappers, which says what is played."""

    def __repr__(self) -> str:
        return repr(self.unwrapped).replace("raw_env", "env", 1)


def env(
    rules: RulesSource = "classic",
    episode: Episode = "game",
    reward: Paid = "points",
    truncate_after: int | None = 50,
    render_mode: RenderMode | None = None,
    **options: Any,
) -> SpadesWrapper:
    """Return the environment with PettingZoo's wrappers: an illegal action ends the episode at the mover's cost.

    Args:
        rules: These and all others are arguments of `raw_env`.
        episode: "game" or "hand".
        reward: "points" or "win".
        truncate_after: In hands.
        render_mode: None, "ansi", "rgb_array" or "human".
        **options: `obs_dtype`, `mask_in`, `render_seat`, `start`, `reward_scale`.

    Returns:
        The environment. `player_0` … `player_3` are South, West, North and East.

    Raises:
        SpadesError: An argument is wrong; the message says what is allowed.

    Examples:
        >>> from spades_env import spades_v0
        >>> env = spades_v0.env("classic", episode="hand")
        >>> env.reset(seed=7)
        >>> for agent in env.agent_iter():
        ...     observation, reward, terminated, truncated, info = env.last()
        ...     done = terminated or truncated
        ...     env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
    """
    raw = raw_env(rules, episode, reward, truncate_after, render_mode, **options)
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=raw.terms.illegal_reward)
    return SpadesWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # noqa: N801 — the name PettingZoo's users expect
    """One table as an AEC environment. An illegal action raises IllegalActionError.

    Args:
        rules: What `Rules.of` takes: a preset's name, a text, a path, a dict, or `Rules`.
        episode: "game": to the end of the game; "hand": one hand.
        reward: "points": after each hand; "win": 1 or −1 when the episode ends.
        truncate_after: Truncate an unfinished game after this many hands; None: never.
        render_mode: Pictures show what `render_seat` may know.
        obs_dtype: "float32" is for frameworks whose layers want floats.
        mask_in: "obs": {"observation", "action_mask"}; "info": the plain array, the mask in `infos`.
        render_seat: Whose sight pictures show.
        start: Where episodes begin: "beginning", "situations", or a dict of scores, bags, dealer, hand_number.
        reward_scale: Multiplies every reward.

    Raises:
        SpadesError: An argument is wrong; the message says what is allowed.

    Examples:
        >>> from spades_env import spades_v0
        >>> env = spades_v0.raw_env("classic", episode="hand")
        >>> env.reset(seed=7)
        >>> while env.agents:
        ...     observation, reward, terminated, truncated, info = env.last()
        ...     env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
    """

    metadata = {  # noqa: RUF012 — PettingZoo reads it from the class
        "name": ENV,
        "render_modes": usable(RENDER_MODES),
        "render_fps": RENDER_FPS,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: RulesSource = "classic",
        episode: Episode = "game",
        reward: Paid = "points",
        truncate_after: int | None = 50,
        render_mode: RenderMode | None = None,
        *,
        obs_dtype: ObsDtype = "int8",
        mask_in: MaskPlace = "obs",
        render_seat: int = 0,
        start: StartSource = BEGINNING,
        reward_scale: float = 1.0,
    ):
        super().__init__()
        self.terms = Terms(episode, reward, truncate_after, reward_scale)
        self.mask_in = one_of("mask_in", mask_in, MASK_PLACES)
        self.render_mode = render_mode
        self.render_seat = whole("render_seat", render_seat, 0, NUM_SEATS - 1)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.np_random: np.random.Generator | None = None
        self._table = EpisodeTable(rules, self.terms, obs_dtype, start)
        self._screen = Screen(render_mode)
        self.observation_spaces = {agent: observation_space(obs_dtype, mask_in == "obs") for agent in AGENTS}
        self.action_spaces = {agent: Discrete(NUM_ACTIONS) for agent in AGENTS}
        self.state_space = Box(-128, 127, (STATE_SIZE,), self._table.obs_dtype)

    def __repr__(self) -> str:
        return f"<spades_v0.raw_env: {self._table.rules}, episode {self.terms.episode}>"

    def observation_space(self, agent: str):
        return self.observation_spaces[agent]

    def action_space(self, agent: str):
        return self.action_spaces[agent]

    # Playing

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin a new game with this seed, or with the next one of the env's own generator.

        Options are those of `Game`: rules, seed, deal, dealer, scores, bags, hand_number. Unknown ones are ignored.
        """
        setup = options_of(options)
        if seed is not None:
            seed = whole("seed", seed, 0, LARGEST_SEED)
        if seed is not None or self.np_random is None:
            self.np_random, _ = seeding.np_random(seed)
        self._table.begin(self.np_random, seed, setup)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self._show()

    def step(self, action) -> None:
        """Apply the action of the agent to move; a finished agent takes None."""
        self._table.check_begun()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._table.act(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(AGENTS, self._table.reward.tolist(), strict=True))
        self._accumulate_rewards()
        status = self._table.status
        if status == TERMINATED:
            self.terminations = dict.fromkeys(AGENTS, True)
        elif status == TRUNCATED:
            self.truncations = dict.fromkeys(AGENTS, True)
        self._show()
        if status != RUNNING:
            self._deads_step_first()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._screen.close()

    # Looking

    @property
    def rules(self) -> Rules:
        """The rules of the current game."""
        return self._table.rules

    @property
    def game_seed(self) -> int:
        """The seed of the current game: `Game(rules, seed=game_seed)` deals the same cards."""
        return self._table.seed

    def observe(self, agent: str):
        """Return what an agent may know, in fresh arrays; its mask is all zeros unless it is to move."""
        features, mask = self._table.observation(SEAT_OF[agent])
        return {"observation": features, "action_mask": mask} if self.mask_in == "obs" else features

    def state(self, agent: str = "player_0") -> np.ndarray:
        """Return the full table seen from an agent's seat, laid out by `observe.STATE_LAYOUT`, for central critics."""
        return self._table.state(SEAT_OF[agent])

    def view(self, agent: str) -> View:
        """Return what an agent may know as a View."""
        return self._table.view(SEAT_OF[agent])

    def render(self):
        """Return the table as `render_seat` may know it: text, a picture, or a window."""
        return self._screen.show(self._table.view(self.render_seat))

    # Copying

    def clone(self) -> "raw_env":
        """Return an independent copy with the deal and the generator, without wrappers (deepcopy keeps them)."""
        return deepcopy(self)

    def get_state(self) -> dict:
        """Return everything that `set_state` needs to return to this moment."""
        return deepcopy({name: value for name, value in self.__dict__.items() if name not in NEVER_CHANGE})

    def set_state(self, state: dict) -> None:
        """Return to the moment of `get_state`, in this env or one like it; call `last` before the next step."""
        self.__dict__.update(deepcopy(state))

    def _show(self) -> None:
        """Update the agent to move, the masks in `infos` if they are there, and the window."""
        self.agent_selection = AGENTS[self._table.turn]
        if self.mask_in == "info":
            self.infos = {agent: {"action_mask": self._table.view(SEAT_OF[agent]).action_mask} for agent in AGENTS}
        if self.render_mode == "human":
            self.render()
