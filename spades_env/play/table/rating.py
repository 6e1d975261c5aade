"""How hard a game is, how it ranks in a tournament, and what it does to a rating.

difficulty   2 (easiest) to 14 stars: the opponents' stars together, plus 5 less the partner's. Without partners the
             three others' stars together, less 1: from 2 to 14 as well
standing     one number for a finished tournament game, higher is better. A win beats a draw, a draw a loss; among wins
             fewer hands are better, among the others more hands; then the margin: the score less the best other one
rating       0 at first. A win at difficulty d adds 10 d, a draw 5 d, a loss takes 80 − 5 d (never below 0). It is
             cumulative, not an estimate of strength: in the long run it grows with more than 78 % of wins at
             difficulty 2, 33 % at 8 or 7 % at 14, so hard tables pay
weight       how much of a full game a game counts in the rating, 0 to 1: target / 250 or max_hands / 8, whichever is
             less. A win or a draw counts at most a quarter for each hand, so that no rules make quick wins pay and
             slow losses cheap. Changes are rounded to a whole number. Rules for less than half a full game count for
             nothing, see `is_rated`
"""

from collections.abc import Sequence

from spades_env.agents.agent_name import AgentName
from spades_env.agents.roster import MOST_STARS, character_named
from spades_env.game.cards import NUM_SEATS, Seat, partner
from spades_env.game.game import Game
from spades_env.game.rules import Rules
from spades_env.play.texts import catalogue, text

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
# of agents that are not characters
KIND_STARS = {"random": 1, "rb": 1, "bis": 2, "club": 2, "rule": 3, "pimc": 3, "standard": 4, "mc": 4, "ismcts": 4}
DEFAULT_STARS = 3  # of an unknown agent
FULL_TARGET, FULL_HANDS = 250, 8  # a game to this score, or of this many hands, counts in full
LEAST_LENGTH = 0.5  # of a full game: shorter ones don't count at all
LEAST_HANDS = 4  # a win in fewer hands doesn't count in full
MOST_HANDS, MOST_MARGIN = 999, 4999  # a standing makes no difference beyond these


def stars(agent: str) -> int:
    """Return an agent's stars, 1 to 5: a character's own, or those of the kind that plays the cards."""
    one = character_named(agent) or character_named(AgentName.parse(agent).name)
    if one:
        return one.stars
    bidder, player = AgentName.parse_pair(agent)
    return KIND_STARS.get((player or bidder).name, DEFAULT_STARS)


def bot_name(agent: str) -> str:
    """Return the name that people read: a character's, a plain bot's own, else the agent's string."""
    if one := character_named(agent):
        return one.name
    return text(key) if (key := f"bot.{agent}") in catalogue() else agent


def agent_key(agent: str) -> str:
    """Return one string for all spellings of an agent: a character's key, or else the agent's string."""
    one = character_named(agent)
    return one.key if one else agent


def outcome_of(game: Game, seat: Seat) -> float:
    """Return WIN, DRAW or LOSS of a finished game for a seat; sides with the same best score draw."""
    return outcome_at(game.rules, game.scores, seat)


def outcome_at(rules: Rules, scores: Sequence[int], seat: Seat) -> float:
    """Return WIN, DRAW or LOSS for a seat by the final scores."""
    own, best = scores[rules.side(seat)], max(scores)
    if own < best:
        return LOSS
    return WIN if list(scores).count(best) == 1 else DRAW


def margin_of(game: Game, seat: Seat) -> int:
    side = game.rules.side(seat)
    return game.scores[side] - max(score for other, score in enumerate(game.scores) if other != side)


def difficulty(rules: Rules, seat: Seat, bots: list[str | None]) -> int | None:
    """Return the difficulty for the person at a seat, 2 to 14; None if other people (None in `bots`) play too."""
    others = {other: bots[other] for other in range(NUM_SEATS) if other != seat}
    if None in others.values():
        return None
    stars_of = {other: stars(bot) for other, bot in others.items() if bot}
    if not rules.partners:
        return sum(stars_of.values()) - 1
    own = stars_of.pop(partner(seat))
    return sum(stars_of.values()) + MOST_STARS - own


def tournament_standing(outcome: float, hands: int, margin: int) -> int:
    """Rank a finished game by its outcome (WIN, DRAW, LOSS), the hands played, and the margin; higher is better."""
    hands = min(hands, MOST_HANDS)
    length = MOST_HANDS - hands if outcome == WIN else hands
    margin = max(-MOST_MARGIN, min(MOST_MARGIN, margin))
    return int(2 * outcome) * 10_000_000 + length * 10_000 + margin


def is_rated(rules: Rules) -> bool:
    """Is a game by these rules long enough to change a rating?"""
    return _length(rules) >= LEAST_LENGTH


def _length(rules: Rules) -> float:
    """Return the length of a game compared with a full one, at most 1."""
    target = FULL_TARGET if rules.target is None else rules.target
    hands = FULL_HANDS if rules.max_hands is None else rules.max_hands
    return min(1.0, target / FULL_TARGET, hands / FULL_HANDS)


def weight(rules: Rules, outcome: float, hands: int) -> float:
    """Return how much a game of this many hands counts in the rating; 1 is a full game."""
    if not (hands and is_rated(rules)):
        return 0.0
    return _length(rules) if outcome == LOSS else min(_length(rules), hands / LEAST_HANDS)


def rating_after(rating: int, outcome: float, stars: int, weight: float = 1.0) -> int:
    if outcome == LOSS:
        return max(0, rating - round(weight * (80 - 5 * stars)))
    return rating + round(weight * (10 if outcome == WIN else 5) * stars)
