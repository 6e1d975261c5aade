"""The people at a table as one of them reads them: "You", "Zofia", "You & Zofia". Seats are for records and programs.

names = names_at(seats, seat)          shown: how other people's names are shown to this person
names[3], side_called(rules, side, names, seat)
"""

from collections.abc import Callable

from play.table.seats import Seats
from play.texts import Text, text
from spades_env import Rules
from spades_env.cards import BLACK_JOKER, NUM_SEATS, RANKS, SUIT_LETTERS, Card, Seat, Side, card_name

Names = list[str]


def names_at(seats: Seats, seat: Seat | None, shown: Callable[[str], str] = str) -> Names:
    """Return everybody's name by seat, as the person at a seat reads them; None: somebody who looks on."""
    names = [shown(seats.name(other)) for other in range(NUM_SEATS)]
    return [text("you") if other == seat else name for other, name in enumerate(names)]


def side_called(rules: Rules, side: Side, names: Names, seat: Seat | None) -> str:
    """Return a side by the people's names, the viewer's first: "You & Zofia"."""
    seats = sorted(rules.seats(side), key=lambda one: one != seat)
    return names[seats[0]] if len(seats) == 1 else text("side", a=names[seats[0]], b=names[seats[1]])


def own(key: str, is_own: bool) -> str:
    """Return the key of the form that speaks to the viewer, or of that which speaks of others."""
    return f"{key}.you" if is_own else key


def card_text(card: Card) -> Text:
    """Return a card in words: "ten of hearts", "red joker"."""
    if card >= BLACK_JOKER:
        return text(f"card.{card_name(card)}")
    return text("card", rank=text(f"rank.{RANKS[card % 13]}"), suit=text(f"suit.{SUIT_LETTERS[card // 13]}"))
