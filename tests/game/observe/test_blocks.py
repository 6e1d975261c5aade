"""Each block of the table compared with the plain facts of a game, from every seat."""

import random

import numpy as np
import pytest
from support.game.observed import all_expected, block, marked
from support.game.tables import hand_start, moves_of_hand, random_position, rotated
from support.strategies import scaled

from spades_env import Game
from spades_env.game.cards import BID_ZERO, LOOK, PHASES
from spades_env.game.observe import NOW_ROWS, OF_RULES, STATE_SIZE, TABLE_ROWS, rules_features, write_hidden


def own_may_bid_nil(game: Game) -> int:
    return block(game.view(game.turn).observation()[0], "may_bid_nil")[0]


def test_no_nil_is_seen_where_it_would_make_the_forbidden_total():
    for bids, expected in (((3, 3, 3), 0), ((3, 3, 2), 1)):
        game = Game("match total_not=9", seed=1)
        for bid in bids:
            assert own_may_bid_nil(game) == 1
            game.apply(BID_ZERO + bid)
        assert own_may_bid_nil(game) == expected


def test_no_blind_nil_is_seen_after_the_look():
    game = Game("classic nil=false blind_nil_deficit=100", seed=1, scores=[0, 200], dealer=3)
    assert own_may_bid_nil(game) == 1
    game.apply(LOOK)
    assert own_may_bid_nil(game) == 0


@pytest.mark.parametrize("name", [name for name, _, _ in TABLE_ROWS + NOW_ROWS])
def test_blocks_of_the_table(name, positions):
    for game, facts, features in positions:
        for seat in range(4):
            assert block(features[seat], name) == facts[seat][name], f"{name} of seat {seat} in {game!r}"


def test_the_positions_cover_every_phase(positions):
    assert {game.phase for game, _, _ in positions} == set(PHASES)


@pytest.fixture(scope="module")
def positions() -> list[tuple[Game, list[dict], list[np.ndarray]]]:
    """Return random positions, with what each seat should and does observe."""
    rng = random.Random(20)
    games = [random_position(rng) for _ in range(max(40, scaled(300)))]
    games += [
        random_position(rng, blind_nil_deficit=0, blind_nil_pass=3, partners=True) for _ in range(max(15, scaled(30)))
    ]
    return [(game, all_expected(game), [game.view(seat).features for seat in range(4)]) for game in games]


def test_hidden_block_of_the_full_state(positions):
    for game, _, _ in positions:
        for seat in range(4):
            out = np.full(STATE_SIZE, 77, np.int8)
            write_hidden(game._s, game._compiled[0], seat, out)
            assert block(out, "hands") == [marked(game.hands[(seat + i) % 4]) for i in range(4)]


BY_SEAT = (
    "played",
    "bid",
    "nil",
    "blind_nil",
    "looked",
    "tricks",
    "void",
    "turn",
    "dealer",
    "leader",
    "winning",
    "may_bid_nil",
)
BY_SIDE = ("score_hundreds", "score_ones", "bags", "side_bid", "side_made", "bids_missing", "blind_contract", "ten_bid")
SHARED = ("table", "order", "phase", "led", "broken", "trick", "hand_number", "no_bids", "room")


def test_four_seats_see_one_table(positions):
    for game, _, features in positions:
        sides = game.rules.sides
        for seat in range(4):
            for name in SHARED:
                assert block(features[seat], name) == block(features[0], name)
            for name in BY_SEAT:
                assert block(features[seat], name) == rotated(block(features[0], name), -seat)
            for name in BY_SIDE:
                theirs = block(features[0], name)
                assert block(features[seat], name) == rotated(theirs[:sides], -seat) + theirs[sides:]
            assert (features[seat][OF_RULES] == rules_features(game.rules)).all()
        hands = np.array([block(features[seat], "hand") for seat in range(4)])
        unseen = np.array([block(features[seat], "unseen") for seat in range(4)])
        assert hands.sum(axis=0).max() <= 1
        assert not (hands & unseen).any()
        passed = np.array([block(features[seat], "passed") for seat in range(4)])
        assert (passed.sum(axis=0) * (game.phase == "play") == 0).all(), "each card was given and received"


def test_rotating_the_seats_rotates_the_features():
    rng = random.Random(21)
    for _ in range(scaled(60)):
        game = random_position(rng, tie="draw")
        start, k = hand_start(game), rng.randrange(1, 4)
        turned = Game(
            game.rules,
            deal=rotated(start.hands, k),
            dealer=(start.dealer + k) % 4,
            scores=rotated(start.scores, k),
            bags=rotated(start.bags, k),
            hand_number=start.hand_number,
        )
        for _, _, action in moves_of_hand(game):
            turned.apply(action)
        for seat in range(4):
            view, theirs = game.view(seat), turned.view((seat + k) % 4)
            for mine, yours in zip(view.observation(), theirs.observation(), strict=True):
                assert mine.tobytes() == yours.tobytes()
