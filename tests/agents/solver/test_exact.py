"""The yardstick of late cards: its positions, and what is lost there."""

import numpy as np
import pytest

from benchmarks.agents.exact import Positions, loss, measured
from spades_env import Rules
from spades_env._jit import JIT_ON
from spades_env.agents import load
from spades_env.agents.solver.oracle import SOLVED

MATCH = Rules.of("match")
pytestmark = pytest.mark.skipif(not JIT_ON, reason="eight tricks take minutes without the compiler")
COUNT = 60


@pytest.fixture(scope="module")
def found():
    return Positions(MATCH, COUNT)


def test_only_late_cards_with_a_choice_are_asked_for(found):
    assert found.left.max() <= SOLVED
    assert all(view.phase == "play" and len(view.legal_actions()) > 1 for view in found.seen.views())


def test_agents_see_their_own_cards_alone_and_the_solver_all(found):
    seen, opened = found.seen.tables, found.opened.tables
    others = np.arange(4) != seen.turn[:, None]
    assert not seen.hands[others].any()
    assert opened.hands[others].any()
    np.testing.assert_array_equal(seen.hands[~others], opened.hands[~others])


def test_every_legal_card_has_a_chance_to_win_and_no_other_has(found):
    worths = found.worths()
    for view, worth in zip(found.seen.views(), worths, strict=True):
        legal = view.legal_actions()
        assert (worth[legal] >= 0).all()
        assert (worth[legal] <= 1).all()
        assert (np.delete(worth, legal) < 0).all()


def test_who_plays_the_best_card_loses_nothing(found):
    worths = found.worths()
    chosen = load("oracle", seed=1)._choose(found.opened)
    late = found.left <= 2  # where bags decide, points and the chance to win may ask for different cards
    lost = worths.max(1) - worths[np.arange(COUNT), chosen]
    assert (lost >= 0).all()
    assert lost[late].mean() <= 0.01


def test_the_interval_is_that_of_whole_hands():
    lost = np.array([1.0, 1.0, 0.0, 0.0])
    apart, together = loss(lost, np.arange(4)), loss(lost, np.array([0, 0, 1, 1]))
    assert apart["lost"] == together["lost"] == 50
    assert together["doubt"] == pytest.approx(apart["doubt"] * np.sqrt(2))
    assert apart["faults"] == 0.5


def test_parts_add_up_and_a_second_run_is_equal():
    names = ("random", "standard")
    first, again = measured(MATCH, COUNT, names), measured(MATCH, COUNT, names)
    assert first["agents"] == again["agents"]
    for parts in first["agents"].values():
        by_trick = [part["decisions"] * part["lost"] for name, part in parts.items() if name.endswith(" left")]
        assert sum(by_trick) == pytest.approx(COUNT * parts["all"]["lost"])
