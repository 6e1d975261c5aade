"""Search with mctx: South and North look ahead in worlds that fit what they know, West and East play at random.

    pip install ".[mctx]"
    python examples/mctx_search.py --hands 16 --simulations 16

mctx expands the state it is given, and a state of this game contains all hands: searched as it is, it would cheat. So
each decision first deals the hidden cards again, WORLDS times, searches each world, and adds up what they recommend.
Leaves are valued by playing on at random. The rewards are points a hand, South and North less West and East: at first
when they, too, play at random, at last with the search.
"""

import argparse
from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import mctx
import numpy as np

from spades_env import Game
from spades_env.xla import JaxState, Spades, random_action
from spades_env.xla.rules import jax_rules
from spades_env.xla.table import NOBODY

RULES = jax_rules("match")
ENV = Spades(RULES, "hand", observes=False, trusted=True)
MOVES = 56  # of a hand
WORLDS, CANDIDATES = 4, 32


def deal_again(key, state: JaxState) -> JaxState:
    """Return the state with the hidden cards dealt again, with few against what players have shown not to hold."""
    t, me = state.table, state.current_player
    hidden = (t.order == 0) & (t.owner != NOBODY) & (t.owner != me.astype(jnp.int8))
    at_home = jnp.where(hidden, t.owner, NOBODY)

    def draw(key):
        places = jnp.argsort(jnp.where(hidden, jax.random.uniform(key, (54,)), 2.0))  # hidden cards first, shuffled
        owners = jnp.sort(at_home)  # as many of each seat as it holds
        return jnp.where(hidden, t.owner.at[places].set(owners), t.owner)

    owners = jax.vmap(draw)(jax.random.split(key, CANDIDATES))
    impossible = hidden & t.voids[owners & 3, jnp.asarray(RULES.lane, jnp.int32)]
    return state.replace(table=replace(t, owner=owners[impossible.sum(1).argmin()]))


def play_on(key, state: JaxState):
    """Return what a hand pays in the end, by seat, if everybody goes on at random."""

    def move(carry, key):
        state, paid = carry
        bits = jax.random.bits(key, (), jnp.uint32)
        state = ENV.step(state, random_action(state.legal_action_mask, bits))
        return (state, paid + state.rewards), None

    return jax.lax.scan(move, (state, jnp.zeros(4)), jax.random.split(key, MOVES))[0][1]


def leaf(key, state: JaxState):
    """Return the prior, and the value for the seat to move."""
    value = play_on(key, state)[state.current_player] / 100
    return jnp.where(state.legal_action_mask, 0.0, -1e9), jnp.where(state.terminated, 0.0, value)


def expand(params, key, action, state: JaxState):
    """Act in every world. Where the other side moves next, its value counts against this one."""
    keys = jax.random.split(key, len(action))
    after = jax.vmap(ENV.step)(state, action)
    prior, value = jax.vmap(leaf)(keys, after)
    reward = jnp.take_along_axis(after.rewards, state.current_player[:, None], 1)[:, 0] / 100
    other = (after.current_player - state.current_player) % 2 == 1
    discount = jnp.where(after.terminated, 0.0, jnp.where(other, -1.0, 1.0))
    return mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=prior, value=value), after


def search(simulations: int, key, state: JaxState):
    """Return an action for the seat to move at every table."""
    dealing, valuing, searching = jax.random.split(key, 3)
    hands = len(state.current_player)
    worlds = jax.tree.map(lambda x: jnp.repeat(x, WORLDS, 0), state)
    worlds = jax.vmap(deal_again)(jax.random.split(dealing, hands * WORLDS), worlds)
    prior, value = jax.vmap(leaf)(jax.random.split(valuing, hands * WORLDS), worlds)
    root = mctx.RootFnOutput(prior_logits=prior, value=value, embedding=worlds)
    found = mctx.gumbel_muzero_policy(
        None, searching, root, expand, simulations, invalid_actions=~worlds.legal_action_mask
    )
    weights = found.action_weights.reshape(hands, WORLDS, -1).sum(1)
    return jnp.where(state.legal_action_mask, weights, -1.0).argmax(1)


@partial(jax.jit, static_argnums=0)
def play(simulations: int, state: JaxState, key):
    """Play a hand at every table; return what it paid South and North, and all actions. 0 simulations: at random."""

    def move(carry, key):
        state, paid = carry
        bits = jax.random.bits(key, (len(paid),), jnp.uint32)
        action = jax.vmap(random_action)(state.legal_action_mask, bits)
        if simulations:
            action = jnp.where(state.current_player % 2 == 0, search(simulations, key, state), action)
        state = jax.vmap(ENV.step)(state, action)
        return (state, paid + state.rewards[:, 0]), action

    (_, paid), actions = jax.lax.scan(move, (state, jnp.zeros(len(state.table.seed))), jax.random.split(key, MOVES))
    return paid, actions


def check(seed: np.ndarray, actions: np.ndarray) -> None:
    """Replay a hand; a Game raises an error at an illegal action."""
    game = Game("classic", seed=int(seed[0]) << 32 | int(seed[1]))
    for action in actions:
        game.apply(int(action))


def main(hands: int, simulations: int) -> None:
    state = jax.jit(jax.vmap(ENV.init))(jax.random.split(jax.random.key(0), hands))
    points = []
    for number in (0, simulations):
        paid, actions = play(number, state, jax.random.key(1))
        for i in range(hands):
            check(np.asarray(state.table.seed[i]), np.asarray(actions[:, i]))
        points.append(float(paid.mean()))
        print(f"{number} simulations in each of {WORLDS} worlds: {points[-1]:+.1f} points a hand, {hands} hands")
    print(f"reward: {points[0]:+.1f} at first, {points[1]:+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=16)
    parser.add_argument("--simulations", type=int, default=16)
    main(**vars(parser.parse_args()))
