"""Files of the project with one byte changed: their readers refuse them and name them."""

import shutil
from pathlib import Path

import pytest
from support.flips import assert_noticed
from support.paths import ROOT

from spades_env.agents import fitted
from spades_env.agents.arena import entry, ladder
from spades_env.agents.arena.entry import EntryError
from spades_env.agents.arena.ladder import LadderError
from spades_env.agents.digest import DamagedError
from spades_env.agents.fitted import fitted_file, load_fitted
from spades_env.agents.roster import CHARACTERS, MEASURED, RosterError, read_roster

SETTINGS = {"rules": "classic target=off max_hands=1", "mode": "games", "games": 2, "seed": 0}
NAMES = "random", "random/random"


@pytest.mark.parametrize("name", ["equity", "rule", "bis", "worlds"])
def test_fitted_tables(name, tmp_path, monkeypatch):
    """They decide how the bots play that all others are measured against."""
    path = Path(shutil.copy(fitted_file(name), tmp_path))
    monkeypatch.setattr(fitted, "FOLDER", tmp_path)
    assert_noticed(path, lambda: load_fitted(name), DamagedError)


def test_figures_of_the_characters(tmp_path):
    path = Path(shutil.copy(MEASURED, tmp_path))
    assert_noticed(path, lambda: read_roster(CHARACTERS, path), RosterError)


def test_a_results_file(tmp_path):
    path = Path(shutil.copy(ROOT / "docs" / "results" / "bis.json", tmp_path))
    assert_noticed(path, lambda: entry.read_entry(path), EntryError)


def test_a_ladder(tmp_path):
    ladder.open_folder(tmp_path, SETTINGS)
    assert_noticed(tmp_path / ladder.SETTINGS, lambda: ladder.open_folder(tmp_path, SETTINGS), LadderError)
    ladder.play_pair(*NAMES, NAMES, tmp_path, rules=SETTINGS["rules"], games=2)
    [path] = tmp_path.glob("*against*.json")
    assert_noticed(path, lambda: ladder.kept_pair(tmp_path, NAMES, 2), LadderError)
