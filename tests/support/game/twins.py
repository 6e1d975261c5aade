"""The JAX environment and the compiled one in lock-step: every table by rules, standings and a seed of its own."""

import random
from collections import Counter
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
from support.strategies import random_options

from spades_env import Rules, SpadesVectorEnv
from spades_env._jit import njit
from spades_env.game.cards import BID_ZERO
from spades_env.game.observe import OF_RULES, STATE_SIZE, write_features, write_hidden
from spades_env.game.random_situations import standings
from spades_env.game.state import BID
from spades_env.xla import JaxState, Spades, pair, stacked_rules
from spades_env.xla.observe import features, hidden_features
from spades_env.xla.table import CARDS

TABLES = 128
SAME = (  # fields of both tables
    *("bids", "nils", "looked", "tricks", "scores", "bags", "points", "overtricks", "hand_number", "num_bids"),
    *("num_passers", "num_passed", "num_plays", "dealer", "leader", "turn", "phase", "broken", "winner"),
    *("led_lane", "best_place", "best_seat"),
)
GAMES = {"episode": "game", "reward": "points", "truncate_after": 2}
HANDS = {"episode": "hand", "reward": "win", "truncate_after": None}
MORE = ({"episode": "game", "reward": "win", "truncate_after": None}, {"episode": "hand", "reward": "points"})
LAST_SEEN = {"final_observation": True}  # costs compiling: with HANDS only


@cache
def programs(options: tuple):
    """Return begin, step and look, compiled for one kind of environment and any rules."""

    def begin(rules, seed, scores, bags, hand_number):
        env = Spades(rules, auto_reset=True, **dict(options))
        return env.init_seed(seed, scores=scores, bags=bags, hand_number=hand_number)

    def step(rules, state, action):
        return Spades(rules, auto_reset=True, **dict(options)).step(state, action)

    return jax.jit(jax.vmap(begin)), jax.jit(jax.vmap(step))


@jax.jit
@jax.vmap
def look(rules, state: JaxState):
    """Return what all four seats see, with all hands; and the cards and players in the order played, int8[52] each."""
    seats, t = jnp.arange(4), state.table
    seen = jax.vmap(lambda seat: features(t, rules, seat))(seats)
    hidden = jax.vmap(lambda seat: hidden_features(t, seat))(seats)
    hit = t.order == jnp.arange(1, 53, dtype=jnp.int8)[:, None]
    played = [jnp.where(hit, each, 0).sum(1, dtype=jnp.int8) for each in (jnp.asarray(CARDS), t.owner)]
    return jnp.concatenate([seen, hidden], 1), *played


@njit
def write_all(tables, rules, rules_of, out):
    for i in range(len(tables)):
        for seat in range(4):
            write_features(tables[i], rules[rules_of[i]], seat, out[i, seat])
            write_hidden(tables[i], rules[rules_of[i]], seat, out[i, seat])


class Twins:
    """Tables in both environments; `differences` counts what was not the same. A changed rule is one of JAX alone."""

    def __init__(self, seed: int, options: dict, tables: int = TABLES, change=lambda rules: rules, place=lambda x: x):
        rng, self.rng = random.Random(seed), np.random.default_rng(seed)
        self.rules = [Rules(**random_options(rng)) for _ in range(tables)]
        terms = {name: value for name, value in options.items() if name not in LAST_SEEN}
        seeds = [int(one) for one in self.rng.integers(0, 2**64, tables, np.uint64, endpoint=False)]
        self.env = SpadesVectorEnv(tables, self.rules, seed=seeds, threads=1, **terms)
        self.begin, self.jax_step = programs(tuple(options.items()))
        self.shared = place(change(stacked_rules(self.rules)))
        self.features = np.asarray(self.shared.features)
        self.hands, self.differences, self.seen = 0, Counter(), Counter()
        standing = self._standings()
        self.step = self.env.reset(**dict(zip(("scores", "bags", "hand_numbers"), standing, strict=True)))
        self.state = self.begin(self.shared, np.stack([pair(one) for one in seeds]), *standing)
        self.compare()

    def play(self, steps: int) -> None:
        """Make random legal moves at every table."""
        for _ in range(steps):
            self.act(self.actions())

    def actions(self) -> np.ndarray:
        """Return random legal actions, low bids more often than high ones."""
        actions, mask = self.env.random_actions(), self.step.legal_action_mask
        low = BID_ZERO + self.rng.integers(0, 6, len(actions))
        takes = (self.rng.random(len(actions)) < 0.7) & mask[np.arange(len(actions)), low]
        return np.where(takes & (self.env.tables.phase == BID), low, actions)

    def act(self, actions: np.ndarray) -> None:
        self.hands += int((self.env.tables.num_plays == 51).sum())
        self.step = self.env.step(actions)
        self.state = self.jax_step(self.shared, self.state, actions.astype(np.int32))
        self.compare()

    def compare(self) -> None:
        tables, state, step = self.env.tables, self.state, self.step
        for name in ("legal_action_mask", "observation", "rewards", "terminated", "truncated"):
            self.same(name, getattr(state, name), getattr(step, name))
        for name in SAME:
            self.same(name, getattr(state.table, name), tables[name])
        self.same("seed", state.table.seed, np.stack([pair(int(one)) for one in tables.seed]))
        self.same("blind_contract", np.asarray(state.table.blind_contract)[:, :2], tables.blind_contract)
        self.same("voids", state.table.voids, (tables.voids[:, :, None] >> np.arange(4)) & 1)
        self.same("passers", state.table.passers, tables.passers)
        if state.final_observation is not None:
            ended = np.flatnonzero(step.done)
            self.same("final", np.asarray(state.final_observation)[ended], self.env.final_observation[ended], ended)
        self._compare_cards(tables)
        self.seen.update(f"phase {phase}" for phase in tables.phase.tolist())
        self.seen.update(terminated=int(step.terminated.sum()), truncated=int(step.truncated.sum()))

    def same(self, name: str, found, expected, where=None) -> None:
        found, expected = np.asarray(found), np.asarray(expected)
        differs = (found != expected).any(axis=tuple(range(1, found.ndim)))
        if differs.any():
            first = int(np.flatnonzero(differs)[0])
            self.differences[name] += int(differs.sum())
            self.first = f"{name} under {self.rules[first if where is None else where[first]]}"

    def _compare_cards(self, tables: np.recarray) -> None:
        """Compare what all seats see, all hands, and the order of play."""
        found, cards, players = map(np.asarray, look(self.shared, self.state))
        compiled, rules_of = self.env.compiled_rules
        expected = np.zeros((len(tables), 4, STATE_SIZE), np.int8)
        write_all(self.env._at.states, compiled, rules_of, expected)
        expected[:, :, OF_RULES] = self.features[:, None]
        self.same("four seats", found, expected)
        done = np.arange(52) < tables.num_plays[:, None]
        self.same("plays", cards, compiled.card_at[rules_of][np.arange(len(tables))[:, None], tables.plays] * done)
        self.same("leaders", players[:, ::4], tables.leaders * done[:, ::4])

    def _standings(self) -> tuple[np.ndarray, ...]:
        """Return scores and bags by side, and hands finished, as they occur in games."""
        scores, bags, hands = standings(self.rng, self.rules, 0.4)
        sides = np.arange(4) < np.array([one.sides for one in self.rules])[:, None]
        return scores * sides, bags * sides, hands
