"""A game with its seats and its clock: whom it waits for, what bots are asked, who has seen which cards.

What people may do is checked in `play.table.table`.
"""

import secrets
from collections.abc import Mapping

from spades_env.game.cards import LOOK, NUM_SEATS, Action, Seat
from spades_env.game.rules import Rules
from spades_env.game.view import View
from spades_env.play.table.clock import Clock
from spades_env.play.table.deal_source import DealSource
from spades_env.play.table.hands import BOT, LATE
from spades_env.play.table.played_game import PlayedGame
from spades_env.play.table.prompts import why_refused
from spades_env.play.table.seats import Question, Seats, TableError, checked_seat
from spades_env.play.texts import text


class SeatedGame(PlayedGame):
    """A game of bots and people. `version` grows with every change; answers to an older version are ignored."""

    def __init__(self, rules: Rules, source: DealSource, start: Mapping, seats: Seats, clock: Clock):
        super().__init__(rules, source, start)
        self.key = secrets.token_hex(8)
        self.seats, self.clock, self.version = seats, clock, 0
        self.clock.sitting = rules.time_limit_s
        self.seen: set[tuple[int, Seat]] = set()  # hands whose cards the person at the seat has seen
        self._begin_turn()

    # Bots and the clock

    @property
    def pending(self) -> Question | None:
        """The question to the bot that is to move; None if a person is to move or the game is over."""
        return None if self.over or self.seats.people[self.game.turn] else self._question()

    @property
    def late(self) -> Question | None:
        """The question to the bot that moves for a person whose time is up; `tick` takes the answer."""
        in_time = self.over or self.clock.sitting_is_up or not self.clock.move_is_up
        return None if in_time else self._question()

    def _question(self) -> Question:
        seat = self.game.turn
        return Question(seat, self.version, self.seats.agent(seat), self.game.view(seat))

    def step(self, question: Question | None = None, answer: Action | None = None) -> bool:
        """Make the move of the bot that is to move; False if there is none, or the question is outdated."""
        return self._answered(question or self.pending, answer, BOT)

    def tick(self, question: Question | None = None, answer: Action | None = None) -> bool:
        """End the game if its time is up, or let the bot move for a person whose time is up."""
        if self.clock.sitting_is_up and not self.over:
            self.game.time_up()
            self._changed()
            return True
        return self._answered(question or self.late, answer, LATE)

    def _answered(self, question: Question | None, answer: Action | None, by: str) -> bool:
        if question is None or question.version != self.version:
            return False
        self.apply(question.answer() if answer is None else answer, by)
        return True

    def apply(self, action: Action, by: str) -> None:
        """Act for the seat to move, unchecked; people go through `act`, bots through `step`."""
        self.play(action, by)
        self._changed()

    # What is legal

    def legal(self, view: View) -> list[Action]:
        """Return what the seat may do: all that is legal, but no blind bid on cards known from before a takeback."""
        legal = view.legal_actions()
        known = view.phase == "blind" and (self.game.hand_number, view.seat) in self.seen
        return [LOOK] if known and legal else legal

    def why_refused(self, view: View, action: Action) -> str:
        """Say why the seat to move may not do this: "You have hearts, so follow suit."."""
        return why_refused(view, action, self.legal(view))

    # Who sits where

    def take(self, seat: Seat, person: str) -> None:
        """Seat a person at a free seat, or back at their own."""
        self.check_take(seat, person)
        if self.seats.people[seat] != person:
            self.seats.take(seat, person, self.game.hand_number)
            self._reseated()

    def check_take(self, seat: Seat, person: str) -> None:
        if self.over:
            raise TableError(text("error.game_over"))
        self.seats.check_take(checked_seat(seat), person, self.game.hand_number)

    def leave(self, seat: Seat) -> None:
        """Let the bot of the seat play on in place of its person."""
        self.seats.leave(checked_seat(seat), self.game.hand_number)
        self._reseated()

    # What follows from a change

    def _changed(self) -> None:
        self.version += 1
        self._begin_turn()

    def _begin_turn(self) -> None:
        self._note_seen()
        self.clock.turn(self._person_to_move)

    def _reseated(self) -> None:
        self.version += 1
        self._note_seen()
        self.clock.wait(self._person_to_move)

    def _note_seen(self) -> None:
        people = self.seats.people
        self.seen |= {(self.game.hand_number, s) for s in range(NUM_SEATS) if people[s] and self.game.looked[s]}

    @property
    def _person_to_move(self) -> bool:
        return not self.over and self.seats.people[self.game.turn] is not None
