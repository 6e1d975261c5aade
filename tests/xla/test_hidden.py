"""Hidden cards never reach a JAX observation or mask: they are permuted, and no byte may change."""

from dataclasses import replace

import jax
import numpy as np
from support.game.twins import GAMES, Twins, look
from support.strategies import scaled

from spades_env.game.observe import NUM_FEATURES
from spades_env.xla.playing import legal_mask
from spades_env.xla.table import NOBODY, JaxTable

MASKS = jax.jit(jax.vmap(legal_mask))


def known_to(t: JaxTable, seat: int) -> np.ndarray:
    """Return which cards each table's seat can place: its own, those played, those it gave; bool[N, 54]."""
    own = (t.owner == seat) & np.asarray(t.looked)[:, [seat]]
    return own | (t.order > 0) | (t.owner == NOBODY) | ((t.giver == seat) & np.asarray(t.looked)[:, [seat]])


def permuted(t: JaxTable, cards: np.ndarray, rng: np.random.Generator) -> JaxTable:
    """Permute who holds these cards, and forget all that a seed decides."""
    t = jax.tree.map(np.array, t)
    for i, free in enumerate(cards):
        places = np.flatnonzero(free)
        drawn = rng.permutation(places)
        t.owner[i, places], t.giver[i, places] = t.owner[i, drawn], t.giver[i, drawn]
    secrets = {"seed": t.seed, "walk": t.walk, "deck": t.deck}
    return replace(t, **{name: rng.integers(0, 50, x.shape).astype(x.dtype) for name, x in secrets.items()})


def seen_by(twins: Twins, t: JaxTable, seat: int) -> np.ndarray:
    features = np.asarray(look(twins.shared, twins.state.replace(table=t))[0])[:, seat, :NUM_FEATURES]
    mask = np.asarray(MASKS(t, twins.shared)) & (np.asarray(t.turn) == seat)[:, None]
    return np.concatenate([features, mask], 1)


def test_hidden_cards_never_show():
    rng, twins, moved, tables = np.random.default_rng(1), Twins(11, GAMES), 0, 0
    for _ in range(scaled(30)):
        t = jax.tree.map(np.asarray, twins.state.table)
        for seat in range(4):
            other = permuted(t, ~known_to(t, seat), rng)
            moved += int((other.owner != t.owner).any(1).sum())
            tables += len(t.owner)
            same = seen_by(twins, t, seat) == seen_by(twins, other, seat)
            assert same.all(), f"seat {seat} learns of hidden cards at {np.argwhere(~same)[:5].tolist()}"
        twins.play(5)
    assert moved > 0.7 * tables


def test_own_cards_do_show():
    rng, twins = np.random.default_rng(2), Twins(12, GAMES)
    twins.play(9)
    t = jax.tree.map(np.asarray, twins.state.table)
    held = (t.order == 0) & (t.owner != NOBODY) & (t.giver < 0)
    other = permuted(t, held, rng)
    looked = np.asarray(t.looked)[:, 0] & (np.asarray(t.num_plays) < 40)
    differs = (seen_by(twins, t, 0) != seen_by(twins, other, 0)).any(1)
    assert differs[looked].mean() > 0.9
