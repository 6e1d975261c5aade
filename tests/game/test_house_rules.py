"""The house rules: the worked examples, and what every option asks, forbids, pays and tells."""

import random
from typing import Any

import numpy as np
import pytest
from support.game.tables import random_game, random_rules
from support.strategies import Table, scaled

from spades_env import Game, IllegalActionError, RecordError, Rules
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, card, cards
from spades_env.game.engine import write_mask
from spades_env.game.scoring import end_hand

LOW = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"


def numbers(game: Game) -> list[int | str]:
    """Return what the seat to move may bid."""
    names = {BLIND_NIL: "blind nil", LOOK: "look"}
    return [names.get(action, action - BID_ZERO) for action in game.legal_actions()]


def bidding(options: dict, *bids: int | str, **start: Any) -> Game:
    """Return a game after these bids; South begins."""
    setup: dict[str, Any] = {"dealer": 1} | start  # South is at its right
    game = Game(Rules(**{"blind_nil_deficit": None} | options), seed=3, **setup)
    words = {"blind nil": BLIND_NIL, "look": LOOK}
    for bid in bids:
        game.apply(words[bid] if isinstance(bid, str) else BID_ZERO + bid)
    return game


def points(
    options: dict, bids, tricks, blind: tuple[int, ...] = (), hand_number: int = 1
) -> tuple[list[int], list[int]]:
    """Return points and bags of a hand with these bids (None: none) and tricks; blind: the sides that bid blind."""
    rules = Rules(**{"blind_nil_deficit": None} | options)
    table = Table(rules, hand_number=hand_number)
    table.s.bids[:] = [-1 if bid is None else bid for bid in bids]
    table.s.nils[:] = [int(bid == 0 and rules.nil) for bid in bids]
    table.s.blind_contract[:] = [side in blind for side in (0, 1)]
    table.s.tricks[:] = tricks
    end_hand(table.s, table.r)
    return table["points"][:2], table["bags"][:2]


def dealt(south: str, others: str = "") -> list[list[int]]:
    """Return a deal in which South holds these cards; the rest lies as it comes, those others hold first."""
    left = [c for c in range(52) if c not in cards(south)]
    left.sort(key=lambda c: c not in cards(others))
    return [cards(south), left[:13], left[13:26], left[26:]]


# Worked examples: bidding


def test_the_partner_of_a_low_bid_makes_up_the_board():
    game = bidding({"least_bid": 4}, 1, 3)
    assert numbers(game) == list(range(3, 14))
    with pytest.raises(IllegalActionError, match=r"North cannot bid 2: .* add up to 4 or more: bid 3 to 13"):
        game.apply(BID_ZERO + 2)
    with pytest.raises(IllegalActionError, match="add up to 4 or more"):
        game.apply(BID_ZERO)


def test_beside_a_nil_the_partner_bids_the_board_alone():
    assert numbers(bidding({"least_bid": 4}, 0, 3)) == list(range(4, 14))
    assert numbers(bidding({"least_bid": 4}, 4, 3)) == list(range(14))


def test_a_mirror_bid_is_the_number_of_trumps():
    game = bidding({"bidding": "mirror"}, deal=dealt("AS KS 4S 3S 2S 2C 3C 4C 5C 6C 7C 8C 9C"))
    assert numbers(game) == [5]
    with pytest.raises(IllegalActionError, match="bid 4: you must bid the number of trumps you hold: bid 5"):
        game.apply(BID_ZERO + 4)


@pytest.mark.parametrize("nil", [True, False])
def test_without_trumps_a_mirror_bid_is_zero(nil):
    game = bidding({"bidding": "mirror", "nil": nil}, deal=dealt(LOW))
    assert numbers(game) == [0]
    game.apply(BID_ZERO)
    assert game.nils[0] is nil


