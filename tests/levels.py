"""Levels for tests: small networks of random numbers."""

from pathlib import Path
from typing import Any

import numpy as np

from agents.level import Level, layer_sizes


def random_tensors(seed: int = 0, width: int = 24, suit_width: int = 16) -> dict[str, np.ndarray]:
    """The tensors of a network that is so wide."""
    rng = np.random.default_rng(seed)
    tensors = {}
    for name, (inputs, outputs) in layer_sizes(width, suit_width).items():
        weight = rng.normal(size=(outputs, inputs)) / np.sqrt(inputs)
        tensors[f"{name}.weight"] = weight.astype(np.float32)
        tensors[f"{name}.bias"] = rng.normal(size=outputs).astype(np.float32)
    return tensors


def random_level(seed: int = 0, width: int = 24, suit_width: int = 16, **words) -> Level:
    """A level that plays anyhow, but always the same."""
    given: dict[str, Any] = {
        "name": "anyhow",
        "style": "as it falls",
        "recipe": "random numbers",
        "rules": "classic",
        "ratings": {"random": 12.5},
        "trained": {"decisions": 0, "seconds": 0.5},
    }
    return Level(random_tensors(seed, width, suit_width), **given | words)


def level_file(folder: Path, file: str = "anyhow.safetensors", seed: int = 0, **words) -> Path:
    """A random level in a file."""
    random_level(seed, **words).write(folder / file)
    return folder / file
