"""Games to look at: after random moves or at their end, and as text."""

import random

from spades_env import Game
from spades_env.game.cards import BID_ZERO
from spades_env.show.render import ansi


def played(game: Game, moves: int, seed: int = 0) -> Game:
    """Return a game after some random moves, with realistic bids."""
    generator = random.Random(seed)
    for _ in range(moves):
        if game.over:
            break
        legal = game.legal_actions()
        if game.phase == "bid":
            bid = BID_ZERO + generator.choice((0, 2, 3, 4))
            legal = [min(legal, key=lambda action: abs(action - bid))]
        game.apply(generator.choice(legal))
    return game


def finished(rules="showdown", seed: int = 5) -> Game:
    return played(Game(rules, seed=seed), 100_000)


def text(game: Game, seat: int = 0) -> str:
    return ansi(game.view(seat), colour=False)
