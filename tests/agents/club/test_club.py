"""The card play of `club`, position by position."""

import pytest
from support.agents.bidding import CLASSIC
from support.game.positions import MADE, position

from spades_env import Game, Rules, agents
from spades_env._jit import JIT_ON
from spades_env.agents.arena.match import play
from spades_env.agents.club.play import club_card
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, card, card_name

# Cards: North plays; of three cards on the table East's is the first, of two South's, of one West's


def plays(hand: str, trick="", **facts) -> str:
    table = position(hand, trick, **facts)
    return card_name(table.card_at[club_card(table.s, table.r)])


@pytest.mark.parametrize(
    ("hand", "trick", "played"),
    [
        ("KH TH 2H 3C", "4H", "2H"),  # second hand low
        ("AH TH 2H 3C", "4H", "AH"),  # … but the ace before it is trumped
        ("AH KH 2H 3C", "4H", "KH"),  # … the lowest of cards that are alike
        ("KH TH 2H 3C", "QH", "KH"),  # a card led high is covered
        ("KH TH 2H 3C", "4H 3H", "KH"),  # third hand high
        ("KH QH 2H 3C", "4H 3H", "QH"),
        ("AH JH 2H 3C", "KH 3H", "2H"),  # the partner's king stands: the own ace is all that beats it
        ("KH JH 2H 3C", "QH 3H", "2H"),  # as good as the own king
        ("AH JH 2H 3C", "TH 4H 3H", "JH"),  # last hand: as cheaply as can be
        ("AH JH 2H 3C", "QH 4H 3H", "AH"),
        ("9H 5H 2H 3C", "4H KH 3H", "2H"),
    ],
)
def test_by_the_place_in_the_trick(hand, trick, played):
    assert plays(hand, trick) == played


@pytest.mark.parametrize(
    ("hand", "trick", "played"),
    [
        ("5S 9S 4C KD", "QH", "5S"),  # trumps with the lowest
        ("5S 9S 4C KD", "QH 2H 6S", "9S"),
        ("5S 9S 4C KD", "AH 2H", "4C"),  # the partner led an ace: a useless card
        ("5S 9S 4C KD", "4H KH 5H", "4C"),
        ("5S 9S 4C KD", "4H 5H TH", "5S"),
        ("4C 3D KD 9C", "AH 2H", "4C"),  # the three guards the king
    ],
)
def test_out_of_the_suit(hand, trick, played):
    assert plays(hand, trick) == played


@pytest.mark.parametrize(
    ("hand", "trick", "played"),
    [
        ("AH QH 2H 3C", "KH", "QH"),  # the highest card that loses
        ("AH QH 2H 3C", "4H 5H TH", "2H"),
        ("AH QH 3C", "4H 5H TH", "AH"),  # it wins anyway
        ("AC 9D 4S", "KH", "AC"),  # thrown away is what would win most easily
    ],
)
def test_once_the_bid_is_made_it_takes_no_bags(hand, trick, played):
    assert plays(hand, trick, tricks=MADE) == played


def test_bags_that_cost_nothing_are_points():
    free = Rules(bag_limit=None)
    assert plays("AH QH 2H 3C", "4H 5H TH", tricks=MADE, rules=free) == "QH"
    assert plays("AH QH 2H 3C", "4H 5H TH", tricks=MADE, rules=Rules(bag_limit=None, overtrick_points=-1)) == "2H"


def late(hand: str, trick: str, bids, tricks) -> str:
    """As `plays`, the tricks taken being those that are over."""
    table = position(hand, trick, bids=bids, tricks=tricks)
    table.s.num_plays += 4 * sum(tricks)
    return card_name(table.card_at[club_card(table.s, table.r)])


def test_it_sets_a_side_within_two_tricks():
    """Two tricks are left: West & East need both, or one; or have all they bid."""
    assert late("AH 2H", "4H 5H TH", bids=(2, 3, 3, 4), tricks=(3, 2, 3, 3)) == "AH"
    assert late("AH 2H", "4H 5H TH", bids=(2, 3, 3, 3), tricks=(3, 2, 3, 3)) == "AH"
    assert late("AH 2H", "4H 5H TH", bids=(2, 3, 3, 2), tricks=(3, 2, 3, 3)) == "2H"


