"""What is asked of a roster: stars, styles, likeness, what is natural; and what is missed."""

from dataclasses import replace

import numpy as np
import pytest

from spades_env.agents.arena import characters as measure
from spades_env.agents.arena.characters import Measured
from spades_env.agents.arena.demands import checks
from spades_env.agents.arena.match_result import share_interval
from spades_env.agents.roster import Character


def fake(rates: dict[tuple[str, str], float], stars: dict[str, int], **figures) -> Measured:
    """Measured characters of these stars; the figures are those of the first, of the others all the same."""
    usual = {"mean_bid": [2.6, 2.5, 2.7], "four_bids": 11.0, "nil_kept": [0.8, 0.7, 0.9]}
    usual |= {"faults": [], "alike": ["bo", 0.8], "like_rule": 0.8}
    people = [Character(name, count, "…", name.lower()) for name, count in stars.items()]
    found = {
        (a, b): {"a": a, "b": b, "games": 100, "win_rate": r, "win_rate_ci": [r - 0.01, r + 0.01], "deals": [r] * 50}
        for (a, b), r in rates.items()
    }
    table = measure.Ladder(tuple(one.key for one in people), {"games": 100, "seed": 0}, found)
    by_key = {one.key: usual for one in people} | {people[0].key: usual | figures}
    return Measured(tuple(people), table, {one.key: [1000.0, 990.0, 1010.0] for one in people}, by_key, 10, 100, 0)


def missed(found: Measured) -> list[str]:
    return [check.asked for check in checks(found) if not check.earned]


def test_stars_are_earned_or_not():
    stars = {"Ada": 2, "Eve": 2, "Bo": 1}
    assert missed(fake({("ada", "bo"): 0.6, ("bo", "eve"): 0.4}, stars)) == []
    assert missed(fake({("ada", "bo"): 0.6, ("bo", "eve"): 0.48}, stars)) == [
        "2 stars win 57% to 90% of their games against 1"
    ]
    assert missed(fake({("ada", "bo"): 0.96, ("bo", "eve"): 0.04}, stars)) == [
        "2 stars win 57% to 90% of their games against 1"
    ]
    assert missed(fake({("ada", "bo"): 0.8, ("bo", "eve"): 0.51}, stars)) == ["Eve beats everybody with 1 stars"]


def test_a_step_between_levels_counts_a_deal_once():
    """However many pairings play the same deals: they are won and lost together."""
    stars, won = {"Ada": 2, "Eve": 2, "Bo": 1}, [1.0, 0.5, 0.5, 1.0] * 10
    found = fake({("ada", "bo"): 0.75, ("bo", "eve"): 0.25}, stars)
    found.ladder.pairings["ada", "bo"]["deals"] = won
    found.ladder.pairings["bo", "eve"]["deals"] = [1 - share for share in won]
    share, low, high, games = found.between(2) or (0, 0, 0, 0)
    assert (share, games) == (0.75, 160)
    assert (low, high) == share_interval(np.array(won))
    assert found.between(1) is None


def test_what_is_natural_is_asked_from_three_stars_on():
    strange = {"four_bids": 12.0, "nil_kept": [0.5, 0.4, 0.6], "faults": ["wastes a king"]}
    assert missed(fake({}, {"Ada": 2}, **strange)) == []
    assert len(missed(fake({}, {"Ada": 3}, **strange))) == 3
    assert missed(fake({}, {"Ada": 3}, nil_kept=None)) == []


@pytest.mark.parametrize(("side", "bid", "shown"), [("high", 3.1, True), ("high", 2.65, False), ("low", 3.1, False)])
def test_a_style_must_show(side, bid, shown):
    figures = {"mean_bid": [bid, bid - 0.1, bid + 0.1]}
    assert style_shown(fake({}, {"Ada": 1, "Bo": 1, "Eve": 1}, **figures), side) == [shown]


def test_a_style_must_differ_from_the_nearest_character():
    """Far above the mean of all is not enough, where a neighbour bids as high."""
    found = fake({}, {"Ada": 2, "Bo": 2, "Eve": 2, "Max": 1}, mean_bid=[3.1, 3.0, 3.2])
    found.figures["eve"] = found.figures["eve"] | {"mean_bid": [3.05, 2.95, 3.15]}
    assert style_shown(found, "high") == [False]
    found.figures["max"], found.figures["eve"] = found.figures["eve"], found.figures["bo"]
    assert style_shown(found, "high") == [True], "who has other stars is nobody to be mistaken for"


def style_shown(found: Measured, side: str) -> list[bool]:
    """Is it borne out that the first of them bids high, or low?"""
    first, *others = found.characters
    named = replace(first, shows={"mean_bid": side})
    found = replace(found, characters=(named, *others))
    return [check.earned for check in checks(found) if "mean bid" in check.asked]


@pytest.mark.parametrize(("share", "short"), [(0.95, []), (0.96, ["Ada plays like no other"])])
def test_nobody_plays_like_another(share, short):
    assert missed(fake({}, {"Ada": 1, "Bo": 1}, alike=["bo", share])) == short
