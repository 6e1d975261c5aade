"""Short runs of code of our own, for tests."""

import json
from pathlib import Path

import pytest
import torch
from support.strategies import scaled

from spades_env._jit import JIT_ON
from spades_env.training import Recipe, train

compiled = pytest.mark.skipif(not JIT_ON, reason="runs take minutes without the compiler")
OWN = "support.train.own_code"
SELF_PLAY = {"kind": "selfplay", "iterations": 2, "hands": 1, "minibatch": 64}


def recipe(*stages: dict, net: str = "Net", **changes) -> Recipe:
    """A short recipe with a network of our own."""
    table = {
        "name": "short",
        "tables": scaled(8),
        "checkpoint": 2,
        "network": {"kind": f"{OWN}:{net}" if net != "suits" else net, "bfloat16": False},
        "stage": list(stages or (SELF_PLAY,)),
        "pool": {"past": 0.3, "every": 2, "keep": 1},
        "evaluate": {"every": 2, "games": 4},
    }
    if net == "suits":
        table["network"] |= {"width": 8, "suit_width": 8}
    return Recipe.of(table | changes)


def follow(recipe: Recipe, folder: Path, resume: bool = False, callbacks=()) -> Path:
    torch.set_num_threads(1)
    return train(recipe, folder, resume, "cpu", lambda text: None, callbacks)


def metrics(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def iterations(folder: Path) -> list[dict]:
    return [line for line in metrics(folder) if "evaluation" not in line]
