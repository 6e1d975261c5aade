"""Elo of a match, and the likelihood of superiority."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_env import Rules
from spades_env.agents.arena.lockstep import GAME
from spades_env.agents.arena.match_result import Result
from spades_env.agents.elo import elo_of

SHORT = Rules(target=None, max_hands=2)


def match_of(*pairs: tuple[int, int]) -> Result:
    """Return a match with these outcomes of both games of each deal: 1 won, 0 drawn, −1 lost."""
    rows = np.zeros(2 * len(pairs), GAME)
    rows["outcome"], rows["hands"] = np.ravel(pairs), 1
    return Result("a", "b", SHORT, "games", 0, rows.view(np.recarray), (1, 1), (0.0, 0.0))


def test_elo_is_that_of_the_ladder():
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.5) == 0


def test_pairs_are_counted_by_their_points():
    found = match_of((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 0), (1, 0), (1, 1), (1, 1))
    assert found.as_dict()["pairs"] == [1, 1, 3, 1, 2]


@pytest.mark.parametrize("pairs", [[(0, 0)], [(1, -1)] * 10, [(1, 1), (-1, -1)]])
def test_a_match_that_is_even(pairs):
    found = match_of(*pairs)
    assert (found.elo, found.los) == (0, 0.5)
    assert found.elo_ci[0] == pytest.approx(-found.elo_ci[1])


@pytest.mark.parametrize(("outcome", "ends"), [(1, [False, True]), (-1, [True, False])])
def test_winning_all_is_no_proof(outcome, ends):
    for deals, least, most in ((1, 0.6, 0.7), (5, 0.97, 0.98)):
        found = match_of(*[(outcome, outcome)] * deals)
        assert least < (found.los if outcome > 0 else 1 - found.los) < most
        figures = json.loads(json.dumps(found.as_dict(), allow_nan=False))
        assert figures["elo"] is None
        assert [end is None for end in figures["elo_ci"]] == ends


@given(st.lists(st.tuples(*[st.sampled_from((-1, 0, 1))] * 2), min_size=1, max_size=40))
def test_superiority_and_interval_agree(pairs):
    found = match_of(*pairs)
    low, high = found.elo_ci
    assert (found.los > 0.975, found.los < 0.025) == (low > 0, high < 0)
    assert low <= found.elo <= high
