"""Likely worlds: their weights, how they are drawn, and Metropolis swaps."""

import random

import numpy as np
import pytest
from support.game.tables import moments
from support.strategies import scaled

from spades_env import Game, Rules, agents
from spades_env._jit import JIT_ON
from spades_env.agents import Batch
from spades_env.agents.worlds.determinize import deal_world, plan_worlds
from spades_env.agents.worlds.likely import (
    LEAST_POWER,
    draw_all,
    draw_world,
    effective_size,
    exchange_cards,
    new_pool,
    next_drawn,
    next_world,
    power_that_leaves,
    prepare_worlds,
)
from spades_env.agents.worlds.past import look_back
from spades_env.agents.worlds.weight import (
    FACTORS,
    NIL_LESS,
    NIL_MORE,
    NOBODY,
    NUM_CLUES,
    OTHER_BID,
    OTHER_CARD,
    forget,
    read_bid,
    weigh_world,
)
from spades_env.game.cards import BID_ZERO, BLIND_NIL
from spades_env.game.state import compile_rules
from spades_env.training.fit.worlds import read_world

PASSING = {"blind_nil_deficit": 0, "blind_nil_pass": 2}
BLIND_FOR_BOTH = {"blind_bid": 6, "blind_bid_deficit": 0, "blind_nil_deficit": None}
TOLD = [{"bidding": bidding, "blind_nil_deficit": None} for bidding in ("mirror", "whiz", "suicide")]


@pytest.mark.parametrize("rules", ["suicide", "mirror"])
def test_a_forced_nil_says_nothing(rules):
    rule, read = agents.load("rule"), 0
    for seed in range(300):
        game, forced = Game(rules, seed=seed), set()
        while game.phase != "play":
            forced |= {game.turn} if game.legal_actions() == [BID_ZERO] else set()
            game.apply(rule.act(game.view(game.turn)))
        view, pool = game.view(game.turn), new_pool(4)
        if not forced - {view.seat}:
            continue
        prepare_worlds(view.state, 0, view.compiled_rules[0], True, pool, np.uint64(1))
        for seat in forced - {view.seat}:
            for world in pool.worlds:
                clues = np.zeros(NUM_CLUES)
                read_bid(world, view.compiled_rules[0], pool.past[0], pool.kept[0], seat, clues)
                assert not clues.any()
                read += 1
    assert read


@pytest.mark.parametrize("rules", [{}, PASSING, {"least_bid": 6, "total_not": 13}, BLIND_FOR_BOTH, *TOLD])
def test_the_rule_bots_own_hands_fit_perfectly(rules):
    """Replayed with the true cards, all moves of `rule` are those of `rule`."""
    rule, pool, clues = agents.load("rule"), new_pool(1), np.zeros(NUM_CLUES)
    for seed in range(scaled(10)):
        game = Game(Rules(**rules), seed=seed)
        brave = seed % 4 if rules is PASSING else None
        while not game.results:
            action = rule.act(game.view(game.turn))
            game.apply(BLIND_NIL if game.phase == "blind" and game.turn == brave else action)
            if game.phase == "blind" or game.results:
                continue
            plan_worlds(game._s, game._compiled[0], pool.plan[0])
            forget(pool.kept[0])
            look_back(game._table[0], game._compiled[0], pool.plan[0], pool.past[0])
            read_world(game._table[0], game._compiled[0], pool.past[0], pool.kept[0], clues)
            assert not clues[[OTHER_BID, NIL_MORE, NIL_LESS, OTHER_CARD]].any()
            assert (clues <= 0).all()
            if not JIT_ON and game.phase == "play":
                break


def test_the_weight_of_a_world_is_that_of_its_hands_and_a_hopeless_one_has_none():
    rng = random.Random(3)
    clues = np.zeros(NUM_CLUES)
    for game in moments("pool 1", scaled(40)):
        view, r = game.view(game.turn), game._compiled[0]
        pool, x = new_pool(4), np.uint64(rng.getrandbits(63))
        plan_worlds(view.state[0], r, pool.plan[0])
        deal_world(view.state, 0, r, pool.plan[0], pool.worlds, 0, x)
        forget(pool.kept[0])
        look_back(pool.worlds[0], r, pool.plan[0], pool.past[0])
        world, past, kept, hands = pool.worlds[0], pool.past[0], pool.kept[0], pool.hands
        for _ in range(scaled(40)):
            x = np.uint64(deal_world(view.state, 0, r, pool.plan[0], pool.worlds, 0, x))
            read_world(world, r, past, kept, clues)
            whole = float(clues @ FACTORS)
            assert weigh_world(world, r, past, kept, NOBODY, whole + 0.1, hands) == -np.inf
            assert weigh_world(world, r, past, kept, NOBODY, -np.inf, hands) == pytest.approx(whole)
            assert weigh_world(world, r, past, kept, NOBODY, whole - 1e-6, hands) == pytest.approx(whole)
            assert weigh_world(world, r, past, kept, NOBODY, whole + 0.1, hands) == -np.inf
            others = [seat for seat in range(4) if seat != game.turn]
            without = [weigh_world(world, r, past, kept, seat, -np.inf, hands) for seat in others]
            assert sum(without) == pytest.approx(2 * whole)


