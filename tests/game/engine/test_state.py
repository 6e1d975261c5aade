"""Fields of the engine's record that the reference does not compare: nothing remains of the hand before, and the cards
played are known. These tests find mutants of the engine that all others miss.
"""

import random

import numpy as np
import pytest
from support.strategies import Table, random_options

from spades_env import Rules
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_ACTIONS
from spades_env.game.engine import apply, is_legal, new_game, random_action, write_mask
from spades_env.game.state import DRAW, NO_BID, NO_LANE, NO_NIL, OVER, PLAY

EMPTY = ("points", "overtricks", "scores", "bags", "leaders", "plays", "given", "tricks", "voids", "passers")
ZERO = (
    "hand_number",
    "num_passers",
    "num_passed",
    "num_bids",
    "num_plays",
    "broken",
    "best_place",
    "best_seat",
    "played",
)


@pytest.mark.parametrize("seed", range(4))
def test_a_new_game_leaves_nothing_of_the_one_before(seed):
    table = Table(Rules(), seed=seed)
    table.state.view(np.uint8)[:] = 1
    new_game(table.s, table.r, np.uint64(seed))
    assert {name: np.any(table.state[name]) for name in EMPTY} == dict.fromkeys(EMPTY, False)
    assert {name: table[name] for name in ZERO} == dict.fromkeys(ZERO, 0)
    assert (table["led_lane"], table["winner"]) == (NO_LANE, DRAW)
    assert set(table["bids"]) == {NO_BID}
    assert set(table["nils"]) == {NO_NIL}


@pytest.mark.parametrize("seed", range(6))
def test_the_engine_knows_what_was_played_and_what_is_legal(seed):
    rng = random.Random(seed)
    table = Table(Rules(**random_options(rng)), seed=seed)
    mask = np.zeros(NUM_ACTIONS, np.int8)
    while table["hand_number"] == 0 and table["phase"] <= PLAY and table["num_plays"] < 51:
        write_mask(table.s, table.r, mask)
        legal = np.flatnonzero(mask).tolist()
        assert set(mask.tolist()) <= {0, 1}
        asked = (-1000, *range(-2, NUM_ACTIONS + 3), 1000)
        assert [action for action in asked if is_legal(table.s, table.r, action)] == legal
        drawn = {int(random_action(table.s, table.r, np.uint64(rng.getrandbits(64)))) for _ in range(400)}
        assert drawn == set(legal)
        apply(table.s, table.r, rng.choice(legal))
        assert table["played"] == sum(1 << place for place in table["plays"][: table["num_plays"]])


def test_nothing_is_legal_once_the_game_is_over():
    table = Table(Rules(max_hands=1, target=None), seed=2)
    mask = np.zeros(NUM_ACTIONS, np.int8)
    while table["phase"] != OVER:
        write_mask(table.s, table.r, mask)
        apply(table.s, table.r, int(np.flatnonzero(mask)[0]))
    assert not any(is_legal(table.s, table.r, action) for action in range(NUM_ACTIONS))


def test_random_bids_are_all_that_there_are():
    table = Table(Rules(blind_nil_deficit=0), seed=1)
    draws = [np.uint64(i * 2**55) for i in range(512)]
    assert {int(random_action(table.s, table.r, bits)) for bits in draws} == {BLIND_NIL, LOOK}
    apply(table.s, table.r, LOOK)
    assert {int(random_action(table.s, table.r, bits)) for bits in draws} == set(range(BID_ZERO, BLIND_NIL))
