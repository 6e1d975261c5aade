"""Opens a running table to the network: it listens on this computer's network address, too.

    door = Door(web_server, names, 8321)
    door.address             "192.168.1.5", or None without a network
    await door.open()        → "http://192.168.1.5:8321", the address for others, until the server stops

The listening socket on this computer's own address stays, so no page notices. After a restart of the program (see
`cold_start`) `sockets` opens it again.
"""

import os
import socket
from collections.abc import Callable
from contextlib import suppress

from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import HostNames
from spades_env.play.server.net.limiter import is_loopback
from spades_env.play.server.net.serving import WebServer
from spades_env.play.texts import text

OPENED = "SPADES_TABLE_OPENED"  # in the environment once it is open
ELSEWHERE = ("192.0.2.1", 9)  # an address for documentation, to which nothing is sent


def network_address() -> str | None:
    """Return the address by which others on the network reach this computer; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, suppress(OSError):
        asking.connect(ELSEWHERE)  # sends nothing: it chooses the address to send from
        found = asking.getsockname()[0]
        return None if is_loopback(found) else found
    return None


class Door:
    """The way in from the network. say: is called once it is open."""

    def __init__(
        self,
        web_server: WebServer,
        names: HostNames,
        port: int,
        find: Callable[[], str | None] = network_address,
        say: Callable[[], None] = lambda: None,
    ):
        self._web_server, self._names, self._port, self._find, self._say = web_server, names, port, find, say

    @property
    def address(self) -> str | None:
        return self._find()

    async def open(self) -> str:
        """Listen there, too, and return the address for others."""
        listening, origin = self._listen()
        await self._web_server.listen_on(listening)
        self._names.add(origin.removeprefix("http://"))
        os.environ[OPENED] = "1"
        self._say()
        return origin

    def _listen(self) -> tuple[socket.socket, str]:
        address = self.address
        if address is None:
            raise RefusedError(text("error.no_network"))
        try:
            return socket.create_server((address, self._port)), f"http://{address}:{self._port}"
        except OSError as error:
            raise RefusedError(text("error.not_opened", address=address, why=str(error))) from None
