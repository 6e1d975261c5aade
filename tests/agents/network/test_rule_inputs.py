"""The rule bot's estimates among a network's inputs, against what then comes to pass."""

import random

import numpy as np
import pytest
from support.game.reference import trick_winner
from support.game.tables import random_game, random_position
from support.strategies import scaled

from spades_env import Game, agents
from spades_env.agents.base import Batch
from spades_env.agents.equity import equity
from spades_env.agents.network.insight import INSIGHT
from spades_env.agents.network.player import features
from spades_env.agents.network.rule_inputs import ENDS, HOPE_UNIT, NUM_RULE_INPUTS, ROWS
from spades_env.game.cards import BID_ZERO, MAX_BID, NUM_ACTIONS, NUM_CARDS, cards, deck
from spades_env.game.engine import apply
from spades_env.game.view import View

SOUTH = 0
RULE = agents.load("rule")
WINNERS = ("i_win", "left_wins", "mate_wins", "right_wins")
ROUNDED = 0.005


def blocks_of(view: View) -> dict[str, list[int]]:
    """The rule inputs of a view, block by block."""
    row = features(Batch.of([view]))[0]
    return {name: row[INSIGHT[name].place].ravel().tolist() for name, _, _ in ROWS}


def worth_of(root: int) -> float:
    """What a number stands for that tells a worth."""
    return np.sign(root) * (root / 100) ** 2


@pytest.fixture(scope="module")
def games() -> list[Game]:
    rng = random.Random(11)
    found = (random_position(rng) for _ in range(scaled(400)))
    return [game for game in found if not game.over]


def test_they_stand_behind_the_advice():
    first = INSIGHT["advice"].start + NUM_ACTIONS
    assert next(INSIGHT[name].start for name, _, _ in ROWS) == first
    assert sum(INSIGHT[name].size for name, _, _ in ROWS) == NUM_RULE_INPUTS


def test_nothing_is_promised_before_cards_are_seen_or_while_they_are_passed(games):
    found = [game for game in games if game.phase in ("blind", "pass")]
    assert found or scaled(400) < 400
    for game in found:
        assert not any(any(block) for block in blocks_of(game.view(game.turn)).values())


def test_chances_are_those_of_legal_cards_and_sum_to_one(games):
    for game in games:
        if game.phase != "play":
            continue
        blocks, legal = blocks_of(game.view(game.turn)), game.legal_actions()
        for action in range(NUM_CARDS):
            chances = [blocks[name][action] for name in WINNERS]
            assert min(chances) >= 0
            assert sum(chances) == pytest.approx(100 * (action in legal), abs=2)


def test_who_plays_last_knows_who_wins(games):
    for game in games:
        view = game.view(game.turn)
        if view.phase != "play" or len(view.table) < 3:
            continue
        blocks = blocks_of(view)
        for action in game.legal_actions():
            winner = trick_winner([*view.table, (view.seat, action)], view.rules.trumps)
            assert [blocks[name][action] for name in WINNERS] == [
                100 * ((winner - view.seat) % 4 == i) for i in range(4)
            ]


def test_what_the_rule_bot_plays_or_bids_is_worth_most(games):
    for game in games:
        view = game.view(game.turn)
        worth, rules = blocks_of(view)["worth"], view.rules
        assert all(worth[action] == 0 for action in range(NUM_ACTIONS) if action not in game.legal_actions())
        if rules.nil and (view.nils[(view.seat + 2) % 4] or not rules.nil_bonus):
            worth[BID_ZERO] = -100  # of a second nil, or one that brings nothing, it does not think
        assert max(worth) == 0
        if view.phase == "play":
            assert worth[RULE.act(view)] == 0
        elif view.phase == "bid":  # in a lost game higher ones than it thinks of may be worth more
            advised = RULE.act(view)
            assert worth[advised] == max(worth[min(BID_ZERO + 1, advised) : advised + 1])


