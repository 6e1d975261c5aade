"""One seat of Spades by gymnax's words: reset(key) and step(key, state, action); a policy plays the other seats.

Under vmap each step is as long as that of the slowest table: where all seats learn, use `Spades` itself.
"""

import jax
import jax.numpy as jnp
from gymnasium.spaces import Box, Discrete

from spades_env.checks import whole
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.game.observe import NUM_FEATURES
from spades_env.xla.env import JaxState, Spades, random_action


def at_random(key, observation, mask):
    """Choose a random legal action."""
    return random_action(mask, jax.random.bits(key, (), jnp.uint32))


class OneSeat:
    """A learner at one seat. `others(key, observation, mask)` chooses for the other three; the rest is for `Spades`.

    A game that ends is followed by the next in the same step: the observation is the first decision of that one.
    """

    name = "spades"
    num_actions = NUM_ACTIONS
    default_params = None

    def __init__(self, others=at_random, seat: int = 0, *args, **kwargs):
        self.env = Spades(*args, **{"auto_reset": True, "observes": False, **kwargs})
        if not self.env.auto_reset:
            raise SpadesError("auto_reset must be on: a step goes on until the seat is to move")
        self.others, self.seat = others, whole("seat", seat, 0, NUM_SEATS - 1)

    def observation_space(self, params=None) -> Box:
        return Box(-128, 127, (NUM_FEATURES,), jnp.int8)

    def action_space(self, params=None) -> Discrete:
        return Discrete(NUM_ACTIONS)

    def reset(self, key, params=None):
        key, own = jax.random.split(key)
        return self._until_mine(key, self.env.init(own), jnp.int32(0), jnp.bool_(False))[:2]

    def step(self, key, state: JaxState, action, params=None):
        """Return observation, state, reward, done, info; the reward is all that the seat earns until it moves again."""
        seen, state, reward, ends = self._until_mine(key, state, jnp.asarray(action, jnp.int32), jnp.bool_(True))
        info = {"mask": state.legal_action_mask, "truncated": ends[1], "discount": 1.0 - ends[0]}
        return seen, state, reward, ends.any(), info

    def _until_mine(self, key, state: JaxState, action, acts):
        """Let the seat act, if it does, and then the others until it is to move."""

        def waits(c):
            return c[-1] | (c[1].current_player != self.seat)

        def move(c):
            key, state, reward, ends, acts = c
            key, own = jax.random.split(key)
            chosen = self.others(own, self.env.observe(state), state.legal_action_mask)
            state = self.env.step(state, jnp.where(acts, action, chosen))
            ends |= jnp.stack([state.terminated, state.truncated])
            return key, state, reward + state.rewards[self.seat], ends, jnp.bool_(False)

        began = key, state, jnp.float32(0), jnp.zeros(2, bool), acts
        _, state, reward, ends, _ = jax.lax.while_loop(waits, move, began)
        return self.env.observe(state, self.seat), state, reward, ends
