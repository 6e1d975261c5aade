"""Where training's hands begin: rules and standings of every kind, all of which can be played."""

from dataclasses import fields

import numpy as np
import pytest
from support.strategies import scaled

from spades_env import Rules, SpadesVectorEnv
from spades_env.training.recipe.start_situations import CHANCES, DISTINCT, Situations, draw_rules, standings

MARKED = "classic target=777"  # rules that are never drawn


def drawn(count: int, changes: float, seed: int = 1) -> list[Rules]:
    rng = np.random.default_rng(seed)
    return [draw_rules(rng, changes) for _ in range(count)]


def test_every_value_comes_up():
    rules = drawn(600, 0.5)
    for name, values in CHANCES.items():
        assert {getattr(own, name) for own in rules} >= set(values), name
    assert {own.sides for own in rules} == {2, 4}


def test_every_option_that_changes_a_hand_is_drawn():
    left_out = {field.name for field in fields(Rules)} - set(CHANCES)
    assert left_out == {"partners", "first_dealer", "time_limit_s"}


def test_without_changes_there_are_the_presets():
    assert set(drawn(100, 0.0)) == {Rules.preset(name) for name in Rules.presets()}


@pytest.mark.parametrize("changes", [0.2, 1.0])
def test_games_can_stand_like_that(changes):
    rules = drawn(scaled(300), changes)
    rng = np.random.default_rng(2)
    scores, bags, hands = standings(rng, rules, fresh=0.2)
    env = SpadesVectorEnv(len(rules), rules, seed=3)
    env.reset(scores=scores, bags=bags, hand_numbers=hands)
    for i, own in enumerate(rules):
        points, tallies = scores[i, : own.sides], bags[i, : own.sides]
        assert env.scores[i, : own.sides].tolist() == points.tolist()
        assert own.target is None or points.max() < own.target
        assert own.floor is None or points.min() > own.floor
        assert own.max_hands is None or hands[i] < own.max_hands
        assert own.bag_limit is not None or not tallies.any()


def test_a_score_ends_in_its_bags():
    rules = [Rules()] * scaled(200)
    scores, bags, _ = standings(np.random.default_rng(4), rules, fresh=0.0)
    inside = (scores < 499) & (scores > -249)
    assert (scores % 10 == bags)[inside].all()


def test_standings_are_anywhere_in_a_game():
    rules = [Rules()] * 2000
    scores, bags, hands = standings(np.random.default_rng(5), rules, fresh=0.25)
    begun = (scores != 0).any(1) | (bags != 0).any(1) | (hands != 0)
    assert 0.2 < 1 - begun.mean() < 0.3
    assert (scores[begun] < 0).mean() > 0.05
    assert (scores[begun] > 400).mean() > 0.1
    assert {*bags[begun].ravel().tolist()} == set(range(10))
    assert np.abs(scores[:, 0] - scores[:, 1]).max() > 300
    fresh = standings(np.random.default_rng(5), rules, fresh=1.0)
    assert not any(array.any() for array in fresh)


@pytest.mark.parametrize(("share", "low", "high"), [(0.0, 0, 0), (0.3, 0.25, 0.35), (1.0, 1, 1)])
def test_the_main_rules_have_their_share(share, low, high):
    rules, _ = Situations(main=MARKED, main_share=share)(np.random.default_rng(6), 2000)
    main = [own == Rules.parse(MARKED) for own in rules]
    assert low <= np.mean(main) <= high
    assert len(set(rules)) <= DISTINCT + 1


def test_other_rules_have_their_shares():
    also = {"solo": 0.25, "suicide target=300": 0.5}
    rules, _ = Situations(main_share=0.25, also=also, changes=0.9)(np.random.default_rng(6), 2000)
    shares = [np.mean([own == Rules.parse(text) for own in rules]) for text in ("match", *also)]
    assert shares == pytest.approx([0.25, *also.values()], abs=0.04)


def test_the_generator_decides():
    def draw(seed):
        rules, arrays = Situations()(np.random.default_rng(seed), 50)
        return rules, [array.tolist() for array in arrays]

    assert draw(7) == draw(7)
    assert draw(7) != draw(8)


ANEW = "a preset, each option redrawn with probability 25 %"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, f"match at 50 % of the tables; elsewhere {ANEW}"),
        ({"main": "solo", "main_share": 0.995, "changes": 0.0}, "solo at 99.5 % of the tables; elsewhere a preset"),
        ({"main": "solo", "main_share": 1.0}, "solo"),
        (
            {"main_share": 0.3, "also": {"solo": 0.2}, "changes": 0.0},
            "match at 30 %, solo at 20 % of the tables; elsewhere a preset",
        ),
        ({"main_share": 0.4, "also": {"solo": 0.6}}, "match at 40 %, solo at 60 % of the tables"),
        ({"main": "solo", "main_share": 0.0}, ANEW),
        ({"main": "solo", "main_share": 0.0, "changes": 0.0}, "a preset"),
    ],
)
def test_in_words(given, words):
    assert str(Situations(**given)) == words
