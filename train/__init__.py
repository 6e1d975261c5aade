"""Training: imitation, rollouts, self-play, export. The only package that imports torch; levels play in `agents`.

from train import Recipe, train

train(Recipe.load("mine.toml"), "runs/mine", callbacks=[print])
"""

import importlib
from typing import Any

OFFERED = {  # what programs import, and the modules that have it; torch is imported when one of these is asked for
    "train": "train.trainer",
    "train_seeds": "train.seeds.runs",
    "Recipe": "train.recipe",
    "RecipeError": "train.recipe",
    "RunError": "train.run.checkpoints",
    "Record": "train.own.callbacks",
    "Step": "train.own.loss",
    "Hands": "train.own.reward",
    "Round": "train.stages.round",
    "run_passes": "train.stages.passes",
    "load_network": "train.export",
}


def __getattr__(name: str) -> Any:
    if name not in OFFERED:
        raise AttributeError(f"module 'train' has no attribute {name!r}")
    return getattr(importlib.import_module(OFFERED[name]), name)


def __dir__() -> list[str]:
    return sorted(OFFERED)
