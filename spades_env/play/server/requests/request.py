"""How requests are declared: each `do` is a function, with who may ask and the fields it takes.

    TABLE = Requests()

    @TABLE.add(Who.SEATED, action=Field(text(8)), version=VERSION)
    async def act(client: Client, action: str, version: int) -> Answer: ...

The function gets checked fields, and returns the fields of the answer. It is called only for those who may ask.

    asked = parse(text, TABLE, limits)      asked.number, asked.request, asked.fields; MessageError says what is wrong
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from spades_env.game.cards import NUM_SEATS
from spades_env.play import texts
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import Limits
from spades_env.play.server.requests import fields
from spades_env.play.server.requests.fields import MOST, Field, flag, four, text, whole
from spades_env.play.server.rooms.audience import Viewer
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.server import Server
from spades_env.play.server.services import Services
from spades_env.play.server.sessions import Session
from spades_env.play.table.seats import LONGEST_NAME

T = TypeVar("T")
Answer = dict[str, Any] | None
Run = Callable[..., Awaitable[Answer]]

VERSION = Field(whole(0, MOST))
KEY = Field(text(16, "[0-9a-f]{16}", "the key of a table"))
SEAT = Field(whole(0, NUM_SEATS - 1))
HAND = Field(whole(1, 100_000))  # as views number them
NAME = Field(text(LONGEST_NAME))
RULES = Field(text(1000))
BOTS = Field(four(text(200)))
FLAG = Field(flag, False)
LONG = "import"  # the one request that may be long


class Who(StrEnum):
    """Who may make a request. A guest may ask about their own table only."""

    ANYBODY = "anybody"  # who came by a link, or the owner
    UNSEATED = "unseated"  # who sits nowhere at the table
    SEATED = "seated"
    HOLDER = "holder"  # who has a seat, even one that was left to its bot; once the game is over anybody
    OWNER = "owner"


class Client(Viewer, Protocol):
    """The page that asks: a connection, as requests know it."""

    server: Server
    services: Services
    here: bool  # see `Connection`

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message."""

    async def compute(self, function: Callable[[], T]) -> T:
        """Let a thread compute what this person has asked for, when it is their turn."""
        ...

    @property
    def room(self) -> Room:
        """The room that the page looks at; RefusedError if there is none."""
        ...


@dataclass(frozen=True)
class Request:
    """A request that can be made. group: it is answered in the background, one of each group at a time."""

    run: Run
    who: Who
    fields: dict[str, Field]
    group: str = ""


class Requests(dict[str, Request]):
    """Requests by name."""

    def add(self, who: Who, group: str = "", do: str = "", **fields: Field) -> Callable[[Run], Run]:
        """Declare a function as a request, under its own name or `do`."""

        def added(run: Run) -> Run:
            self[do or getattr(run, "__name__", "")] = Request(run, who, fields, group)
            return run

        return added


@dataclass(frozen=True)
class Asked:
    """What a message asks for. number: the answer carries it, too."""

    number: int
    request: Request
    fields: dict[str, Any]


class MessageError(RefusedError):
    """A message that can't be understood. number: its own, if that much is known."""

    def __init__(self, words: str, number: int | None):
        super().__init__(words)
        self.number = number


def parse(text: str | None, requests: Mapping[str, Request], limits: Limits) -> Asked:
    """Return what a message asks for, with each field as its check returns it; MessageError says what is wrong."""
    number = None
    try:
        if text is None:
            raise RefusedError("A message is text, not bytes")
        message = fields.read(text, limits.text)
        do = message.get("do")
        if do != LONG:
            fields.check_size(text, limits.message)
        number = fields.take("id", message.get("id"), whole(0, MOST))
        if not isinstance(do, str) or do not in requests:
            raise RefusedError(f"unknown request {fields.quoted(do)}; expected one of {', '.join(requests)}")
        return Asked(number, requests[do], fields.checked(message, requests[do].fields))
    except RefusedError as refusal:
        raise MessageError(str(refusal), number) from None


async def check(who: Who, client: Client, key: str | None = None) -> None:
    """Raise RefusedError unless this person may make such a request. key: of the table that it names."""
    session = client.session
    if not client.services.sessions.knows(session):
        raise RefusedError(texts.text("error.not_here"))
    if who is Who.OWNER and not session.is_owner:
        raise RefusedError(texts.text("error.host_only"))
    if key is not None and not (session.is_owner or key == session.table):
        raise RefusedError(texts.text("error.other_table"))
    if who in (Who.UNSEATED, Who.SEATED, Who.HOLDER):
        _check_seat(who, session, await client.server.room(key) if key else client.room)


def _check_seat(who: Who, session: Session, room: Room) -> None:
    seat = room.seating.seat_of(session)
    if who is Who.SEATED and seat is None:
        raise RefusedError(texts.text("error.no_seat"))
    if who is Who.UNSEATED and seat is not None:
        raise RefusedError(texts.text("error.watch_seated"))
    holds = session.is_owner or room.seating.held_by(session) is not None
    if who is Who.HOLDER and not (holds or room.table.over or room.closed):
        raise RefusedError(texts.text("error.watch_hands"))
