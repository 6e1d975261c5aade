"""benchmarks/agents/beliefs.py: how much likelier each way of dealing makes the true deal."""

import numpy as np
import pytest
from support.game.tables import moments
from support.strategies import scaled

from benchmarks.agents import beliefs
from spades_env._jit import JIT_ON
from spades_env.agents.worlds.likely import new_pool
from spades_env.game.state import PLAY


def test_even_odds_make_a_deal_as_likely_as_the_number_of_worlds_says():
    for game in moments("gains", scaled(30), bidding="free", wanted=lambda game: game._s.phase == PLAY):
        view, pool = game.view(game.turn), new_pool(1)
        pool.plan[0].by_odds, pool.plan[0].chances[:] = True, 0.5
        _, share = beliefs._weigh(view.state, 0, view.compiled_rules[0], game._table, pool, np.uint64(1))
        assert share == pytest.approx(-np.log(float(beliefs.count_worlds(view))), abs=1e-6)


@pytest.mark.skipif(not JIT_ON, reason="many hands need the compiler")
def test_both_tell_more_than_belief_weighting_alone():
    found = beliefs.measured(("rule",) * 4, "match", 6)
    assert found["decisions"] > 40
    assert found["gains"]["both"][0] > found["gains"]["likely"][0] > 0
    assert 1 <= found["effective_sizes"]["likely"] < found["effective_sizes"]["both"] <= 4 * beliefs.TRIED
