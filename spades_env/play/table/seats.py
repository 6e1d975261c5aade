"""Who sits where: every seat has a bot, and perhaps a person who plays in its place.

When a person leaves, the bot plays until somebody takes the seat. Nobody may see two hands of one deal: a person who
left another seat during the current hand waits for the next one.

The people of a table are named as one of them reads them: "You", "Zofia", "You & Zofia". Seats' own names are for
records and programs.

    names = names_at(seats, seat)          shown: how other people's names are shown to this person
    names[3], side_called(rules, side, names, seat)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from spades_env import agents
from spades_env.agents import Agent, AgentError
from spades_env.agents.base import Hint
from spades_env.checks import as_int
from spades_env.errors import SpadesError
from spades_env.game import cards
from spades_env.game.cards import NUM_SEATS, SEATS, Action, Card, Seat, Side
from spades_env.game.rules import Rules
from spades_env.game.secret_deals import agent_seed
from spades_env.game.view import View
from spades_env.play.table.rating import bot_name
from spades_env.play.texts import Text, text

ADVISER = NUM_SEATS  # a number for the adviser beside those of the seats, from which agents get their seeds
LONGEST_NAME = 24
Names = list[str]  # of the people, by seat


class TableError(SpadesError):
    """The table refuses something; the message says why in one sentence."""


@dataclass(frozen=True)
class Question:
    """A question to an agent. Any thread may answer it: the table isn't touched."""

    seat: Seat
    version: int  # of the table
    agent: Agent
    view: View

    def answer(self) -> Action:
        return self.agent.act(self.view)

    def hint(self) -> Hint:
        """Return the agent's actions with their weights, best first; `play.table.advice.advise` shows them."""
        return self.agent.hint(self.view)


class Seats:
    """Four bots' strings, and the people who play in their places. `seed` decides the bots' own randomness."""

    def __init__(self, bots: Sequence[str], people: Mapping[Seat, str], adviser: str, seed: int):
        if isinstance(bots, str) or len(bots) != NUM_SEATS:
            raise TableError(f"a table has {NUM_SEATS} bots, one a seat, not {bots!r}")
        self.bots = list(bots)
        self.people: list[str | None] = [None] * NUM_SEATS
        self.adviser = adviser
        self._seed = seed
        self._loaded: dict[int, Agent] = {}
        self._sat: dict[tuple[str, Seat], int] = {}  # the hand in which a person left a seat
        for seat, person in people.items():
            self.take(seat, person, 0)

    def agent(self, number: int) -> Agent:
        """Return the bot of a seat, or the adviser for ADVISER; it is loaded when it is first asked for."""
        if number not in self._loaded:
            name = self.adviser if number == ADVISER else self.bots[number]
            agent = agents.load(name, seed=agent_seed(self._seed, number))
            if agent.cheats:
                raise AgentError(f"{name} sees all cards: it may not sit at a table")
            self._loaded[number] = agent
        return self._loaded[number]

    def load_all(self) -> None:
        """Load all agents, so that a missing one is refused before the game begins."""
        for number in (*range(NUM_SEATS), ADVISER):
            self.agent(number)

    def name(self, seat: Seat) -> str:
        return self.people[seat] or bot_name(self.bots[seat])

    def playing(self) -> list[str | None]:
        return [None if person else bot for person, bot in zip(self.people, self.bots, strict=True)]

    def take(self, seat: Seat, person: str, hand: int) -> None:
        """Seat a person; hand: the number of the current hand."""
        self.check_take(seat, person, hand)
        self.people[seat] = person

    def check_take(self, seat: Seat, person: str, hand: int) -> None:
        """Raise TableError if this person may not sit down here."""
        person = checked_name(person)
        if self.people[seat] == person:
            return
        if self.people[seat]:
            raise TableError(text("error.seat_taken", who=self.people[seat]))
        if person in self.people:
            raise TableError(text("error.sit_elsewhere"))
        other = next((s for s in range(NUM_SEATS) if s != seat and self._sat.get((person, s), -1) >= hand), None)
        if other is not None:
            raise TableError(_seen_words())

    def leave(self, seat: Seat, hand: int) -> None:
        """Let the bot of a seat play on in place of its person."""
        person = self.people[seat]
        if person is None:
            raise TableError(f"nobody sits {SEATS[seat]}")
        self._sat[person, seat] = hand
        self.people[seat] = None

    def call_back(self) -> None:
        """Seat the only person of the game again, if they have left: an empty table is still theirs."""
        if not any(self.people) and len({person for person, _ in self._sat}) == 1:
            person, seat = max(self._sat, key=lambda left: self._sat[left])
            self.people[seat] = person

    def check_seen(self, seat: Seat, hand: int) -> None:
        """Raise TableError if somebody left this seat during this hand: they may take no other under any name."""
        if any(other == seat and left >= hand for (_, other), left in self._sat.items()):
            raise TableError(_seen_words())

    def rename(self, seat: Seat, person: str) -> None:
        before = self.people[seat]
        if before is None or checked_name(person) in self.people:
            raise TableError(f"{SEATS[seat]} cannot be called {person}: nobody sits there, or the name is taken")
        self.people[seat] = person
        self._sat = {(person if who == before else who, other): hand for (who, other), hand in self._sat.items()}

    def settled(self) -> int:
        """Return the last hand that must not be taken back, since a person has seen two seats of it; −1: none."""
        seen = [
            hand for (person, seat), hand in self._sat.items() if person in self.people and self.people[seat] != person
        ]
        return max(seen, default=-1)

    def as_dict(self) -> dict:
        sat = [[person, seat, hand] for (person, seat), hand in self._sat.items()]
        return {"bots": list(self.bots), "people": list(self.people), "adviser": self.adviser, "sat": sat}

    def restore_left(self, sat: Sequence[Sequence]) -> None:
        """Restore who left which seat in which hand, from `sat` of `as_dict`."""
        self._sat = {(person, seat): hand for person, seat, hand in sat}


def _seen_words() -> str:
    return text("error.seen_cards")


def checked_seat(seat: int) -> Seat:
    number = as_int(seat)
    if number is None or not 0 <= number < NUM_SEATS:
        raise TableError(f"A seat is a number from 0 to {NUM_SEATS - 1}, not {seat!r}")
    return number


def checked_name(person: str) -> str:
    fits = isinstance(person, str) and person == person.strip() and person.isprintable() and "|" not in person
    if not fits or not 1 <= len(person) <= LONGEST_NAME:
        raise TableError(text("error.name", most=LONGEST_NAME))
    return person


# Names


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
    if card >= cards.BLACK_JOKER:
        return text(f"card.{cards.card_name(card)}")
    return text(
        "card", rank=text(f"rank.{cards.RANKS[card % 13]}"), suit=text(f"suit.{cards.SUIT_LETTERS[card // 13]}")
    )
