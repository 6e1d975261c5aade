"""A saved game as a list shows it: its rules by name, the seats, the score, how it ended.

    list_entry(store, saved, "Anna", names)        saved: one of `store.sittings()`; names: `rule_names(store)`

Only the last finished hand is replayed to find the score.
"""

import json
from dataclasses import dataclass
from typing import Any

from spades_env.game.cards import NUM_SEATS, Seat
from spades_env.game.rules import Rules
from spades_env.play.rule_words import rule_title
from spades_env.play.store.database import MOST_FINISHED_SINCE, Store
from spades_env.play.store.finished_hands import result_of
from spades_env.play.store.results import is_forfeit
from spades_env.play.store.sitting_rows import OPEN, OVER, STATES, Saved
from spades_env.play.table.rating import DRAW, LOSS, WIN, bot_name, outcome_at
from spades_env.play.texts import number, text

RESULTS = {WIN: "won", DRAW: "drawn", LOSS: "lost"}
WARNED = 3  # games before one that was left open is lost
DAMAGED = (AttributeError, LookupError, RecursionError, TypeError, ValueError)  # that reading damaged text may raise


@dataclass(frozen=True)
class ListEntry:
    """What a list shows besides the fields of `Saved`.

    seat: the person's, if there is one; seats: `{who, person}`, from South; unsettled: would a review end takebacks?
    forfeit: is the game lost if it is abandoned? played: is there a finished hand to review?
    """

    title: str
    result: str
    seat: Seat | None
    seats: tuple[dict[str, Any], ...]
    unsettled: bool
    forfeit: bool
    played: bool


@dataclass(frozen=True)
class _Score:
    """The scores after the last finished hand; number: the hand's, from 0."""

    rules: Rules
    scores: tuple[int, ...]
    hands: int
    number: int


def rule_names(store: Store) -> dict[str, str]:
    """Return the names of the person's rules, by the rules' text."""
    return {str(rules): name for name, rules in store.variants.all().items()}


def list_entry(store: Store, saved: Saved, person: str, names: dict[str, str], seat: Seat | None = None) -> ListEntry:
    """Describe one game; seat: the person's, which is otherwise found by the name."""
    data = _data(store, saved.key)
    people, bots = data.get("people", []), data.get("bots", [])
    seat = own_seat(people, person) if seat is None else seat
    score = _score(store, saved.key)
    players = people if any(people) else list({left[0] for left in data.get("sat", [])})  # of an empty table
    forfeit = saved.state == OPEN and is_forfeit(
        data.get("counted") is True, players, store.hands.was_any_finished(saved.key)
    )
    result = _result(saved.state, score, seat)
    if forfeit and (left := MOST_FINISHED_SINCE - store.finished_since(person, saved.changed)) <= WARNED:
        result = text("game.left_open", result=result, count=max(left, 1))
    settled = saved.state != OPEN or score is None or score.number <= data.get("settled", -1)
    return ListEntry(
        title=_title(data, saved.rules, names),
        result=result,
        seat=seat,
        seats=tuple(
            {"who": one or bot_name(bot), "person": one is not None} for one, bot in zip(people, bots, strict=True)
        ),
        unsettled=not settled,
        forfeit=forfeit,
        played=score is not None,
    )


def _title(data: dict[str, Any], rules: str, names: dict[str, str]) -> str:
    daily = data.get("daily")
    if isinstance(daily, dict) and isinstance(daily.get("day"), str):
        return text("daily.of_day", day=daily["day"])
    return names.get(rules) or _title_of(rules)


def _title_of(rules: str) -> str:
    try:
        return rule_title(Rules.parse(rules))
    except ValueError:
        return rules


def _data(store: Store, key: str) -> dict[str, Any]:
    """Return a saved game as plain data; empty if it is damaged."""
    try:
        data = json.loads(store.sitting_text(key) or "")
        return data if _is_whole(data["people"], data["bots"], data["sat"], data.get("settled", -1)) else {}
    except DAMAGED:
        return {}


def _is_whole(people: list, bots: list, sat: list, settled: int) -> bool:
    """Has the data everything that a list shows?"""
    if not all(isinstance(left, list) and len(left) == 3 and isinstance(left[0], str) for left in sat):
        return False
    seated = len(people) == len(bots) == NUM_SEATS and all(isinstance(bot, str) for bot in bots)
    return seated and all(one is None or isinstance(one, str) for one in people) and isinstance(settled, int)


def own_seat(people: list[str | None], person: str) -> Seat | None:
    """Return the person's seat. The only person of a game may have had another name then."""
    if person in people:
        return people.index(person)
    taken = [seat for seat, one in enumerate(people) if one]
    return taken[0] if len(taken) == 1 else None


def _score(store: Store, key: str) -> _Score | None:
    rules, text, hands, last = store.hands.last(key)
    try:
        scores = tuple(result_of(rules, text).scores) if hands else ()
        return _Score(Rules.parse(rules), scores, hands, int(last)) if hands else None
    except DAMAGED:
        return None


def _result(state: str, score: _Score | None, seat: Seat | None) -> str:
    """Return "Won 512 to 431 after 6 hands" or "Unfinished, −40 to 61 after 1 hand", the person's score first."""
    if score is None:
        return text(f"game.{state.replace(' ', '_')}") if state in STATES else state.capitalize()
    own = score.rules.side(seat or 0)
    others = [number(points) for side, points in enumerate(score.scores) if side != own]
    known = state.replace(" ", "_") if state in STATES else "open"
    result = RESULTS[outcome_at(score.rules, score.scores, seat)] if state == OVER and seat is not None else known
    return text(
        f"game.{result}_score",
        own=score.scores[own],
        others=", ".join(others),
        hands=text("hands", count=score.hands),
    )
