"""Two drills. Each deals a hand, asks one question, and then shows what the champion and a search say.

    drill = deal_drill("bid", seed)                    the same seed deals the same hand, everywhere
    drill.scene()                                      the person's hand and the bids before: nothing hidden
    drill.answer("bid:4", adviser).as_dict()           how the bid adds up, beside the champion's

bid   what would you bid? The error is the distance from the champion's bid, where a nil counts as 0
nil   is this hand a nil? The error is the chance to win that the answer costs, by a search in deals that fit

A nil drill deals until a search finds both answers about equally good.
"""

import random
import secrets
from dataclasses import dataclass, field
from typing import Any

from spades_env import agents
from spades_env.agents.base import Agent
from spades_env.checks import LARGEST_SEED
from spades_env.game.cards import BID_ZERO, MAX_BID, action_name
from spades_env.game.game import Game
from spades_env.game.view import View
from spades_env.play.coach.count import count_hand
from spades_env.play.lessons.dangers import dangers, nil_chance
from spades_env.play.lessons.learnt import BID, NIL
from spades_env.play.lessons.scene import LEARNER, scene
from spades_env.play.lessons.tutorial_steps import PERSON_NAME
from spades_env.play.table.choices import default_bots
from spades_env.play.table.rating import bot_name
from spades_env.play.table.seats import TableError
from spades_env.play.table.table import Table
from spades_env.play.texts import Text, decimal, text

RULES = "classic"
SEARCH = "mc:160x2+free"  # tries nil, and the bids near the one that `rule` would make
LIKELY = (0.5, 0.8)  # how often a nil that may be close is kept, by the cards alone
MOST_DEALS = 5000  # until one is like that: about one in thirty is
CLOSE = 0.05  # of the chance to win: a gap that makes a decision close
MOST_TRIED = 5  # deals that are searched for a close one; the closest of them is taken
DIGITS = 4  # of a chance
SAME = 0.01  # of the chance to win: a decision that costs less is as good as the best
NO_NIL = "bid"  # the answer that says so


@dataclass(frozen=True)
class Answered:
    """The reply to an answer. off: its error, see above; about: what else a page shows."""

    kind: str
    off: float
    words: Text
    about: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "off": self.off, "words": self.words} | self.about


@dataclass(frozen=True)
class Drill:
    """One hand of a drill. number: names it, and reveals no card; counted: False if its seed was typed."""

    kind: str
    table: Table
    counted: bool = True
    number: int = field(default_factory=lambda: secrets.randbits(48))

    @property
    def view(self) -> View:
        return self.table.game.view(LEARNER)

    def scene(self) -> dict[str, Any]:
        return scene(self.table)

    def check(self, action: str) -> None:
        """Raise TableError unless this answers the question of the drill."""
        allowed = (action_name(BID_ZERO), NO_NIL) if self.kind == NIL else bids()
        if action not in allowed:
            raise TableError(text("error.drill_answer", answer=action, allowed=", ".join(allowed)))

    def answer(self, action: str, adviser: str) -> Answered:
        self.check(action)
        return (_bid_answer if self.kind == BID else _nil_answer)(self.view, action, agents.load(adviser))


def deal_drill(kind: str, seed: int | None = None) -> Drill:
    """Deal a hand for a drill, and let those bid who do so before the person."""
    draw = random.Random(secrets.randbits(63) if seed is None else seed)
    table = _dealt(draw.randrange(LARGEST_SEED)) if kind == BID else _close_nil(draw)
    return Drill(kind, table, counted=seed is None)


def _close_nil(draw: random.Random) -> Table:
    """Return a table where nil is a close decision."""
    tried: list[tuple[float, Table]] = []
    for _ in range(MOST_DEALS):
        seed = draw.randrange(LARGEST_SEED)
        game = Game(RULES, seed=seed)
        if not LIKELY[0] <= nil_chance(game.rules, game.hands[LEARNER]) <= LIKELY[1]:
            continue
        table = _dealt(seed)
        nil, best = _values(table.game.view(LEARNER))
        tried.append((abs(nil - best[1]), table))
        if tried[-1][0] <= CLOSE or len(tried) == MOST_TRIED:
            break
    return min(tried, key=lambda one: one[0])[1]


def _dealt(seed: int) -> Table:
    table = Table(RULES, default_bots(), {LEARNER: PERSON_NAME}, seed=seed, counted=False, load=False)
    while table.step():
        pass
    return table


def _values(view: View) -> tuple[float, tuple[int, float]]:
    """Return the chance to win with nil, and the best other bid with its chance."""
    found = {action - BID_ZERO: round(chance, DIGITS) for action, chance in agents.load(SEARCH).hint(view)}
    nil = found.pop(0)
    return nil, max(found.items(), key=lambda one: one[1])


def bids() -> tuple[str, ...]:
    return tuple(action_name(BID_ZERO + number) for number in range(MAX_BID + 1))


# Answers


def _bid_answer(view: View, action: str, champion: Agent) -> Answered:
    """Compare a bid with the champion's, and count the hand suit by suit."""
    own, theirs = int(action.split(":")[1]), champion.act(view) - BID_ZERO
    counted, error = count_hand(view.rules, view.hand), own - theirs
    key = "drill.bid.same" if not error else "drill.bid.more" if error > 0 else "drill.bid.less"
    words = text(key, own=_number(own), theirs=_number(theirs), by=bot_name(champion.name), count=abs(error))
    lines = [line.as_dict() for line in counted.lines]
    about = {"bid": own, "champion": {"name": bot_name(champion.name), "bid": theirs}}
    about |= {"lines": lines, "total": counted.total / 100, "counted": counted.bid}
    return Answered(BID, float(error), words, about)


def _nil_answer(view: View, action: str, champion: Agent) -> Answered:
    """Compare nil with the best other bid, by the chance to win that a search finds."""
    nil, (number, other) = _values(view)
    says_nil, gap = action != NO_NIL, round(abs(nil - other), DIGITS)
    is_right, name = says_nil == (nil >= other), bot_name(champion.name)
    key = "close" if gap < SAME else "right" if is_right else "wrong"
    nil_words, bid_words = text("drill.nil"), text("drill.bid_of", count=number)
    best, worse = (nil_words, bid_words) if nil >= other else (bid_words, nil_words)
    theirs = champion.act(view) - BID_ZERO
    about = {
        "nil": says_nil,
        "chances": [{"words": nil_words, "chance": nil}, {"words": bid_words, "chance": other}],
        "champion": {"name": name, "bid": theirs},
        "champion_words": text("drill.champion", by=name, bid=_number(theirs)),
        "dangers": [one.words for one in dangers(view.rules, view.hand)] or [text("danger.none")],
    }
    words = text(f"drill.nil.{key}", best=best, other=worse, lead=decimal(100 * gap))
    return Answered(NIL, 0.0 if is_right else gap, words, about)


def _number(bid: int) -> Text | int:
    return bid or text("drill.nil")
