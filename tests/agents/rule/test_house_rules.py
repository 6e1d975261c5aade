"""What a sensible player does about each house rule, and what every bot keeps to."""

import pytest
from support.agents.bidding import cards_of, table_with
from support.game.positions import position
from support.game.tables import moments
from support.strategies import Table, scaled

from spades_env import Rules, agents
from spades_env.agents.compiled import STYLES
from spades_env.agents.rule.play import USUAL
from spades_env.agents.rule.trick_worth import nil_swing, side_prices
from spades_env.agents.search.candidates import MOST_CANDIDATES
from spades_env.agents.search.compare import candidates
from spades_env.game.cards import BID_ZERO, LOOK, Action, card_name, deck
from spades_env.game.state import BLIND
from spades_env.game.view import View

BIDDERS = ("rule", "rb", "bis", "club")
PLAIN = {"blind_nil_deficit": None}
NIL = "65 8742 8642 742"
ONE_TRICK = "75 K842 8642 742"
FIVE_TRUMPS = "65432 K42 862 74"
SEVEN_TRICKS = "AKQ32 AK7 A43 32"


def bid_of(hand: str, options: dict, bids=(), name: str = "rule") -> int:
    """The number that the bot bids on this hand after these bids."""
    return choice(name, table_with(cards_of(hand), Rules(**PLAIN | options), bids)) - BID_ZERO


def choice(name: str, table: Table) -> Action:
    return agents.load(name).act(View(table.rules, table.state, table["turn"]))


# Bids


@pytest.mark.parametrize("name", BIDDERS)
def test_a_board_is_bid_up_to(name):
    assert bid_of(ONE_TRICK, {"least_bid": 4}, (1, 3), name) == 3
    assert bid_of(ONE_TRICK, {"least_bid": 4}, (0, 3), name) == 4
    assert bid_of(NIL, {"least_bid": 4}, (1, 3), name) == 3
    assert bid_of(NIL, {"least_bid": 4}, (4, 3), name) == bid_of(NIL, {}, (4, 3), name)


@pytest.mark.parametrize("name", BIDDERS)
def test_a_forbidden_total_moves_the_bid_by_one(name):
    wanted = bid_of(SEVEN_TRICKS, {}, (2, 2, 2), name)
    assert wanted > 4
    assert abs(bid_of(SEVEN_TRICKS, {"total_not": 6 + wanted}, (2, 2, 2), name) - wanted) == 1
    if name != "rule":  # which weighs both sides
        assert bid_of(SEVEN_TRICKS, {"total_not": 6 + wanted}, (2, 2, 2), name) == wanted - 1


@pytest.mark.parametrize("name", BIDDERS)
def test_no_nil_is_bid_by_accident(name):
    """One makes the total that must not be, and zero would be a nil."""
    weak = "A5 T842 T642 T42"
    assert bid_of(weak, {}, (4, 4, 4), name) == 1
    assert bid_of(weak, {"total_not": 13}, (4, 4, 4), name) == 2


@pytest.mark.parametrize("name", BIDDERS)
def test_in_suicide_one_partner_bids_nil(name):
    suicide = {"bidding": "suicide"}
    assert bid_of(NIL, suicide, (), name) == 0
    assert bid_of(SEVEN_TRICKS, suicide, (), name) > 3
    assert bid_of(SEVEN_TRICKS, suicide, (4, 3), name) == 0
    assert bid_of(NIL, suicide, (0, 3), name) > 0


@pytest.mark.parametrize("name", BIDDERS)
def test_in_mirror_the_trumps_are_bid(name):
    assert bid_of(FIVE_TRUMPS, {"bidding": "mirror"}, (), name) == 5
    assert bid_of("- A8742 A8642 A42", {"bidding": "mirror"}, (), name) == 0


def test_in_whiz_a_nil_is_bid_where_it_is_likelier_than_the_trumps():
    whiz = {"bidding": "whiz"}
    assert bid_of(NIL, whiz) == 0
    assert bid_of(SEVEN_TRICKS, whiz) == 5
    assert bid_of("AK Q8742 8642 72", whiz) == 2


def test_ten_is_bid_where_it_is_likely():
    """Nine are worth 90, ten are worth 200 if the cards are there for them."""
    tens = {"ten_points": 200}
    assert [bid_of("AKQ2 AK7 A43 432", options, (4, 1)) for options in ({}, tens)] == [5, 6]
    assert [bid_of(SEVEN_TRICKS, options, (2, 1)) for options in ({}, tens)] == [6, 6]
    assert bid_of(ONE_TRICK, tens, (4, 1)) == bid_of(ONE_TRICK, {}, (4, 1))


