"""Advice says which measure its figures are in: chances to win the game, or how likely the adviser is to choose."""

import random

import pytest
from support.game.tables import SUITS_DEALT, random_game

from spades_env import Game, agents
from spades_env._jit import JIT_ON
from spades_env.agents.measures import CHANCE, CHOICE, measure
from spades_env.game.cards import BID_ZERO, card, parse_action
from spades_env.play.table.advice import SHORTEST, advice, advise, command, heading, summary
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.seats import Question
from spades_env.play.table.table import Table
from spades_env.play.texts import in_language

FIVE, SIX, KING = (card(name) for name in ("5C", "6C", "KH"))


def shown(kind, *weights):
    weighed = list(enumerate(weights))
    return [(one["bar"], one["words"]) for one in advice(weighed, kind)]


def test_choices_are_bars():
    assert shown(CHOICE, 0.75, 0.25, 0.0) == [(0.75, "75%"), (0.25, "25%"), (0.0, "0%")]
    assert shown(CHOICE, 1.0) == [(1.0, "100%")]


def test_chances_lie_close_together_and_are_told_apart_in_one_unit():
    found = shown(CHANCE, 0.576, 0.57599, 0.571, 0.4)
    assert found == [(1.0, "57.6%"), (0.9998, "57.6%"), (0.9, "57.1%"), (SHORTEST, "40.0%")]
    assert shown(CHANCE, 0.276, 0.264, 0.256) == [(1.0, "27.6%"), (0.4, "26.4%"), (SHORTEST, "25.6%")]
    assert shown(CHANCE, 0.276, 0.275) == [(1.0, "27.6%"), (0.9, "27.5%")]  # a tenth of a point stays little


def test_chances_that_add_up_to_one_are_still_chances():
    """Two bids at 50% each look like a choice; only who weighed them knows."""
    assert shown(CHANCE, 0.5, 0.5) == [(1.0, "50.0%"), (1.0, "50.0%")]


def test_actions_are_words():
    hint = advice([(card("AS"), 0.9), (BID_ZERO + 4, 0.1)], CHOICE)
    assert [(one["action"], one["weight"]) for one in hint] == [("AS", 0.9), ("bid:4", 0.1)]
    assert advice([], CHOICE) == []


@pytest.mark.parametrize(
    ("weighed", "words"),
    [
        (
            [(FIVE, 0.362), (SIX, 0.362), (KING, 0.337)],
            "Best: the five of clubs or the six of clubs, 36.2%. "
            "That's 2.5 percentage points ahead of the king of hearts.",
        ),
        (
            [(BID_ZERO + 4, 0.5), (BID_ZERO, 0.5)],
            "All equal: bid 4 or bid nil, 50.0% each.",
        ),
        ([(KING, 0.9)], "Best: the king of hearts, 90.0%."),
        (
            [(FIVE, 0.5), (SIX, 0.5), (KING, 0.5)],
            "All equal: the five of clubs, the six of clubs or the king of hearts, 50.0% each.",
        ),
        (
            [(BID_ZERO + bid, 0.5) for bid in range(1, 6)],
            "All equal: bid 1, bid 2 or 3 others, 50.0% each.",
        ),
    ],
)
def test_chances_are_never_said_to_be_choices(weighed, words):
    assert summary(weighed, CHANCE, "Zofia", True) == words
    assert heading(CHANCE, "Zofia") == "Chance to win the game"


