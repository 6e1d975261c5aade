"""A training recipe: a TOML file of sections, every key known, every value checked."""

from spades_env.training.recipe.keys import RecipeError
from spades_env.training.recipe.recipe import KINDS, Recipe, Stage, iterations, kind_of, old_names
from spades_env.training.recipe.sections import Evaluate, Imitate, Network, Pool, Reward, RolloutImprovement, SelfPlay
from spades_env.training.recipe.situations import Situations

__all__ = [
    "KINDS",
    "Evaluate",
    "Imitate",
    "Network",
    "Pool",
    "Recipe",
    "RecipeError",
    "Reward",
    "RolloutImprovement",
    "SelfPlay",
]
__all__ += ["Situations", "Stage", "iterations", "kind_of", "old_names"]