@pytest.mark.parametrize(
    ("name", "scores", "blind"),
    [
        ("rule", [0, 440], True),
        ("rule", [450, 450], False),
        ("club", [380, 440], True),
        ("club", [200, 300], False),
        ("rb", [0, 440], False),
    ],
)
def test_a_side_far_behind_bids_blind(name, scores, blind):
    table = Table(Rules(**PLAIN, blind_bid=6, blind_bid_deficit=0), seed=1, dealer=1, scores=scores)
    assert (table["turn"], table["phase"]) == (0, BLIND)
    call = choice(name, table)
    assert call in (BID_ZERO + 6, BID_ZERO + 7, BID_ZERO + 8) if blind else call == LOOK


def test_a_nil_that_passes_its_worst_cards_is_safer():
    risky = "65 A742 8642 A42"
    assert [bid_of(risky, {"nil_pass": cards}) for cards in (0, 2)] == [2, 0]


def test_two_nils_are_left_to_others():
    """Hardly ever are both kept, whatever that is worth."""
    assert bid_of(NIL, {"double_nil_points": 500}, (0, 4)) > 0


# Cards


def plays(hand: str, trick: str, options: dict, **facts) -> str:
    """What `rule` plays in North's seat."""
    table = position(hand, trick, rules=Rules(**PLAIN | options), **facts)
    table.s.num_plays += len(facts["gone"].split())
    return card_name(choice("rule", table))


def test_the_thirteenth_trick_is_played_for():
    """The first eleven are won, and a bag would be a sixth of a hundred points."""
    gone = [
        name for name in map(card_name, deck("normal")) if name not in ("AH", "2C", "KH", "3H", "4C", "5C", "6C", "7C")
    ]
    facts = {"bids": (3, 3, 4, 3), "tricks": (5, 0, 6, 0), "gone": " ".join(gone[:44])}
    assert plays("AH 2C", "", {"bag_limit": 6}, **facts) == "2C"
    assert plays("AH 2C", "", {"bag_limit": 6, "slam_points": 200}, **facts) == "AH"


def test_beyond_a_bid_of_ten_nothing_is_gained():
    for points, bag in ((None, True), (200, False)):
        table = position("AH 2C", rules=Rules(**PLAIN, ten_points=points), bids=(5, 1, 5, 1), tricks=(5, 0, 6, 0))
        assert (side_prices(table.s, table.r, 0, USUAL).bag > 0) == bag
        assert (side_prices(table.s, table.r, 1, USUAL).their_bag > 0) == bag


def test_a_hand_that_bids_itself_is_played_for_every_trick():
    """The last to play takes a trick that it would leave if it had made its bid."""
    facts = {"bids": (3, 3, 3, 3), "tricks": (4, 1, 4, 1), "gone": "AC KC QC JC TC 9C 8C 7C AD KD QD JD TD 9D 8D 7D"}
    assert plays("AH 3H 2C", "4H 5H 6H", {"bag_limit": 3}, **facts) == "3H"
    facts["bids"] = (-1, -1, -1, -1)
    assert plays("AH 3H 2C", "4H 5H 6H", {"bag_limit": 3, "first_hand": "bids_itself"}, **facts) == "AH"


def test_the_breaking_of_one_of_two_nils_costs_what_both_would_earn():
    table = position("5H 2C", rules=Rules(**PLAIN, double_nil_points=500), bids=(0, 4, 0, 4))
    assert nil_swing(table.s, table.r, 0) == 200 + 300
    table.s.tricks[2] = 1
    assert nil_swing(table.s, table.r, 0) == 200


# What all bots keep to


@pytest.mark.parametrize("name", STYLES)
def test_nothing_is_ever_illegal(name):
    """Under all rules, at all moments."""
    bot = agents.load(name, seed=1)
    for game in moments(f"{name} house rules", scaled(400)):
        assert bot.act(game.view(game.turn)) in game.legal_actions()


def test_candidates_are_legal():
    for game in moments("candidates", scaled(400), wanted=lambda game: game.phase in ("blind", "bid")):
        found = candidates(game.view(game.turn))
        assert 1 <= len(found) <= MOST_CANDIDATES
        assert set(found) <= set(game.legal_actions())
