"""An undo that somebody at a table with several people has asked the others for.

Bots wait while a request is open: their next move would end it. It is dropped when somebody declines, when the table
moves on, and when whoever asked takes it back, gets up or is away. Who is away is not asked. The room does all that:
the request only answers questions.
"""

from dataclasses import dataclass, field
from itertools import count

from play.table.table import Table
from spades_env.cards import NUM_SEATS, Seat

Position = tuple[int, int]  # moves made, moves taken back
NUMBERS = count(1)


def position(table: Table) -> Position:
    """Return how far the game has come."""
    return len(table.moves), table.takebacks.total()


@dataclass
class UndoRequest:
    """Somebody's wish to take back this many moves, for as long as the table stands like this."""

    seat: Seat
    who: str
    moves: int
    position: Position
    agreed: dict[Seat, str] = field(default_factory=dict)  # by name: whoever takes the seat later is asked again
    number: int = field(default_factory=lambda: next(NUMBERS))

    @property
    def moves_in_words(self) -> str:
        """2 moves"""
        return f"{self.moves} move{'s' * (self.moves > 1)}"

    def holds(self, table: Table, away: set[Seat]) -> bool:
        """Tell whether it can still be carried out, and whoever asked is still here."""
        if table.seats.people[self.seat] is None or self.seat in away:
            return False
        return self.position == position(table) and self.moves <= len(table.own_moves(self.seat))

    def agreed_seats(self, table: Table) -> set[Seat]:
        """Return the seats of those who have agreed and still sit there."""
        return {seat for seat, who in self.agreed.items() if table.seats.people[seat] == who}

    def unanswered(self, table: Table, away: set[Seat]) -> set[Seat]:
        """Return the seats of those who are here and have not agreed yet."""
        here = {seat for seat in range(NUM_SEATS) if table.seats.people[seat] and seat not in away}
        return here - {self.seat} - self.agreed_seats(table)

    def as_dict(self, table: Table, seat: Seat) -> dict:
        """Return the request as a view shows it to a seat."""
        agreed = self.agreed_seats(table)
        asked = seat != self.seat and seat not in agreed
        about = {"number": self.number, "seat": self.seat, "moves": self.moves}
        return about | {"agreed": sorted(agreed), "asked": asked}
