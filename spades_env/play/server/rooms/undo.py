"""A request to undo moves, at a table where other people have to agree.

Bots wait while a request is open: their next move would end it. It is dropped when somebody declines, when the table
moves on, when the time for a move is up, and when the person who asked withdraws it, gets up or is away. People who are
away are not asked. The room does all that: the request only answers questions.
"""

from dataclasses import dataclass, field
from itertools import count

from spades_env.game.cards import NUM_SEATS, Seat
from spades_env.play.table.table import Table

NUMBERS = count(1)


def position(table: Table) -> tuple[int, int]:
    """Return how many moves were made, and how many were taken back."""
    return len(table.moves), table.takebacks.total()


@dataclass
class UndoRequest:
    """A request to take back this many moves, valid while the position is the same."""

    seat: Seat
    who: str
    moves: int
    position: tuple[int, int]
    agreed: dict[Seat, str] = field(default_factory=dict)  # with names: another person in that seat is asked again
    number: int = field(default_factory=lambda: next(NUMBERS))

    def holds(self, table: Table, away: set[Seat]) -> bool:
        """Tell whether it can still be carried out, the person who asked is still here, and nobody's time is up."""
        if table.seats.people[self.seat] is None or self.seat in away or table.clock.move_is_up:
            return False
        return self.position == position(table) and self.moves <= len(table.own_moves(self.seat))

    def agreed_seats(self, table: Table) -> set[Seat]:
        return {seat for seat, who in self.agreed.items() if table.seats.people[seat] == who}

    def unanswered(self, table: Table, away: set[Seat]) -> set[Seat]:
        here = {seat for seat in range(NUM_SEATS) if table.seats.people[seat] and seat not in away}
        return here - {self.seat} - self.agreed_seats(table)

    def as_dict(self, table: Table, seat: Seat) -> dict:
        """Return the request as a view shows it to a seat."""
        agreed = self.agreed_seats(table)
        return {
            "number": self.number,
            "seat": self.seat,
            "moves": self.moves,
            "agreed": sorted(agreed),
            "asked": seat != self.seat and seat not in agreed,
        }
