"""One sitting: rules, four seats, the game, its clock, takebacks, hints, claims. No page, no terminal, no net in it.

    table = Table("classic", ["rule"] * 4, {0: "Anna"}, seed=7)
    table.view(0)                  what the person in South may know, as plain data for JSON
    table.act(0, "AS")             a card, "bid:4", "blind" or "look"; TableError says why not
    while table.step(): ...        the bots move, one at a time, as fast as whoever runs the table likes

Whoever runs it asks for `tick()` now and then where there is a clock. To think elsewhere than in the running thread:
`question = table.pending`, `question.answer()` there, `table.step(question, answer)` here, or `table.late` and
`table.tick(question, answer)`; an answer that comes too late does nothing. With the same seed, the same bots and the
same moves a sitting is the same to the letter.
"""

import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence

from play.advice import advise
from play.claim import sure_order
from play.clock import Clock, Now
from play.fairness import Proof, game_proof, hand_proof, new_salt
from play.hands import BOT, CLAIM, LATE, PERSON, Deed, Hand, Start
from play.seat_view import seat_view
from play.seats import ADVISER, Question, Seats, TableError, checked_seat
from play.source import Source
from spades_env import Game, Rules
from spades_env.cards import BLIND_NIL, NUM_ACTIONS, NUM_SEATS, SEATS, Action, Seat, cards, parse_action
from spades_env.checks import as_int
from spades_env.refusals import why_not
from spades_env.rules import RulesSource
from spades_env.shuffle import new_secret
from spades_env.view import View

__all__ = ["Question", "Table", "TableError"]


