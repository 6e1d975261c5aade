"""A training recipe: a TOML file of sections, every key known, every value checked."""

from spades_env.training.recipe.keys import RecipeError
from spades_env.training.recipe.recipe import KINDS, Recipe, Stage, kind_of, named_in
from spades_env.training.recipe.sections import (
    Evaluate,
    NetworkShape,
    PoolShares,
    Reward,
    SelfPlay,
)
from spades_env.training.recipe.start_situations import Situations

__all__ = [
    "KINDS",
    "Evaluate",
    "NetworkShape",
    "PoolShares",
    "Recipe",
    "RecipeError",
    "Reward",
    "SelfPlay",
    "Situations",
    "Stage",
    "kind_of",
    "named_in",
]
