"""Reasons for cards in positions made by hand: each tells the advised card from the other."""

import pytest
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
    position,
    said,
)

from spades_env import Game
from spades_env.game.cards import card_name, cards, deck, parse_action
from spades_env.play.coach.known import Sight

# Positions made by hand: South is to move

NILS = [
    (LOW, MINE, "7H JH 5H", "8H", "2H", NO_BLIND, "Get rid of it while it can't win: you bid nil, and 2 lower cards "
     "of its suit are still out. They're the four of hearts and the six of hearts."),
    (LOW, MINE, "4H 7H", "3H", "8H", NO_BLIND, "Stay under the seven of hearts: you bid nil."),
    (NO_CLUBS, MINE, "7C", "2D", "2S", NO_BLIND, "Don't ruff: you bid nil."),
    (NO_LOW, MINE, "4H", "8H", "KH", NO_BLIND, "You bid nil and can't stay under, but 5 higher cards in hearts are "
     "still out."),
    (LOW, MINE, "", "2H", "QC", NO_BLIND, "You bid nil, and 10 higher cards in hearts are still out."),
    (HAND, PARTNERS, "2H 9H 7H", "KH", "8H", NO_BLIND, "Save the nil: take the trick from Zofia."),
    (HAND, PARTNERS, "4H", "KH", "8H", NO_BLIND, "Cover the nil: Zofia still has to play."),
    (HAND, PARTNERS, "", "AD", "2D", NO_BLIND, "Cover Zofia's nil: no diamond still out is higher."),
    (HAND, PARTNERS, "", "KH", "3H", NO_BLIND, "Cover Zofia's nil: only 1 higher card in hearts is still out. It's the "
     "ace of hearts."),
    (HAND, PARTNERS, "8H 5D 2H TD", "KH", "3H", NO_BLIND, "Cover Zofia's nil: only 1 higher card in hearts is still "
     "out. It's the ace of hearts, and only Zofia can hold it."),
    ("9S 4S 2S 8H 6H 3H 2H 9D 7D 2D QC 6C 5C", MINE, "2H 5D 4H TD TH JD", "8H", "6H", NO_BLIND, "Get rid of it while "
     "it can't win: you bid nil, and 2 lower cards of its suit are still out. They're the five of hearts and the "
     "seven of hearts, and only Zofia can hold them."),
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
     "must win 12. A set turns their +120 into −120. Another trick would be a bag."),
    (HAND, "0 6 0 7", "", "AD", "2D", NO_NIL, "No diamond still out is higher, and Mei & Dara must win all 13 tricks "
     "that are left. A set turns their +130 into −130. Another trick would be a bag."),
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
        ("0 6 0 7", NO_NIL, {}, "KH",
         "Take it: Mei & Dara must win all 13 tricks that are left. A set turns their +130 into −130. Another trick "
         "would be a bag."),
        ("0 6 0 7", NO_NIL, {"bags": [9, 0]}, "KH",
         "Take it: Mei & Dara must win all 13 tricks that are left. A set turns their +130 into −130. The next bag is "
         "number 10 and costs 100 points."),
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