@pytest.mark.parametrize(
    ("weighed", "nil", "words"),
    [
        ([(BID_ZERO + 4, 0.62), (BID_ZERO, 0.21)], True, "Most likely: bid 4, 62%. Next: bid nil, 21%."),
        ([(BID_ZERO, 0.62), (BID_ZERO + 1, 0.21)], False, "Most likely: bid 0, 62%. Next: bid 1, 21%."),
        ([(KING, 0.999), (FIVE, 0.001)], True, "Zofia is sure of it."),
        ([(BID_ZERO + 3, 1.0)], True, "Zofia is sure of it."),
        ([], True, "Zofia has no hint here."),
    ],
)
def test_choices_are_said_to_be_choices(weighed, nil, words):
    assert summary(weighed, CHOICE, "Zofia", nil) == words
    assert heading(CHOICE, "Zofia") == "How likely Zofia is to choose each"
    assert in_language(heading(CHOICE, "Zofia"), "de") == "Was Zofia wählen würde"


@pytest.mark.parametrize(
    ("seat", "moves", "action", "words"),
    [
        (0, "", "look", "Look at your cards."),
        (0, "", "blind", "Bid blind nil."),
        (0, "", "bid:7", "Bid blind 7."),
        (0, "look", "bid:3", "Bid 3."),
        (0, "look", "bid:0", "Bid nil."),
        (0, "look bid:3 bid:3 look bid:3 bid:3", "2C", "Lead the two of clubs."),
        (1, "look bid:3 bid:3 look bid:3 bid:3 2C", "2D", "Play the two of diamonds."),
        (0, "blind bid:3 look bid:3 bid:3", "2C", "Pass the two of clubs."),
    ],
)
def test_advice_says_first_what_to_do(seat, moves, action, words):
    rules = "classic blind_nil_deficit=0 blind_nil_pass=1 blind_bid=6 blind_bid_deficit=100"
    game = Game(rules, deal=SUITS_DEALT, seed=1, dealer=1, scores=[-200, 0])
    for move in moves.split():
        game.apply(parse_action(move))
    assert command(game.view(seat), parse_action(action)) == words


@pytest.mark.parametrize(
    ("agent", "bids", "cards"),
    [
        ("rule", CHOICE, CHOICE),
        ("standard", CHOICE, CHOICE),
        ("mc:2x2", CHANCE, CHANCE),
        ("ismcts:50", CHANCE, CHOICE),
        ("standard/mc:2x2", CHOICE, CHANCE),
        ("standard+trial:4", CHOICE, CHANCE),
    ],
)
@pytest.mark.skipif(not JIT_ON, reason="minutes without the compiler")
def test_every_kind_of_agent_names_its_measure(agent, bids, cards):
    rng, asked = random.Random(agent), agents.load(agent, seed=1)
    for _ in range(8):
        game = random_game(rng, blind_nil_deficit=None, target=500, max_hands=None)
        for phase, kind in (("bid", bids), ("play", cards)):
            while game.phase != phase:
                game.apply(rng.choice(game.legal_actions()))
            weighed = asked.hint(game.view(game.turn))
            alone = all(weight == 1 for _, weight in weighed)
            assert measure(asked, game.view(game.turn), weighed) == (CHOICE if alone else kind), (phase, weighed)


@pytest.mark.skipif(not JIT_ON, reason="seconds without the compiler")
def test_cards_that_all_win_for_certain_are_chances():
    game = Game("match", seed=0, scores=[490, -300])
    rule = agents.load("rule")
    while sum(game.tricks) < 10:
        game.apply(rule.act(game.view(game.turn)))
    weighed = [(action, 1.0) for action in game.legal_actions()]
    assert measure(agents.load("mc:20x10+rule"), game.view(game.turn), weighed) == CHANCE


def test_a_hint_is_advice_of_its_table():
    table = Table("match", ["rule"] * 4, {0: "Anna"}, seed=1, adviser="standard")
    while table.step():
        pass
    hint = table.hint(0)
    assert (hint["by"], hint["measure"]) == ("Standard", CHOICE)
    assert hint["best"].startswith("Bid ")
    assert hint["heading"] == "How likely Standard is to choose each"
    assert {one["action"] for one in hint["hint"]} <= set(seat_view(table, 0)["legal"])
    question: Question = table.ask(0)
    assert advise(question, question.hint()) == hint
