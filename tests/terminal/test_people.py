"""`spades play ADDRESS`: the terminal at a table of `spades table`, as its host and as a guest."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from support.play.servers import ONE_HAND, Page, Running, guest, hosted, play_together, running
from support.play.sittings import refuses
from support.play.terminals import QUICK, Terminal, on_screen, opened
from textual.widgets import Input

from spades_env.play.terminal.remote import NoTableError, connected
from spades_env.play.terminal.screens.form import Pick

TO_GUESTS = ("m", *["down"] * 12, "enter")
SLOW = {"rules": "classic", "bots": ["rb"] * 4, "seat": 0, "move_seconds": None}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("people"), last=SLOW) as server:
        server.server.reach = ""
        server.services.store.settings.set("terminal", QUICK)
        server.services.settings |= {"terminal": QUICK, "page": {"language": "en"}}
        yield server


def address(server: Running, path: str) -> str:
    return f"http://127.0.0.1:{server.port}{path}"


def hears(page: Page, holds: Callable[[], Any]) -> Any:
    """Let a page read what was sent to it, and tell whether this holds."""
    page.listen(0.01)
    return holds()


@asynccontextmanager
async def inviting(server: Running) -> AsyncIterator[Terminal]:
    """Open the host's terminal where it shows the link for guests."""
    async with (
        connected(address(server, f"/?key={server.key}")) as client,
        opened(client, (140, 40), server.server) as it,
    ):
        await it.press(*TO_GUESTS)
        await it.until(lambda: "/join/" in it.text)
        yield it


@on_screen
async def test_the_host_in_the_terminal_and_a_guest_in_a_browser(server):
    async with inviting(server) as it:
        link = next(word for word in it.text.split() if "/join/" in word)
        assert link.startswith(address(server, "/join/"))
        bela = guest(server, link.partition(str(server.port))[2])
        bela.done("sit", seat=2, name="Bela")
        await it.press("enter")
        await it.until(lambda: "Bela" in it.text)
        await it.press("escape")
        await it.until(lambda: "Bela sat down and takes over from Point counter." in it.text)
        while not it.view["your_turn"]:
            if hears(bela, bela.to_move):
                bela.act(bela.view["legal"][0])
            await it.pilot.pause(0.01)
        before = len(it.view["events"])
        await it.press("4" if it.view["phase"] == "bid" else "enter")
        await it.until(lambda: len(it.view["events"]) > before)


@on_screen
async def test_the_host_ends_the_link(server):
    async with inviting(server) as it:
        await it.press("down", "enter")
        await it.until(lambda: "/join/" not in it.text)
        assert "▶" in it.text


@on_screen
async def test_a_guest_asks_for_an_undo(server):
    async with (
        connected(address(server, f"/?key={server.key}")) as client,
        opened(client, (140, 40), server.server) as it,
    ):
        await client.ask("new", **SLOW | {"rules": "classic first_dealer=south"})  # East bids, then South, then West
        await it.until(lambda: it.view["your_turn"] and not it.view["seats"][0]["bid"])
        path = (await client.ask("invite"))["path"]
        cleo = guest(server, path)
        cleo.done("sit", seat=1, name="Cleo")
        await it.settle()
        await it.press("4")
        await it.until(lambda: hears(cleo, cleo.to_move))
        cleo.act(cleo.view["legal"][3])
        await it.until(lambda: it.played.game.turn in (0, 1))  # a bot that moves would end the request
        await it.until(lambda: hears(cleo, lambda: cleo.view["version"] == it.played.version))
        cleo.ask_only("takeback", version=cleo.view["version"])
        await it.until(lambda: "Cleo wants to undo 1 move." in it.text)
        await it.press("enter")
        await it.until(lambda: it.view["undo"] is None)
        assert it.view["seats"][1]["bid"] is None


@on_screen
async def test_a_guest_in_the_terminal(server):
    async with connected(address(server, f"/?key={server.key}")) as host:
        await host.ask("new", **SLOW)
        path = (await host.ask("invite"))["path"]
        async with (
            connected(address(server, path)) as client,
            opened(client, (140, 40), server.server) as it,
        ):
            assert isinstance(it.screen, Pick)
            refused = "already called Host: choose another name"
            for name, holds in (("Host", lambda: refused in it.text), ("Dora", lambda: it.app.table)):
                await it.press("down", "enter")
                assert isinstance(it.screen.query_one(Input), Input)
                await it.pilot.press(*name)
                await it.pilot.press("enter")
                await it.until(holds)
            assert it.view["seats"][0]["who"] == "Dora"
            assert it.view["lanes"]


@on_screen
async def test_who_finds_no_free_seat_watches(server):
    host = hosted(server, ONE_HAND)
    path = host.done("invite")["path"]
    others = [guest(server, path, seat, name) for seat, name in ((1, "Ada"), (2, "Bela"), (3, "Cleo"))]
    async with (
        connected(address(server, path)) as client,
        opened(client, (140, 40), server.server) as it,
    ):
        assert it.view["watching"]
        await asyncio.to_thread(play_together, lambda: host.view["phase"] == "play", host, *others)
        while len(it.view["trick"]["cards"]) != 1:
            mover = next(page for page in (host, *others) if not page.listen(0.02) and page.to_move())
            mover.act(mover.view["legal"][0])
            await it.until(lambda now=mover.view["version"]: it.view["version"] >= now)
        await it.until(lambda: "led" in it.text)
        await asyncio.to_thread(play_together, lambda: host.view["outcome"], host, *others)
        await it.until(lambda: it.view["outcome"])


@on_screen
async def test_addresses_that_lead_to_no_table(server):
    for path, words in (
        ("/?key=wrong", "this address opens no table"),
        ("/join/nowhere", "This link leads to no table"),
    ):
        with refuses(f"{words}…", NoTableError):
            async with connected(address(server, path)):
                pass
    for bad in ("noor", "ftp://127.0.0.1/", "http://[::1", "http://127.0.0.1:8321/?key=ö"):
        with refuses(f"unknown address '{bad}'…", NoTableError):
            async with connected(bad):
                pass
    with refuses("there is no table at 127.0.0.1:1…", NoTableError):
        async with connected("http://127.0.0.1:1/"):
            pass
    with refuses("there is no table at localhost:x: nonnumeric port…", NoTableError):
        async with connected("http://localhost:x/"):
            pass


@on_screen
async def test_the_end_of_the_connection_is_told(tmp_path):
    with running(tmp_path, last=SLOW) as server:
        async with connected(address(server, f"/?key={server.key}")) as client:
            await asyncio.to_thread(server.stop)
            while "lost" not in await client.messages.get():
                pass
