"""A table that is saved after every change, for both front ends. There is no screen in it.

    saved = SavedTable(store, table)
    saved.do(lambda: table.act(0, "AS"))      act, then save; what can't be saved hasn't happened
    saved.save()                              the same where something else has acted, in any thread

    sitting = begin(store, rules, bots, "Anna")
    sitting = resume(store, unfinished(store)[0].key)
    sitting.act("AS")                 TableError says why not
    sitting.view                      what the person may see

Several programs may go on with the same game. The one that comes second gets an ElsewhereError and continues from what
the other has saved.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from play.review.steps import again
from play.store.database import Store, StoreError
from play.store.profile import NOBODY, person, usual_game
from play.table.choices import default_adviser, offered, replace_missing
from play.table.hands import PERSON
from play.table.seat_view import seat_view
from play.table.table import Question, Table
from spades_env.cards import Action, Seat, action_words
from spades_env.rules import RulesSource

T = TypeVar("T")


class SavedTable:
    """A table with the store that keeps it."""

    def __init__(self, store: Store, table: Table):
        self.store, self.table = store, table

    @property
    def untouched(self) -> bool:
        """Has no person done anything here yet?"""
        table = self.table
        return not (table.over or table.finished or any(move.by == PERSON for move in table.moves))

    def do(self, act: Callable[[], T]) -> T:
        """Act on the table and save what has changed, even if the act was refused because the time was up."""
        before = self.table.version
        try:
            return act()
        finally:
            if self.table.version != before:
                self.save()

    def save(self) -> None:
        """Save the table; if that fails, return to what was saved last and raise the error."""
        try:
            self.store.save(self.table)
        except (StoreError, sqlite3.Error):
            self.table = self.store.load(self.table.key)
            raise


class Sitting(SavedTable):
    """One person at a saved table."""

    def __init__(self, store: Store, table: Table, seat: Seat):
        super().__init__(store, table)
        self.seat = seat

    @property
    def view(self) -> dict:
        """What the person may see, as plain data."""
        return seat_view(self.table, self.seat)

    @property
    def name(self) -> str:
        """The person's name at this table."""
        return self.table.seats.people[self.seat] or NOBODY

    @property
    def pending(self) -> Question | None:
        """The question to the bot that is to move; None if the person is to move or the game is over."""
        return self.table.pending

    def act(self, action: str) -> None:
        """Bid, pass or play; the action is a word."""
        self.do(lambda: self.table.act(self.seat, action, self.table.version))

    def takeback(self, moves: int) -> None:
        """Undo this many of the person's moves, with everything that came after."""
        self.do(lambda: self.table.takeback(self.seat, moves, self.table.version))

    def claim(self) -> None:
        """Play out the rest of the hand if all of it is certain to be the person's."""
        self.do(lambda: self.table.claim(self.seat, self.table.version))

    def rename(self, name: str) -> None:
        """Change the person's name at this table."""
        self.table.seats.rename(self.seat, name)
        self.save()

    def look_at(self, number: int) -> None:
        """Mark a finished hand as seen with open cards: no move up to its end can be taken back any more."""
        self.do(lambda: self.table.settle(number))

    def ask(self) -> Question:
        """Return a question to the adviser, to be answered in any thread, and count the hint."""
        return self.do(lambda: self.table.ask(self.seat, self.table.version))

    def step(self, question: Question, answer: Action) -> bool:
        """Make a bot's move as it answered; False if that's no longer the question."""
        return self.do(lambda: self.table.step(question, answer))

    @property
    def time_is_up(self) -> bool:
        """Has the game or the move run out of time?"""
        clock = self.table.clock
        return not self.table.over and (clock.sitting_is_up or clock.move_is_up)

    def tick(self, question: Question | None = None, answer: Action | None = None) -> bool:
        """Do what the clock demands and say whether anything was done; a bot moves if the person is late."""
        return self.time_is_up and self.do(lambda: self.table.tick(question, answer))

    def own_moves(self) -> list[str]:
        """Describe the moves that can be taken back, the last one first."""
        moves = [(hand.number + 1, move) for hand in self.table.hands for move in hand.moves]
        own = [moves[number] for number in self.table.own_moves(self.seat)]
        return [f"hand {hand}: {action_words(move.action)}" for hand, move in own]


def begin(store: Store, rules: RulesSource, bots: Sequence[str], name: str, seat: Seat = 0, **options: Any) -> Sitting:
    """Start a new game and save it. options: what `Table` takes."""
    table = Table(rules, bots, {seat: name}, adviser=default_adviser(), **options)
    return _saved(store, table, seat)


def resume(store: Store, key: str) -> Sitting:
    """Go on with an unfinished game, or return to a finished one."""
    table = store.load(key)
    sitting = Sitting(store, table, next(seat for seat, one in enumerate(table.seats.people) if one))
    if sitting.name == NOBODY != person(store) and not table.over:
        sitting.rename(person(store))
    return sitting


def replay(store: Store, table: Table, hand: int, seat: Seat, name: str) -> Sitting:
    """Play a finished hand's deal once more, from any seat; it isn't counted.

    A table read from a text may name any file or program as a bot. Bots that nobody has chosen here are replaced.
    """
    known = {one.key for one in offered()} | set(usual_game(store).bots)
    bots = replace_missing(table.seats.bots, known)
    return _saved(store, again(table, hand, {seat: name}, bots, default_adviser()), seat)


def _saved(store: Store, table: Table, seat: Seat) -> Sitting:
    sitting = Sitting(store, table, seat)
    store.save(table)
    return sitting
