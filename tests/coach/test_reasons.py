"""Reasons in words: each is true of its position and given somewhere, and none contradicts the figures."""

import random
import re
from collections.abc import Iterator

from support.game.tables import random_game
from support.play.claims.proof import CLAIMS, NAMES, NO_FACT, OF_BIDS, OF_CARDS, STAKES, is_true
from support.play.handmade import HAND, OURS, PARTNERS, THEIRS, position, said

from spades_env._jit import JIT_ON
from spades_env.agents.measures import CHANCE, CHOICE
from spades_env.game.cards import BID_ZERO, card
from spades_env.game.view import View
from spades_env.play.coach.case import Case, suit
from spades_env.play.coach.known import Sight
from spades_env.play.coach.stakes import with_stake
from spades_env.play.coach.why import REASONS, explain
from spades_env.play.table.seats import card_text
from spades_env.play.texts import Text, catalogue, in_language, text

GAMES = 45 if JIT_ON else 5
RARE = "why.bid_count"  # one hand in two hundred
ONE_HOLDER = {"why.card_of", "why.cards_of"}  # rarer still among random cards; tested in test_card_reasons.py


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


def test_nothing_is_said_to_be_worth_no_points():
    rng, said_of = random.Random("nothing"), set[str]()
    for _ in range(GAMES):
        game = random_game(rng, nil_bonus=0, bag_penalty=0, overtrick_points=-1, bag_limit=2)
        while not game.results:
            for case, words in given_in(game.view(game.turn), rng):
                said_of.add(in_language(with_stake(case, words), "en"))
            game.apply(rng.choice(game.legal_actions()))
    assert said_of
    assert not [words for words in said_of if re.search(r"\b0 points|scores 0\b", words)]


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
        assert {key for key, count in given.items() if not count} <= ONE_HOLDER


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


def test_the_checker_notices_a_wrong_fact():
    view, best, other = position(HAND, OURS, "7H"), card("KH"), card("8H")
    facts = {"count": 1, "suit": suit(2), "more": 5, "card": card_text(other)}
    assert is_true(view, text("why.play_high", **facts), best, other)
    for name, value in (("count", 2), ("more", 6), ("suit", suit(1)), ("card", card_text(card("3H")))):
        assert not is_true(view, text("why.play_high", **facts | {name: value}), best, other), name


def test_the_checker_notices_a_wrong_card_or_holder():
    view, best, other = position(HAND, PARTNERS, "8H 5D 2H TD"), card("KH"), card("3H")
    reason = text("why.cover_lead", who="seat 2", suit=suit(2), count=1)
    facts = {"card": card_text(card("AH")), "who": "seat 2"}
    assert is_true(view, text("why.with", reason=reason, stake=text("why.card_of", **facts)), best, other)
    for name, value in (("who", "seat 1"), ("card", card_text(card("QH")))):
        wrong = text("why.card_of", **facts | {name: value})
        assert not is_true(view, text("why.with", reason=reason, stake=wrong), best, other), name
    assert not is_true(view, text("why.with", reason=reason, stake=text("why.card", card=facts["card"])), best, other)


# Where no fact tells


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
