"""Levels for tests: small random networks, and how close two computations of one must be."""

from pathlib import Path
from typing import Any

import numpy as np

from spades_env.agents.network.level import Level, layer_sizes
from spades_env.agents.network.player import log_probs

PARITY = 1e-5  # between ours, torch's and ONNX's numbers: of the chances of actions, and of values


def random_tensors(seed: int = 0, width: int = 24, suit_width: int = 16) -> dict[str, np.ndarray]:
    """Return the tensors of a random network of this width."""
    rng = np.random.default_rng(seed)
    tensors = {}
    for name, (inputs, outputs) in layer_sizes(width, suit_width).items():
        weight = rng.normal(size=(outputs, inputs)) / np.sqrt(inputs)
        tensors[f"{name}.weight"] = weight.astype(np.float32)
        tensors[f"{name}.bias"] = rng.normal(size=outputs).astype(np.float32)
    return tensors


def random_level(seed: int = 0, width: int = 24, suit_width: int = 16, **words) -> Level:
    """Return a random level, always the same for the same seed."""
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
    """Write a random level to a file."""
    random_level(seed, **words).write(folder / file)
    return folder / file


def assert_same_numbers(ours: np.ndarray, theirs: np.ndarray, mask: np.ndarray) -> None:
    """Check that two computations of logits, [N, 70], agree on them and on the chances of the legal actions in a mask.

    Logits go up to a hundred, where float32 has steps of 8e-6: they may differ by as much of the largest.
    """
    chances, others = (np.exp(log_probs(logits, mask)) for logits in (ours, theirs))
    assert np.abs(chances - others).max() <= PARITY
    assert np.abs(ours - theirs).max() <= PARITY * max(1, np.abs(theirs).max())
