"""The terminal's end of a connection to a server of tables: the one in its own program, or another (`remote.py`).

async with hosted(folder) as client:
    await client.ask("act", action="AS", version=31)     the answer; RefusedError says why not
    await client.messages.get()                          what the server says unasked: views, news, grades
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from spades_env import agents
from spades_env.agents import AgentError
from spades_env.play.server.connection import Connection
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.line import NO_LIMITS, ProcessLine
from spades_env.play.server.requests.hello import hello
from spades_env.play.server.requests.page import REQUESTS
from spades_env.play.server.requests.request import Client as Page
from spades_env.play.server.server import Server
from spades_env.play.store.settings import LAST
from spades_env.play.table.choices import why_not_offered
from spades_env.play.terminal.words import said, translated

Message = dict[str, Any]


class TableClient:
    """Asks the server, and keeps what it says unasked.

    server: the one in this program, if it is; origin: the address of another one; settings: everything that was `set`;
    name: the person's, None for a guest who has not given one.
    """

    def __init__(self, server: Server | None = None, origin: str = ""):
        self.server, self.origin = server, origin
        self.send: Callable[[str], object] = str
        self.messages: asyncio.Queue[Message] = asyncio.Queue()
        self.greeted = asyncio.Event()
        self.settings: dict[str, Any] = {}
        self.name: str | None = None
        self._hello: Message = {}
        self._numbers = count(1)
        self._asked: dict[int, asyncio.Future[Message]] = {}

    @property
    def hello(self) -> Message:
        """The first message of the server: all that can be chosen."""
        return translated(self._hello)["hello"]

    async def ask(self, do: str, **fields: Any) -> Message:
        """Make a request and return its answer."""
        number = next(self._numbers)
        self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            self.send(json.dumps({"id": number, "do": do} | fields))
            return await self._asked[number]
        finally:
            del self._asked[number]

    def take(self, text: str) -> None:
        """Take a message of the server."""
        message = json.loads(text)
        if "hello" in message:
            self._hello, self.name = message, message["hello"]["name"]
            self.settings = message["hello"]["settings"]
            self.greeted.set()
            return
        message = translated(message)
        if message.get("re") is None:
            self.messages.put_nowait(message)
            return
        answered = self._asked.get(message["re"])
        if answered is None or answered.done():  # nobody waits any more
            return
        if "error" in message:
            answered.set_exception(RefusedError(message["error"]))
        else:
            answered.set_result(message)

    async def set(self, name: str, value: Any) -> None:
        self.settings[name] = value
        await self.ask("set", name=name, value=value)

    async def rename(self, name: str) -> None:
        await self.ask("rename", name=name)
        self.name = name

    async def begin(self, setup: dict[str, Any], seed: int | None = None, remember: bool = True) -> None:
        """Begin a game. setup: of `GameSetup`; remember: the next game is set up like it."""
        chosen = {} if seed is None else {"seed": str(seed)}
        hello = self._hello["hello"]
        before = hello["last"]
        if remember:
            hello["last"] = setup  # before the answer: the new table may close the form that waits for it
        try:
            await self.ask("new", **setup, **chosen, remember=remember)
        except RefusedError:
            hello["last"] = before
            raise

    async def save_variant(self, name: str, rules: str) -> None:
        saved = await self.ask("save_variant", name=name, rules=rules)
        self._hello["hello"]["variants"] = saved["variants"]

    def offer(self, agent: str) -> None:
        """Let the server in this program offer an agent that it doesn't list; another one offers what it lists."""
        if self.server is None:
            return
        if agents.load(agent).cheats:
            raise AgentError(said("terminal.cheats", agent=agent))
        services = self.server.services
        if why_not_offered([agent], services.extra_bots):
            services.extra_bots = (*services.extra_bots, agent)


@asynccontextmanager
async def hosted(folder: Path | None = None, adviser: str | None = None) -> AsyncIterator[TableClient]:
    """Run a server for one person in this program."""
    server = Server(folder, limits=NO_LIMITS, adviser=adviser)
    client = TableClient(server)
    line = ProcessLine(client.take)
    client.send = line.push
    for bot in (server.services.settings.get(LAST) or {"bots": []})["bots"]:
        with suppress(AgentError):  # its file has gone
            client.offer(bot)
    connection = Connection(line, server.services.sessions.owner, server, REQUESTS, _greet)
    running = [asyncio.create_task(server.run()), asyncio.create_task(connection.run())]
    try:
        await client.greeted.wait()
        yield client
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await server.shut()


async def _greet(page: Page) -> None:
    """Open no table yet: the person is asked which."""
    page.tell({"hello": await hello(page)})
