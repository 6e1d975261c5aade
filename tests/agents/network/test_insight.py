"""The inputs of a network behind the observation, worked out again from lists of cards."""

import random
from collections.abc import Iterable

import numpy as np
import pytest
from support.game.redeals import redealt
from support.game.reference import trick_winner
from support.game.tables import moments, random_rules, suit_of
from support.strategies import scaled, strength

from spades_env import Game, agents
from spades_env.agents.base import Batch
from spades_env.agents.network.insight import INSIGHT, NUM_INPUTS, NUM_OPEN_INPUTS, write_insights
from spades_env.agents.network.player import features
from spades_env.game.cards import BID_ZERO, NUM_ACTIONS, NUM_CARDS, card_name, cards, deck
from spades_env.game.observe import LARGEST, NUM_FEATURES, SMALLEST, STATE_SIZE
from spades_env.game.state import compile_rules
from spades_env.game.view import View

SOUTH = 0
RULE = agents.load("rule")


def positions(seed: int, count: int, **fixed) -> list[View]:
    """What the seats to move know, at random moments under random rules."""
    return [game.view(game.turn) for game in moments(str(seed), count, **fixed)]


def blocks_of(view: View) -> dict[str, list[int]]:
    """The insight of a view, block by block."""
    row = features(Batch.of([view]))[0]
    return {name: row[block.place].ravel().tolist() for name, block in INSIGHT.items()}


def marked(numbers: dict[int, int] | Iterable[int], size: int) -> list[int]:
    """So many zeros, but for these places."""
    places = numbers if isinstance(numbers, dict) else dict.fromkeys(numbers, 1)
    return [places.get(i, 0) for i in range(size)]


def unseen(view: View) -> list[int]:
    """The cards that the seat can't place."""
    played = [card for trick in [*view.tricks_played, view.table] for _, card in trick]
    return [card for card in deck(view.rules.trumps) if card not in {*view.hand, *view.given, *played}]


def per_side(view: View, facts: list[int]) -> list[int]:
    """Seats' numbers, the own first, summed over the sides."""
    sides = view.rules.sides
    return [sum(facts[i::sides]) if i < sides else 0 for i in range(4)]


def from_mine(view: View, facts: list) -> list:
    return [facts[(view.seat + i) % 4] for i in range(4)]


@pytest.fixture(scope="module")
def views() -> list[View]:
    return positions(1, scaled(250))


def test_where_it_stands():
    assert INSIGHT["legal"].start == NUM_FEATURES
    assert max(block.start + block.size for block in INSIGHT.values()) == NUM_INPUTS
    assert NUM_OPEN_INPUTS - NUM_INPUTS == STATE_SIZE - NUM_FEATURES


def test_all_phases_are_met(views):
    assert scaled(250) < 250 or {view.phase for view in views} == {"blind", "bid", "pass", "play"}


def test_what_is_legal(views):
    for view in views:
        assert blocks_of(view)["legal"] == marked(view.legal_actions(), NUM_ACTIONS)


def test_cards_against_the_unseen(views):
    for view in views:
        trumps, blocks = view.rules.trumps, blocks_of(view)
        higher, lower = {}, {}
        for card in view.hand:
            suit = [other for other in unseen(view) if suit_of(other, trumps) == suit_of(card, trumps)]
            higher[card] = sum(strength(other, trumps) > strength(card, trumps) for other in suit)
            lower[card] = len(suit) - higher[card]
        assert blocks["higher"] == marked(higher, NUM_CARDS)
        assert blocks["lower"] == marked(lower, NUM_CARDS)
        assert blocks["master"] == marked([card for card in view.hand if not higher[card]], NUM_CARDS)


def test_suits(views):
    for view in views:
        blocks, trumps = blocks_of(view), view.rules.trumps
        for name, hand in (("held", view.hand), ("out", unseen(view))):
            suits = [suit_of(card, trumps) for card in hand]
            assert blocks[name] == [suits.count(suit) for suit in range(4)]


def test_the_trick_on_the_table(views):
    for view in views:
        blocks, table, trumps = blocks_of(view), view.table, view.rules.trumps
        taking = []
        if table:
            taking = [c for c in view.hand if trick_winner([*table, (view.seat, c)], trumps) == view.seat]
        assert blocks["takes"] == marked(taking, NUM_CARDS)
        assert blocks["place"] == marked([len(table)], 4)
        opposite = (view.seat + 2) % 4
        assert blocks["partner_wins"] == [int(bool(table) and trick_winner(table, trumps) == opposite)]


