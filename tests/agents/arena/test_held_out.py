"""Held-out opponents are not used in training."""

import re

from support.paths import ROOT

HELD_OUT = ("club", "pimc")


def test_nothing_that_learns_or_chooses_names_it():
    """No training, fit or model selection may use them: only then do they measure generalisation."""
    named = re.compile(r"\b(" + "|".join(HELD_OUT) + r")\b")
    files = [
        *(ROOT / "configs").rglob("*.toml"),
        *(ROOT / "spades_env" / "training").rglob("*.py"),
        ROOT / "spades_env" / "agents" / "arena" / "characters.py",
        ROOT / "agents" / "roster.toml",
    ]
    assert len(files) > 20
    assert [path.name for path in files if named.search(path.read_text(encoding="utf-8"))] == []
    assert named.search('agents = { "rb/pimc:20" = 0.1, rule = 0.2 }')
    assert not named.search("a card of clubs")
