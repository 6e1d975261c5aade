"""The learner's seat: who plays around it, what it decides and observes, and what an illegal action does there."""

from typing import Any, Literal, get_args

import numpy as np

from spades_env.checks import one_of
from spades_env.envs.episode_table import observation_space
from spades_env.envs.opponents import Opponents
from spades_env.game.state import BID

OnIllegal = Literal["random", "terminate", "raise"]
Decides = Literal["all", "bids", "cards"]
ILLEGAL, DECIDES = get_args(OnIllegal), get_args(Decides)
STAND_IN = "rule"  # decides the rest


class LearnerSeat:
    """The options of a learner's seat, checked; arguments as of `SpadesEnv`."""

    def __init__(self, seat: int, opponents: Any, partner: Any, illegal: str, flat: bool, obs_dtype: str, decides: str):
        self.illegal = one_of("illegal", illegal, ILLEGAL)
        self.flat = flat
        self.space = observation_space(obs_dtype, with_mask=not flat)  # checks obs_dtype
        self.obs_dtype = np.dtype(obs_dtype)
        self.decides = one_of("decides", decides, DECIDES)
        self.opponents = Opponents(seat, opponents, partner, None if decides == "all" else STAND_IN)
        self.seat = self.opponents.seat

    def observation(self, features: np.ndarray, mask: np.ndarray):
        return features if self.flat else {"observation": features, "action_mask": mask}

    def is_its_own(self, phase):
        """Return whether the learner decides in a phase, or in each of an array. Cards to pass count as cards."""
        if self.decides == "all":
            return phase >= 0
        return (phase <= BID) == (self.decides == "bids")
