"""`python -m spades_env.training.fit NAME`: prints numbers, and writes them beside their module if asked to."""

from types import SimpleNamespace

import numpy as np
import pytest

from spades_env.agents.fitted import fit_options, load_fitted, write_fitted
from spades_env.training.fit import __main__ as command
from spades_env.training.fit import bis


@pytest.fixture
def module(tmp_path, monkeypatch) -> str:
    """The file of a made-up module whose numbers are quickly fitted."""
    path = str(tmp_path / "made_up.py")

    def learn(agent: str, deals: int, seed: int) -> dict:
        return {"shares": np.full(2, seed / 3), "deals": deals}

    fit = SimpleNamespace(__doc__="Fit.", MODULE=path, OPTIONS=bis.OPTIONS, learn=learn)
    monkeypatch.setitem(command.FITS, "bis", fit)
    return path


def test_numbers_are_printed_and_written_only_if_asked_to(module, tmp_path, capsys):
    command.main(["bis", "--deals", "5"])
    assert "deals 5" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
    command.main(["bis", "--deals", "5", "--seed", "2", "--write"])
    assert [path.name for path in tmp_path.iterdir()] == ["made_up.safetensors"]
    assert load_fitted(module)["shares"].tolist() == [2 / 3, 2 / 3]
    assert float(load_fitted(module)["deals"]) == 5
    assert fit_options(module) == {"agent": "rule", "deals": 5, "seed": 2}


def test_every_bit_is_kept(tmp_path):
    table = np.random.default_rng(1).random((3, 4))
    write_fitted(str(tmp_path / "x.py"), {"plain": table, "turned": table.T}, {})
    found = load_fitted(str(tmp_path / "x.py"))
    assert (found["plain"] == table).all()
    assert (found["turned"] == table.T).all()
    assert fit_options(str(tmp_path / "x.py")) == {}


@pytest.mark.parametrize("name", command.FITS)
def test_each_module_has_numbers_of_its_fit(name):
    module = command.FITS[name].MODULE
    assert load_fitted(module)
    assert all(table.dtype == np.float64 for table in load_fitted(module).values())
