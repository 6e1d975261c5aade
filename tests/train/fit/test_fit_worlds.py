"""How the factors of likely worlds are learned, and that the stored ones let true deals stand out."""

import numpy as np
import pytest

from spades_env._jit import JIT_ON
from spades_env.agents.worlds.weight import FACTORS, NUM_CLUES
from spades_env.training.fit.worlds import TABLES, fit_factors, gains, learn, read_clues

pytestmark = pytest.mark.skipif(not JIT_ON, reason="plays and replays many hands")
QUICK_PLAYERS = ("rule", "bis", "rb", "mc:6x1+rule")


def test_true_deals_stand_out_by_the_stored_factors_with_any_players():
    for player in QUICK_PLAYERS:
        clues = read_clues(TABLES, 63, 5, (player,)).clues
        assert gains(FACTORS, clues).mean() > 0.8
        assert gains(FACTORS, clues).mean() > gains(0.5 * FACTORS, clues).mean() - 0.1


def test_known_factors_are_learned_back():
    rng = np.random.default_rng(3)
    known = np.linspace(0.5, 2, NUM_CLUES)
    clues = -rng.gamma(1.0, 1.0, (6_000, 16, NUM_CLUES)).astype(np.float32)
    worth = clues @ known + rng.gumbel(size=clues.shape[:2])
    rows = np.arange(len(clues))
    best = worth.argmax(1)
    clues[rows, best], clues[rows, -1] = clues[rows, -1].copy(), clues[rows, best].copy()
    assert fit_factors(clues) == pytest.approx(known, abs=0.12)


def test_without_clues_nothing_is_gained():
    clues = np.zeros((5, 8, NUM_CLUES), np.float32)
    assert gains(FACTORS, clues) == pytest.approx(np.zeros(5))
    assert fit_factors(clues) == pytest.approx(np.zeros(NUM_CLUES))


def test_the_fit_gives_what_the_module_reads(capsys, monkeypatch):
    monkeypatch.setattr(read_clues, "__defaults__", (QUICK_PLAYERS,))
    fitted = learn(TABLES, 31, 1)
    assert "nats of" in capsys.readouterr().out
    assert {name: table.shape for name, table in fitted.items()} == {"factors": FACTORS.shape}
