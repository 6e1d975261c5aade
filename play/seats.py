"""Who sits where: every seat has a bot, and a person who plays in its place while one sits there.

A seat that is left is played by its bot until somebody takes it. Nobody may see two hands of one deal: who has sat
elsewhere in the hand on the table waits for the next one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import agents
from agents import Agent, AgentError
from agents.base import Hint
from play.standing import bot_name
from spades_env.cards import NUM_SEATS, SEATS, Action, Seat
from spades_env.checks import as_int
from spades_env.opponents import agent_seed
from spades_env.view import View

ADVISER = NUM_SEATS  # beside the seats, where agents get their own seeds
LONGEST_NAME = 24


class TableError(ValueError):
    """What a table refuses; the message says why in one sentence."""


@dataclass(frozen=True)
class Question:
    """What an agent is asked. It may be answered in any thread: the table is not touched."""

    seat: Seat
    version: int  # of the table
    agent: Agent
    view: View

    def answer(self) -> Action:
        """What the agent does, once it has thought."""
        return self.agent.act(self.view)

    def weigh(self) -> Hint:
        """The actions it weighs, with numbers from 0 to 1, best first; `play.advice.advise` shows them."""
        return self.agent.hint(self.view)


class Seats:
    """Four bots' strings, and the people in front of them. Bots' own seeds are made of `seed`."""

    def __init__(self, bots: Sequence[str], people: Mapping[Seat, str], adviser: str, seed: int):
        if isinstance(bots, str) or len(bots) != NUM_SEATS:
            raise TableError(f"a table has {NUM_SEATS} bots, one a seat, not {bots!r}")
        self.bots = list(bots)
        self.people: list[str | None] = [None] * NUM_SEATS
        self.adviser = adviser
        self._seed = seed
        self._loaded: dict[int, Agent] = {}
        self._sat: dict[tuple[str, Seat], int] = {}  # in which hand a person left a seat
        for seat, person in people.items():
            self.take(seat, person, 0)

    def agent(self, number: int) -> Agent:
        """The bot of a seat, or the ADVISER."""
        if number not in self._loaded:
            name = self.adviser if number == ADVISER else self.bots[number]
            agent = agents.load(name, seed=agent_seed(self._seed, number))
            if agent.cheats:
                raise AgentError(f"{name} sees all cards: it may not sit at a table")
            self._loaded[number] = agent
        return self._loaded[number]

    def load_all(self) -> None:
        """All agents now, so that one that cannot be had is refused before the game."""
        for number in (*range(NUM_SEATS), ADVISER):
            self.agent(number)

    def name(self, seat: Seat) -> str:
        """Who plays a seat, in words."""
        return self.people[seat] or bot_name(self.bots[seat])

    def playing(self) -> list[str | None]:
        """The bots that play, None where a person does."""
        return [None if person else bot for person, bot in zip(self.people, self.bots, strict=True)]

    def take(self, seat: Seat, person: str, hand: int) -> None:
        """A person sits down; `hand` is the number of the hand on the table."""
        self.check_take(seat, person, hand)
        self.people[seat] = person

    def check_take(self, seat: Seat, person: str, hand: int) -> None:
        """May this person sit down here?"""
        person = checked_name(person)
        if self.people[seat] == person:
            return
        if self.people[seat]:
            raise TableError(f"{self.people[seat]} sits {SEATS[seat]}")
        if person in self.people:
            raise TableError(f"You sit {SEATS[self.people.index(person)]}: leave that seat first")
        other = next((s for s in range(NUM_SEATS) if s != seat and self._sat.get((person, s), -1) >= hand), None)
        if other is not None:
            raise TableError(_seen_words(other))

    def leave(self, seat: Seat, hand: int) -> None:
        """The person gets up; the bot plays on."""
        person = self.people[seat]
        if person is None:
            raise TableError(f"nobody sits {SEATS[seat]}")
        self._sat[person, seat] = hand
        self.people[seat] = None

    def check_seen(self, seat: Seat, hand: int) -> None:
        """Who left this seat in this hand takes no other one, not under another name either."""
        if any(other == seat and left >= hand for (_, other), left in self._sat.items()):
            raise TableError(_seen_words(seat))

    def rename(self, seat: Seat, person: str) -> None:
        """The person at a seat is called otherwise."""
        before = self.people[seat]
        if before is None or checked_name(person) in self.people:
            raise TableError(f"{SEATS[seat]} cannot be called {person}: nobody sits there, or somebody is called so")
        self.people[seat] = person
        self._sat = {(person if who == before else who, other): hand for (who, other), hand in self._sat.items()}

    def settled(self) -> int:
        """The last hand that must not come back, since somebody here sat elsewhere in it; −1: there is none."""
        seen = [
            hand for (person, seat), hand in self._sat.items() if person in self.people and self.people[seat] != person
        ]
        return max(seen, default=-1)

    def as_dict(self) -> dict:
        """All of it as plain data."""
        sat = [[person, seat, hand] for (person, seat), hand in self._sat.items()]
        return {"bots": list(self.bots), "people": list(self.people), "adviser": self.adviser, "sat": sat}

    @classmethod
    def from_dict(cls, told: dict, seed: int) -> "Seats":
        """The seats that `as_dict` told."""
        people = {seat: person for seat, person in enumerate(told["people"]) if person is not None}
        seats = cls(told["bots"], people, told["adviser"], seed)
        seats._sat = {(person, seat): hand for person, seat, hand in told["sat"]}
        return seats


def _seen_words(seat: Seat) -> str:
    return f"You have seen the cards of {SEATS[seat]}: take that seat, or wait for the next hand"


def checked_seat(seat: int) -> Seat:
    """A seat's number."""
    number = as_int(seat)
    if number is None or not 0 <= number < NUM_SEATS:
        raise TableError(f"A seat is a number from 0 to {NUM_SEATS - 1}, not {seat!r}")
    return number


def checked_name(person: str) -> str:
    """A person's name, if it can be shown and written in one line."""
    fits = isinstance(person, str) and person == person.strip() and person.isprintable() and "|" not in person
    if not fits or not 1 <= len(person) <= LONGEST_NAME:
        raise TableError(f"a name has 1 to {LONGEST_NAME} characters that can be printed, without |, not {person!r}")
    return person
