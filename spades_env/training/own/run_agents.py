"""The agents that a run evaluates: whatever its policy is, as a player of any seat.

It takes the favourite of the policy's legal actions, in float32 on the CPU, or plays by the network's own `act`.
"""

from copy import deepcopy

import numpy as np
import torch

from spades_env.agents.base import Agent, Batch, Hint
from spades_env.agents.imported import agent_of
from spades_env.agents.network.player import MOST_AT_ONCE, chances_of, masks, sights
from spades_env.game.observe import NUM_FEATURES
from spades_env.training.own.network import OwnPolicy


class OwnPlayer(Agent):
    """An agent that plays by a copy of a policy of your own."""

    def __init__(self, name: str, policy: OwnPolicy):
        super().__init__(name)
        self.policy = deepcopy(policy).cpu().eval()

    def _choose(self, batch: Batch) -> np.ndarray:
        parts = [batch.take(slice(i, i + MOST_AT_ONCE)) for i in range(0, len(batch), MOST_AT_ONCE)]
        return np.concatenate([np.where(mask, logits, -np.inf).argmax(1) for logits, mask in map(self._think, parts)])

    def _hint(self, batch: Batch) -> Hint:
        """Return the policy's chances of the legal actions."""
        return chances_of(*self._think(batch), 1.0)

    @torch.no_grad()
    def _think(self, batch: Batch) -> tuple[np.ndarray, np.ndarray]:
        logits = self.policy(torch.from_numpy(sights(batch)[:, :NUM_FEATURES]))
        return logits.numpy(), masks(batch).astype(bool)


def player_of(name: str, policy: OwnPolicy) -> Agent:
    """Return the policy's player."""
    if policy.plays_by_itself:
        return agent_of(name, deepcopy(policy.net).cpu().eval())
    return OwnPlayer(name, policy)