def test_it_sets_the_partner_of_a_nil_that_broke():
    assert late("AH 2H", "4H 5H TH", bids=(2, 0, 3, 5), tricks=(4, 1, 3, 3)) == "AH"
    assert late("AH 2H", "4H 5H TH", bids=(2, 0, 3, 3), tricks=(4, 1, 3, 3)) == "2H", "East has all it bid"


def test_it_leads_high_cards_and_short_suits():
    assert plays("AH 2H KC 5C 8D 7D 6D") == "AH"
    assert plays("KH 2H QC 5C 4C 8D", gone="AH") == "KH"
    assert plays("QH 7H 6H KC 5C 4C 3D 9S 2S") == "3D"  # to trump the next one
    assert plays("AS KS QS 9S 8S 7C 6C 5D") in ("AS", "KS", "QS")  # long in trumps


def test_it_ducks_its_own_nil():
    own = (4, 3, 0, 3)
    assert plays("AH QH 2H", "KH", bids=own) == "QH"
    assert plays("KS 4S AC 2C", "TH", bids=own) == "AC"
    assert plays("KH 2C 3D", bids=own) == "2C"


def test_it_covers_its_partners_nil():
    nil = (0, 3, 4, 3)
    assert plays("AC KH 2H 3C", bids=nil) == "AC"
    assert plays("KH 3H 2H", "4H 2C", bids=nil) == "KH"  # South led a four and is winning
    assert plays("KH TH 2H", "5H", bids=nil) == "KH"  # before South plays
    assert plays("KH TH 2H", "AH", bids=nil) == "2H"
    assert plays("KS 4S 2C", "4H 9H 5H", bids=nil) == "4S"  # only a spade takes it off


def test_it_leaves_tricks_to_anothers_nil():
    east, west = (4, 3, 3, 0), (4, 0, 3, 3)
    assert plays("AH QH 3H", "9H 4H 5H", bids=east) == "3H"
    assert plays("AH QH 3H 2H", "4H 9H", bids=west) == "3H"  # the highest that does not win
    assert plays("AH QH 3H", "5H", bids=east) == "3H"  # East plays next
    assert plays("AH QH 3H", "JH", bids=east) == "AH"  # … and is safe under the jack
    assert plays("AC KC 2C QD 8D 4H 9S", bids=east) == "2C"
    assert plays("AC 4S 9D", "9H 4H 5H", bids=east) == "9D"


def test_the_bid_that_wins_the_game_goes_before_a_nil():
    table = position("AD 2D", "9D 3D 7D", bids=(4, 3, 3, 0), tricks=(3, 5, 3, 0))
    table.s.num_plays += 44
    assert card_name(table.card_at[club_card(table.s, table.r)]) == "2D"
    table.s.scores[0] = 450
    assert card_name(table.card_at[club_card(table.s, table.r)]) == "AD"


def test_a_blind_nil_gives_what_would_win():
    game = Game(Rules(blind_nil_deficit=0, blind_nil_pass=1), seed=5, dealer=1)
    for action in (BLIND_NIL, LOOK, BID_ZERO + 4, LOOK, BID_ZERO + 4, LOOK, BID_ZERO + 4):
        game.apply(action)
    south, north = game.hands[0], game.hands[2]
    for _ in range(2):
        game.apply(agents.load("club").act(game.view(game.turn)))
    assert game.view(2).received == [max(south)]  # a spade: they have the highest ids
    sides = [c for c in north if c < card("2S")]
    assert game.view(0).received == [min(sides, key=lambda c: (c % 13, c))]


# Strength: by `rb` alone


@pytest.mark.skipif(not JIT_ON, reason="hundreds of games")
def test_it_beats_rb_clearly():
    result = play("club", "rb", games=200, rules=CLASSIC, seed=3)
    assert result.win_rate > 0.65