def test_worlds_are_drawn_by_their_weights():
    pool = new_pool(10)
    weights = np.zeros(len(pool.worlds))
    weights[[5, 20, 39]] = 0.25, 0.7, 0.05
    pool.weights[:] = weights.cumsum()
    often = np.zeros(len(weights))
    for x in range(400):
        draw_all(pool, np.uint64(x))
        assert pool.draws.sum() == 10
        assert abs(pool.draws[20] - 7) <= 1
        often += pool.draws
    assert often[weights == 0].sum() == 0
    assert often / 4000 == pytest.approx(weights, abs=0.02)


def test_a_drawn_world_still_fits_the_view_after_swaps():
    rng = random.Random(5)
    changed = 0
    for game in moments("pool 2", max(4, scaled(60))):
        view, r = game.view(game.turn), game._compiled[0]
        pool, at, found = new_pool(3), 0, 0
        x = np.uint64(prepare_worlds(view.state, 0, r, True, pool, np.uint64(rng.getrandbits(63))))
        draw_all(pool, x)
        while True:
            at, x = next_drawn(pool, r, at, np.uint64(x))
            if at == len(pool.worlds):
                break
            found += 1
            changed += (pool.tables.hands[0] != pool.worlds.hands[at]).any()
            seen = Batch(pool.tables[:1].view(np.recarray), compile_rules(game.rules), np.zeros(1, np.int32)).blanked()
            assert seen.tables.tobytes() == view.state.tobytes()
        assert found == 3
    assert changed


@pytest.mark.parametrize("bidding", ["mirror", "whiz"])
def test_swaps_leave_the_trumps_that_were_bid(bidding):
    rng, changed = random.Random(8), 0
    for game in moments(bidding, scaled(30), bidding=bidding, nil_pass=0, wanted=lambda game: game.phase == "play"):
        view, r = game.view(game.turn), game._compiled[0]
        pool = new_pool(3)
        x = np.uint64(prepare_worlds(view.state, 0, r, True, pool, np.uint64(rng.getrandbits(63))))
        draw_all(pool, x)
        at, x = next_drawn(pool, r, 0, x)
        before, after = pool.worlds["hands"][at].tolist(), pool.tables["hands"][0].tolist()
        changed += before != after
        for seat in range(4):
            if game.bids[seat] is not None and (bidding == "mirror" or not game.nils[seat]):
                assert (before[seat] >> 48).bit_count() == (after[seat] >> 48).bit_count()
    assert changed


@pytest.mark.skipif(not JIT_ON, reason="thousands of worlds")
def test_swaps_draw_worlds_in_proportion_to_their_weights():
    """Two tricks before the end all worlds can be listed, with their weights."""
    rng, rule = random.Random(6), agents.load("rule")
    game = Game("pagat", seed=6)
    while game.cards_played < 44:
        view = game.view(game.turn)
        game.apply(rng.choice(game.legal_actions()) if rng.random() < 0.2 else rule.act(view))
    view, r = game.view(game.turn), game._compiled[0]
    pool, x = new_pool(1), np.uint64(7)
    x = np.uint64(prepare_worlds(view.state, 0, r, True, pool, x))
    weights: dict[tuple, float] = {}
    often: dict[tuple, int] = {}
    for _ in range(4000):
        x = np.uint64(next_world(view.state, 0, r, False, pool, x))
        hands = tuple(pool.tables[0].hands.tolist())
        weights[hands] = np.exp(weigh_world(pool.tables[0], r, pool.past[0], pool.kept[0], NOBODY, -np.inf, pool.hands))
        for _ in range(3):
            x = np.uint64(exchange_cards(pool, r, x))
        hands = tuple(pool.tables[0].hands.tolist())
        often[hands] = often.get(hands, 0) + 1
    assert set(often) <= set(weights)
    assert 2 <= pool.kept.filled.max() <= len(weights)  # hands that were met are not kept again
    share = np.array(list(weights.values())) / sum(weights.values())
    found = np.array([often.get(hands, 0) for hands in weights]) / 4000
    assert abs(1 / len(share) - share).sum() / 2 > 0.3  # they are far from alike
    assert abs(found - share).sum() / 2 < 0.05


def test_few_worlds_that_fit_are_evened_out():
    logarithms = np.array([0.0, -1.0, -3.0, -9.0, -np.inf])
    assert power_that_leaves(logarithms, 0.0, 1.5) == 1
    power = power_that_leaves(logarithms, 0.0, 3.0)
    assert 0 < power < 1
    assert effective_size(logarithms, 0.0, power) == pytest.approx(3.0, abs=0.05)
    assert power_that_leaves(logarithms, 0.0, 5.0) == LEAST_POWER  # what cannot be is not brought back
    even = np.exp(0.5 * logarithms)
    assert effective_size(logarithms, 0.0, 0.5) == pytest.approx(even.sum() ** 2 / (even**2).sum())


def test_likely_worlds_fit_the_bids():
    """Where the left neighbour bid five it holds more trumps and aces than where it bid one."""
    winners = sum(1 << place for place in (12, 28, 44, *range(48, 61)))
    strength = []
    for bid in (5, 1):
        game = Game("pagat", seed=4, dealer=0)
        for number in (bid, 2, 2):
            game.apply(BID_ZERO + number)
        view = game.view(game.turn)
        pool, x, found = new_pool(64 if JIT_ON else 1), np.uint64(1), 0
        x = prepare_worlds(view.state, 0, game._compiled[0], True, pool, x)
        for _ in range(200):
            x = np.uint64(draw_world(pool, x))
            found += (int(pool.tables[0].hands[1]) & winners).bit_count()
        strength.append(found)
    assert strength[0] > strength[1] + 60 or not JIT_ON
