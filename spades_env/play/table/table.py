"""One sitting: rules, four seats, the game, its clock, takebacks, hints, claims. It knows no page, terminal or network.

    table = Table("classic", ["rule"] * 4, {0: "Anna"}, seed=7)
    seat_view(table, 0)            what the person in South may know, as plain data for JSON
    table.act(0, "AS")             a card, "bid:4", "blind" or "look"; TableError says why not
    while table.step(): ...        the bots move, one at a time

A caller whose table has a clock calls `tick()` now and then. To let bots think in another thread: `question =
table.pending`, `question.answer()` there, `table.step(question, answer)` here; or `table.late` and
`table.tick(question, answer)`. An answer to an earlier version of the table is ignored. The same seed, bots and moves
give the same sitting, bit for bit.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spades_env.checks import as_int
from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS, Action, Seat, parse_action
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.secret_deals import new_secret
from spades_env.game.view import View
from spades_env.play.daily.deal_of_day import Daily
from spades_env.play.table.advice import advise
from spades_env.play.table.claim import sure_order
from spades_env.play.table.clock import Clock, Now
from spades_env.play.table.company.remarks import Remarks
from spades_env.play.table.deal_source import DealSource
from spades_env.play.table.hands import BOT, CLAIM, LATE, PERSON
from spades_env.play.table.seated_game import SeatedGame
from spades_env.play.table.seats import ADVISER, Question, Seats, TableError, checked_seat
from spades_env.play.texts import text

__all__ = ["Question", "Table", "TableError"]


@dataclass(frozen=True)
class TableOptions:
    """What a table takes besides its rules, bots and people.

    Without a seed the deals come from a secret. A new one is drawn, unless the table replays a game whose secret is
    known.
    """

    seed: int | None = None
    secret: str | None = None
    start: Mapping = field(default_factory=dict)  # other arguments of `Game`, with the deal as text
    adviser: str = "rule"
    move_seconds: float | None = None
    counted: bool = True  # in statistics
    daily: Daily | None = None  # the day's deal that this is, see `play.daily.deal_of_day`
    now: Now = time.monotonic
    load: bool = True  # all agents at once, so that a missing one is refused before the game begins

    def __post_init__(self):
        if self.move_seconds is not None and not self.move_seconds > 0:
            raise TableError(f"Seconds for a move must be more than 0, not {self.move_seconds!r}")

    def source(self) -> DealSource:
        return DealSource(self.seed, new_secret() if self.seed is None and self.secret is None else self.secret)


class Table(SeatedGame):
    """A table with what people may do at it. Each method checks that they may, and that their version is current."""

    def __init__(
        self,
        rules: RulesSource = "classic",
        bots: Sequence[str] = ("rule",) * NUM_SEATS,
        people: Mapping[Seat, str] | None = None,
        **options: Any,
    ):
        """options: see `TableOptions`."""
        chosen = TableOptions(**options)
        source = chosen.source()
        seats = Seats(bots, {0: "You"} if people is None else people, chosen.adviser, source.bot_seed)
        if chosen.load:
            seats.load_all()
        super().__init__(Rules.of(rules), source, chosen.start, seats, Clock(chosen.move_seconds, chosen.now))
        self.counted, self.daily = chosen.counted, chosen.daily
        self.hints: Counter[tuple[int, Seat]] = Counter()  # by hand and seat
        self.takebacks: Counter[tuple[int, Seat]] = Counter()
        self.hinted: list[int] = []  # where the last hint was given: moves made, moves taken back
        self.remarks = Remarks(source.bot_seed)
        self.settled = -1  # the last hand that somebody has seen with open cards

    @property
    def no_help(self) -> bool:
        """Are hints and undo off? They are in a daily deal that counts."""
        return self.daily is not None and self.daily.counted

    # Moves

    def act(self, seat: Seat, action: Action | str, version: int | None = None) -> None:
        """Bid, pass or play for the person at a seat."""
        view = self._view_to_move(seat, version)
        number = _number(action)
        if number not in self.legal(view):
            raise TableError(self.why_refused(view, number))
        self.apply(number, PERSON)

    def claim(self, seat: Seat, version: int | None = None) -> None:
        """Play out the hand if every trick left is certain to be the person's."""
        order = sure_order(self._view_to_move(seat, version))
        if not order:
            raise TableError(text("error.claim"))
        finished, by = len(self.finished), PERSON
        while len(self.finished) == finished:
            own = self.game.turn == seat
            self.apply(order.pop(0) if own else self.game.legal_actions()[0], by)
            by = CLAIM

    # Takebacks

    def own_moves(self, seat: Seat) -> list[int]:
        """Return the numbers of the moves that the seat may take back, the last one first."""
        found = []
        earliest = self.first_move_after(max(self.seats.settled(), self.settled))
        for number in range(len(self.moves) - 1, earliest - 1, -1):
            move = self.moves[number]
            if move.by == PERSON and move.seat != seat:
                break
            if move.by == PERSON:
                found.append(number)
        return [] if self.over or self.no_help else found

    def takeback(self, seat: Seat, moves: int = 1, version: int | None = None) -> None:
        """Undo the person's last moves and all later ones: the cards stay the same, and the bots are asked again."""
        wanted = self.check_takeback(seat, moves, version)
        self.undo_from(self.own_moves(seat)[wanted - 1])
        self.takebacks[self.game.hand_number, seat] += wanted
        self._changed()

    def check_takeback(self, seat: Seat, moves: int = 1, version: int | None = None) -> int:
        """Return the number of moves as an int; TableError if the person may not undo that many now."""
        self._check_seated(seat, version)
        wanted, own = as_int(moves), self.own_moves(seat)
        if self.no_help:
            raise TableError(text("error.daily_undo"))
        if not own:
            raise TableError(text("error.no_undo"))
        if wanted is None or not 1 <= wanted <= len(own):
            raise TableError(text("error.undo_many", most=len(own), moves=f"{moves!r:.40}"))
        return wanted

    @property
    def unsettled(self) -> bool:
        """Would showing the finished hands with open cards end their takebacks?"""
        return bool(self.finished) and not self.over and self.finished[-1].number > self.settled

    def settle(self, number: int) -> None:
        """Mark a finished hand as seen with open cards: moves up to its end can no longer be taken back."""
        if number not in [hand.number for hand in self.finished]:
            raise TableError(text("error.hand_open", hand=number + 1))
        if number > self.settled and not self.over:
            self.settled = number
            self.version += 1

    # Hints

    def ask(self, seat: Seat, version: int | None = None) -> Question:
        """Return a question to the adviser for the person to move, and count one hint for each position."""
        view, adviser = self._view_to_move(seat, version), self.seats.agent(ADVISER)
        if self.no_help:
            raise TableError(text("error.daily_hint"))
        position = [len(self.moves), self.takebacks.total()]
        if self.hinted != position:
            self.hinted = position
            self.hints[self.game.hand_number, seat] += 1
            self.version += 1
        return Question(seat, self.version, adviser, view)

    def hint(self, seat: Seat, version: int | None = None) -> dict:
        """Ask the adviser now and return the advice; see `play.table.advice`."""
        question = self.ask(seat, version)
        return advise(question, question.hint())

    def help_of(self, seat: Seat) -> dict[str, int]:
        counters = {"hints": self.hints, "takebacks": self.takebacks}
        return {name: sum(n for (_, who), n in found.items() if who == seat) for name, found in counters.items()}

    def moved_for(self, seat: Seat) -> int:
        """Return how many moves of the seat a bot made."""
        return sum(move.seat == seat and move.by in (BOT, LATE) for move in self.moves)

    # Checks

    def _check_seated(self, seat: Seat, version: int | None) -> None:
        """Raise TableError unless a person sits here, the game is not over, and the version is current."""
        self.clock.resume()
        if self.clock.sitting_is_up:
            self.tick()
        elif self.clock.move_is_up:  # no bot is asked here: the caller may have a thread for it
            raise TableError(text("error.time_up"))
        if version is not None and version != self.version:
            raise TableError(text("error.moved_on"))
        if self.over:
            raise TableError(text("error.game_over"))
        if self.seats.people[checked_seat(seat)] is None:
            raise TableError(text("error.bot_plays"))

    def _view_to_move(self, seat: Seat, version: int | None) -> View:
        self._check_seated(seat, version)
        if self.game.turn != seat:
            raise TableError(text("error.not_your_turn"))
        return self.game.view(seat)


def _number(action: Action | str) -> Action:
    """Return an action's number from its word or number."""
    try:
        number = parse_action(action) if isinstance(action, str) else as_int(action)
    except ValueError:
        number = None
    if number is None or not 0 <= number < NUM_ACTIONS:
        raise TableError(f"unknown action {action!r:.40}; expected a card (AS), bid:4, blind or look")
    return number