@pytest.mark.parametrize(("nil", "legal"), [(True, [0, 3]), (False, [3])])
def test_a_whiz_bid_is_the_number_of_trumps_or_nil(nil, legal):
    held = cards("2D RJ 3S 3C 4C 5C 6C 7C 8C 9C TC JC QC")
    rest = [c for c in range(54) if c not in (*held, *cards("2C 2H"))]
    game = bidding({"bidding": "whiz", "trumps": "nyc", "nil": nil}, deal=[held, rest[:13], rest[13:26], rest[26:]])
    assert numbers(game) == legal
    with pytest.raises(IllegalActionError, match=f"trumps you hold{' or nil' * nil}: bid {'nil or ' * nil}3"):
        game.apply(BID_ZERO + 4)


def test_suicide_lets_exactly_one_partner_bid_nil():
    assert numbers(bidding({"bidding": "suicide"}, 4, 3)) == [0]
    assert numbers(bidding({"bidding": "suicide"}, 0, 3)) == list(range(1, 14))
    assert numbers(bidding({"bidding": "suicide"})) == list(range(14))
    assert numbers(bidding({"bidding": "suicide", "least_bid": 4})) == [0, *range(4, 14)]
    assert numbers(bidding({"bidding": "suicide", "least_bid": 4}, 0, 4)) == list(range(4, 14))
    with pytest.raises(IllegalActionError, match=r"exactly one partner of each side bids nil: bid nil"):
        bidding({"bidding": "suicide"}, 4, 3, 2)
    with pytest.raises(IllegalActionError, match=r"exactly one partner of each side bids nil: bid 4 to 13"):
        bidding({"bidding": "suicide", "least_bid": 4}, 0, 4, 0)
    for bids, open_bids in [((2,), "nil or 4 to 13"), ((0, 4, 2), "4 to 13")]:
        with pytest.raises(IllegalActionError, match=f"the bids of a side add up to 4 or more: bid {open_bids}"):
            bidding({"bidding": "suicide", "least_bid": 4}, *bids)


def test_the_last_bid_may_not_make_up_the_total():
    assert numbers(bidding({"total_not": 13}, 3, 4, 2)) == [bid for bid in range(14) if bid != 4]
    assert numbers(bidding({"total_not": 13}, 3, 4)) == list(range(14))
    with pytest.raises(IllegalActionError, match=r"all bids may not add up to 13: bid nil or 1 to 3 or 5 to 13"):
        bidding({"total_not": 13}, 3, 4, 2, 4)


def test_the_total_gives_way_where_nothing_else_is_left():
    assert numbers(bidding({"total_not": 26, "least_bid": 13}, 0, 0, 13)) == [13]


def test_a_first_hand_without_bids():
    game = bidding({"first_hand": "bids_itself", "first_lead": "highest_bidder"}, dealer=3)
    assert (game.phase, game.turn, game.bids, game.looked) == ("play", 0, [None] * 4, [True] * 4)
    assert points({"first_hand": "bids_itself"}, [None] * 4, (5, 3, 3, 2), hand_number=0) == ([80, 50], [0, 0])
    rng = random.Random(1)
    while not game.results:
        game.apply(rng.choice(game.legal_actions()))
    assert game.results[0].bids == [None] * 4
    assert game.phase == "bid"
    assert Game.replay(game.record()).record() == game.record()
    assert ": took " in game.record()


BEHIND = {"blind_bid": 6, "blind_bid_deficit": 100}


def test_a_blind_bid_is_for_both_partners():
    game = bidding(BEHIND, scores=[0, 120])
    assert numbers(game) == [*range(6, 14), "look"]
    assert game.view(0).hand == game.view(2).hand == []
    for bid in (7, 3, 4):
        game.apply(BID_ZERO + bid)
    assert (game.phase, game.turn, game.bids) == ("play", 0, [7, 3, None, 4])
    assert (game.blind_contracts, game.looked) == ([True, False], [True] * 4)
    assert points(BEHIND, (7, 2, None, 2), (5, 3, 3, 2), blind=(0,)) == ([141, 41], [1, 1])
    assert points(BEHIND, (7, 3, None, 4), (3, 4, 3, 3), blind=(0,)) == ([-140, 70], [0, 0])


