"""Reasons in words: each is true of its position, tells the advised action from the other, and is given somewhere."""

import random
from collections.abc import Iterator

import pytest
from support.game.tables import random_game
from support.play.claims.proof import CLAIMS, NAMES, NO_FACT, OF_BIDS, OF_CARDS, STAKES, is_true
from support.play.handmade import (
    ANY_LEAD,
    HAND,
    LOW,
    MADE,
    MINE,
    NO_BLIND,
    NO_CLUBS,
    NO_LOW,
    NO_NIL,
    ONE_HEART,
    OURS,
    OUT_OF_HEARTS,
    PARTNERS,
    SIX_SPADES,
    SPADES_LONG,
    THEIRS,
    WEST_OUT,
    bidding,
    position,
)

from spades_env import Game
from spades_env._jit import JIT_ON
from spades_env.agents.measures import CHANCE, CHOICE
from spades_env.game.cards import BID_ZERO, card, card_name, cards, deck, parse_action
from spades_env.game.view import View
from spades_env.play.coach.case import Case, suit
from spades_env.play.coach.known import Sight
from spades_env.play.coach.stakes import with_stake
from spades_env.play.coach.why import REASONS, explain
from spades_env.play.table.seats import card_text
from spades_env.play.texts import Text, catalogue, in_language, text

GAMES = 45 if JIT_ON else 5
RARE = "why.bid_count"  # one hand in two hundred


def cases(view: View, rng: random.Random, most: int) -> list[Case]:
    """Some ordered pairs of legal actions."""
    sight, legal = Sight(view), view.legal_actions()
    pairs = [(one, other) for one in legal for other in legal if one != other and not sight.alike(one, other)]
    return [Case(sight, one, other, NAMES, "Zofia") for one, other in rng.sample(pairs, min(most, len(pairs)))]


def given_in(view: View, rng: random.Random, most: int = 6) -> Iterator[tuple[Case, Text]]:
    """Yield every sentence that a reason gives for some pair of actions."""
    for case in cases(view, rng, most):
        for reason in REASONS[view.phase]:
            if words := reason(case):
                yield case, words


def test_every_reason_is_true_in_random_positions():
    """Random games under random rules; nils are bid often, so that their reasons come up."""
    rng, given = random.Random(27), dict.fromkeys([*OF_CARDS, *STAKES], 0)
    for _ in range(GAMES):
        fixed = rng.choice(({"blind_nil_deficit": 0, "bidding": "free"}, {"blind_nil_deficit": None}))
        game = random_game(rng, nil=True, **fixed)
        for _ in range(120):
            if game.over:
                break
            view = game.view(game.turn)
            if view.phase in ("play", "pass"):
                for case, words in given_in(view, rng):
                    given[words.key] += 1
                    words = with_stake(case, words)
                    if words.key == "why.with":
                        given[words.params["stake"].key] += 1
                    assert is_true(view, words, case.advised, case.instead), (words, view, case)
            legal = game.legal_actions()
            low = [action for action in legal if view.phase == "bid" and action <= BID_ZERO + 4]
            game.apply(rng.choice(low or legal))
    if JIT_ON:
        assert [key for key, count in given.items() if not count] == []


def test_every_reason_for_a_bid_is_true_in_random_positions():
    rng, given = random.Random(28), set()
    for _ in range(4 * GAMES):
        near = {"target": 100, "partners": True} if rng.random() < 0.5 else {}
        game = random_game(rng, nil=True, blind_nil_deficit=None, **near)
        for _ in range(rng.randrange(4)):
            if game.phase in ("blind", "bid"):
                legal = game.legal_actions()
                game.apply(rng.choice([action for action in legal if action <= BID_ZERO + 4] or legal))
        if game.phase != "bid":
            continue
        view = game.view(game.turn)
        for case, words in given_in(view, rng, 20):
            given.add(words.key)
            assert is_true(view, words, case.advised, case.instead), (words, view)
    if JIT_ON:
        assert given | {RARE} == OF_BIDS.keys()


# Positions made by hand: South is to move


