"""What can be asked: each `do` is a function, with the fields it takes and who may ask.

    HERE = Requests()

    @HERE.add(action=Field(text(8)), version=VERSION)
    async def act(at: Connection, action: str, version: int) -> Answer: ...

The function gets fields that were checked, and returns what the answer holds.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from play.seats import LONGEST_NAME
from play.server.fields import MOST, Field, flag, four, text, whole
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


@dataclass(frozen=True)
class Request:
    """One thing that can be asked. owner: by the owner only; beside: among others, one of each such word at a time."""

    run: Run
    fields: dict[str, Field]
    owner: bool = False
    beside: str = ""


class Requests(dict[str, Request]):
    """Requests by name."""

    def add(self, owner: bool = False, beside: str = "", do: str = "", **fields: Field) -> Callable[[Run], Run]:
        """A function becomes a request, under its own name unless `do` is another."""

        def added(run: Run) -> Run:
            self[do or getattr(run, "__name__", "")] = Request(run, fields, owner, beside)
            return run

        return added
