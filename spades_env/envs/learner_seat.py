"""The learner's seat: who plays around it, what it observes, and what an illegal action does there."""

from typing import Any

import numpy as np

from spades_env.checks import one_of
from spades_env.envs.episode_table import observation_space
from spades_env.envs.opponents import Opponents

ILLEGAL = ("random", "terminate", "raise")


class LearnerSeat:
    """The options of a learner's seat, checked; arguments as of `SpadesEnv`."""

    def __init__(self, seat: int, opponents: Any, partner: Any, illegal: str, flat: bool, obs_dtype: str):
        self.illegal = one_of("illegal", illegal, ILLEGAL)
        self.flat = flat
        self.obs_dtype = np.dtype(obs_dtype)
        self.opponents = Opponents(seat, opponents, partner)
        self.seat = self.opponents.seat
        self.space = observation_space(obs_dtype, with_mask=not flat)

    def observation(self, features: np.ndarray, mask: np.ndarray):
        return features if self.flat else {"observation": features, "action_mask": mask}
