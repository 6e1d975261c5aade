"""A kept game as a list of them shows it: its rules by name, who sits where, the score, how it ended.

    listed(store, saved, "Anna", names)        saved: one of `store.sittings()`; names: `rule_names(store)`

Only the last finished hand is played again, to learn the score.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from play.hands import Hand
from play.rule_words import number
from play.standing import DRAW, LOSS, WIN, bot_name, outcome_at
from play.store import OPEN, OVER, Saved, Store
from spades_env import Rules
from spades_env.cards import NUM_SEATS, Seat

RESULTS = {WIN: "Won", DRAW: "Drawn", LOSS: "Lost"}
STATES = {OPEN: "Unfinished", OVER: "Finished"}  # others are words already
REMEMBERED = 2048  # hands whose scores are kept in memory
DAMAGED = (AttributeError, LookupError, RecursionError, TypeError, ValueError)  # what reading damaged text may raise


@dataclass(frozen=True)
class Listed:
    """What a list adds to a `Saved`. seat: the person's own, if there is one; seats: `{who, person}`, from South.

    unsettled: whether a review would put moves beyond undoing.
    """

    title: str
    result: str
    seat: Seat | None
    seats: tuple[dict[str, Any], ...]
    unsettled: bool


@dataclass(frozen=True)
class _Score:
    """After the last finished hand; number: that hand's, from 0."""

    rules: Rules
    scores: tuple[int, ...]
    hands: int
    number: int


def rule_names(store: Store) -> dict[str, str]:
    """Rules, written out, to the names that they have: presets, and those that the person saved."""
    presets = {str(Rules.preset(name)): name for name in Rules.presets()}
    return presets | {str(rules): name for name, rules in store.variants().items()}


def listed(store: Store, saved: Saved, person: str, names: dict[str, str], seat: Seat | None = None) -> Listed:
    """One game; seat: the person's, where it is known better than by the name."""
    told = _told(store, saved.key)
    people, bots = told.get("people", []), told.get("bots", [])
    seat = _own_seat(people, person) if seat is None else seat
    score = _score(store, saved.key)
    settled = saved.state != OPEN or score is None or score.number <= told.get("settled", -1)
    return Listed(
        title=names.get(saved.rules, saved.rules),
        result=_result(saved.state, score, seat),
        seat=seat,
        seats=tuple(_place(one, bot) for one, bot in zip(people, bots, strict=True)),
        unsettled=not settled,
    )


def _told(store: Store, key: str) -> dict[str, Any]:
    """What is kept of the game; nothing where it is damaged."""
    try:
        told = json.loads(store.rows("SELECT told FROM sittings WHERE key = ?", key)[0][0])
        return told if _is_whole(told["people"], told["bots"], told.get("settled", -1)) else {}
    except DAMAGED:
        return {}


def _is_whole(people: list, bots: list, settled: int) -> bool:
    """Is all there that a list needs?"""
    seated = len(people) == len(bots) == NUM_SEATS and all(isinstance(bot, str) for bot in bots)
    return seated and all(one is None or isinstance(one, str) for one in people) and isinstance(settled, int)


def _place(one: str | None, bot: str) -> dict[str, Any]:
    return {"who": one or bot_name(bot), "person": one is not None}


def _own_seat(people: list[str | None], person: str) -> Seat | None:
    """Where the person sat; whoever sat there alone may have had another name then."""
    if person in people:
        return people.index(person)
    taken = [seat for seat, one in enumerate(people) if one]
    return taken[0] if len(taken) == 1 else None


def _score(store: Store, key: str) -> _Score | None:
    query = "SELECT rules, told, count(*), max(number) FROM hands WHERE key = ? AND NOT taken_back"
    rules, told, hands, last = store.rows(query, key)[0]
    try:
        return _Score(Rules.parse(rules), _scores_after(rules, told), hands, int(last)) if hands else None
    except DAMAGED:
        return None


@lru_cache(REMEMBERED)
def _scores_after(rules: str, told: str) -> tuple[int, ...]:
    """What the sides have once this hand is over."""
    result = Hand.from_dict(Rules.parse(rules), json.loads(told)).result
    if result is None:
        raise ValueError("the hand is not finished")
    return tuple(result.scores)


def _result(state: str, score: _Score | None, seat: Seat | None) -> str:
    """ "Won 512 to 431 after 6 hands", "Unfinished, −40 to 61 after 1 hand"; the own score comes first."""
    words = STATES.get(state, state.capitalize())
    if score is None:
        return words
    own = score.rules.side(seat or 0)
    others = [number(points) for side, points in enumerate(score.scores) if side != own]
    if state == OVER and seat is not None:
        words = RESULTS[outcome_at(score.rules, score.scores, seat)]
    else:
        words += ","
    hands = f"{score.hands} hand{'s' * (score.hands > 1)}"
    return f"{words} {number(score.scores[own])} to {', '.join(others)} after {hands}"
