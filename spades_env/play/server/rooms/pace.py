"""When a bot's card appears: at a moment that doesn't tell other people whether the bot had a choice.

A forced card needs no thought, and one that is searched for needs much. So a forced one takes as long as one of the
seat's latest choices, drawn at random, and every card appears a whole number of steps after it became the bot's turn.
"""

import random
from collections import defaultdict, deque

from spades_env.game.cards import Seat

STEP_SECONDS = 0.025  # most bots choose within the first one, so nobody waits for more
REMEMBERED = 8  # choices of each seat
MOST_SECONDS = 3.0  # of a remembered choice: a bot that was being compiled took a minute


class Pace:
    """The pace of the bots at one table."""

    def __init__(self):
        self._took: dict[Seat, deque[float]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def rest(self, seat: Seat, forced: bool, took: float) -> float:
        """Return how many seconds to hold back a card that took `took` seconds to choose."""
        known = self._took[seat]
        if not forced:
            known.append(min(took, MOST_SECONDS))
        wanted = max(took, random.choice(known)) if forced and known else took
        return (wanted // STEP_SECONDS + 1) * STEP_SECONDS - took
