"""A roster of two characters, in a folder of its own."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.agents.characters import RECIPE, SMALL

from spades_env.agents import roster


@pytest.fixture
def small(tmp_path, monkeypatch) -> Iterator[Path]:
    """Two characters instead of all; their levels would be in out/levels."""
    (tmp_path / "short.toml").write_text(RECIPE)
    (tmp_path / "roster.toml").write_text(SMALL.format(recipe=tmp_path / "short"))
    monkeypatch.setattr(roster, "CHARACTERS", tmp_path / "roster.toml")
    monkeypatch.setattr(roster, "MEASURED", tmp_path / "out" / "roster.json")
    for module in ("spades_env.agents.agent_name", "spades_env.agents.registry"):
        monkeypatch.setattr(sys.modules[module], "LEVELS", tmp_path / "out" / "levels")
    roster.roster.cache_clear()
    yield tmp_path
    roster.roster.cache_clear()
