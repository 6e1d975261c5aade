"""Two characters for tests, with a recipe that takes seconds and levels of random numbers."""

from pathlib import Path

import pytest
from support.agents.levels import random_level
from support.strategies import SCALE

slow = pytest.mark.skipif(SCALE < 0.1, reason="whole games of networks, which take minutes without the compiler")
SMALL = """
[[character]]
name = "Ada"
stars = 2
style = "Plays as it falls, and thinks about it."
agent = "ada/mc:2x1+rule"
shows = {{ mean_bid = "high" }}

[[character]]
name = "Bo"
stars = 1
style = "Plays as it falls."
recipe = "{recipe}"
"""
RECIPE = """
tables = 4
checkpoint = 1
network = { width = 12, suit_width = 8 }
evaluate = { every = 0 }

[[stage]]
kind = "selfplay"
iterations = 1
hands = 1
"""


def learned(folder: Path, *keys: str) -> Path:
    """Random levels of these characters, in out/levels."""
    for seed, key in enumerate(keys):
        random_level(seed, name=key).write(folder / "out" / "levels" / f"{key}.safetensors")
    return folder / "out"
