"""Ten thousand messages that are wrong in every way we can think of: a game changes by legal moves only, and the server
goes on. Most of them come by a wire without a net, some by a real one.
"""

import asyncio
import json
import logging
import random
from contextlib import suppress
from pathlib import Path

from starlette.websockets import WebSocket
from support.game.tables import random_rules
from support.play.servers import PATIENT, QUICK, guest, owner, running
from support.strategies import scaled

from spades_env._jit import JIT_ON
from spades_env.game.cards import NUM_ACTIONS, action_name
from spades_env.play.server.connection import Connection
from spades_env.play.server.errors import OWN_FAULT
from spades_env.play.server.rooms.company import PHRASES
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.routes import REQUESTS, begin
from spades_env.play.server.server import Server
from spades_env.play.server.sessions import Session
from spades_env.play.store.database import Store
from spades_env.play.store.saved import packed, unpacked
from spades_env.play.table.hands import CLAIM, PERSON
from spades_env.play.table.table import Table

MESSAGES = 10_000
FIRST_OWN = 10_000  # no message sent at random has such an id
RULES = "classic target=off max_hands=3 blind_nil_deficit=0 blind_nil_pass=1"
BOTS = ["random"] * 4
MOVES = {"act", "claim", "takeback"}
SEATS = {"sit", "leave", "free", "rename", "give_up"}
SENT = [do for do in REQUESTS if JIT_ON or do not in ("grades", "compare")]  # these take minutes without it
LOOKS = {"review", "grades", "compare", "again", "proofs"}
OFTEN = ("act",) * 30 + ("sit",) * 5 + ("takeback", "claim", "hint", "shown")
ODD = [
    None,
    True,
    False,
    0,
    -1,
    1,
    4,
    2**31,
    2**53,
    2**64,
    -(2**70),
    0.5,
    1e308,
    "",
    "AS",
    "bid:3",
    "x" * 300,
    "0" * 16,
]
ODD += ["../../etc/passwd", "\x00", "\ud800", "ä" * 40, "<script>", "'; DROP TABLE sittings; --", "off", "classic"]
ODD += [[], {}, [[]], [None] * 4, BOTS, ["mc:9999x9999"] * 4, ["rule"] * 5, {"a": 1}, {"target": -1}, {"x": {"y": []}}]
RAW = ["", " ", "null", "[]", "{}", "7", '"x"', "{", "}", '{"id":}', '{"id": 1e999}', '{"id": NaN, "do": "act"}']
RAW += ["[" * 4000, '{"a":' * 600, '{"id": 1, "id": 2, "do": "stop"}', '{"do": "stop"}', '{"id": 1}', "\x00\x01"]
RAW += ["{'id': 1}", '{"id": 1, "do": ["act"]}', "x" * 5000, b"\xff\xfe", b'{"id": 1, "do": "stop"}']


class Wire:
    """A page whose messages go through no network."""

    def __init__(self, server: Server, session: Session):
        self.session, self.heard = session, []
        self._in: asyncio.Queue[dict] = asyncio.Queue()
        self._told = asyncio.Event()
        self._number = FIRST_OWN
        self._in.put_nowait({"type": "websocket.connect"})
        socket = WebSocket({"type": "websocket", "path": "/live", "headers": []}, self._in.get, self._send)
        self.connection = Connection(socket, session, server, REQUESTS, begin)
        self._task = asyncio.create_task(self._run(socket))

    async def _run(self, socket: WebSocket) -> None:
        await socket.accept()
        await self.connection.run()

    async def _send(self, message) -> None:
        if message["type"] == "websocket.send":
            self.heard.append(message["text"])
            self._told.set()

    def send(self, message: str | bytes) -> None:
        self._in.put_nowait({"type": "websocket.receive", "text" if isinstance(message, str) else "bytes": message})

    async def ask(self, do: str, **fields) -> dict:
        """Return the answer to a request."""
        self._number += 1
        self.send(json.dumps({"id": self._number, "do": do} | fields))
        return await self.answer(self._number)

    async def answer(self, number: int) -> dict:
        begin = f'{{"re":{number},'
        while not (found := [text for text in self.heard if text.startswith(begin)]):
            self._told.clear()
            await asyncio.wait_for(self._told.wait(), 60)
        return json.loads(found[0])

    async def close(self) -> None:
        self._in.put_nowait({"type": "websocket.disconnect"})
        await self._task


