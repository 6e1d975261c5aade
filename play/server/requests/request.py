"""How requests are declared: each `do` is a function, with the fields it takes and who may ask.

    TABLE = Requests()

    @TABLE.add(action=Field(text(8)), version=VERSION)
    async def act(client: Client, action: str, version: int) -> Answer: ...

The function gets checked fields, and returns the fields of the answer.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from play import texts
from play.server.errors import RefusedError
from play.server.requests.fields import MOST, Field, flag, four, quoted, take, text, whole
from play.server.rooms.room import Room
from play.server.server import Server
from play.server.services import Services
from play.server.sessions import Session
from play.table.seats import LONGEST_NAME
from spades_env.cards import NUM_SEATS

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


class Client(Protocol):
    """The page that asks: a connection, as requests know it."""

    session: Session
    server: Server
    services: Services

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message."""

    def stop(self, *groups: str) -> None:
        """Stop the requests of these groups that are still being answered."""

    async def enter(self, room: Room) -> None:
        """Look at this room's table from now on."""

    @property
    def room(self) -> Room:
        """The room that the page looks at; RefusedError if there is none."""
        ...


@dataclass(frozen=True)
class Request:
    """A request that can be made. owner: only by the owner; group: in the background, one of each group at a time."""

    run: Run
    fields: dict[str, Field]
    owner: bool = False
    group: str = ""


class Requests(dict[str, Request]):
    """Requests by name."""

    def add(self, owner: bool = False, group: str = "", do: str = "", **fields: Field) -> Callable[[Run], Run]:
        """Declare a function as a request, under its own name or `do`."""

        def added(run: Run) -> Run:
            self[do or getattr(run, "__name__", "")] = Request(run, fields, owner, group)
            return run

        return added


def number_of(message: dict[str, Any]) -> int:
    """Return the number of a message, which its answer will carry."""
    return take("id", message.get("id"), whole(0, MOST))


def request_of(message: dict[str, Any], requests: Mapping[str, Request], session: Session) -> Request:
    """Return the request that a message names, if this session may make it."""
    do = message.get("do")
    if not isinstance(do, str) or do not in requests:
        raise RefusedError(f"There is no request {quoted(do)}: there are {', '.join(requests)}")
    if requests[do].owner and not session.is_owner:
        raise RefusedError(texts.text("error.host_only"))
    return requests[do]
