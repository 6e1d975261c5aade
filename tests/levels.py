"""Levels for tests: small networks of random numbers."""

from pathlib import Path
from typing import Any

import numpy as np

from agents.insight import NUM_INPUTS, NUM_OPEN_INPUTS
from agents.level import Level
from spades_env.cards import NUM_ACTIONS


def random_tensors(seed: int = 0, widths: tuple[int, ...] = (24, 16), critic: tuple[int, ...] = ()) -> dict:
    """The tensors of a network with such hidden layers, and of such a critic."""
    rng = np.random.default_rng(seed)
    tensors = _network(rng, "", (NUM_INPUTS, *widths), {"policy": NUM_ACTIONS, "value": 1})
    return tensors | (_network(rng, "critic.", (NUM_OPEN_INPUTS, *critic), {"value": 1}) if critic else {})


def random_level(seed: int = 0, widths: tuple[int, ...] = (24, 16), critic: tuple[int, ...] = (), **words) -> Level:
    """A level that plays anyhow, but always the same."""
    given: dict[str, Any] = {
        "name": "anyhow",
        "style": "as it falls",
        "recipe": "random numbers",
        "rules": "classic",
        "ratings": {"random": 12.5},
        "trained": {"decisions": 0, "seconds": 0.5},
    }
    return Level(random_tensors(seed, widths, critic), **given | words)


def level_file(folder: Path, file: str = "anyhow.safetensors", seed: int = 0, **words) -> Path:
    """A random level in a file."""
    random_level(seed, **words).write(folder / file)
    return folder / file


def _network(rng, prefix: str, widths: tuple[int, ...], heads: dict[str, int]) -> dict[str, np.ndarray]:
    layers = {f"hidden.{i}": (inputs, widths[i + 1]) for i, inputs in enumerate(widths[:-1])}
    layers |= {head: (widths[-1], outputs) for head, outputs in heads.items()}
    tensors = {}
    for name, (inputs, outputs) in layers.items():
        weight = rng.normal(size=(outputs, inputs)) / np.sqrt(inputs)
        tensors[f"{prefix}{name}.weight"] = weight.astype(np.float32)
        tensors[f"{prefix}{name}.bias"] = rng.normal(size=outputs).astype(np.float32)
    return tensors
