"""A training recipe: a TOML file of sections, every key known, every value checked."""

from train.recipe.keys import RecipeError
from train.recipe.recipe import KINDS, Recipe, Stage, kind_of
from train.recipe.sections import Evaluate, Foresee, Imitate, Network, Pool, Reward, SelfPlay
from train.recipe.situations import Situations

__all__ = ["KINDS", "Evaluate", "Foresee", "Imitate", "Network", "Pool", "Recipe", "RecipeError", "Reward", "SelfPlay"]
__all__ += ["Situations", "Stage", "kind_of"]