class Table:
    """A game with its seats. `version` grows with every change; an action that was meant for another one is refused."""

    def __init__(
        self,
        rules: RulesSource = "classic",
        bots: Sequence[str] = ("rule",) * NUM_SEATS,
        people: Mapping[Seat, str] | None = None,
        *,
        seed: int | None = None,
        secret: str | None = None,
        start: Mapping | None = None,
        adviser: str = "rule",
        move_seconds: float | None = None,
        counted: bool = True,
        now: Now = time.monotonic,
    ):
        """start: what else `Game` takes, its deal as text; counted: does it belong into statistics?

        Without a seed the deals come from a secret: one drawn for this table, unless it replays a game whose secret
        is open.
        """
        if move_seconds is not None and not move_seconds > 0:
            raise TableError(f"Seconds for a move must be more than 0, not {move_seconds!r}")
        source = Source(seed, new_secret() if seed is None and secret is None else secret)
        seats = Seats(bots, {0: "You"} if people is None else people, adviser, source.bots)
        seats.load_all()
        self._set_up(Rules.of(rules), source, start or {}, seats, Clock(move_seconds, now))
        self.counted = counted

    @classmethod
    def of_parts(cls, rules: Rules, source: Source, start: Mapping, seats: Seats, clock: Clock) -> "Table":
        """A table on which nothing was done yet; its agents are loaded when they are asked."""
        table = cls.__new__(cls)
        table._set_up(rules, source, start, seats, clock)
        return table

    def _set_up(self, rules: Rules, source: Source, start: Mapping, seats: Seats, clock: Clock) -> None:
        told = dict(start)
        if "deal" in told:
            told["deal"] = [cards(hand) for hand in told["deal"].split("|")]
        self.game = Game(rules, source.seed, secret=source.secret, **told)
        self.rules, self.start, self.seats, self.clock = rules, dict(start), seats, clock
        self.clock.sitting = rules.time_limit_s
        self.key, self.salt = secrets.token_hex(8), new_salt()
        self.counted = True
        self.version = 0
        self.deeds: list[Deed] = []
        self.hints: Counter[tuple[int, Seat]] = Counter()  # by hand and seat
        self.takebacks: Counter[tuple[int, Seat]] = Counter()
        self.hinted: list[int] = []  # where the last hint was given: moves made, moves taken back
        self.seen: set[tuple[int, Seat]] = set()  # hands whose cards the person at the seat has seen
        self.finished: list[Hand] = []  # with open cards, for whoever runs the table
        self.settled = -1  # the last hand that somebody has looked at with open cards
        self._starts: list[tuple[int, Start]] = []  # of every hand: moves made before it, how it began
        self._begin_hand()
        self._note_turn()

    # Looking

    @property
    def over(self) -> bool:
        """Has the game ended? Then nobody can act, take back or sit down any more."""
        return self.game.over

    @property
    def unsettled(self) -> bool:
        """Would looking at the finished hands with open cards end their takebacks?"""
        return bool(self.finished) and not self.over and self.finished[-1].number > self.settled

    @property
    def hands(self) -> list[Hand]:
        """The finished hands and the one on the table, which is the last: for whoever runs the table."""
        if len(self.finished) == len(self._starts):
            return list(self.finished)
        first, start = self._starts[-1]
        return [*self.finished, Hand(start, tuple(self.deeds[first:]))]

    @property
    def first_hand(self) -> int:
        """The number of the hand that the table began with, as people count: a hand that is replayed keeps its own."""
        return self._starts[0][1].number + 1

    def view(self, seat: Seat) -> dict:
        """All that the person at a seat may know, as plain data; cards and actions are words."""
        return seat_view(self, seat)

    def legal(self, view: View) -> list[Action]:
        """What the seat may do: all that is legal, but no blind nil on cards that a takeback left known."""
        known = (self.game.hand_number, view.seat) in self.seen
        return [action for action in view.legal_actions() if not (known and action == BLIND_NIL)]

    def own_moves(self, seat: Seat) -> list[int]:
        """The numbers of the moves that the seat may take back, the last one first."""
        settled, found = max(self.seats.settled(), self.settled), []
        earliest = next((first for first, start in self._starts if start.number > settled), len(self.deeds))
        for number in range(len(self.deeds) - 1, earliest - 1, -1):
            deed = self.deeds[number]
            if deed.by == PERSON and deed.seat != seat:
                break
            if deed.by == PERSON:
                found.append(number)
        return [] if self.over else found

    @property
    def commitments(self) -> dict:
        """The hashes shown before the cards: of the game, and of every hand up to the one on the table.

        drawn_from: "secret", or "seed" where later hands can be worked out; given: was the first deal chosen?
        """
        hands = [hand_proof(self.salt, start).commitment for _, start in self._starts]
        drawn = {"drawn_from": "seed" if self.game.secret is None else "secret", "given": self.game.deal_given}
        return drawn | {"game": game_proof(self.salt, self.game).commitment, "hands": hands}

    def proofs(self) -> dict[str, list[Proof]]:
        """What opens the commitments: finished hands, and the game once it is over."""
        opened = self._starts if self.over else self._starts[: len(self.finished)]
        hands = [hand_proof(self.salt, start) for _, start in opened]
        return {"game": [game_proof(self.salt, self.game)] if self.over else [], "hands": hands}

    # Bots

    @property
    def pending(self) -> Question | None:
        """What a bot is to be asked now; None: a person is to move, or the game is over."""
        return None if self.over or self.seats.people[self.game.turn] else self._question()

    def _question(self) -> Question:
        """To the bot of the seat that is to move."""
        seat = self.game.turn
        return Question(seat, self.version, self.seats.agent(seat), self.game.view(seat))

    def step(self, question: Question | None = None, answer: Action | None = None) -> bool:
        """The bot to move makes its move; False when there is none, or the question is no longer the one to answer."""
        question = question or self.pending
        if question is None or question.version != self.version:
            return False
        self.apply(question.answer() if answer is None else answer, BOT)
        return True

    # People

    def act(self, seat: Seat, action: Action | str, version: int | None = None) -> None:
        """The person at a seat bids, passes or plays."""
        view = self._asked_by(seat, version)
        number = _number(action)
        if number not in self.legal(view):
            raise TableError(self.why_refused(view, number))
        self.apply(number, PERSON)

    def why_refused(self, view: View, action: Action) -> str:
        """Why the seat to move may not do this: "You hold hearts: follow hearts"."""
        known = action == BLIND_NIL and action in view.legal_actions()
        words = "you have seen these cards: blind nil is bid before that" if known else why_not(view, action)
        return words[0].upper() + words[1:]

    def takeback(self, seat: Seat, moves: int = 1, version: int | None = None) -> None:
        """Undo the person's last moves with all that came after: the cards stay, and the bots answer anew."""
        wanted = self.check_takeback(seat, moves, version)
        first = self.own_moves(seat)[wanted - 1]
        self.game.undo(len(self.deeds) - first)
        del self.deeds[first:]
        self._starts = [begun for begun in self._starts if begun[0] <= first]
        del self.finished[len(self._starts) - 1 :]
        self.takebacks[self.game.hand_number, seat] += wanted
        self._changed()

    def check_takeback(self, seat: Seat, moves: int = 1, version: int | None = None) -> int:
        """May the person undo so many moves now? How many they are."""
        self._seated(seat, version)
        wanted, own = as_int(moves), self.own_moves(seat)
        if not own:
            raise TableError("There is no move of yours to take back")
        if wanted is None or not 1 <= wanted <= len(own):
            raise TableError(f"You can take back 1 to {len(own)} moves, not {moves!r:.40}")
        return wanted

    def ask(self, seat: Seat, version: int | None = None) -> Question:
        """A hint for the person to move, counted once a position: `ask(seat).weigh()`."""
        view, adviser = self._asked_by(seat, version), self.seats.agent(ADVISER)
        position = [len(self.deeds), self.takebacks.total()]
        if self.hinted != position:
            self.hinted = position
            self.hints[self.game.hand_number, seat] += 1
            self.version += 1
        return Question(seat, self.version, adviser, view)

    def hint(self, seat: Seat, version: int | None = None) -> dict:
        """The same as plain data: what the adviser weighs, best first, in which measure, as it is shown."""
        return advise(self.ask(seat, version))

    def claim(self, seat: Seat, version: int | None = None) -> None:
        """All that is left is certain to be the person's: it is played out."""
        order = sure_order(self._asked_by(seat, version))
        if not order:
            raise TableError("It is not certain that every trick left is yours when you lead now")
        finished, by = len(self.finished), PERSON
        while len(self.finished) == finished:
            own = self.game.turn == seat
            self.apply(order.pop(0) if own else self.game.legal_actions()[0], by)
            by = CLAIM

    def take(self, seat: Seat, person: str) -> None:
        """A person sits down at a free seat, or comes back to it."""
        self.check_take(seat, person)
        if self.seats.people[seat] != person:
            self.seats.take(seat, person, self.game.hand_number)
            self._reseated()

    def check_take(self, seat: Seat, person: str) -> None:
        """May this person sit down here?"""
        if self.over:
            raise TableError("The game is over")
        self.seats.check_take(checked_seat(seat), person, self.game.hand_number)

    def leave(self, seat: Seat) -> None:
        """The person gets up; the bot of the seat plays on."""
        self.seats.leave(checked_seat(seat), self.game.hand_number)
        self._reseated()

    # Time

    @property
    def late(self) -> Question | None:
        """What a bot is to be asked for the person whose time is up; `tick` takes the answer."""
        in_time = self.over or self.clock.sitting_is_up or not self.clock.move_is_up
        return None if in_time else self._question()

    def tick(self, question: Question | None = None, answer: Action | None = None) -> bool:
        """Do what the clock demands: end the game, or let the bot move for a person whose time is up."""
        if self.clock.sitting_is_up and not self.over:
            self.game.time_up()
            self._changed()
            return True
        question = question or self.late
        if question is None or question.version != self.version:
            return False
        self.apply(question.answer() if answer is None else answer, LATE)
        return True

    # Helpers

    def settle(self, number: int) -> None:
        """Somebody looks at a finished hand with open cards: no move up to its end can be taken back any more."""
        if number not in [hand.number for hand in self.finished]:
            raise TableError(f"Hand {number + 1} is not finished")
        if number > self.settled and not self.over:
            self.settled = number
            self.version += 1

    def apply(self, action: Action, by: str) -> None:
        """The seat to move does this, by whom ever; people go through `act`, bots through `step`."""
        deed, results = Deed(self.game.turn, self.game.phase, action, by), len(self.game.results)
        self.game.apply(action)
        self.deeds.append(deed)
        if len(self.game.results) > results:
            first, start = self._starts[-1]
            self.finished.append(Hand(start, tuple(self.deeds[first:]), self.game.results[-1]))
            if not self.over:
                self._begin_hand()
        self._changed()

    def _begin_hand(self) -> None:
        self._starts.append((len(self.deeds), Start.of(self.game)))

    def _changed(self) -> None:
        self.version += 1
        self._note_turn()

    def _reseated(self) -> None:
        self.version += 1
        self._note_seen()
        self.clock.wait(self._person_to_move)

    def _note_turn(self) -> None:
        self._note_seen()
        self.clock.turn(self._person_to_move)

    def _note_seen(self) -> None:
        people = self.seats.people
        self.seen |= {(self.game.hand_number, s) for s in range(NUM_SEATS) if people[s] and self.game.looked[s]}

    @property
    def _person_to_move(self) -> bool:
        return not self.over and self.seats.people[self.game.turn] is not None

    def _seated(self, seat: Seat, version: int | None) -> None:
        """Somebody at this seat wants something of the table as it stands."""
        self.clock.resume()
        if self.clock.sitting_is_up:
            self.tick()
        elif self.clock.move_is_up:  # to think is for whoever runs the table, who may have a thread for it
            raise TableError(f"{SEATS[self.game.turn]}'s time is up: a bot makes this move")
        if version is not None and version != self.version:
            raise TableError("The table has moved on since")
        if self.over:
            raise TableError("The game is over")
        if self.seats.people[checked_seat(seat)] is None:
            raise TableError(f"A bot plays {SEATS[seat]}")

    def _asked_by(self, seat: Seat, version: int | None) -> View:
        """The view of the person at a seat, who must be to move."""
        self._seated(seat, version)
        if self.game.turn != seat:
            raise TableError(f"It is {SEATS[self.game.turn]}'s turn")
        return self.game.view(seat)


def _number(action: Action | str) -> Action:
    """An action from its word or its number."""
    try:
        number = parse_action(action) if isinstance(action, str) else as_int(action)
    except ValueError:
        number = None
    if number is None or not 0 <= number < NUM_ACTIONS:
        raise TableError(f"{action!r:.40} is no action: a card (AS), bid:4, blind or look")
    return number
