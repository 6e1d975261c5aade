"""Scores of finished hands: JAX and the compiled engine on random bids and tricks, so that rare ones occur, too."""

import random
from dataclasses import replace

import jax
import numpy as np
from support.strategies import random_options, scaled

from spades_env import Rules
from spades_env._jit import njit
from spades_env.game import scoring
from spades_env.game.cards import NUM_TRICKS
from spades_env.game.state import BLIND_NIL_BID, DRAW, NIL, NO_BID, NO_NIL, PLAY, compile_each, new_tables
from spades_env.xla import stacked_rules
from spades_env.xla.dealing import seated
from spades_env.xla.scoring import end_hand

HANDS = 20_000


@njit
def end_all(tables, rules, rules_of):
    for i in range(len(tables)):
        scoring.end_hand(tables[i], rules[rules_of[i]])


def finished_hands(rules: list[Rules], rng: np.random.Generator) -> np.recarray:
    """Return tables with bids and tricks as play could leave them, many nils and slams among them."""
    n, tables = len(rules), new_tables(len(rules))
    partners = np.array([one.partners for one in rules])
    itself = np.array([one.first_hand == "bids_itself" for one in rules]) & (rng.random(n) < 0.5)
    nil_open = np.array([one.nil for one in rules])[:, None]
    blind_open = np.array([one.blind_nil_deficit is not None for one in rules])[:, None]
    tables.bids = np.where(rng.random((n, 4)) < 0.4, 0, rng.integers(1, 9, (n, 4)))
    blind = blind_open & (rng.random((n, 4)) < 0.3)
    tables.nils = np.where(tables.bids > 0, NO_NIL, np.where(blind, BLIND_NIL_BID, np.where(nil_open, NIL, NO_NIL)))
    for_both = np.array([bool(one.blind_bid) for one in rules])[:, None] & (rng.random((n, 2)) < 0.3)
    tables.blind_contract = for_both
    silent = np.tile(for_both, 2) & (np.arange(4) >= 2)
    first = np.tile(for_both, 2) & (np.arange(4) < 2)
    tables.bids = np.where(silent | itself[:, None], NO_BID, np.where(first, np.maximum(tables.bids, 6), tables.bids))
    tables.nils[silent | first | itself[:, None]] = NO_NIL
    tables.blind_contract[itself] = 0
    tables.winner = DRAW
    winners = rng.dirichlet(np.full(4, 0.3), n)
    tables.tricks = [rng.multinomial(NUM_TRICKS, one) for one in winners]
    tables.hand_number = np.where(itself, 0, rng.integers(1, 9, n))
    sides = np.arange(4) < np.where(partners, 2, 4)[:, None]
    limits = np.array([one.bag_limit or 1 for one in rules])[:, None]
    tables.scores = rng.integers(-250, 450, (n, 4)) * sides
    tables.bags = rng.integers(0, limits, (n, 4)) * sides
    return tables


def test_scores_are_the_same():
    rng, own = np.random.default_rng(3), random.Random(3)
    kinds = [Rules(**random_options(own)) for _ in range(500)]
    rules = [kinds[i] for i in rng.integers(0, len(kinds), scaled(HANDS))]
    tables = finished_hands(rules, rng)
    facts = {
        name: tables[name].astype(np.int32) for name in ("bids", "nils", "tricks", "scores", "bags", "hand_number")
    }
    facts["blind_contract"] = np.tile(tables.blind_contract, 2).astype(bool)
    end_all(tables.view(np.ndarray), *compile_each(rules)[1:])

    @jax.jit
    @jax.vmap
    def end(r, facts):
        return end_hand(replace(seated(r, np.zeros(2, np.uint32)), phase=PLAY, **facts), r)

    stacked = stacked_rules(kinds)
    numbers = {id(one): i for i, one in enumerate(kinds)}
    found, over = end(jax.tree.map(lambda x: x[[numbers[id(one)] for one in rules]], stacked), facts)
    for name in ("points", "overtricks", "scores", "bags", "winner"):
        np.testing.assert_array_equal(getattr(found, name), tables[name], name)
    np.testing.assert_array_equal(found.phase * over, tables.phase)