NILS = [
    (LOW, MINE, "7H JH 5H", "8H", "2H", NO_BLIND, "Get rid of it while it can't win: you bid nil, and 2 lower cards "
     "of its suit are still out."),
    (LOW, MINE, "4H 7H", "3H", "8H", NO_BLIND, "Stay under the seven of hearts: you bid nil."),
    (NO_CLUBS, MINE, "7C", "2D", "2S", NO_BLIND, "Don't ruff: you bid nil."),
    (NO_LOW, MINE, "4H", "8H", "KH", NO_BLIND, "You bid nil and can't stay under, but 5 higher cards in hearts are "
     "still out."),
    (LOW, MINE, "", "2H", "QC", NO_BLIND, "You bid nil, and 10 higher cards in hearts are still out."),
    (HAND, PARTNERS, "2H 9H 7H", "KH", "8H", NO_BLIND, "Save the nil: take the trick from Zofia."),
    (HAND, PARTNERS, "4H", "KH", "8H", NO_BLIND, "Cover the nil: Zofia still has to play."),
    (HAND, PARTNERS, "", "AD", "2D", NO_BLIND, "Cover Zofia's nil: no diamond still out is higher."),
    (HAND, PARTNERS, "", "KH", "3H", NO_BLIND, "Cover Zofia's nil: only 1 higher card in hearts is still out."),
    (HAND, PARTNERS, OUT_OF_HEARTS, "8H", "7D", NO_BLIND, "Zofia bid nil, has no hearts left and can throw a card "
     "away."),
    (HAND, PARTNERS, "JH 2H TH", "3H", "KH", NO_BLIND, "Keep the king of hearts, to cover Zofia's nil in another "
     "trick."),
    (HAND, THEIRS, "9H 7H 2H", "8H", "KH", NO_BLIND, "Stay under: Mei bid nil and is winning this trick."),
    (HAND, THEIRS, "7H", "3H", "KH", NO_BLIND, "Play your lowest heart: Mei bid nil and still has to play."),
    (HAND, THEIRS, "AH 7H 2H", "KH", "3H", NO_BLIND, "Keep the three of hearts to set the nil: Mei bid nil, and 7 "
     "cards above it are still out."),
    (HAND, THEIRS, "", "2D", "KH", NO_BLIND, "Mei bid nil: start low, and keep the ace of diamonds."),
    (HAND, THEIRS, "", "3H", "QC", NO_BLIND, "Mei bid nil, and 9 higher cards in hearts are still out."),
    (HAND, THEIRS, WEST_OUT, "7D", "8H", NO_BLIND, "Not hearts: Mei bid nil, has none left and can throw a card "
     "away."),
]  # fmt: skip
TRICKS = [
    (HAND, "6 0 7 0", "2H 5H JH", "KH", "3H", NO_NIL, "Take it: you need every trick that's left."),
    (HAND, "1 6 0 6", "2H 5H JH", "KH", "3H", NO_NIL, "Take it: of the 13 tricks left, Mei & Dara must win 12."),
    (HAND, "1 6 0 7", "2H 5H JH", "KH", "3H", NO_NIL, "Take it: Mei & Dara must win all 13 tricks that are left."),
    (HAND, "", "2H 5H JH", "KH", "3H", f"{NO_BLIND} first_hand=bids_itself", "Take it: nobody has bid, and every "
     "trick scores."),
    (HAND, OURS, "2H 5H JH", "KH", "3H", NO_BLIND, "Take it: you play last and still need 6 tricks."),
    (HAND, OURS, "2H 5H 7H", "8H", "KH", NO_BLIND, "The eight of hearts is enough: you play last, and it wins the "
     "trick."),
    (HAND, OURS, "7H", "8H", "KH", NO_BLIND, "Second hand low: Zofia still has to play, and 1 card above the king of "
     "hearts is still out."),
    (HAND, OURS, "8D", "AD", "2D", NO_BLIND, "Take it: you still need 6 tricks, and no diamond still out is higher."),
    (HAND, OURS, "JH TH", "KH", "3H", NO_BLIND, "It's harder to beat: 1 higher card in hearts is still out, and 7 "
     "above the three of hearts."),
    (HAND, MADE, "2H 5H JH", "KH", "3H", f"{NO_NIL} bag_limit=off", "Take it: every trick above your bid scores, "
     "too."),
    (NO_CLUBS, OURS, "7C", "2S", "8H", NO_BLIND, "Ruff: you're out of clubs and still need 6 tricks."),
    (HAND, OURS, "7H", "KH", "8H", NO_BLIND, "It's harder to beat: 1 higher card in hearts is still out, and 5 above "
     "the eight of hearts."),
    (HAND, OURS, "2H QH 7H", "3H", "KH", NO_BLIND, "Zofia has this trick: keep the king of hearts."),
    (HAND, OURS, "QH 7H", "3H", "KH", NO_BLIND, "Zofia is winning with the queen of hearts: keep the king of hearts."),
    (HAND, MADE, "2H 5H 7H", "3H", "KH", NO_NIL, "Duck: your bid is made. Another trick would be a bag."),
    (HAND, MADE, "2H 5H 7H", "3H", "KH", f"{NO_NIL} overtrick_points=-1", "Duck: your bid is made. Another trick "
     "would cost a point."),
    (HAND, MADE, "7H", "8H", "KH", NO_NIL, "Your bid is made, and 5 higher cards in hearts can still take this "
     "trick. Another trick would be a bag."),
    (HAND, MADE, "2H 5H 7H", "KH", "8H", NO_NIL, "The trick is yours with the eight of hearts, too, and your bid is "
     "made: get rid of the higher one. Another trick would be a bag."),
    (HAND, MADE, "AH 5H 7H", "KH", "3H", NO_NIL, "Get rid of it while it can't win: your bid is made, and 7 lower "
     "cards of its suit are still out. Another trick would be a bag."),
    (HAND, OURS, "8D", "2D", "AD", NO_BLIND, "Keep the ace of diamonds: Zofia still has to play, and no diamond "
     "still out is higher."),
    (HAND, OURS, "9H", "3H", "KH", NO_BLIND, "Second hand low: Zofia still has to play, and 1 card above the king of "
     "hearts is still out."),
    (HAND, "7 0 7 0", "2H 5H JH", "3H", "KH", NO_NIL, "Your bid is out of reach: you need 14 tricks, and only 13 are "
     "left."),
    (HAND, OURS, "AH 5H 7H", "3H", "8H", NO_BLIND, "You can't win this trick: play your lowest heart."),
    (HAND, OURS, "AH 5H 7H", "8H", "KH", NO_BLIND, "Keep the king of hearts: no heart still out is higher, and here "
     "the ace of hearts beats it."),
]  # fmt: skip
KEEPING = [
    (NO_CLUBS, OURS, "7C 8C 3S", "2D", "AD", NO_BLIND, "Keep the ace of diamonds: no diamond still out is higher, "
     "and here the three of spades beats it."),
    (NO_CLUBS, OURS, "7C", "2D", "8H", NO_BLIND, "Keep the eight of hearts: without it, your king of hearts stands "
     "alone."),
    (NO_CLUBS, OURS, "7C 8C 3S", "2D", "KH", NO_BLIND, "Keep the king of hearts: only 1 higher card in hearts is "
     "still out."),
    (NO_CLUBS, OURS, "7C 8C 3S", "3D", "2S", NO_BLIND, "Keep the two of spades: the three of spades beats it."),
    (NO_CLUBS, OURS, "7C", "3D", "2S", NO_BLIND, "Keep the two of spades: Zofia still has to play and may win the "
     "trick."),
    (NO_CLUBS, OURS, "7C", "3D", "AS", NO_BLIND, "Keep the ace of spades: no spade still out is higher."),
    (ONE_HEART, OURS, "7C", "8H", "2D", NO_BLIND, "It's your last heart: after that, you can ruff."),
]  # fmt: skip
LEADS = [
    (HAND, OURS, "", "AD", "2D", NO_BLIND, "No diamond still out is higher, and you still need 6 tricks."),
    (HAND, "", "", "AD", "2D", f"{NO_BLIND} first_hand=bids_itself", "No diamond still out is higher, and every "
     "trick scores."),
    (HAND, "0 6 0 6", "", "AD", "2D", NO_NIL, "No diamond still out is higher, and of the 13 tricks left, Mei & Dara "
     "must win 12."),
    (HAND, "0 6 0 7", "", "AD", "2D", NO_NIL, "No diamond still out is higher, and Mei & Dara must win all 13 tricks "
     "that are left."),
    (HAND, OURS, OUT_OF_HEARTS, "8H", "7D", NO_BLIND, "Zofia has no hearts left and may ruff."),
    (HAND, OURS, WEST_OUT, "7D", "8H", NO_BLIND, "Not hearts: Mei has none left and may ruff."),
    (SPADES_LONG, OURS, "", "3S", "3H", ANY_LEAD, "Draw spades: you hold 8, and only 5 are out."),
    (SIX_SPADES, OURS, "", "9S", "QC", ANY_LEAD, "Draw spades first: 7 are still out and may ruff your ace of "
     "diamonds."),
    (HAND, OURS, "", "QC", "7D", NO_BLIND, "Only 2 higher cards in clubs are still out."),
    (HAND, OURS, "", "7D", "3H", NO_BLIND, "Leave hearts alone: only 1 card there is higher than your king of "
     "hearts."),
    (HAND, OURS, "", "7D", "2S", ANY_LEAD, "Not spades: 9 still out are higher than your two of spades."),
    (NO_CLUBS, OURS, "", "7D", "2S", ANY_LEAD, "Keep your spades: you have no clubs and can ruff."),
    (SPADES_LONG, OURS, "", "3H", "2D", NO_BLIND, "It's your only card in hearts: after that, you can ruff."),
    (HAND, OURS, "", "QC", "5C", NO_BLIND, "Only 2 higher cards in clubs are still out."),
    (HAND, MADE, "", "3H", "KH", NO_NIL, "Your bid is made, and 9 higher cards in hearts are still out. Another "
     "trick would be a bag."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("hand", "bids", "played", "best", "instead", "rules", "words"), [*NILS, *TRICKS, *KEEPING, *LEADS]
)
def test_reasons_for_cards(hand, bids, played, best, instead, rules, words):
    view = position(hand, bids, played, rules)
    assert said(view, best, instead) == words


@pytest.mark.parametrize(
    ("bids", "rules", "start", "best", "words"),
    [
        (MADE, NO_NIL, {"bags": [9, 0]}, "3H",
         "Duck: your bid is made. The next bag is number 10 and costs 100 points."),
        (MADE, f"{NO_NIL} bag_penalty_to=opponents", {"bags": [9, 0]}, "3H",
         "Duck: your bid is made. The next bag is number 10 and gives the others 100 points."),
        ("1 6 0 7", NO_NIL, {"scores": [0, 370]}, "KH",
         "Take it: Mei & Dara must win all 13 tricks that are left. Their bid would take them to 500 of 500 points."),
        ("3 4 3 3", NO_BLIND, {"scores": [440, 0]}, "KH",
         "Take it: you play last and still need 6 tricks. Your bid takes you to 500 of 500 points."),
    ],
)  # fmt: skip
def test_what_is_at_stake(bids, rules, start, best, words):
    view = position(HAND, bids, "2H 5H 7H", rules, **start)
    assert said(view, best, "3H" if best == "KH" else "KH") == words


@pytest.mark.parametrize(
    ("hand", "played", "best", "instead", "rules", "words"),
    [
        (HAND, "", "9S", "QC", ANY_LEAD, "Draw spades"),  # four of them draw no nine
        (HAND, "", "5C", "2D", NO_BLIND, "It's harder to beat"),  # both lose
        (NO_CLUBS, "7C 8C 3S", "9S", "AD", NO_BLIND, "Keep the ace of diamonds"),  # the ruff takes the trick
    ],
)
def test_what_is_true_and_no_reason_is_not_said(hand, played, best, instead, rules, words):
    assert words not in said(position(hand, OURS, played, rules), best, instead)


def test_the_checker_notices_a_wrong_fact():
    view, best, other = position(HAND, OURS, "7H"), card("KH"), card("8H")
    facts = {"count": 1, "suit": suit(2), "more": 5, "card": card_text(other)}
    assert is_true(view, text("why.play_high", **facts), best, other)
    for name, value in (("count", 2), ("more", 6), ("suit", suit(1)), ("card", card_text(card("3H")))):
        assert not is_true(view, text("why.play_high", **facts | {name: value}), best, other), name


def test_a_card_below_the_own_ace_is_not_called_the_highest():
    view = position("AS 9S 4S 2S AH KH 3H AD 7D 2D QC 6C 5C", OURS)
    assert "highest" not in said(view, "KH", "3H")
    assert said(view, "KH", "3H") == "No heart still out is higher, and you still need 6 tricks."


def test_a_card_is_called_low_only_if_none_held_is_lower():
    assert said(position(LOW, MINE), "9D", "QC") == "You bid nil, and 5 higher cards in diamonds are still out."


@pytest.mark.parametrize(("seat", "key"), [(0, "why.pass_high"), (2, "why.pass_low")])
def test_reasons_for_passes(seat, key):
    deal = [cards(hand) for hand in ("AS KS 3S 2S 8H 7H 6H 5H 4D 3D 2D 3C 2C", *["" * 13] * 3)]
    rest = [one for one in deck("normal") if one not in deal[0]]
    game = Game(
        "classic blind_nil_deficit=0 blind_nil_pass=1 first_lead=left_of_dealer",
        deal=[deal[0], *(rest[number::3] for number in range(3))], dealer=3, seed=1,
    )  # fmt: skip
    for action in ("blind", "look", "bid:3", "look", "bid:4", "look", "bid:3"):
        game.apply(parse_action(action))
    while game.turn != seat:
        game.apply(game.legal_actions()[0])
    view = game.view(seat)
    hand = sorted(view.hand, key=Sight(view).height)
    best, instead = (hand[-1], hand[0]) if seat == 0 else (hand[0], hand[-1])
    reason = said(view, card_name(best), card_name(instead))
    assert reason.key == key


# Bids


BIG = "AS 9S 7S 5S 3S KH QH 4H AD 8D 6D 4D 2D"  # counts 6
SMALL = "7S 5S 2S 8H 4H 2H TD 6D 3D 9C 6C 4C 2C"  # counts 0
TENS = "JS 9S 4S QH TH 7H 3H 2H QD TD 9D QC 5C"  # counts 1, and no card is worth half a trick
ALL_LOW = "5H 4H 3H 2H 6D 5D 4D 3D 2D 5C 4C 3C 2C"


@pytest.mark.parametrize(
    ("hand", "before", "best", "instead", "start", "words"),
    [
        (BIG, (), 6, 5, {}, "That's what you count: ace of spades, 2 long spades, king-queen of hearts, ace of "
         "diamonds and ruffs in clubs."),
        (TENS, (), 1, 2, {}, "Counted suit by suit, the hand is worth 0.6 tricks."),
        (BIG, (4, 2, 3), 5, 6, {}, "You count 6, but with the others' 9 that makes 15 of 13 tricks."),
        (BIG, (1, 1, 1), 7, 6, {}, "You count 6, but the others bid only 3."),
        (BIG, (4, 2, 3), 5, 6, {"scores": [430, 200]}, "That's enough: with it, your side reaches 500 of 500 points."),
        (BIG, (4, 4), 5, 6, {}, "Counted suit by suit, the hand is worth 5.4 tricks (ace of spades, 2 long spades, "
         "king-queen of hearts, ace of diamonds and ruffs in clubs), but Zofia bids less."),
        (BIG, (), 6, 0, {}, "No nil: the ace of spades is one of the three highest spades."),
        (BIG.replace("AS", "JS"), (), 5, 0, {}, "No nil: 5 spades are hard to lose."),
        (SMALL, (), 0, 1, {}, "Your highest spade is the seven of spades, and you have a low card in every other "
         "suit you hold."),
        (ALL_LOW, (), 0, 1, {}, "You have no spade, and a low card in every suit you hold."),
        (SMALL.replace("7S", "TS"), (), 0, 1, {}, "Counted suit by suit, the hand is worth only 0.0 tricks."),
    ],
)  # fmt: skip
def test_reasons_for_bids(hand, before, best, instead, start, words):
    view = bidding(hand, *before, **start)
    weighed = [(BID_ZERO + best, 0.6), (BID_ZERO + instead, 0.3)]
    assert explain(view, weighed, CHOICE, ["You", "Mei", "Zofia", "Dara"], "Zofia") == words


@pytest.mark.parametrize(
    ("hand", "before", "best", "instead", "rules", "words"),
    [
        (SMALL, (1, 1), 3, 4, "least_bid=4", "Your side must bid at least 4, and that's the least you can bid."),
        (SMALL, (), 1, 2, "least_bid=4", "Counted suit by suit, the hand is worth only 0.0 tricks, but Zofia bids "
         "more."),
        (SMALL, (4, 1), 1, 2, "least_bid=4", "Counted suit by suit, the hand is worth only 0.0 tricks, but Zofia bids "
         "more."),
        (BIG, (1, 1), 6, 5, "least_bid=4", "That's what you count: ace of spades, 2 long spades, king-queen of hearts, "
         "ace of diamonds and ruffs in clubs."),
        (SMALL, (4, 0, 0), 4, 5, "bidding=suicide least_bid=4", "Your side must bid at least 4, and that's the "
         "least you can bid."),
        (BIG, (), 5, 0, "bidding=whiz", "No nil: the ace of spades is one of the three highest spades."),
        (SMALL, (), 3, 0, "bidding=whiz", "You hold 3 trumps, and by the rules it's that or nil."),
        (BIG, (4, 8, 3), 5, 6, "ten_points=200", "You count 6, but with the others' 15 that makes 21 of 13 tricks."),
    ],
)  # fmt: skip
def test_reasons_for_bids_by_the_house_rules(hand, before, best, instead, rules, words):
    """None names a bid that is closed."""
    view = bidding(hand, *before, rules=f"{NO_BLIND} {rules}", scores=[430, 200])
    weighed = [(BID_ZERO + best, 0.6), (BID_ZERO + instead, 0.3)]
    assert {action for action, _ in weighed} <= set(view.legal_actions())
    assert explain(view, weighed, CHOICE, ["You", "Mei", "Zofia", "Dara"], "Zofia") == words


def test_one_legal_bid_needs_no_reason():
    view = bidding(BIG, rules=f"{NO_BLIND} bidding=mirror")
    assert explain(view, [(BID_ZERO + 5, 1.0)], CHOICE, NAMES, "Zofia") is None


# Where no fact tells


def said(view: View, best: str, instead: str) -> Text:
    """The reason for one card rather than another, in a game of You, Mei, Zofia and Dara."""
    weighed = [(card(best), 0.6), (card(instead), 0.5)]
    found = explain(view, weighed, CHANCE, ["You", "Mei", "Zofia", "Dara"], "Zofia", card(instead))
    assert found is not None
    return found


def test_without_a_fact_only_the_figures_speak():
    view = position(HAND, OURS, "AH 5H 7H")
    names, five, three = NAMES, card("KH"), card("3H")
    assert explain(view, [(five, 0.54), (three, 0.5)], CHANCE, names, "Zofia") == "Zofia's search prefers it."
    assert explain(view, [(five, 0.504), (three, 0.5)], CHANCE, names, "Zofia") == (
        "It hardly matters: all choices are nearly equal here."
    )
    assert explain(view, [(five, 0.504), (three, 0.5)], CHANCE, names, "Zofia", three) == (
        "Zofia's search prefers it by a hair."
    )
    assert explain(view, [(five, 0.9), (three, 0.1)], CHOICE, names, "Zofia") is None
    assert explain(view, [(five, 0.9), (three, 0.1)], CHOICE, names, "Zofia", three) == "Zofia would choose this."
    assert explain(view, [], CHANCE, names, "Zofia") is None


def test_a_reason_that_the_figures_contradict_is_not_given():
    """The three stays under, but the eight does, too, and is worth much less than the king."""
    view = position(HAND, THEIRS, "9H 7H 2H")
    weighed = [(card("3H"), 0.6), (card("KH"), 0.58), (card("8H"), 0.2)]
    words = explain(view, weighed, CHANCE, NAMES, "Zofia")
    assert words is not None
    assert words.key != "why.set_under"
    assert said(view, "3H", "KH").key == "why.set_under"  # it is why the king itself is worse


def test_equal_cards_need_no_reason():
    view = position("AS KS QS 9S 4S 2S AH KH QH AD 2D QC 5C", OURS, "2H 5H 7H")
    assert (
        explain(view, [(card("AH"), 0.5), (card("KH"), 0.5)], CHANCE, NAMES, "Zofia") == "All choices are equal here."
    )


def test_a_bot_without_figures_gets_a_reason_that_speaks_against_most():
    view = position(HAND, OURS, "2H QH 7H")
    words = explain(view, [(card("3H"), 1.0)], CHOICE, NAMES, "rule")
    assert words is not None
    assert words.key == "why.partner_has"


def test_every_reason_is_in_both_languages():
    words = said(position(HAND, THEIRS), "2D", "KH")
    assert in_language(words, "de") == "Mei hat Nil angesagt: Fang niedrig an und behalte Karo-Ass."
    forms = {key.removesuffix(".one").removesuffix(".other") for key in catalogue() if key.startswith("why.")}
    assert forms == {*CLAIMS, *STAKES, *NO_FACT, "why.with"}
