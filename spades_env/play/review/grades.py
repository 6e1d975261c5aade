"""Every decision of a seat in a finished hand, graded, with the better choice, its reason and what the move has cost.

grades(rules, hand, seat, judge, names, "Zofia")     one entry for each decision, as it is found
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from spades_env.agents.measures import CHANCE
from spades_env.game.cards import Seat, action_name
from spades_env.game.rules import Rules
from spades_env.play.coach.grade import BEST, Judge, Verdict
from spades_env.play.coach.why import explain
from spades_env.play.table.clock import Now
from spades_env.play.table.hands import BOT, CLAIM, LATE, PERSON, PlayedHand
from spades_env.play.table.seats import Names
from spades_env.play.texts import Text


@dataclass(frozen=True)
class Graded:
    """A decision with its grade. verdict: None if there was no time for it; reason: for the better choice."""

    number: int
    phase: str
    action: int
    verdict: Verdict | None
    reason: Text | None

    @property
    def grade(self) -> str | None:
        return self.verdict.grade if self.verdict else None

    def as_dict(self) -> dict:
        found, done = self.verdict, action_name(self.action)
        about = {"number": self.number, "phase": self.phase, "yours": done}
        if found is None:
            unknown = dict.fromkeys(("grade", "better", "lost", "suit", "card", "reason"))
            return about | unknown | {"tried": []}
        lost = found.whole.as_dict()
        return about | {
            "grade": self.grade,
            "better": None if found.better == self.action else action_name(found.better),
            "lost": {"chance": lost["lost"], "doubt": lost["doubt"]},
            "suit": found.suit.as_dict() if found.suit else None,
            "card": found.card.as_dict() if found.card else None,
            "reason": self.reason,
            "tried": [{"action": action_name(one), "chance": round(chance, 4)} for one, chance in found.weighed],
        }


def grades(
    rules: Rules,
    hand: PlayedHand,
    seat: Seat,
    judge: Judge,
    names: Names,
    by: str,
    seconds: float | None = None,
    now: Now = time.monotonic,
) -> Iterator[Graded]:
    """Yield a seat's decisions in order. names: as the seat reads them; seconds: the time for all, None is no limit."""
    game, end = hand.start.game(rules), now() + (seconds or 0)
    not_theirs = {CLAIM, LATE} | ({BOT} if any(one.seat == seat and one.by == PERSON for one in hand.moves) else set())
    for number, played in enumerate(hand.moves):
        if played.seat == seat and played.by not in not_theirs and len(game.legal_actions()) > 1:
            view, in_time = game.view(seat), seconds is None or now() < end
            verdict = judge.verdict(view, played.action) if in_time else None
            if verdict or not in_time:
                reason = None
                if verdict and verdict.grade != BEST:
                    reason = explain(view, verdict.weighed, CHANCE, names, by, played.action)
                yield Graded(number, played.phase, played.action, verdict, reason)
        game.apply(played.action)
