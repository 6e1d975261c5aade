"""How BIS learns its numbers, and that the stored ones are what play shows."""

from math import sqrt

import numpy as np
import pytest
from support.strategies import scaled

from spades_env.agents import AgentError
from spades_env.agents.baselines.bis import CURVES, SAFE, corrected
from spades_env.agents.fitted import fit_options
from spades_env.training.fit.bis import CLASSIC, SOLO, fit_curve, fit_safe, learn, nil_data, product


def test_the_stored_numbers_are_what_play_shows():
    """A fresh small run: as many nils kept as foreseen, at every level of hope."""
    agent = fit_options("bis")["agent"]
    for rules, curve, slack in ((CLASSIC, CURVES[0], 0.02), (SOLO, CURVES[1], 0.03)):
        cells, kept = nil_data(agent, scaled(10_000), 77, rules)
        foreseen = np.array([corrected(p, *curve) for p in product(SAFE, cells)])
        for low in (0, 0.25, 0.5, 0.75):
            rows = (foreseen >= low) & (foreseen < low + 0.25)
            noise = 4 * sqrt((foreseen[rows] * (1 - foreseen[rows])).sum())
            assert abs((kept[rows] - foreseen[rows]).sum()) <= noise + slack * rows.sum() + (1 if rules is SOLO else 0)


def test_a_small_run_learns_the_stored_numbers():
    agent = fit_options("bis")["agent"]
    cells, kept = nil_data(agent, scaled(10_000), 78, CLASSIC)
    often = np.bincount(cells.ravel(), minlength=SAFE.size).reshape(SAFE.shape) > 800
    apart = (fit_safe(cells, kept) - SAFE)[often]
    assert np.abs(apart).max(initial=0) < 0.15
    assert (apart**2).sum() < 0.03**2 * max(1, len(apart))


def test_known_dangers_are_learned_back():
    rng = np.random.default_rng(5)
    known = np.ones(SAFE.shape)
    known[:4] = np.linspace(1, 0.7, 13)
    cells = rng.integers(0, 4 * 13, (20_000, 13))
    kept = rng.random(20_000) < product(known, cells)
    assert fit_safe(cells, kept)[:4] == pytest.approx(known[:4], abs=0.08)
    chance = rng.random(20_000)
    factor, power = fit_curve(chance, rng.random(20_000) < corrected(chance, 0.5, 1.5))
    assert (factor, power) == (pytest.approx(0.5, abs=0.06), pytest.approx(1.5, abs=0.12))


def test_the_fit_gives_what_the_module_reads(capsys):
    fitted = learn("rb", scaled(1000), 1)
    assert "foreseen" in capsys.readouterr().out
    assert {name: table.shape for name, table in fitted.items()} == {"safe": SAFE.shape, "curves": CURVES.shape}


def test_simple_players_teach_that_nils_are_easy():
    """They neither attack nor cover; so it is `rule` that BIS learns from."""
    easy, hard = (nil_data(agent, scaled(2000), 4, CLASSIC)[1].mean() for agent in ("rb", "rule"))
    assert easy > hard + 0.1


def test_only_compiled_agents_teach():
    with pytest.raises(AgentError, match="unknown agent"):
        nil_data("nobody", 1, 1, CLASSIC)
