"""Bots that take minutes, as while their kernels are compiled: everything but their moves goes on."""

import os
import threading
from collections.abc import Iterator

import pytest
from support.play.servers import BOTS, ONE_HAND, Page, Running, guest, new_table, owner, wait_for

from spades_env.play import ready
from spades_env.play.ready import COMPILING_BOTS
from spades_env.play.table.seats import Question

SOON = 8.0  # seconds; without the fix the tests would wait for the bots below for ever


@pytest.fixture
def let_go() -> Iterator[threading.Event]:
    """The event that the blocked threads wait for; it is set at the end, so that none outlives the test."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def busy(server, let_go) -> Running:
    """A server whose threads for bots are all taken."""
    threads = os.cpu_count() or 1
    taken = threading.Barrier(threads + 1)

    def wait() -> None:
        taken.wait(SOON)
        let_go.wait()

    for _ in range(threads):
        server.services._thinkers.submit(wait)
    taken.wait(SOON)
    return server


def enter(server: Running, page: Page) -> None:
    """Open the page once more, and wait for cards or the lobby."""
    page.close()
    page.told = {}
    page.connect()
    page.until(lambda: page.is_at_table, SOON)


def test_a_first_page_gets_cards_while_the_bots_are_busy(busy):
    page = Page(busy.port, f"/?key={busy.key}")
    page.until(lambda: page.is_at_table, SOON)
    assert page.view["lanes"]


def test_a_reload_and_a_second_tab_get_the_last_view_at_once(server, busy):
    page = Page(busy.port, f"/?key={busy.key}")
    page.until(lambda: page.is_at_table, SOON)
    before = page.view["lanes"]
    enter(server, page)
    assert page.view["lanes"] == before
    second = Page(busy.port, f"/?key={busy.key}")
    second.until(lambda: second.is_at_table, SOON)
    assert second.view["lanes"] == before


def test_a_guest_comes_in_and_a_new_table_is_dealt(server, let_go, busy):
    host = Page(busy.port, f"/?key={busy.key}")
    host.until(lambda: host.is_at_table, SOON)
    anna = Page(busy.port, host.done("invite")["path"])
    anna.until(lambda: "lobby" in anna.told, SOON)
    key = host.done("new", rules=ONE_HAND, bots=BOTS)["key"]
    host.until(lambda: host.key == key, SOON)


@pytest.fixture
def stuck(monkeypatch, let_go) -> list[Question]:
    """Bots that do not answer; returns what they were asked."""
    asked: list[Question] = []

    def wait(question: Question) -> int:
        asked.append(question)
        let_go.wait()
        return int(question.view.legal_actions()[0])

    monkeypatch.setattr(Question, "answer", wait)
    return asked


@pytest.fixture
def late(server, stuck, let_go) -> Page:
    """The page of a person whose time is up, and whose bot thinks without end."""
    let_go.set()
    page = owner(server)
    new_table(page, ONE_HAND, move_seconds=1)
    stuck.clear()
    let_go.clear()
    page.done("shown", version=page.view["version"])
    wait_for(lambda: stuck, SOON)
    return page


def test_nobody_waits_for_the_bot_that_moves_for_a_late_person(server, late):
    enter(server, late)
    assert late.view["your_turn"]
    assert late.refused("act", action="bid:3", version=late.view["version"]) == "Time's up: a bot makes this move"


def test_a_late_move_is_made_once_the_bot_answers(server, late, let_go):
    table = server.table(late)
    let_go.set()
    wait_for(lambda: any(deed.by == "late" for deed in table.moves), SOON)


def test_who_comes_in_while_bots_are_compiled_reads_so(server, stuck, let_go, monkeypatch):
    monkeypatch.setattr(ready, "PATIENT_SECONDS", 0.05)
    monkeypatch.setattr(ready, "compiling", lambda: not let_go.is_set())
    host = owner(server)
    key = host.done("new", rules=ONE_HAND, bots=BOTS)["key"]
    host.until(lambda: host.key == key and host.view["prompt"] == COMPILING_BOTS, SOON)
    assert host.view["preparing"]
    anna = guest(server, host.done("invite")["path"], 2, "Anna")
    for page in (host, anna):
        enter(server, page)
        assert page.view["prompt"] == COMPILING_BOTS
        assert page.view["preparing"]
    let_go.set()
    host.until(lambda: host.view["prompt"] != COMPILING_BOTS, SOON)
    assert not host.view["preparing"]
