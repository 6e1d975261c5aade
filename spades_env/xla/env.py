"""The environment, by Pgx's words.

    env = Spades("classic", episode="hand", auto_reset=True)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, 4096))
    state = jax.jit(jax.vmap(env.step))(state, actions)      # state.observation: int8[4096, F]

A key only draws a seed: the cards are those of `Game(rules, seed)`, so that every game can be replayed there. Player i
sits in seat i. An environment is a pytree of its rules: pass it to a jitted function, and one program serves all rules;
`Spades.stacked([…])` under vmap plays by other rules at every table.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np

from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.game.episodes import ILLEGAL_REWARDS, Episode, Paid, Terms
from spades_env.game.observe import ENV, NUM_FEATURES
from spades_env.game.rules import RulesSource
from spades_env.game.state import GAME_OVER, GOES_ON, NEVER, OVER
from spades_env.xla import dealing
from spades_env.xla.observe import features, hidden_features
from spades_env.xla.playing import apply, legal_mask
from spades_env.xla.rules import JaxRules, jax_rules, stacked_rules
from spades_env.xla.scoring import leading_side
from spades_env.xla.table import SEATS, JaxTable, choose, of_seats

ACTIONS = np.arange(NUM_ACTIONS, dtype=np.int32)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class JaxState:
    """What a step returns; the fields before `table` are Pgx's."""

    current_player: Any  # int32: the seat to move
    observation: Any  # int8[NUM_FEATURES], of the seat to move; int8[0] with observes=False
    rewards: Any  # float32[4], by seat, for the action just taken
    terminated: Any
    truncated: Any
    legal_action_mask: Any  # bool[70]
    _step_count: Any
    table: JaxTable
    first_hand: Any  # the number of the hand that the episode began with
    next_deal: Any  # with auto_reset: deck and walk of the next game, shuffled like the table's; else None
    final_observation: Any  # int8[4, NUM_FEATURES], of all seats after this action, before a reset; None unless asked

    def replace(self, **changes) -> "JaxState":
        """Return the same state with other values for some fields."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Spades:
    """Spades in JAX.

    rules               a preset, a rules' text, Rules, …
    episode, reward, truncate_after    as in SpadesVectorEnv
    auto_reset          begin the next game in the step that ends one; done and rewards are those of the last action
    observes            False leaves the observation out, for searches and those who call `observe` themselves
    final_observation   keep what all four seats see after each action, before a reset
    trusted             no action is ever illegal: leave the check out
    """

    rules: Any = "classic"
    episode: Episode = Terms.episode
    reward: Paid = Terms.reward
    truncate_after: int | None = Terms.truncate_after
    auto_reset: bool = False
    observes: bool = True
    final_observation: bool = False
    trusted: bool = False

    id: ClassVar[str] = "spades"
    version: ClassVar[str] = ENV.rpartition("_")[2]
    num_players: ClassVar[int] = NUM_SEATS
    num_actions: ClassVar[int] = NUM_ACTIONS
    observation_shape: ClassVar[tuple[int, ...]] = (NUM_FEATURES,)

    def __post_init__(self):
        Terms(self.episode, self.reward, self.truncate_after)
        if not isinstance(self.rules, JaxRules):
            object.__setattr__(self, "rules", jax_rules(self.rules))

    @classmethod
    def stacked(cls, rules: Iterable[RulesSource], **options) -> "Spades":
        """Return an environment for jax.vmap, with rules of its own for each table."""
        return cls(stacked_rules(rules), **options)

    def init(self, key) -> JaxState:
        """Begin a game whose seed the key draws."""
        return self.init_seed(jax.random.bits(key, (2,), jnp.uint32))

    def init_seed(self, seed, **standings) -> JaxState:
        """Begin the game of a seed, uint32[2] (see `pair`).

        standings: scores and bags, int[4] by side (0 beyond the last), dealer, hand_number
        """
        t, no = dealing.new_game(self.rules, seed, **standings), jnp.bool_(False)
        return self._shown(t, t, jnp.zeros(4, jnp.float32), no, no, jnp.int32(0), t.hand_number, self._next(t.seed))

    def step(self, state: JaxState, action, key=None) -> JaxState:
        """Let the seat to move act. An ended episode stays as it is; an illegal action ends it, and is fined."""
        r, t = self.rules, state.table
        action = jnp.asarray(action, jnp.int32)
        running = t.phase != OVER
        legal = jnp.bool_(True) if self.trusted else (state.legal_action_mask & (action == ACTIONS)).any()
        goes = legal & running
        after, event = apply(t, r, action)
        hand_over = goes & (event != GOES_ON)
        terminated = hand_over & ((event == GAME_OVER) | (self.episode == "hand"))
        last = after.hand_number - state.first_hand + 1 >= (self.truncate_after or NEVER)
        truncated = hand_over & ~terminated & last
        after = replace(after, winner=jnp.where(terminated, leading_side(after, r), after.winner))
        paid = win_paid(after, r) * terminated if self.reward == "win" else points_paid(after, r) * hand_over
        fine = jnp.float32(ILLEGAL_REWARDS[self.reward])
        rewards = paid + jnp.where((t.turn == SEATS) & running & ~legal, fine, 0)
        was_cut = state.truncated & ~running  # after a reset the flag is still that of the previous game
        terminated |= ~goes & ~was_cut
        truncated |= ~goes & was_cut
        done = terminated | truncated
        after = choose(goes, after, t)
        ended = replace(after, phase=jnp.where(done, OVER, after.phase))
        shown = choose(hand_over & ~done, dealing.next_hand(after, r), ended)
        rest = state.first_hand, state.next_deal
        begun, rest = self._reset(state, shown, done, goes) if self.auto_reset else (shown, rest)
        return self._shown(begun, shown, rewards, terminated, truncated, state._step_count + 1, *rest)

    def observe(self, state: JaxState, player_id=None):
        """Return what a seat sees, int8[NUM_FEATURES]; by default the seat to move."""
        return features(state.table, self.rules, state.current_player if player_id is None else player_id)

    def central_state(self, state: JaxState):
        """Return the observation of the seat to move and all four hands, int8[STATE_SIZE], for central critics."""
        return jnp.concatenate([self.observe(state), hidden_features(state.table, state.current_player)])

    # Helpers

    def _reset(self, state: JaxState, shown: JaxTable, done, goes):
        """Return the table of the next game where an episode is done, and what is kept for the one after it.

        Like a hand's deck, that of the next game is shuffled by the plays of this game's first hand.
        """
        r, t, (deck, walk) = self.rules, state.table, state.next_deal
        first = t.hand_number == state.first_hand
        deck = jnp.where(goes & dealing.shuffles(t) & first, dealing.swap(deck, walk, t.num_plays), deck)
        seed = dealing.next_seed(t.seed)
        whole = deck
        if not self.trusted:  # an illegal action can come before the deck is shuffled
            whole = dealing.finished(deck, walk, jnp.where(done & ~goes & first, t.num_plays, dealing.SWAPS))
        fresh = dealing.begin_hand(dealing.seated(r, seed), r, whole)
        rest = choose(done, (jnp.int32(0), self._next(seed)), (state.first_hand, (deck, walk)))
        return choose(done, fresh, shown), rest

    def _next(self, seed):
        """Return the deck of the next game before it is shuffled, and the random generator that will do it."""
        walk = dealing.walk_of(dealing.next_seed(seed), 0)
        return (jnp.asarray(self.rules.position), walk) if self.auto_reset else None

    def _shown(self, t: JaxTable, last: JaxTable, rewards, terminated, truncated, count, first, deal) -> JaxState:
        r = self.rules
        seen = features(t, r, t.turn) if self.observes else jnp.zeros(0, jnp.int8)
        final = jnp.stack([features(last, r, seat) for seat in range(4)]) if self.final_observation else None
        mask = legal_mask(t, r)
        return JaxState(t.turn, seen, rewards, terminated, truncated, mask, count, t, first, deal, final)


jax.tree_util.register_dataclass(Spades, ["rules"], [field.name for field in fields(Spades) if field.name != "rules"])


def points_paid(t: JaxTable, r):
    """Pay each seat its side's points in the hand less the mean of the others', float32[4].

    One division of whole numbers is rounded as the kernels' float64 is. The divisor must not look like a constant:
    XLA would turn the division into a product with a third, which is off in the last bit.
    """
    others = jnp.where(t.points < -NEVER, 1, r.sides - 1).astype(jnp.float32)
    total = t.points.sum(dtype=jnp.int32)
    return (of_seats(t.points, r) * r.sides - total).astype(jnp.float32) / others


def win_paid(t: JaxTable, r):
    """Pay 1 to the seats of the side that is ahead, −1 to the others, and nothing in a draw, float32[4]."""
    return jnp.where(t.winner < 0, 0, jnp.where(SEATS & r.side_mask == t.winner, 1, -1)).astype(jnp.float32)


def random_action(mask, bits):
    """Return a legal action, drawn uniformly by 32 random bits; cheaper than 70 Gumbel numbers."""
    count = mask.astype(jnp.int8)
    for far in (1, 2, 4, 8, 16, 32, 64):  # sums of all before, in seven additions
        count = count + jnp.pad(count, (far, 0))[: len(mask)]
    chosen = ((bits >> 16) * count[-1].astype(jnp.uint32) >> 16).astype(jnp.int8)
    return (count <= chosen).sum(dtype=jnp.int32)
