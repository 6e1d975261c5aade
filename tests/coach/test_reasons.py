"""Reasons in words: each is true of its position, tells the advised action from the other, and is given somewhere."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from support.game.tables import random_game
from support.play.claims import CLAIMS, NAMES, true_of
from support.play.handmade import (
    ANY_LEAD,
    HAND,
    LOW,
    MADE,
    MINE,
    NO_BLIND,
    NO_CLUBS,
    NO_NIL,
    ONE_HEART,
    OURS,
    OUT_OF_HEARTS,
    PARTNERS,
    SPADES_LONG,
    THEIRS,
    WEST_OUT,
    bidding,
    position,
)

from spades_env import Game
from spades_env._jit import JIT_ON
from spades_env.agents.club import bid as club
from spades_env.agents.measures import CHANCE, CHOICE
from spades_env.game.cards import BID_ZERO, SPADES, card, card_name, cards, deck, parse_action
from spades_env.game.view import View
from spades_env.play.coach.case import Case
from spades_env.play.coach.count import count_hand
from spades_env.play.coach.known import Sight
from spades_env.play.coach.why import REASONS, explain
from spades_env.play.texts import Text, catalogue, in_language

GAMES = 60 if JIT_ON else 5


def cases(view: View, rng: random.Random, most: int = 6) -> list[Case]:
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
    rng, given = random.Random(27), dict.fromkeys(CLAIMS, 0)
    for _ in range(GAMES):
        fixed = rng.choice(({"blind_nil_deficit": 0, "bidding": "free"}, {"blind_nil_deficit": None}))
        game = random_game(rng, nil=True, **fixed)
        for _ in range(120):
            if game.over:
                break
            view = game.view(game.turn)
            if view.phase in ("play", "pass"):
                for case, words in given_in(view, rng):
                    given[words.key.removesuffix(".one")] += 1
                    assert true_of(view, words, case.advised, case.instead), (words, view, case)
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
            given.add(words.key.removesuffix(".one"))
            assert bid_is_true(view, words.key, words.params, case.advised, case.instead), (words, view)
    if JIT_ON:
        assert given >= {key for key in catalogue() if key.startswith(("why.bid", "why.nil_low", "why.no_nil"))} - {
            "why.nil_lead.one",
            "why.nil_drop.one",
        }


def bid_is_true(view: View, key: str, p: dict, advised: int, instead: int) -> bool:
    """Check the claim of a reason for a bid with `club`'s own count and plain facts."""
    total = int(club.count(view.compiled_rules[0], np.uint64(int(view.state[0].hands[view.seat]))))
    counted, bid = min(13, (total + 60) // 100), advised - BID_ZERO
    others = sum(view.bids[seat] or 0 for seat in range(4) if seat != view.seat)
    told = [bid is not None or view.blind_contracts[view.rules.side(seat)] for seat, bid in enumerate(view.bids)]
    all_bid = told.count(False) == 1
    forced, legal = view.rules.bidding in ("mirror", "whiz"), view.legal_actions()
    ten = view.rules.ten_points

    def worth(tricks: int) -> int:
        return 10 * tricks if tricks < 10 or ten is None else ten

    spades = Sight(view).held(SPADES)
    highest = Sight(view).height(spades[-1]) if spades else -1
    lows = [min(one % 13 for one in view.hand if Sight(view).suit(one) == suit) for suit in range(3)
            if any(Sight(view).suit(one) == suit for one in view.hand)]  # fmt: skip
    trumps = len([one for one in deck(view.rules.trumps) if Sight(view).suit(one) == SPADES])
    partner = (view.seat + 2) % 4
    return {
        "why.bid": lambda: p["bid"] == bid == counted and p["parts"] == count_hand(view.rules, view.hand).words,
        "why.bid_board": lambda: (
            p["board"] == view.rules.least_bid and counted < bid and not any(BID_ZERO < one < advised for one in legal)
        ),
        "why.bid_less": lambda: not forced and all_bid and p["others"] == others and p["counted"] == counted > bid,
        "why.bid_more": lambda: all_bid and p["others"] == others and p["counted"] == counted < bid,
        "why.bid_enough": lambda: (
            p["points"] == view.scores[view.rules.side(view.seat)] + worth(bid + (view.bids[partner] or 0))
            and p["points"] >= view.rules.target == p["target"]
        ),
        "why.bid_off": lambda: p["bid"] == bid and p["tricks"] == f"{total / 100:.1f}",
        "why.nil_low": lambda: bid == 0 and highest <= 7 and max(lows, default=0) <= 3,
        "why.nil_no_spade": lambda: bid == 0 and not spades and max(lows, default=0) <= 3,
        "why.nil_count": lambda: bid == 0 and p["tricks"] == f"{total / 100:.1f}" and total < 200,
        "why.no_nil_high": lambda: instead == BID_ZERO and highest >= trumps - 3,
        "why.no_nil_long": lambda: instead == BID_ZERO and p["count"] == len(spades) >= 4,
    }[key.removesuffix(".one").removesuffix(".other")]()


# Positions made by hand: South is to move


@pytest.mark.parametrize(
    ("key", "hand", "bids", "played", "best", "instead", "rules", "words"),
    [
        ("nil_drop", LOW, MINE, "7H JH 5H", "8H", "2H", NO_BLIND, "Get rid of the eight of hearts while it can't win: "
         "you bid nil, and 2 lower cards of its suit are still out."),
        ("nil_under", LOW, MINE, "4H 7H", "3H", "8H", NO_BLIND, "Stay under the seven of hearts: you bid nil."),
        ("nil_no_ruff", NO_CLUBS, MINE, "7C", "2D", "2S", NO_BLIND, "Don't ruff: you bid nil."),
        ("wait", HAND, OURS, "8D", "2D", "AD", NO_BLIND, "Play low: Zofia still has to play, and your ace of diamonds "
         "stays the highest diamond."),
        ("lead_set", HAND, "0 6 0 6", "", "AD", "2D", NO_NIL, "Lead the ace of diamonds: it's the highest diamond "
         "left, and of the last 13 tricks, Mei & Dara must win 12."),
        ("nil_lead", LOW, MINE, "", "2H", "QC", NO_BLIND, "Lead low: you bid nil, and 10 higher cards in hearts are "
         "still out."),
        ("nil_save", HAND, PARTNERS, "2H 9H 7H", "KH", "8H", NO_BLIND, "Save the nil: take the trick from Zofia."),
        ("cover_play", HAND, PARTNERS, "4H", "KH", "8H", NO_BLIND, "Cover the nil: play high, Zofia still has to "
         "play."),
        ("cover_top", HAND, PARTNERS, "", "AD", "2D", NO_BLIND, "Lead high: Zofia bid nil, and your ace of diamonds is "
         "the highest diamond left."),
        ("cover_lead", HAND, PARTNERS, "", "KH", "3H", NO_BLIND, "Lead high: Zofia bid nil, and only 1 higher card in "
         "hearts is still out."),
        ("cover_void", HAND, PARTNERS, OUT_OF_HEARTS, "8H", "7D", NO_BLIND, "Lead hearts: Zofia bid nil, has none left "
         "and can throw a card away."),
        ("set_under", HAND, THEIRS, "9H 7H 2H", "8H", "KH", NO_BLIND, "Stay under: Mei bid nil and is winning this "
         "trick."),
        ("set_low", HAND, THEIRS, "7H", "3H", "KH", NO_BLIND, "Play your lowest heart: Mei bid nil and still has to "
         "play."),
        ("set_keep", HAND, THEIRS, "", "2D", "KH", NO_BLIND, "Lead low: Mei bid nil, and you keep the ace of "
         "diamonds."),
        ("set_lead", HAND, THEIRS, "", "3H", "QC", NO_BLIND, "Lead low: Mei bid nil, and 9 higher cards in hearts are "
         "still out."),
        ("take_all", HAND, "6 0 7 0", "2H 5H JH", "KH", "3H", NO_NIL, "Take it: you need every trick that's left."),
        ("set", HAND, "1 6 0 6", "2H 5H JH", "KH", "3H", NO_NIL, "Take it: of the last 13 tricks, Mei & Dara must win "
         "12."),
        ("every_trick", HAND, "", "2H 5H JH", "KH", "3H", f"{NO_BLIND} first_hand=bids_itself", "Take it: nobody has "
         "bid, and every trick scores."),
        ("lead_every", HAND, "", "", "AD", "2D", f"{NO_BLIND} first_hand=bids_itself", "Lead the ace of diamonds: it's "
         "the highest diamond left, and every trick scores."),
        ("take_last", HAND, OURS, "2H 5H JH", "KH", "3H", NO_BLIND, "Take it: you play last and still need 6 tricks."),
        ("take_cheap", HAND, OURS, "2H 5H 7H", "8H", "KH", NO_BLIND, "The eight of hearts is enough: you play last, "
         "and it wins the trick."),
        ("take_top", HAND, OURS, "8D", "AD", "2D", NO_BLIND, "Take it: you still need 6 tricks, and the ace of "
         "diamonds is the highest diamond left."),
        ("ruff", NO_CLUBS, OURS, "7C", "2S", "8H", NO_BLIND, "Ruff: you're out of clubs and still need 6 tricks."),
        ("play_high", HAND, OURS, "7H", "KH", "8H", NO_BLIND, "Play high: only 1 card still out in its suit is higher "
         "than the king of hearts."),
        ("partner_has", HAND, OURS, "2H QH 7H", "3H", "KH", NO_BLIND, "Zofia has this trick: keep the king of hearts."),
        ("partner_wins", HAND, OURS, "QH 7H", "3H", "KH", NO_BLIND, "Zofia is winning with the queen of hearts: keep "
         "the king of hearts."),
        ("duck", HAND, MADE, "2H 5H 7H", "3H", "KH", NO_NIL, "Duck: your bid is made, and another trick would be a "
         "bag."),
        ("bag_drop", HAND, MADE, "AH 5H 7H", "KH", "3H", NO_NIL, "Get rid of the king of hearts while it can't win: "
         "your bid is made, and 7 lower cards of its suit are still out."),
        ("bag_lead", HAND, MADE, "", "3H", "KH", NO_NIL, "Lead low: your bid is made, and 9 higher cards in hearts are "
         "still out."),
        ("cannot_win", HAND, OURS, "AH 5H 7H", "3H", "8H", NO_BLIND, "You can't win this trick: play your lowest "
         "heart."),
        ("waste", NO_CLUBS, OURS, "7C 8C 3S", "2D", "AD", NO_BLIND, "Keep the ace of diamonds: it's the highest "
         "diamond left, and here the three of spades beats it."),
        ("guard", NO_CLUBS, OURS, "7C", "2D", "8H", NO_BLIND, "Keep the eight of hearts: without it, your king of "
         "hearts stands alone."),
        ("throw_last", ONE_HEART, OURS, "7C", "8H", "2D", NO_BLIND, "Throw your last heart: after that, you can ruff."),
        ("lead_top", HAND, OURS, "", "AD", "2D", NO_BLIND, "Lead the ace of diamonds: it's the highest diamond left, "
         "and you still need 6 tricks."),
        ("partner_ruffs", HAND, OURS, OUT_OF_HEARTS, "8H", "7D", NO_BLIND, "Lead hearts: Zofia has none left and may "
         "ruff."),
        ("foe_ruffs", HAND, OURS, WEST_OUT, "7D", "8H", NO_BLIND, "Not hearts: Mei has none left and may ruff."),
        ("draw", SPADES_LONG, OURS, "", "3S", "3H", ANY_LEAD, "Lead spades: you hold 8, and only 5 are out."),
        ("lead_single", SPADES_LONG, OURS, "", "3H", "2D", NO_BLIND, "Lead your only heart: after that, you can ruff."),
    ],
)  # fmt: skip
def test_reasons_for_cards(key, hand, bids, played, best, instead, rules, words):
    view = position(hand, bids, played, rules)
    assert (reason := said(view, best, instead)) == words
    assert reason.key.removeprefix("why.") == key


def test_the_bag_that_costs_points():
    view = position(HAND, MADE, "2H 5H 7H", NO_NIL, bags=[9, 0])
    assert said(view, "3H", "KH") == "Duck: your bid is made, and the next bag is number 10 and costs 100 points."


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
ALL_LOW = "5H 4H 3H 2H 6D 5D 4D 3D 2D 5C 4C 3C 2C"


@pytest.mark.parametrize(
    ("hand", "before", "best", "instead", "start", "words"),
    [
        (BIG, (), 6, 5, {}, "6: ace of spades, 2 long spades, king-queen of hearts, ace of diamonds and ruffs in "
         "clubs."),
        (BIG, (4, 2, 3), 5, 6, {}, "5: you count 6, but with the others' 9 that makes 15 of 13 tricks."),
        (BIG, (1, 1, 1), 7, 6, {}, "7: you count 6, but the others bid only 3."),
        (BIG, (4, 2, 3), 5, 6, {"scores": [430, 200]}, "5 is enough: with it, your side reaches 500 of 500 points."),
        (BIG, (4, 4), 5, 6, {}, "Zofia bids 5; counted suit by suit, the hand is worth 5.4 tricks."),
        (BIG, (), 6, 0, {}, "No nil: the ace of spades is one of the three highest spades."),
        (BIG.replace("AS", "JS"), (), 5, 0, {}, "No nil: 5 spades are hard to lose."),
        (SMALL, (), 0, 1, {}, "Nil: your highest spade is the seven of spades, and you have a low card in every other "
         "suit you hold."),
        (ALL_LOW, (), 0, 1, {}, "Nil: you have no spade, and a low card in every suit you hold."),
        (SMALL.replace("7S", "TS"), (), 0, 1, {}, "Nil: counted suit by suit, the hand is worth only 0.0 tricks."),
    ],
)  # fmt: skip
def test_reasons_for_bids(hand, before, best, instead, start, words):
    view = bidding(hand, *before, **start)
    weighed = [(BID_ZERO + best, 0.6), (BID_ZERO + instead, 0.3)]
    assert explain(view, weighed, CHOICE, ["You", "Mei", "Zofia", "Dara"], "Zofia") == words


@pytest.mark.parametrize(
    ("hand", "before", "best", "instead", "rules", "words"),
    [
        (SMALL, (1, 1), 3, 4, "least_bid=4", "3: your side must bid at least 4, and that's the least you can bid."),
        (SMALL, (), 1, 2, "least_bid=4", "Zofia bids 1; counted suit by suit, the hand is worth 0.0 tricks."),
        (SMALL, (4, 1), 1, 2, "least_bid=4", "Zofia bids 1; counted suit by suit, the hand is worth 0.0 tricks."),
        (BIG, (1, 1), 6, 5, "least_bid=4", "6: ace of spades, 2 long spades, king-queen of hearts, ace of diamonds and "
         "ruffs in clubs."),
        (SMALL, (4, 0, 0), 4, 5, "bidding=suicide least_bid=4", "4: your side must bid at least 4, and that's the "
         "least you can bid."),
        (BIG, (), 5, 0, "bidding=whiz", "No nil: the ace of spades is one of the three highest spades."),
        (SMALL, (), 3, 0, "bidding=whiz", "Zofia bids 3; counted suit by suit, the hand is worth 0.0 tricks."),
        (BIG, (4, 8, 3), 5, 6, "ten_points=200", "5: you count 6, but with the others' 15 that makes 21 of 13 tricks."),
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
    view = position(HAND, OURS)
    names, five, three = NAMES, card("QC"), card("7D")
    assert explain(view, [(five, 0.54), (three, 0.5)], CHANCE, names, "Zofia") == (
        "Zofia's search prefers it by 4.0 percentage points of winning chance."
    )
    assert explain(view, [(five, 0.504), (three, 0.5)], CHANCE, names, "Zofia") == (
        "It hardly matters: all choices are within 0.4 percentage points."
    )
    assert explain(view, [(five, 0.504), (three, 0.5)], CHANCE, names, "Zofia", three) == (
        "Zofia's search prefers it by a hair."
    )
    assert explain(view, [(five, 0.9), (three, 0.1)], CHOICE, names, "Zofia") == "Zofia would choose this."
    assert explain(view, [], CHANCE, names, "Zofia") is None


def test_a_reason_that_the_figures_contradict_is_not_given():
    """The three stays under, but the eight does, too, and is worth much less than the king."""
    view = position(HAND, THEIRS, "9H 7H 2H")
    weighed = [(card("3H"), 0.6), (card("KH"), 0.58), (card("8H"), 0.2)]
    words = explain(view, weighed, CHANCE, NAMES, "Zofia", card("KH"))
    assert words is not None
    assert words.key != "why.set_under"


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
    assert in_language(words, "de") == "Spiel niedrig aus: Mei hat Nil angesagt, und du behältst Karo-Ass."
    forms = {key.removesuffix(".one").removesuffix(".other") for key in catalogue() if key.startswith("why.")}
    others = {"why.same", "why.close", "why.search", "why.slightly", "why.choice"}
    bids = {key for key in forms if key.startswith(("why.bid_", "why.nil_", "why.no_nil"))} | {"why.bid"}
    assert forms - others - bids <= set(CLAIMS)
    assert set(CLAIMS) <= forms
