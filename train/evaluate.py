"""How strong a policy is as it learns: duplicate games against fixed opponents under the main rules."""

from collections.abc import Iterator

from agents import arena
from agents.level import Level
from agents.network import NetworkAgent
from agents.results import Result
from spades_env import Rules
from train.asking import granted
from train.recipe import Recipe

SEED = 20_000  # of the deals: the same at every evaluation, so that luck falls on all alike


def evaluate(level: Level, recipe: Recipe) -> Iterator[tuple[str, Result]]:
    """Against each opponent of the recipe, on all cores where no number is granted: other workers wait meanwhile."""
    agent = NetworkAgent(level.name, level)
    for name in recipe.evaluate.against:
        rules = Rules.parse(recipe.rules.main)
        yield name, arena.play(agent, name, rules, games=recipe.evaluate.games, seed=SEED, jobs=granted())
