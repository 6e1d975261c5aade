"""What is counted around a game: how hard it is, how it ranks in a tournament, what it does to a rating.

difficulty   2 (easiest) to 14 stars: the opponents' stars together, plus 5 less the partner's. Without partners the
             three others' stars together, less 1: from 2 to 14 as well
standing     one number for a finished tournament game, higher is better. A win beats a draw, a draw a loss; of wins
             the one in fewer hands, of others the one in more hands; then the own score less the best other one
rating       0 at first. A win at difficulty d adds 10 d, a draw 5 d, a loss takes 80 − 5 d (never below 0). It is
             cumulative, not an estimate of strength: who wins more than 33 % at difficulty 8, 78 % at 2 or 7 % at 14
             gains in the long run, so hard tables pay
weight       how much of a full game a game counts in the rating, 0 to 1: target / 250 or max_hands / 8, whichever is
             less. A win or a draw counts at most a quarter a hand, so that no rule makes quick wins dear and slow
             losses cheap. What is added or taken is rounded to a whole number
"""

from collections.abc import Sequence

from agents.names import Word
from agents.roster import MOST_STARS, character_named
from spades_env import Game, Rules
from spades_env.cards import NUM_SEATS, Seat, partner

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
KIND_STARS = {
    "random": 1,
    "rb": 1,
    "bis": 2,
    "club": 2,
    "rule": 3,
    "pimc": 3,
    "standard": 4,
    "mc": 4,
    "ismcts": 4,
}  # beside the characters
USUAL_STARS = 3  # of an agent nothing is known of
FULL_TARGET, FULL_HANDS = 250, 8  # a game to this score, or of so many hands, counts in full
LEAST_HANDS = 4  # in which a win does
MOST_HANDS, MOST_MARGIN = 999, 4999  # beyond them a standing makes no difference


def stars(agent: str) -> int:
    """1 to 5: a character's own; of another agent those of the kind that plays its cards."""
    one = character_named(agent) or character_named(Word.parse(agent).name)
    return one.stars if one else KIND_STARS.get(Word.parse(agent.rpartition("/")[2]).name, USUAL_STARS)


def bot_name(agent: str) -> str:
    """A character's name, else the agent's string."""
    one = character_named(agent)
    return one.name if one else agent


def agent_key(agent: str) -> str:
    """One string for one player: characters are written as it pleases."""
    one = character_named(agent)
    return one.key if one else agent


def outcome_of(game: Game, seat: Seat) -> float:
    """WIN, DRAW or LOSS of a finished game for a seat; a draw is one of the sides with the best score."""
    return outcome_at(game.rules, game.scores, seat)


def outcome_at(rules: Rules, scores: Sequence[int], seat: Seat) -> float:
    """The same by the final scores alone: most points win."""
    own, best = scores[rules.side(seat)], max(scores)
    if own < best:
        return LOSS
    return WIN if list(scores).count(best) == 1 else DRAW


def margin_of(game: Game, seat: Seat) -> int:
    """The own score less the best other one."""
    side = game.rules.side(seat)
    return game.scores[side] - max(score for other, score in enumerate(game.scores) if other != side)


def difficulty(rules: Rules, seat: Seat, bots: list[str | None]) -> int | None:
    """Of a game for the person at a seat, 2 to 14; None where other people (None among the bots) play, too."""
    others = {other: bots[other] for other in range(NUM_SEATS) if other != seat}
    if None in others.values():
        return None
    shine = {other: stars(bot) for other, bot in others.items() if bot}
    if not rules.partners:
        return sum(shine.values()) - 1
    own = shine.pop(partner(seat))
    return sum(shine.values()) + MOST_STARS - own


def tournament_standing(outcome: float, hands: int, margin: int) -> int:
    """A finished game: its outcome (WIN, DRAW, LOSS), the hands played, the own score less the best other one."""
    hands = min(hands, MOST_HANDS)
    length = MOST_HANDS - hands if outcome == WIN else hands
    margin = max(-MOST_MARGIN, min(MOST_MARGIN, margin))
    return int(2 * outcome) * 10_000_000 + length * 10_000 + margin


def weight(rules: Rules, outcome: float, hands: int) -> float:
    """How much of a full game a game of so many hands counts in the rating."""
    if not hands:
        return 0.0
    lengths = [1.0]
    if rules.target is not None:
        lengths.append(rules.target / FULL_TARGET)
    if rules.max_hands is not None:
        lengths.append(rules.max_hands / FULL_HANDS)
    if outcome != LOSS:
        lengths.append(hands / LEAST_HANDS)
    return min(lengths)


def rating_after(rating: int, outcome: float, stars: int, weight: float = 1.0) -> int:
    """The rating once a game of this difficulty and weight is over."""
    if outcome == LOSS:
        return max(0, rating - round(weight * (80 - 5 * stars)))
    return rating + round(weight * (10 if outcome == WIN else 5) * stars)
