"""`python -m spades_env.training.fit NAME`: prints numbers, and writes them to their file if asked to."""

from types import SimpleNamespace

import numpy as np
import pytest

from spades_env.agents import fitted
from spades_env.agents.fitted import fit_options, load_fitted, write_fitted
from spades_env.training.fit import __main__ as command
from spades_env.training.fit import bis


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(fitted, "FOLDER", tmp_path)
    return tmp_path


def test_numbers_are_printed_and_written_only_if_asked_to(folder, monkeypatch, capsys):
    def learn(agent: str, deals: int, seed: int) -> dict:
        return {"shares": np.full(2, seed / 3), "deals": deals}

    monkeypatch.setitem(command.FITS, "bis", SimpleNamespace(__doc__="Fit.", OPTIONS=bis.OPTIONS, learn=learn))
    command.main(["bis", "--deals", "5"])
    assert "deals 5" in capsys.readouterr().out
    assert not list(folder.iterdir())
    command.main(["bis", "--deals", "5", "--seed", "2", "--write"])
    assert [path.name for path in folder.iterdir()] == ["bis.safetensors"]
    assert load_fitted("bis")["shares"].tolist() == [2 / 3, 2 / 3]
    assert float(load_fitted("bis")["deals"]) == 5
    assert fit_options("bis") == {"agent": "rule", "deals": 5, "seed": 2}


def test_every_bit_is_kept(folder):
    table = np.random.default_rng(1).random((3, 4))
    write_fitted("x", {"plain": table, "turned": table.T}, {})
    found = load_fitted("x")
    assert (found["plain"] == table).all()
    assert (found["turned"] == table.T).all()
    assert fit_options("x") == {}


@pytest.mark.parametrize("name", command.FITS)
def test_each_fit_has_its_numbers(name):
    assert load_fitted(name)
    assert all(table.dtype == np.float64 for table in load_fitted(name).values())
