"""A table that is saved after every change, for both front ends.

    saved = SavedTable(store, table)
    saved.do(lambda: table.act(0, "AS"))      act, then save; an action that can't be saved is undone
    saved.save()                              save what another caller has done, in any thread

    sitting = begin(store, rules, bots, "Anna")
    sitting = resume(store, unfinished(store)[0].key)
    sitting.act("AS")                 TableError says why not
    sitting.view                      what the person may see

Several programs may continue the same game. The second one to save gets an ElsewhereError, and continues from what the
first has saved.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from spades_env.game.cards import Action, Seat, action_words
from spades_env.game.rules import RulesSource
from spades_env.play.review.steps import again
from spades_env.play.store.database import Store, StoreError
from spades_env.play.store.profile import DEFAULT_NAME, person, usual_game
from spades_env.play.table.choices import default_adviser, offered, replace_missing
from spades_env.play.table.hands import PERSON
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Question, Table

T = TypeVar("T")


class SavedTable:
    """A table and the store it is saved in."""

    def __init__(self, store: Store, table: Table):
        self.store, self.table = store, table

    @property
    def untouched(self) -> bool:
        table = self.table
        return not (table.over or table.finished or any(move.by == PERSON for move in table.moves))

    def do(self, act: Callable[[], T]) -> T:
        """Act on the table and save any change. An action refused because time is up changes the table, too."""
        before = self.table.version
        try:
            return act()
        finally:
            if self.table.version != before:
                self.save()

    def save(self) -> None:
        """Save the table; if that fails, return to the last saved state and raise the error."""
        try:
            self.store.save(self.table)
        except (StoreError, sqlite3.Error):
            self.go_back()
            raise

    def go_back(self) -> None:
        """Return to the last saved state."""
        self.table = self.store.load(self.table.key)


class Sitting(SavedTable):
    """One person at a saved table."""

    def __init__(self, store: Store, table: Table, seat: Seat):
        super().__init__(store, table)
        self.seat = seat

    @property
    def view(self) -> dict:
        return seat_view(self.table, self.seat)

    @property
    def name(self) -> str:
        return self.table.seats.people[self.seat] or DEFAULT_NAME

    @property
    def pending(self) -> Question | None:
        return self.table.pending

    def act(self, action: str) -> None:
        self.do(lambda: self.table.act(self.seat, action, self.table.version))

    def takeback(self, moves: int) -> None:
        self.do(lambda: self.table.takeback(self.seat, moves, self.table.version))

    def claim(self) -> None:
        self.do(lambda: self.table.claim(self.seat, self.table.version))

    def rename(self, name: str) -> None:
        self.table.seats.rename(self.seat, name)
        self.save()

    def look_at(self, number: int) -> None:
        """Mark a finished hand as seen with open cards: moves up to its end can no longer be taken back."""
        self.do(lambda: self.table.settle(number))

    def ask(self) -> Question:
        """Return a question to the adviser, which any thread may answer, and count the hint."""
        return self.do(lambda: self.table.ask(self.seat, self.table.version))

    def step(self, question: Question, answer: Action) -> bool:
        """Make the move that a bot answered; False if the question is outdated."""
        return self.do(lambda: self.table.step(question, answer))

    @property
    def time_is_up(self) -> bool:
        clock = self.table.clock
        return not self.table.over and (clock.sitting_is_up or clock.move_is_up)

    def tick(self, question: Question | None = None, answer: Action | None = None) -> bool:
        """If time is up, end the game or let a bot move for the person; return whether that happened."""
        return self.time_is_up and self.do(lambda: self.table.tick(question, answer))

    def own_moves(self) -> list[str]:
        """Describe the moves that can be taken back, the last one first."""
        moves = [(hand.number + 1, move) for hand in self.table.hands for move in hand.moves]
        own = [moves[number] for number in self.table.own_moves(self.seat)]
        return [f"hand {hand}: {action_words(move.action)}" for hand, move in own]


def begin(store: Store, rules: RulesSource, bots: Sequence[str], name: str, seat: Seat = 0, **options: Any) -> Sitting:
    """Start a new game and save it; options: see `TableOptions`."""
    return _saved(store, Table(rules, bots, {seat: name}, adviser=default_adviser(), **options), seat)


def resume(store: Store, key: str) -> Sitting:
    """Continue an unfinished game, or return to a finished one."""
    table = store.load(key)
    sitting = Sitting(store, table, next(seat for seat, one in enumerate(table.seats.people) if one))
    if sitting.name == DEFAULT_NAME != person(store) and not table.over:
        sitting.rename(person(store))
    return sitting


def replay(store: Store, table: Table, hand: int, seat: Seat, name: str) -> Sitting:
    """Replay a finished hand's deal from any seat; it isn't counted.

    A table from a text may name any file or program as a bot, so bots that were never chosen here are replaced.
    """
    known = {one.key for one in offered()} | set(usual_game(store).bots)
    bots = replace_missing(table.seats.bots, known)
    return _saved(store, again(table, hand, {seat: name}, bots, default_adviser()), seat)


def _saved(store: Store, table: Table, seat: Seat) -> Sitting:
    sitting = Sitting(store, table, seat)
    store.save(table)
    return sitting
