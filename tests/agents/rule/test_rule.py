"""The rule bot: its tables, its estimates, and how it bids at different scores."""

import random

import numpy as np
import pytest
from support.strategies import scaled

from spades_env import Game, Rules, agents
from spades_env.agents.baselines.bis import nil_chance
from spades_env.agents.fitted import load_fitted
from spades_env.agents.rule import tables as rule_numbers
from spades_env.agents.rule.bid_worth import normal
from spades_env.agents.rule.chances import MISSES
from spades_env.agents.rule.trick_worth import SWING, win_chance
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK
from spades_env.game.state import compile_rules
from spades_env.training.fit import rule as fit_rule

CLASSIC = compile_rules(Rules())[0]


def bids(game: Game) -> list[int]:
    """The four bids that `rule` makes, as numbers; everybody looks."""
    bot = agents.load("rule")
    while game.phase in ("blind", "bid"):
        game.apply(LOOK if game.phase == "blind" else bot.act(game.view(game.turn)))
    return [bid for bid in game.bids if bid is not None]


# Chances


def test_the_chance_to_win_is_a_chance():
    rng = random.Random(1)
    for _ in range(scaled(300)):
        mine, theirs, left = rng.randint(-300, 700), rng.randint(-300, 700), rng.randint(0, 40)
        chance = win_chance(CLASSIC, left, mine, theirs)
        assert 0 <= chance <= 1
        assert chance + win_chance(CLASSIC, left, theirs, mine) == pytest.approx(1)
        assert win_chance(CLASSIC, left, mine + 10, theirs) >= chance - 1e-12


def test_a_game_that_is_over_is_certain():
    assert win_chance(CLASSIC, 40, 510, 490) == 1
    assert win_chance(CLASSIC, 40, 510, 520) == 0
    assert win_chance(CLASSIC, 40, 500, 500) == 0.5
    assert win_chance(CLASSIC, 0, 3, 2) == 1
    assert win_chance(CLASSIC, 40, 300, 200) == pytest.approx(350**2.5 / (350**2.5 + 250**2.5))


def test_chances_of_cards():
    assert MISSES[3, 0] == 1
    assert MISSES[3, 2] == pytest.approx(4 / 9)
    assert MISSES[1, 1] == 0
    assert normal(0.0) == 0.5
    assert normal(9.0) > 0.99


def test_the_last_trick_decides():
    nothing, ours, theirs, both = SWING[0, 0, 0, 3], SWING[0, 1, 0, 3], SWING[0, 0, 1, 3], SWING[0, 1, 1, 3]
    assert nothing.round(1).tolist() == [0, 0, 1, -1]
    assert ours.round(1).tolist() == [1, 0, 0, -1]
    assert theirs.round(1).tolist() == [0, -1, 1, 0]
    assert both.round(1).tolist() == [1, -1, 0, 0]


# Bids


def test_a_hand_of_winners_is_bid():
    deal = Game(seed=1).hands
    top = [51, 50, 49, 48, 47, 38, 37, 25, 24, 12, 11, 0, 1]  # AKQJT of spades, ace and king of every suit
    rest = [card for hand in deal for card in hand if card not in top]
    game = Game("classic", deal=[top, rest[:13], rest[13:26], rest[26:]], dealer=1, seed=1)
    assert bids(game)[0] >= 9


def test_bids_sum_as_those_of_good_bots_do():
    sums = [sum(bids(Game("pagat", seed=seed))) for seed in range(scaled(300))]
    assert len(sums) < 100 or 10.5 < np.mean(sums) < 11.6


def test_a_side_far_behind_bids_a_nil_that_a_leader_does_not():
    tried = {}
    for scores in ([440, 60], [60, 440]):
        games = [Game("pagat", seed=seed, scores=scores, dealer=3) for seed in range(scaled(300))]
        tried[scores[0]] = sum(bids(game)[0] == 0 for game in games)
    assert tried[60] >= tried[440]


def test_blind_nil_far_behind_and_where_cards_are_passed():
    bot = agents.load("rule")
    far_behind, behind = [60, 420], [300, 400]
    for scores, passing, answer in ((far_behind, 2, BLIND_NIL), (far_behind, 0, LOOK), (behind, 0, LOOK)):
        game = Game(f"classic blind_nil_pass={passing}", seed=3, scores=scores, dealer=1)
        while game.turn not in (0, 2):
            game.apply(BID_ZERO + 4)
        assert game.phase == "blind"
        assert bot.act(game.view(game.turn)) == answer


def test_a_nil_is_more_likely_with_low_cards():
    def hand(ranks: list[int]) -> np.uint64:
        return np.uint64(sum(1 << (16 * lane + rank) for lane in range(3) for rank in ranks))

    assert nil_chance(CLASSIC, hand([0, 1, 2, 3])) > 0.9
    assert nil_chance(CLASSIC, hand([9, 10, 11, 12])) < 0.1


# The numbers


def test_the_numbers_are_chances():
    for table in (rule_numbers.SIDE_HOPE, rule_numbers.TRUMP_HOPE, rule_numbers.NIL_RISK):
        assert (table >= 0).all()
        assert (table <= 1).all()
    assert rule_numbers.SIDE_HOPE[0, 0, 9, 0] > rule_numbers.SIDE_HOPE[0, 2, 9, 0]


def test_a_small_run_of_the_recipe_gives_much_the_same_numbers(capsys):
    hands = scaled(4000)
    fitted = fit_rule.learn(hands, 9)
    assert "tricks:" in capsys.readouterr().out
    kept = load_fitted("rule")
    assert {name: table.shape for name, table in fitted.items()} == {name: table.shape for name, table in kept.items()}
    if hands >= 1000:
        assert np.abs(fitted["side_hope"] - kept["side_hope"]).mean() < 0.03
