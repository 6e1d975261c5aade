"""Helpers for the tests of the table: people who play by rule or at random, and ready-made sittings."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from spades_env import agents
from spades_env.game.cards import Card, action_name, cards
from spades_env.game.rules import RulesSource
from spades_env.play.store.database import Store
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table, TableError

ONE_HAND = "match target=off max_hands=1"
SHORT = "match target=off max_hands=2"
FOUR = {0: "Anna", 1: "Bela", 2: "Cleo", 3: "Dora"}
SPADES_FOR_SOUTH = (  # every trick is South's
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS | 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC | "
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD | 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
)


def stand_still() -> float:
    """Return the same time always."""
    return 0.0


class Timer:
    """A clock that tests set."""

    def __init__(self):
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def by_rule(table: Table, seat: int) -> str:
    """Return what `rule` would do."""
    return action_name(agents.load("rule").act(table.game.view(seat)))


def by_chance(rng: random.Random) -> Callable[[Table, int], str]:
    """Return a random legal action of the view."""
    return lambda table, seat: rng.choice(seat_view(table, seat)["legal"])


def move(table: Table, person: Callable[[Table, int], str] = by_rule) -> None:
    """Make one move, of a bot or of a person."""
    if not table.step():
        table.act(table.game.turn, person(table, table.game.turn))


def play(table: Table, moves: int = 10**6, person: Callable[[Table, int], str] = by_rule) -> Table:
    """Make this many moves, or play to the end."""
    for _ in range(moves):
        if table.over:
            break
        move(table, person)
    return table


def play_until(table: Table, phase: str, seat: int = 0) -> Table:
    """Play until this seat is to move in this phase."""
    while (table.game.phase, table.game.turn) != (phase, seat):
        move(table)
    return table


@contextmanager
def refuses(words: str, error: type[Exception] = TableError) -> Iterator[None]:
    """Expect a refusal in these words; … at the end stands for any more."""
    with pytest.raises(error) as found:
        yield
    begin, dots, end = words.partition("…")
    message = str(found.value)
    assert message.startswith(begin) and message.endswith(end) and (dots or message == words), message  # noqa: PT018


def new(rules: RulesSource = "classic", people=None, **options) -> Table:
    """Return a table whose clock stands still, always with the same deals."""
    return Table(rules, people=people, **{"seed": 7, "now": stand_still} | options)


def overwrite(store: Store, key: str, data: dict) -> None:
    """Replace what the store has saved of a sitting."""
    store.file.update("sittings", {"told": json.dumps(data)}, "WHERE key = ?", key)


def dealt(hand: PlayedHand) -> list[list[Card]]:
    """Return the cards dealt in a hand, by seat."""
    return [cards(held) for held in hand.start.deal.split("|")]
