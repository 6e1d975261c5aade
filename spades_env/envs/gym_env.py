"""Spades as a Gymnasium environment: one seat learns, agents play the other three.

    import gymnasium, spades_env

    env = gymnasium.make("Spades-v0", opponents="random")
    observation, info = env.reset(seed=7)
    action = env.action_space.sample(observation["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

A step lasts until the learner is to move again or the episode ends; its reward is the sum of all that the learner's
seat was paid meanwhile. Looking at the cards, blind nil, bids and passed cards are steps like any other.
`reset(seed=s)` deals the cards of `Game(rules, seed=s)`; without a seed the env's own generator draws one.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete

from spades_env.checks import LARGEST_SEED, whole
from spades_env.envs.episode_table import (
    RENDER_FPS,
    RENDER_MODES,
    EpisodeTable,
    ObsDtype,
    RenderMode,
    Screen,
    options_of,
    usable,
)
from spades_env.envs.learner_seat import Decides, LearnerSeat, OnIllegal
from spades_env.envs.opponents import MOST_DEALS, RANDOM, words
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_ACTIONS, SEATS
from spades_env.game.episodes import RUNNING, TERMINATED, TRUNCATED, Episode, Paid, Terms
from spades_env.game.refusals import IllegalActionError
from spades_env.game.rules import RulesSource
from spades_env.game.starts import BEGINNING, StartSource
from spades_env.game.view import View


class SpadesEnv(gymnasium.Env):
    """One seat of a table; agents play the other three.

    Args:
        rules: What `Rules.of` takes: a preset's name, a text, a path, a dict, or `Rules`.
        seat: The learner's, 0 … 3: South, West, North, East.
        opponents: A bot's name, a function view -> action, or an object with `act(view)`; or a pair of these.
        partner: The same, for the seat opposite; by default as the left neighbour.
        episode: "game": to the end of the game; "hand": one hand.
        reward: "points": after each hand; "win": 1 or −1 when the episode ends.
        truncate_after: Truncate an unfinished game after this many hands; None: never.
        render_mode: Pictures show what the learner may know.
        illegal: What an illegal action does: "random" plays a random legal one instead, "terminate" ends the episode
            with the reward `terms.illegal_reward`, "raise" raises IllegalActionError.
        flat: Observations are the features alone; `info` and `action_masks()` always have the mask.
        obs_dtype: "float32" is for frameworks whose layers want floats.
        start: Where episodes begin: "beginning", "situations", or a dict of scores, bags, dealer, hand_number.
        reward_scale: Multiplies every reward.
        decides: "bids" or "cards" alone, and the bot `rule` decides the rest for the learner.

    Raises:
        SpadesError: An argument is wrong; the message says what is allowed.

    Examples:
        >>> import gymnasium, spades_env
        >>> env = gymnasium.make("Spades-v0", opponents="random", episode="hand")
        >>> observation, info = env.reset(seed=7)
        >>> observation["observation"].shape, observation["action_mask"].shape
        ((824,), (70,))
        >>> action = env.action_space.sample(observation["action_mask"])
        >>> observation, reward, terminated, truncated, info = env.step(action)
    """

    metadata = {"render_modes": usable(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012 — as Gymnasium wants it

    def __init__(
        self,
        rules: RulesSource = "classic",
        seat: int = 0,
        opponents: Any = RANDOM,
        partner: Any = None,
        episode: Episode = "game",
        reward: Paid = "points",
        truncate_after: int | None = 50,
        render_mode: RenderMode | None = None,
        *,
        illegal: OnIllegal = "random",
        flat: bool = False,
        obs_dtype: ObsDtype = "int8",
        start: StartSource = BEGINNING,
        reward_scale: float = 1.0,
        decides: Decides = "all",
    ):
        self.terms = Terms(episode, reward, truncate_after, reward_scale)
        self.render_mode = render_mode
        self._learner = LearnerSeat(seat, opponents, partner, illegal, flat, obs_dtype, decides)
        self._opponents = self._learner.opponents
        self.seat, self.illegal, self.flat = self._learner.seat, self._learner.illegal, flat
        self._table = EpisodeTable(rules, self.terms, obs_dtype, start)
        self._screen = Screen(render_mode)
        self._to_move = False  # is the learner to move?
        self.observation_space = self._learner.space
        self.action_space = Discrete(NUM_ACTIONS)

    def __repr__(self) -> str:
        return f"<SpadesEnv: {self._table.rules}, episode {self.terms.episode}, {SEATS[self.seat]} learns>"

    # Playing

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple:
        """Begin a new game; options are those of `Game`: rules, seed, deal, dealer, scores, bags, hand_number.

        Episodes that leave the learner nothing to decide are skipped, such as a hand whose bid a partner made blind for
        both. Points scored before the learner's first decision count in no reward.
        """
        setup = options_of(options)
        seed = None if seed is None else whole("seed", seed, 0, LARGEST_SEED)
        super().reset(seed=seed)
        self._to_move = False
        for deal in range(MOST_DEALS):
            self._table.begin(self.np_random, None if deal else seed, setup)
            if not deal and (seed is not None or not self._opponents.loaded):
                self._opponents.load(self._table.seed)
            self._let_others_play()
            if self._to_move:
                return self._look()
        raise SpadesError(f"the learner has no {self._learner.decides} to decide in this episode under these rules")

    def step(self, action) -> tuple:
        """Apply the learner's action, then let the others play until the learner is to move or the episode ends."""
        if not self._to_move:
            raise ResetNeeded("the learner is not to move: call reset() first")
        illegal = not self._act(action)
        self._to_move = False
        if illegal and self.illegal == "terminate":
            observation, info = self._look(illegal)
            return observation, self.terms.illegal_reward, True, False, info
        reward = float(self._table.reward[self.seat]) + self._let_others_play()
        observation, info = self._look(illegal)
        return observation, reward, self._table.status == TERMINATED, self._table.status == TRUNCATED, info

    def close(self) -> None:
        """Close the window, if there is one, and end the programs of opponents."""
        self._screen.close()
        self._opponents.close()

    # Looking

    def action_masks(self) -> np.ndarray:
        """Return the learner's legal actions, bool[70]; all true when it is not to move."""
        return self._observation()[1].astype(bool)

    def view(self) -> View:
        """Return what the learner may know as a View."""
        return self._table.view(self.seat)

    @property
    def game_seed(self) -> int:
        """The seed of the current game: `Game(rules, seed=game_seed)` deals the same cards."""
        return self._table.seed

    def render(self):
        """Return the table as the learner may know it: text, a picture, or a window."""
        return self._screen.show(self.view())

    # Helpers

    def _act(self, action) -> bool:
        """Take the learner's action, or a random one instead of an illegal one; return whether it was legal."""
        if self._table.try_act(action):
            return True
        if self.illegal == "raise":
            raise self._table.illegal(action)
        if self.illegal == "random":
            self._table.act(self._table.random_action())
        return False

    def _let_others_play(self) -> float:
        """Go on until the learner is to move or the episode ends; return the learner's reward meanwhile."""
        table = self._table
        reward = 0.0
        while table.status == RUNNING and not (table.turn == self.seat and self._learner.is_its_own(table.phase)):
            if self._opponents.at_random[table.turn]:
                table.play_random(self._opponents.at_random)
            else:
                action = self._opponents.act(table.view(table.turn))
                try:
                    table.act(action)
                except IllegalActionError as error:
                    raise IllegalActionError(f"{words(table.turn, action)}: {error}") from None
            reward += float(table.reward[self.seat])
        self._to_move = table.status == RUNNING
        return reward

    def _observation(self) -> tuple[np.ndarray, np.ndarray]:
        features, mask = self._table.observation(self.seat)
        if not self._to_move:
            mask[:] = 1  # a policy that masks its logits needs something to choose
        return features, mask

    def _look(self, illegal: bool = False) -> tuple:
        """Return observation and info, in fresh arrays."""
        features, mask = self._observation()
        if self.render_mode == "human":
            self.render()
        return self._learner.observation(features, mask.copy()), {"action_mask": mask, "illegal": illegal}
