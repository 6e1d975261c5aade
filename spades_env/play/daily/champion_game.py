"""The champion's own game at the person's seat: the same cards, the same partner and opponents.

    for hand in champion_hands(daily): …       a ChampionHand whenever one is finished, None after every other move

The champion's score differs from the person's, so the bots may play differently, too. An interrupted game continues
after the last hand in `daily.champion`, exactly as it would have without a break.
"""

from collections.abc import Iterator

from spades_env import agents
from spades_env.game.game import Game
from spades_env.game.secret_deals import agent_seed
from spades_env.play.daily.deal_of_day import BOTS, HANDS, RULES, SIDES, ChampionHand, Daily


def champion_hands(daily: Daily) -> Iterator[ChampionHand | None]:
    """Play the hands that are missing, move by move."""
    done = list(daily.champion)
    if len(done) == HANDS:
        return
    players = [agents.load(bot, seed=agent_seed(daily.seed, seat)) for seat, bot in enumerate(BOTS)]
    game = Game(RULES, daily.seed, **_after(done))
    while not game.over:
        finished = len(game.results)
        game.apply(players[game.turn].act(game.view(game.turn)))
        if len(game.results) == finished:
            yield None
        else:
            result = game.results[-1]
            yield ChampionHand(tuple(result.points), tuple(result.bags))


def _after(done: list[ChampionHand]) -> dict:
    """Return how the game stands after these hands, as `Game` takes it."""
    if not done:
        return {}
    scores = [sum(hand.points[side] for hand in done) for side in range(SIDES)]
    return {"scores": scores, "bags": done[-1].bags, "hand_number": len(done)}