def test_what_is_lacking(views):
    for view in views:
        blocks = blocks_of(view)
        need, need_of_side, counted = [], [], view.rules.failed_nil_tricks == "partner"
        for bid, tricks, nil in zip(view.bids, view.tricks, view.nils, strict=True):
            need.append(bid - tricks if bid is not None and not nil else 0)
            need_of_side.append(need[-1] - tricks * (counted * nil + (bid is None)))
        alive = [int(nil and not tricks) for nil, tricks in zip(view.nils, view.tricks, strict=True)]
        itself = view.rules.first_hand == "bids_itself" and view.hand_number == 0
        sides = per_side(view, from_mine(view, need_of_side))
        if itself:  # a side lacks a trick as long as there is one
            sides = [int(i < view.rules.sides) for i in range(4)]
        left = 13 - len(view.tricks_played)
        assert blocks["need"] == from_mine(view, need)
        assert blocks["nil_alive"] == from_mine(view, alive)
        assert blocks["side_need"] == sides
        assert blocks["side_bids"] == per_side(view, from_mine(view, [bid is not None for bid in view.bids]))
        assert blocks["left"] == [left]
        assert blocks["slack"] == [left - sum(max(0, side) for side in sides)]


def test_the_way_to_the_target(views):
    for view in views:
        target, sides = view.rules.target, view.rules.sides
        expected = [0] * 4
        for i in range(sides if target is not None else 0):
            expected[i] = max(SMALLEST, min(LARGEST, (target - view.scores[(view.seat + i) % sides]) // 5))
        assert blocks_of(view)["to_target"] == expected


def test_the_advice_is_the_rule_bots(views):
    for view in views:
        assert blocks_of(view)["advice"] == marked([RULE.act(view)], NUM_ACTIONS)


def test_hidden_cards_change_nothing():
    rng = random.Random(2)
    for game in moments("insight 1", scaled(60)):
        view = game.view(game.turn)
        table = redealt(game, game.turn, rng)
        others = [View(game.rules, table, game.turn, (), game._compiled)]
        assert (features(Batch.of(others)) == features(Batch.of([view]))).all()
        open_table = Batch(table, compile_rules(game.rules), np.zeros(1, np.int32))
        assert (features(open_table) == features(Batch.of([view]))).all()


def test_many_tables_at_once(views):
    batch = Batch.of(views)
    out = np.full((len(views), NUM_INPUTS - NUM_FEATURES), 99, np.int8)
    write_insights(batch.tables, batch.rules, batch.rules_of, out)
    assert (out == [features(Batch.of([view]))[0, NUM_FEATURES:] for view in views]).all()


def test_a_game_that_is_over_leaves_nothing_to_say():
    rng = random.Random(3)
    game = Game(random_rules(rng, max_hands=1, tie="draw"), seed=4)
    while not game.over:
        game.apply(rng.choice(game.legal_actions()))
    out = np.full((1, NUM_INPUTS - NUM_FEATURES), 99, np.int8)
    write_insights(game.state, game.view(0).compiled_rules, np.zeros(1, np.int32), out)
    assert not out.any()


def test_a_worked_example():
    """South, who bids last, holds two spades without the king, and the three best clubs."""
    south = cards("AS QS  JH TH 9H  AD 2D  AC KC QC 5C 4C 3C")
    rest = [card for card in deck("normal") if card not in south]
    game = Game("pagat", deal=[south, rest[:13], rest[13:26], rest[26:]], dealer=SOUTH, bags=[2, 0], scores=[437, 500])
    for bid in (3, 0, 4):
        game.apply(BID_ZERO + bid)
    blocks = blocks_of(game.view(SOUTH))
    numbers = {card_name(card): (blocks["higher"][card], blocks["lower"][card]) for card in south}
    assert numbers["AS"] == (0, 11)
    assert numbers["QS"] == (1, 10)
    assert numbers["JH"] == numbers["TH"] == (3, 7)
    assert numbers["2D"] == (11, 0)
    assert numbers["QC"] == (0, 7)
    assert blocks["master"] == marked(cards("AS AD AC KC QC"), NUM_CARDS)
    assert (blocks["held"], blocks["out"]) == ([6, 2, 3, 2], [7, 11, 10, 11])
    assert (blocks["need"], blocks["nil_alive"]) == ([0, 3, 0, 4], [0, 0, 1, 0])
    assert (blocks["side_need"], blocks["side_bids"]) == ([0, 7, 0, 0], [1, 2, 0, 0])
    assert (blocks["left"], blocks["slack"]) == ([13], [6])
    assert blocks["to_target"] == [12, 0, 0, 0]
    assert blocks["legal"] == marked(range(BID_ZERO, BID_ZERO + 14), NUM_ACTIONS)
