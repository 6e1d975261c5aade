"""A choice to be explained: what the seat knows, the action advised, and the one it is compared with.

A reason is a function of a case. It returns a sentence if each fact in it holds and sets the advised action apart from
the other one; else None. So every sentence is true, and none is a guess.
"""

from collections.abc import Callable
from dataclasses import dataclass

from spades_env.game.cards import SUIT_LETTERS, Action, Seat
from spades_env.play.coach.known import Sight
from spades_env.play.table.seats import Names
from spades_env.play.texts import Text, text


@dataclass(frozen=True)
class Case:
    """One action instead of another. names: everybody's, by seat, as the seat reads them; by: the adviser's name."""

    sight: Sight
    advised: Action
    instead: Action
    names: Names
    by: str

    def against(self, other: Action) -> "Case":
        """Return the same advice beside another action."""
        return Case(self.sight, self.advised, other, self.names, self.by)

    def who(self, seat: Seat | None) -> str:
        return self.names[seat] if seat is not None else ""


Reason = Callable[[Case], Text | None]


def suit(number: int) -> Text:
    return text(f"suit.{SUIT_LETTERS[number]}")


def one_of(number: int) -> Text:
    """Name a card of this suit: "spade"."""
    return text(f"suit.one.{SUIT_LETTERS[number]}")