def test_the_second_of_a_side_bids_blind_no_more():
    game = bidding(BEHIND, "look", 3, 4, scores=[0, 120])
    assert game.phase == "bid"
    assert numbers(game) == list(range(14))
    both = BEHIND | {"blind_nil_deficit": 100}
    assert numbers(bidding(both, scores=[0, 120])) == [*range(6, 14), "blind nil", "look"]
    assert numbers(bidding(both, "look", 3, 4, scores=[0, 120])) == ["blind nil", "look"]


def test_a_side_that_is_not_far_behind_sees_its_cards():
    assert numbers(bidding(BEHIND, scores=[0, 99])) == list(range(14))


def test_both_sides_may_bid_blind():
    even = {"blind_bid": 6, "blind_bid_deficit": 0, "total_not": 13}
    game = bidding(even, 6)
    assert numbers(game) == [6, *range(8, 14), "look"]  # the last of all bids: 7 would make thirteen
    game.apply(BID_ZERO + 6)
    assert (game.phase, game.bids, game.blind_contracts) == ("play", [6, 6, None, None], [True, True])


@pytest.mark.parametrize(("taken", "scored"), [((6, 1, 6, 0), 200), ((5, 2, 4, 2), -200), ((6, 2, 4, 1), 200)])
def test_ten_for_two_hundred(taken, scored):
    own, bags = points({"ten_points": 200}, (6, 1, 4, 1), taken)
    assert (own[0], bags[0]) == (scored, 0)
    assert points({"ten_points": 200}, (5, 1, 4, 1), (5, 1, 5, 2))[0][0] == 91


def test_a_slam_scores_besides():
    assert points({"slam_points": 200}, (5, 1, 4, 0), (7, 0, 6, 0))[0] == [90 + 4 + 200, -10 + 100]
    assert points({"slam_points": 200}, (5, 1, 4, 1), (7, 0, 5, 1))[0][0] == 90 + 3


def test_two_kept_nils():
    assert points({"double_nil_points": 500}, (0, 6, 0, 7), (0, 6, 0, 7))[0][0] == 500
    assert points({"double_nil_points": 500}, (0, 5, 0, 7), (0, 5, 1, 7))[0][0] == 100 - 100 + 1
    assert points({}, (0, 6, 0, 7), (0, 6, 0, 7))[0][0] == 200


def test_a_blind_ten_counts_twice():
    house = Rules.preset("house").as_dict()
    assert points(house, (10, 1, None, 2), (7, 1, 3, 2), blind=(0,))[0][0] == 400
    assert points(house, (10, 1, None, 2), (6, 2, 3, 2), blind=(0,))[0][0] == -400


# Passing beside a nil


def test_a_nil_bidder_passes_cards():
    game = bidding({"nil_pass": 2}, 3, 0, 4, 4)
    assert (game.phase, game.turn, game.cards_to_pass(game.turn)) == ("pass", 1, 2)
    for _ in range(4):
        game.apply(game.legal_actions()[0])
    assert (game.phase, game.turn) == ("play", 0)


def test_partners_with_both_nils_pass_the_larger_number():
    options = {"nil_pass": 1, "blind_nil_pass": 3, "blind_nil_deficit": 0}
    game = bidding(options, "look", 0, "look", 0, "blind nil", "look", 4)
    counted = []
    while game.phase == "pass":
        counted.append((game.turn, game.cards_to_pass(game.turn)))
        game.apply(game.legal_actions()[0])
    assert counted == [(0, 3)] * 3 + [(2, 3)] * 3 + [(1, 1), (3, 1)]


# The first trick


def test_everybody_plays_the_lowest_club():
    game = bidding({"first_trick": "lowest_club"}, 3, 3, 3, 3, deal=dealt("9C 4C AS KS QS JS TS AH KH QH JH TH 9H"))
    assert game.legal_actions() == [card("4C")]
    with pytest.raises(IllegalActionError, match="the first trick takes your lowest club, the four of clubs"):
        game.apply(card("AH"))