class Fuzz:
    """Four people at a table who send anything, in turn."""

    def __init__(self, rng: random.Random, server: Server):
        self.rng, self.server = rng, server
        self.sent: list[str | bytes] = ["{}"]
        self.counts = dict.fromkeys(("moved", "refused", "tables"), 0)
        self.host = Wire(server, server.services.sessions.owner)

    async def begin(self) -> None:
        """Begin a new table with four people."""
        sessions = self.server.services.sessions
        rules = str(random_rules(self.rng, max_hands=3, time_limit_s=None)) if self.rng.random() < 0.5 else RULES
        self.key = (await self.host.ask("new", rules=rules, bots=BOTS))["key"]
        self.pages = [self.host]
        for seat in (1, 2, 3):
            session = sessions.by_cookie(sessions.join(self.key))
            assert session
            page = Wire(self.server, session)
            assert (await page.ask("sit", seat=seat, name=f"{self.key[:4]} {seat}"))["ok"]
            self.pages.append(page)
        self.counts["tables"] += 1

    @property
    def room(self) -> Room:
        return self.server.rooms[self.key]

    async def run(self, messages: int) -> None:
        await self.begin()
        for _ in range(messages):
            if self.key not in self.server.rooms or self.room.table.over:
                for page in self.pages[1:]:
                    await page.close()
                await self.begin()
            turn = self.room.table.game.turn
            page = self.pages[turn] if self.rng.random() < 0.6 else self.rng.choice(self.pages)
            await self.send(page, self.bent(self.sensible(page)))

    def sensible(self, page: Wire) -> dict:
        """Return a message as a page may send it."""
        rng, table = self.rng, self.room.table
        action = rng.choice(table.game.legal_actions()) if rng.random() < 0.7 else rng.randrange(NUM_ACTIONS)
        values = {
            "key": self.key,
            "hand": rng.randrange(1, 4),
            "seat": self.pages.index(page) if rng.random() < 0.8 else rng.randrange(4),
            "action": action_name(action),
            "moves": rng.randrange(1, 4),
            "version": table.version - (rng.randrange(-2, 5) if rng.random() < 0.2 else 0),
            "name": rng.choice(("Anna", "page", "You", "x")),
            "rules": rng.choice((RULES, "solo")),
            "bots": BOTS,
            "text": "spades sitting 1",
            "value": 1,
            "phrase": rng.choice(PHRASES),
            "on": rng.random() < 0.5,
            "order": [0, 1, 2, 3],
        }
        do = rng.choice((*OFTEN, *SENT))
        fields = [name for name in REQUESTS[do].fields if name in values and rng.random() < 0.97]
        return {"id": rng.randrange(1000), "do": do} | {name: values[name] for name in fields}

    def bent(self, told: dict) -> str | bytes:
        """Return the message, usually with something wrong in it."""
        rng, way = self.rng, self.rng.randrange(12)
        if way == 0:
            return rng.choice(RAW)
        if way == 1:
            return rng.choice(self.sent)
        if way in (2, 3):
            told[rng.choice([*told, "version", "action", "extra"])] = rng.choice(ODD)
        if way == 4:
            told.pop(rng.choice(list(told)))
        text = json.dumps(told)
        if way == 5:
            cut = rng.randrange(len(text))
            text = text[:cut] + rng.choice(("", "\x00", "}", "{", '"', "9" * 50)) + text[cut + rng.randrange(3) :]
        return text.encode() if way == 6 else text

    async def send(self, page: Wire, message: str | bytes) -> None:
        """Send a message, and check what it did."""
        room, table = self.room, self.room.table
        before, turn, legal, version = seen(table), table.game.turn, table.game.legal_actions(), table.version
        self.sent = [*self.sent[-50:], message]
        page.heard.clear()
        page.send(message)
        assert (await page.ask("stop"))["ok"]  # answered after it
        while room.busy:
            await asyncio.sleep(0)
        for text in page.heard:
            assert OWN_FAULT not in text, message
            self.counts["refused"] += '"error"' in text
        if seen(table) != before:
            self.check(message, before, seen(table))
            told = json.loads(message)
            if told["do"] == "act":
                self.counts["moved"] += 1
                assert (told["version"], told["action"] in map(action_name, legal)) == (version, True)
                assert room.seating.holders[turn] == page.session.id
        if page is self.host and page.connection._room is not room and not room.closed:
            assert (await page.ask("open", key=self.key))["ok"]

    def check(self, message: str | bytes, before: tuple, now: tuple) -> None:
        """Check that the request may have changed this."""
        assert isinstance(message, str), "bytes never do anything"
        do = json.loads(message)["do"]
        for changed, allowed in zip(
            (one != other for one, other in zip(before, now, strict=True)), (MOVES, SEATS, LOOKS), strict=True
        ):
            assert not changed or do in allowed, message


def seen(table: Table) -> tuple:
    """Return what people have done, who sits where, and what is settled."""
    done = [(number, deed.action) for number, deed in enumerate(table.moves) if deed.by in (PERSON, CLAIM)]
    return done, list(table.seats.people), table.settled


def test_nothing_but_legal_moves_changes_a_game(tmp_path: Path):
    with Store(tmp_path) as store:
        store.settings.set("last", QUICK)
    messages = scaled(MESSAGES)

    async def run() -> Fuzz:
        server = Server(tmp_path, limits=PATIENT, adviser="rule")
        clocks = asyncio.create_task(server.run())
        fuzz = Fuzz(random.Random(11), server)
        await fuzz.run(messages)
        await fuzz.begin()  # the server is as well as before
        for page in fuzz.pages:
            await page.close()
        clocks.cancel()
        with suppress(asyncio.CancelledError):
            await clocks
        await server.shut()
        return fuzz

    fuzz = asyncio.run(run())
    assert fuzz.counts["refused"] > messages / 3
    assert fuzz.counts["moved"] > messages / 50
    with Store(tmp_path) as store:
        for sitting in store.sittings():
            table = store.load(sitting.key)
            assert packed(unpacked(packed(table))) == packed(table)


def test_a_real_net_makes_no_difference(tmp_path):
    with running(tmp_path) as server:
        host = owner(server)
        people = [host, guest(server, host.done("invite")["path"], 2, "Anna")]
        before = seen(server.table(host))
        rng = random.Random(7)
        for _ in range(scaled(300)):
            page = rng.choice(people)
            page.send(rng.choice(RAW))
            page.done("stop")
        assert seen(server.table(host)) == before
        host.until(host.to_move)
        host.act(host.view["legal"][0])


def test_a_text_that_is_no_utf_8_ends_the_connection_without_a_traceback(tmp_path, caplog):
    with running(tmp_path) as server:
        page = owner(server)
        log = logging.getLogger("uvicorn.error")
        log.addHandler(caplog.handler)
        try:
            page._socket.send(b"\xff\xfe", text=True)
            assert page.until_closed() == 1007
        finally:
            log.removeHandler(caplog.handler)
        assert "Traceback" not in caplog.text
        assert "Invalid UTF-8" in caplog.text
        page.connect()
        assert page.done("stop")
        page.close()
