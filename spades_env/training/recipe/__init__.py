"""A training recipe: a TOML file of sections, every key known, every value checked."""

from spades_env.training.recipe.keys import RecipeError
from spades_env.training.recipe.recipe import KINDS, Recipe, Stage, kind_of
from spades_env.training.recipe.sections import (
    Evaluate,
    Imitate,
    NetworkShape,
    PoolShares,
    Reward,
    RolloutImprovement,
    SelfPlay,
)
from spades_env.training.recipe.start_situations import Situations

__all__ = [
    "KINDS",
    "Evaluate",
    "Imitate",
    "NetworkShape",
    "PoolShares",
    "Recipe",
    "RecipeError",
    "Reward",
    "RolloutImprovement",
    "SelfPlay",
    "Situations",
    "Stage",
    "kind_of",
]
