"""Training: self-play, export. The only package that imports torch; levels play in `agents`.

from spades_env.training import Recipe, train

train(Recipe.load("mine.toml"), "runs/mine", callbacks=[print])
"""

import importlib
from typing import Any

OFFERED = {  # what programs import, and the modules that have it; torch is imported when one of these is asked for
    "train": "trainer",
    "train_seeds": "seeds.runs",
    "Recipe": "recipe",
    "RecipeError": "recipe",
    "RunError": "run.checkpoints",
    "Record": "own.callbacks",
    "Decisions": "self_play.tables",
    "Learner": "learner",
    "Minibatch": "own.loss",
    "OpenHands": "rewards",
    "Iteration": "stages.iteration",
    "load_network": "export",
}


def __getattr__(name: str) -> Any:
    if name not in OFFERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{OFFERED[name]}"), name)


def __dir__() -> list[str]:
    return sorted(OFFERED)
