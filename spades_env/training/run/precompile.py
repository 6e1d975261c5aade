"""Kernels of evaluations, compiled by a run's other workers while the first compiles those it needs at once.

All workers need the same kernels. With an empty cache each would compile all of them, which takes two minutes. What one
has compiled the others load from the cache.
"""

from spades_env import agents
from spades_env.agents.network.player import NetworkAgent
from spades_env.game.game import Game
from spades_env.training.recipe import Recipe


def compile_ahead(recipe: Recipe, player: agents.Agent) -> None:
    """Ask the player about a card."""
    if not isinstance(player, NetworkAgent) or not recipe.evaluate.every:
        return
    game = Game(recipe.rules.main, seed=0)
    bot = agents.load("random", seed=0)
    while game.phase != "play":
        game.apply(bot.act(game.view(game.turn)))
    player.act(game.view(game.turn))
