"""The person's sitting: a table, the seat before it, and the store that keeps both after every action. No screen in it.

    sitting = begun(store, rules, bots, "Anna")
    sitting = resumed(store, unfinished(store)[0].key)
    sitting.act("AS")                 TableError says why not; what was done is kept
    sitting.view                      what may be shown

Another program may go on with the same game. Then this one says so, takes over what was done there, and does nothing.
What cannot be kept has not happened either.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import agents
from play.choices import SURPLUS_BOT, default_adviser, default_bots, offered
from play.hands import PERSON
from play.review import again
from play.seats import TableError, checked_name
from play.store import ELSEWHERE, ElsewhereError, Saved, Store, StoreError
from play.table import Question, Table
from spades_env import Rules
from spades_env.cards import Action, Seat, action_words
from spades_env.rules import RulesSource

NAME, LAST = "name", "last"  # settings in the store, shared with the page
NOBODY = "You"


class Usual(NamedTuple):
    """How a new game begins."""

    rules: Rules
    bots: list[str]
    move_seconds: float | None


class Sitting:
    """One table, one person at it."""

    def __init__(self, store: Store, table: Table, seat: Seat):
        self.store, self.table, self.seat = store, table, seat
        self._kept: str | None = None

    @property
    def view(self) -> dict:
        """What the person may know, as plain data."""
        return self.table.view(self.seat)

    @property
    def name(self) -> str:
        """Of the person."""
        return self.table.seats.people[self.seat] or NOBODY

    @property
    def untouched(self) -> bool:
        """Has the person done nothing here yet?"""
        return not self.table.finished and not any(deed.by == PERSON for deed in self.table.deeds)

    @property
    def pending(self) -> Question | None:
        """What a bot is to be asked now; None: the person is to move, or the game is over."""
        return self.table.pending

    def keep(self) -> None:
        """All of it into the store."""
        self.store.save(self.table)
        self._kept = self._in_store()

    def act(self, action: str) -> None:
        """The person bids, passes or plays; the action is a word."""
        self._do(lambda: self.table.act(self.seat, action, self.table.version))

    def takeback(self, moves: int) -> None:
        """Undo so many of the person's moves, with all that came after."""
        self._do(lambda: self.table.takeback(self.seat, moves, self.table.version))

    def claim(self) -> None:
        """Play out the rest, where all of it is certain to be the person's."""
        self._do(lambda: self.table.claim(self.seat, self.table.version))

    def rename(self, name: str) -> None:
        """The person is called otherwise."""
        self._do(lambda: self.table.seats.rename(self.seat, name))

    def look_at(self, number: int) -> None:
        """A finished hand is looked at with open cards: nothing up to its end can be taken back any more."""
        self._do(lambda: self.table.settle(number))

    def ask(self) -> Question:
        """A question to the adviser, to be weighed in any thread; counted."""
        return self._do(lambda: self.table.ask(self.seat, self.table.version))

    def step(self, question: Question, answer: Action) -> bool:
        """The bot moves as it answered, if that is still the question."""
        return self._do(lambda: self.table.step(question, answer))

    @property
    def time_is_up(self) -> bool:
        """Does the clock demand something?"""
        clock = self.table.clock
        return not self.table.over and (clock.sitting_is_up or clock.move_is_up)

    def tick(self, question: Question | None = None, answer: Action | None = None) -> bool:
        """Has the clock done something? A bot moves as it answered, if the person is late."""
        return self.time_is_up and self._do(lambda: self.table.tick(question, answer))

    def own_moves(self) -> list[str]:
        """The moves that can be taken back, in words, the last one first."""
        deeds = [(hand.number + 1, deed) for hand in self.table.hands for deed in hand.deeds]
        own = [deeds[number] for number in self.table.own_moves(self.seat)]
        return [f"hand {hand}: {action_words(deed.action)}" for hand, deed in own]

    def _do(self, deed: Callable[[], Any]) -> Any:
        try:
            if self._kept != self._in_store():
                raise ElsewhereError(ELSEWHERE)
            return self._done(deed)
        except StoreError:
            self.table = self.store.load(self.table.key)
            self._kept = self._in_store()
            raise

    def _done(self, deed: Callable[[], Any]) -> Any:
        before = self.table.version
        try:
            done = deed()
        except TableError:
            if self.table.version != before:  # it came too late: the clock has done something
                self.keep()
            raise
        self.keep()
        return done

    def _in_store(self) -> str | None:
        """The game as whoever was last has kept it; by its time alone two that are kept at once would be one."""
        rows = self.store.rows("SELECT told FROM sittings WHERE key = ?", self.table.key)
        return rows[0][0] if rows else None


def begun(store: Store, rules: RulesSource, bots: Sequence[str], name: str, seat: Seat = 0, **options: Any) -> Sitting:
    """A new game, kept from its first moment. options: what `Table` takes."""
    table = Table(rules, bots, {seat: name}, adviser=default_adviser(), **options)
    return _kept(store, table, seat)


def resumed(store: Store, key: str) -> Sitting:
    """An unfinished game, or a finished one as it ended."""
    table = store.load(key)
    sitting = Sitting(store, table, next(seat for seat, one in enumerate(table.seats.people) if one))
    sitting._kept = sitting._in_store()
    if sitting.name == NOBODY != person(store) and not table.over:
        sitting.rename(person(store))
    return sitting


def replayed(store: Store, table: Table, hand: int, seat: Seat, name: str) -> Sitting:
    """A finished hand's deal once more, from any seat; it is not counted. Of bots that nobody has chosen here, whom a
    text may name, none is loaded: by whatever name, it might be any file or program.
    """
    here = {one.key for one in offered()} | set(usual_game(store).bots)
    bots = [bot if bot in here else SURPLUS_BOT for bot in table.seats.bots]
    return _kept(store, again(table, hand, {seat: name}, bots, default_adviser()), seat)


def unfinished(store: Store) -> list[Saved]:
    """What one person can go on with alone, the latest first."""
    return [saved for saved in store.unfinished() if len(saved.people) == 1]


def when(saved: Saved) -> str:
    """When something was done there last, on this machine's clock."""
    return f"{datetime.fromisoformat(saved.changed).astimezone():%Y-%m-%d %H:%M}" if saved.changed else "unknown time"


def person(store: Store) -> str:
    """Who plays here, unless another name is given."""
    return store.settings().get(NAME, NOBODY)


def rename(store: Store, name: str) -> str:
    """Who plays here from now on; what nobody has put a name to is theirs."""
    if person(store) == NOBODY:
        store.rename(NOBODY, name)
    store.set(NAME, checked_name(name))
    return name


def usual_game(store: Store) -> Usual:
    """How the last game was begun, turned so that the person sits South, if its bots can still be had."""
    told = store.settings().get(LAST) or {}
    try:
        bots, seat = [agents.load(bot) and bot for bot in told["bots"]], told["seat"]
        return Usual(Rules.parse(told["rules"]), [*bots[seat:], *bots[:seat]], told["move_seconds"])
    except (AttributeError, LookupError, TypeError, ValueError):
        return Usual(Rules(), default_bots(), None)


def remember_game(store: Store, usual: Usual) -> None:
    """The next new game begins like this one."""
    told = {"rules": str(usual.rules), "bots": usual.bots, "seat": 0, "move_seconds": usual.move_seconds}
    store.set(LAST, told)


def _kept(store: Store, table: Table, seat: Seat) -> Sitting:
    sitting = Sitting(store, table, seat)
    sitting.keep()
    return sitting