def test_without_clubs_no_trump_is_played_to_the_first_trick():
    hand = "2D 3D 4D AS KS QS JS TS AH KH QH JH TH"
    game = bidding({"first_trick": "lowest_club", "spades_lead": "any"}, 3, 3, 3, 3, deal=dealt(hand))
    assert game.legal_actions() == sorted(c for c in cards(hand) if c < 39)
    with pytest.raises(IllegalActionError, match="the first trick takes no spade while you hold another card"):
        game.apply(card("AS"))
    game.apply(card("2D"))
    assert game.legal_actions() == [card("2C")], "a club, though diamonds were led"
    game.apply(card("2C"))
    assert game.voids == [[0], [], [], []]


# All together


def test_a_mask_is_never_empty():
    rng, mask = random.Random("masks"), np.zeros(70, np.int8)
    for _ in range(scaled(3000)):
        game = random_game(rng)
        for _ in range(rng.choice((8, 20, 60))):
            if game.over:
                break
            write_mask(game._s, game._compiled[0], mask)
            assert mask.any(), repr(game)
            game.apply(int(rng.choice(np.flatnonzero(mask))))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"bidding": "mirror"}, "blind_nil_deficit must be off when bidding is 'mirror'"),
        (
            {"bidding": "whiz", "blind_nil_deficit": None, "blind_bid": 6},
            "blind_bid must be off when bidding is 'whiz'",
        ),
        ({"bidding": "suicide", "blind_nil_deficit": None, "total_not": 13}, "total_not must be off"),
        (
            {"bidding": "mirror", "blind_nil_deficit": None, "least_bid": 4},
            "least_bid must be 0 when bidding is 'mirror'",
        ),
        (
            {"bidding": "suicide", "blind_nil_deficit": None, "nil": False},
            "bidding cannot be 'suicide' when nil is false",
        ),
        ({"bidding": "suicide", "blind_nil_deficit": None, "partners": False}, "cannot be 'suicide' when partners is"),
        ({"partners": False, "least_bid": 4}, "least_bid must be 0 when partners is false"),
        ({"partners": False, "blind_bid": 6}, "blind_bid must be off when partners is false"),
        ({"partners": False, "nil_pass": 1}, "nil_pass must be 0 when partners is false"),
        ({"nil": False, "double_nil_points": 500}, "double_nil_points must be off when nil is false"),
    ],
)
def test_what_makes_no_sense_is_refused(options, said):
    with pytest.raises(ValueError, match=said) as caught:
        Rules(**options)
    assert "\n" not in str(caught.value)


def test_records_of_before_are_read_under_the_new_presets_names():
    game = Game("classic blind_nil_deficit=off target=off max_hands=1", seed=7)
    rng = random.Random(7)
    while not game.over:
        game.apply(rng.choice(game.legal_actions()))
    text = game.record()
    assert text.splitlines()[1] == "rules: match target=off max_hands=1"
    before = text.replace("rules: match ", "rules: classic blind_nil_deficit=off ")
    assert Game.replay(before).record() == text
    with pytest.raises(RecordError):
        Game.replay(before.replace("seed: 7", "seed: 8"))


def test_records_tell_of_blind_bids():
    game = bidding(BEHIND | {"max_hands": 1, "target": None}, 7, 3, 4, scores=[0, 120])
    rng = random.Random(2)
    while not game.over:
        game.apply(rng.choice(game.legal_actions()))
    assert "South & North: South blind for both, bid 7, took " in game.record()
    assert Game.replay(game.record()).record() == game.record()


@pytest.mark.parametrize("seed", range(scaled(60)))
def test_random_games_are_recorded_and_replayed(seed):
    rng = random.Random(seed)
    game = Game(random_rules(rng, max_hands=2), seed=seed)
    for _ in range(130):
        if game.over:
            break
        game.apply(rng.choice(game.legal_actions()))
    assert Game.replay(game.record()).record() == game.record()
    assert len(game.view(game.turn).to_text()) <= 600
