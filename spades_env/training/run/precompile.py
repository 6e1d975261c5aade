"""Kernels that a run needs later, compiled by its other workers while the first compiles those it needs at once.

All workers need the same kernels. With an empty cache each would compile all of them, which takes two minutes. What one
has compiled the others load from the cache.
"""

from spades_env import agents
from spades_env.agents.network.player import NetworkAgent
from spades_env.game.game import Game
from spades_env.training.recipe import Recipe, RolloutImprovement


def compile_ahead(recipe: Recipe, player: agents.Agent) -> None:
    """Ask a search and the player about a card: the kernels of rollouts in several worlds, and of evaluations."""
    game = Game(recipe.rules.main, seed=0)
    bot = agents.load("random", seed=0)
    while game.phase != "play":
        game.apply(bot.act(game.view(game.turn)))
    if any(isinstance(stage, RolloutImprovement) and stage.determinizations > 1 for stage in recipe.stage):
        agents.load("mc:1x1", seed=0).weigh_batch([game.view(game.turn)])
    if isinstance(player, NetworkAgent) and recipe.evaluate.every:
        player.act(game.view(game.turn))
