"""How many messages, how long ones, and how many pages the server takes from a person."""

import json
from contextlib import suppress

from support.play.servers import Page, Running, guest, owner
from websockets.exceptions import ConnectionClosed

from spades_env.play.server.limits import Limits, TokenBucket


def test_a_bucket_gives_so_many_at_once_and_so_many_a_second():
    time = [0.0]
    bucket = TokenBucket(2, 3, lambda: time[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    time[0] = 1.0
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    time[0] = 100.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_who_sends_too_much_is_cut_off(tmp_path):
    """All pages of a person share a limit; another person has their own."""
    server = Running(tmp_path, limits=Limits(rate=0.001, burst=5))
    page = owner(server)
    anna = guest(server, page.done("invite")["path"])
    for _ in range(5):
        anna.ask("stop")
    with suppress(ConnectionClosed):  # perhaps as early as that
        anna.ask_only("stop")
    assert anna.until_closed() == 1008
    anna.connect()
    with suppress(ConnectionClosed):
        anna.ask_only("stop")
    assert anna.until_closed() == 1008
    assert page.done("stop")
    server.stop()


def test_pages_beyond_the_limit_are_turned_away(tmp_path):
    server = Running(tmp_path, limits=Limits(connections=2, all_connections=3))
    path = owner(server).done("invite")["path"]
    owner(server)
    third = Page(server.port, f"/?key={server.key}")
    assert third.until_closed() == 1013
    guest(server, path)
    assert Page(server.port, path).until_closed() == 1013
    server.stop()


def test_messages_may_be_so_long(page):
    long = "x" * 3000
    assert "at most 4,096 bytes" in page.answer_to(json.dumps({"id": 1, "do": "rules", "text": long * 2}))["error"]
    assert "at most 1,000 characters" in page.answer_to(json.dumps({"id": 1, "do": "rules", "text": long}))["error"]
    assert (
        "doesn't look like a saved game"
        in page.answer_to(json.dumps({"id": 1, "do": "import", "text": long * 50}))["error"].lower()
    )
    assert "at most 262,144 bytes" in page.answer_to(json.dumps({"id": 1, "do": "import", "text": long * 88}))["error"]


def test_a_message_far_too_long_ends_the_connection(server):
    page = owner(server)
    page.send("x" * 400_000)
    assert page.until_closed() == 1009