def test_bids_far_beyond_the_cards_are_worth_less():
    south = cards("2S 3S  3H 4H 7H 9H  2D 5D 8D 9D  4C 6C TC")
    rest = [action for action in deck("normal") if action not in south]
    game = Game("pagat", deal=[south, rest[:13], rest[13:26], rest[26:]], dealer=3)
    blocks = blocks_of(game.view(SOUTH))
    worth = blocks["worth"][BID_ZERO : BID_ZERO + MAX_BID + 1]
    assert worth[0] == 0
    assert worth[1:8] == sorted(worth[1:8], reverse=True)
    assert worth[8] < -30
    assert blocks["nil_hope"][0] > 80
    assert blocks["hope"][0] < HOPE_UNIT
    assert not any(blocks["ends"] + blocks["trick_worth"] + blocks["i_win"])


def test_the_ends_of_a_hand_are_those_that_come_about():
    """Before the last card is played, only one of the ends is left; the table says which."""
    met: set[int] = set()
    rng = random.Random(13)
    for _ in range(scaled(300)):
        game = random_game(rng, first_hand="bid", slam_points=None)
        while game.cards_played < 51:
            game.apply(rng.choice(game.legal_actions()))
        blocks, table, r = blocks_of(game.view(game.turn)), game.state.copy(), game._compiled[0]
        side = game.turn & r.side_mask
        taker = who_takes(game)
        i = end_of(game, side, taker)
        if i is None:
            continue
        apply(table[0], r, game.legal_actions()[0])
        usual = blocks["ends"][0] / 100
        root = blocks["nil_breaks"][(taker - game.turn) % 4] if i == len(ENDS) else blocks["ends"][i] if i else 0
        doubt = ROUNDED * (1 + 2 * abs(root) / 100) + ROUNDED**2
        assert equity(table[0], r, side) == pytest.approx(usual + worth_of(root), abs=doubt)
        met.add(i)
    assert scaled(300) < 300 or len(met) >= 6


def who_takes(game: Game) -> int:
    """The seat that wins the last trick."""
    view = game.view(game.turn)
    return trick_winner([*view.table, (view.seat, game.legal_actions()[0])], view.rules.trumps)


def end_of(game: Game, side: int, taker: int) -> int | None:
    """Which of ENDS the last trick brings, len(ENDS) for a nil that breaks; None: one that is not there."""
    s, r = game.state[0], game._compiled[0]
    of_taker = taker & r.side_mask
    lacking = [lacks(s, r, other) for other in range(r.sides)]
    if s.nils[taker]:
        is_seen = not s.tricks[taker] and not r.failed_as_made and max(lacking) <= 0
        return len(ENDS) if is_seen else None
    bag = lacking[of_taker] <= 0
    lacking[of_taker] -= 1
    made = [lack <= 0 for lack in lacking]
    others = {made[other] for other in range(r.sides) if other != side}
    if len(others) > 1 or (bag and r.sides == 4 and of_taker != side):
        return None
    end = [made[side], min(others), bag and of_taker == side, bag and of_taker != side]
    return next((i for i, known in enumerate(ENDS.tolist()) if known == end), None)


def lacks(s: np.record, r: np.record, side: int) -> int:
    """How many tricks the side lacks to its bid."""
    seats = range(int(side), 4, int(r.sides))
    bid = sum(max(0, int(s.bids[seat])) for seat in seats if not s.nils[seat])
    return bid - sum(int(s.tricks[seat]) for seat in seats if not s.nils[seat] or r.failed_as_made)


@pytest.mark.parametrize(("nil", "theirs", "others"), [(1, 1, 3), (3, 3, 1)])
def test_the_foe_who_bid_nil_may_have_the_trick(nil, theirs, others):
    """Its trick is worth more to me than one of our own; what its partner wins is what we do not win, and no more."""
    game = Game("pagat", seed=3, dealer=3)
    for seat in range(4):
        game.apply(BID_ZERO + (0 if seat == nil else 3))
    worth = blocks_of(game.view(SOUTH))["trick_worth"]
    assert worth[theirs] > worth[0] == worth[2] > worth[others] == 0
