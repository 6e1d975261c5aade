"""Grades: what a decision has lost, the suit and the card apart, and how sure that must be."""

from types import SimpleNamespace

import pytest
from support.game.tables import moments
from support.play.handmade import HAND, MINE, NO_BLIND, NO_CLUBS, OURS, bidding, position
from support.strategies import scaled

from spades_env import Game
from spades_env._jit import JIT_ON
from spades_env.agents import AgentError
from spades_env.agents.search.compare import candidates
from spades_env.errors import SpadesError
from spades_env.game.cards import BID_ZERO, card, cards, parse_action
from spades_env.play.coach.grade import BEST, BLUNDER, GOOD, INACCURACY, MISTAKE, WORLDS, Judge, Loss

enough = pytest.mark.skipif(not JIT_ON, reason="too few worlds without the compiler")


@pytest.fixture(scope="module")
def judge():
    return Judge("rule", WORLDS if JIT_ON else 2)


@pytest.mark.parametrize(
    ("lost", "error", "grade"),
    [
        (0.0, 0.0, BEST),
        (0.004, 0.0, GOOD),
        (0.02, 0.01, GOOD),
        (0.02, 0.005, INACCURACY),
        (0.06, 0.01, MISTAKE),
        (0.07, 0.005, BLUNDER),
        (0.3, 0.13, MISTAKE),
    ],
)
def test_a_grade_counts_only_what_was_lost_for_certain(lost, error, grade):
    assert Loss(lost, error).grade == grade


@enough
def test_breaking_a_nil_is_a_blunder(judge):
    view = position("9S 4S 2S 8H 3H 2H 9D 7D 2D QC 6C 5C 3C", MINE, "4H 7H")
    found = judge.verdict(view, card("8H"))
    assert (found.grade, found.suit) == (BLUNDER, None)
    assert found.card == found.whole
    assert found.better in (card("3H"), card("2H"))
    assert judge.verdict(view, found.better).grade == BEST
    assert judge.verdict(view, card("8H")) == found


def test_what_a_suit_and_a_card_lose_adds_up(judge):
    view = position(NO_CLUBS, OURS, "7C")
    for played in view.legal_actions():
        found = judge.verdict(view, played)
        assert found.suit is not None
        parts = [part.lost for part in (found.suit, found.card) if part]
        assert sum(parts) == pytest.approx(found.whole.lost, abs=1e-9)
        assert found.weighed[0][0] == found.better
        assert dict(found.weighed)[found.better] - dict(found.weighed)[played] == pytest.approx(found.whole.lost)


def test_no_part_gives_back_what_the_other_has_lost(judge):
    for game in moments("parts", scaled(60), after=8, wanted=lambda game: game.phase == "play"):
        view = game.view(game.turn)
        for action in view.legal_actions():
            found = Judge("rule", worlds=4).verdict(view, action)
            parts = [part.lost for part in (found.suit, found.card) if part] if found else []
            assert all(lost >= 0 for lost in parts), (view, action)


def test_what_the_adviser_would_do_is_always_tried():
    view = bidding(HAND)
    assert not {BID_ZERO + 9, BID_ZERO + 10} & set(candidates(view))
    judge = Judge("rule", worlds=4)
    judge._policy = SimpleNamespace(act=lambda view: BID_ZERO + 10)  # pyright: ignore[reportAttributeAccessIssue]
    found = judge.verdict(view, BID_ZERO + 9)
    assert found is not None
    assert {BID_ZERO + 9, BID_ZERO + 10} < set(dict(found.weighed))


def test_an_illegal_action_and_no_worlds_are_refused(judge):
    with pytest.raises(AgentError, match="2C is illegal here"):
        judge.verdict(bidding(HAND), card("2C"))
    with pytest.raises(SpadesError, match="worlds must be a whole number from 1"):
        Judge("rule", worlds=0)


def test_equal_cards_are_no_choice(judge):
    view = position("AS KS QS 9S 4S 2S AH KH QH AD 2D QC 5C", OURS, "2H 5H 7H")
    assert judge.verdict(view, card("KH")) is None


@enough
def test_a_bid_far_from_the_hand_is_a_blunder(judge):
    view = bidding(HAND)
    assert judge.verdict(view, BID_ZERO + 13).grade == BLUNDER
    best = judge.verdict(view, BID_ZERO + 13).better
    assert judge.verdict(view, best).grade == BEST
    assert BID_ZERO < best < BID_ZERO + 7


def test_a_card_that_the_search_would_not_try_is_graded(judge):
    """Trumps that only draw the partner's are no candidates."""
    spades = "AS KS QS JS TS 9S 8S 3H 3D 2D 3C 2C 4C"
    played = "AS 2S 3S 7H KS 2H 4S 8H"  # West and East are out of spades
    view = position(spades, OURS, played, f"{NO_BLIND} spades_lead=any")
    found = judge.verdict(view, card("QS"))
    assert found.action == card("QS")
    assert card("QS") in dict(found.weighed)


def test_the_only_card_that_the_search_would_try_has_no_grade(judge):
    """The other card is a trump that only draws the partner's."""
    deal = (
        "3D 7C TD 6C 6D 2C JH 2S AH KS JS JC 6S", "KD 3C 9D 4C QD AC 5H 7S 2H 5S 9H TC JD",
        "AD 8C 5D KC 8D 9C QH 3S 4S 8S 9S TS QS", "2D 5C 4D QC 7D 3H 4H AS 6H 7H KH 8H TH",
    )  # fmt: skip
    played = (
        "AD 2D 3D KD 8C 5C 7C 3C 5D 4D TD 9D 6C 4C KC QC 8D 7D 6D QD AC 9C 3H 2C 5H QH 4H JH "
        "3S AS 2S 7S 6H AH 2H 4S 8S 7H KS 5S JS 9H 9S KH"
    )
    game = Game(NO_BLIND, deal=[cards(hand) for hand in deal], dealer=1, seed=1)
    for action in ("bid:6", "bid:1", "bid:4", "bid:1", *played.split()):
        game.apply(parse_action(action))
    assert judge.verdict(game.view(0), card("JC")) is None
    assert judge.verdict(game.view(0), card("6S")) is not None
