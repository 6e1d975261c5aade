"""The terminal as a page of a server that runs elsewhere: `spades table` on this computer or another one.

async with connected("http://127.0.0.1:8321/?key=…") as client:      as `spades table` has printed it
async with connected("http://192.168.1.5:8321/join/…") as client:    a guest's link
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Origin

from spades_env.errors import SpadesError
from spades_env.play.terminal.client import TableClient
from spades_env.play.terminal.words import said

SECONDS = 10.0  # to wait for an answer
SECURE = {"http": "ws", "https": "wss"}


class NoTableError(SpadesError):
    """Raised if an address leads to no table."""


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[TableClient]:
    """Connect to the server at an address, as its owner or as a guest."""
    try:
        parts = urlsplit(address)
    except ValueError:  # brackets that don't match
        parts = None
    if not parts or parts.scheme not in SECURE or not parts.hostname or not address.isascii():
        raise NoTableError(f"unknown address {address!r}; expected what spades table prints, or a guest's link")
    cookie = await asyncio.to_thread(_enter, parts)
    client = TableClient(origin=f"{parts.scheme}://{parts.netloc}")
    live = f"{SECURE[parts.scheme]}://{parts.netloc}/live"
    try:
        async with connect(live, origin=Origin(client.origin), additional_headers={"Cookie": cookie}) as socket:
            said_here: asyncio.Queue[str] = asyncio.Queue()
            client.send = said_here.put_nowait
            talking = [asyncio.create_task(_listen(socket, client)), asyncio.create_task(_talk(socket, said_here))]
            try:
                await asyncio.wait_for(client.greeted.wait(), SECONDS)
                yield client
            finally:
                for task in talking:
                    task.cancel()
                await asyncio.gather(*talking, return_exceptions=True)
    except (OSError, TimeoutError, WebSocketException) as error:
        raise NoTableError(f"there is no table at {client.origin}: {error}") from None


def _enter(parts: SplitResult) -> str:
    """Open an address as a browser would, and return the cookie that it gives."""
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    try:
        with closing(kind(parts.netloc, timeout=SECONDS)) as connection:
            connection.request("GET", parts._replace(scheme="", netloc="", fragment="").geturl() or "/")
            answer: HTTPResponse = connection.getresponse()
            content = answer.read()
    except (OSError, HTTPException) as error:
        raise NoTableError(f"there is no table at {parts.netloc}: {error}") from None
    cookie = answer.getheader("Set-Cookie")
    if cookie is None:
        why = content.decode(errors="replace") if answer.getheader("Content-Type", "").startswith("text/plain") else ""
        raise NoTableError(why or "this address opens no table: it needs the key that spades table has printed")
    return cookie.partition(";")[0]


async def _listen(socket: ClientConnection, client: TableClient) -> None:
    with suppress(ConnectionClosed):  # however it was closed
        async for message in socket:
            client.take(str(message))
    client.messages.put_nowait({"lost": said("terminal.lost")})


async def _talk(socket: ClientConnection, messages: asyncio.Queue[str]) -> None:
    while True:
        await socket.send(await messages.get())
