"""Spades by JaxMARL's words: dicts by agent, agent_0 … agent_3 for South, West, North, East.

JaxMARL lets all agents act at every step: those that are not to move may only WAIT. JaxMARL itself is not imported; its
wrappers take what has its methods.
"""

import jax
import jax.numpy as jnp
from gymnasium.spaces import Box, Discrete

from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.game.observe import NUM_FEATURES
from spades_env.xla.env import JaxState, Spades
from spades_env.xla.table import SEATS

WAIT = NUM_ACTIONS


class JaxMARLSpades:
    """Four agents. The arguments are those of `Spades`; a game that ends is followed by the next in the same step."""

    name = "spades"
    num_agents = NUM_SEATS

    def __init__(self, *args, **kwargs):
        self.env = Spades(*args, **{"auto_reset": True, "observes": False, **kwargs})
        self.agents = [f"agent_{seat}" for seat in range(NUM_SEATS)]
        self.observation_spaces = {agent: Box(-128, 127, (NUM_FEATURES,), jnp.int8) for agent in self.agents}
        self.action_spaces = {agent: Discrete(NUM_ACTIONS + 1) for agent in self.agents}

    def observation_space(self, agent: str) -> Box:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, key):
        state = self.env.init(key)
        return self.get_obs(state), state

    def step(self, key, state: JaxState, actions):
        """Return observations, state, rewards, dones with "__all__", infos."""
        chosen = jnp.stack([jnp.asarray(actions[agent], jnp.int32) for agent in self.agents])
        state = self.env.step(state, jnp.where(state.current_player == SEATS, chosen, 0).sum(), key)
        rewards = {agent: state.rewards[seat] for seat, agent in enumerate(self.agents)}
        done = state.terminated | state.truncated
        return self.get_obs(state), state, rewards, dict.fromkeys([*self.agents, "__all__"], done), {}

    def get_obs(self, state: JaxState) -> dict:
        """Return what each agent sees, whoever is to move."""
        seen = jax.vmap(lambda seat: self.env.observe(state, seat))(jnp.asarray(SEATS))
        return {agent: seen[seat] for seat, agent in enumerate(self.agents)}

    def get_avail_actions(self, state: JaxState) -> dict:
        """Return each agent's mask, bool[71]."""
        mine = state.current_player == SEATS
        own = jnp.concatenate([state.legal_action_mask & mine[:, None], ~mine[:, None]], 1)
        return {agent: own[seat] for seat, agent in enumerate(self.agents)}
