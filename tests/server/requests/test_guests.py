"""Guests at the door: who may come in, who keeps a seat, and how the host gets rid of somebody."""

import json
import os
import threading

import pytest
from support.play.servers import (
    BOTS,
    ONE_HAND,
    TWO_HANDS,
    Page,
    get,
    guest,
    hosted,
    owner,
    play_together,
    running,
    wait_for,
)

from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import Limits, TokenBuckets
from spades_env.play.server.rooms.audience import PUT_OUT
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.services import Services
from spades_env.play.server.sessions import FILE, GUESTS_A_TABLE, Sessions
from spades_env.play.table.table import Table

TABLE = "a" * 16
OFTEN = b"Too many people are coming in right now: wait a minute, then open the link again"


def listed(host: Page) -> dict[str | None, dict]:
    return {one["name"]: one for one in host.done("guests")["guests"]}


# Coming in


def test_who_is_at_the_door_pushes_nobody_out(server, host, link):
    """Opening the link again and again ended the session of the first guest without a name."""
    anna = guest(server, link)
    for _ in range(GUESTS_A_TABLE + 5):
        assert get(server.port, link)[0].getheader("Set-Cookie")
    anna.reload()
    anna.done("sit", seat=2, name="Anna")
    anna.reload()
    assert anna.view["seat"] == 2


def test_room_is_made_by_who_came_first_and_has_nothing_here(tmp_path):
    sessions = Sessions(tmp_path)
    cookies = [sessions.join(TABLE) for _ in range(GUESTS_A_TABLE)]
    guests = [sessions.by_cookie(cookie) for cookie in cookies]
    first, second, third, *_ = [one for one in guests if one]
    sessions.set_holders(TABLE, {2: first.id})
    second.name = "Bela"
    sessions.join(TABLE, here={third.id})
    assert [sessions.by_cookie(cookie) is not None for cookie in cookies] == [True] * 3 + [False] + [True] * 20
    with pytest.raises(RefusedError, match="any more guests"):
        sessions.join(TABLE, here=set(sessions.guests))


def test_joins_are_limited_for_an_address(tmp_path):
    """A refused join changes nothing, and guests already in stay in."""
    with running(tmp_path, limits=Limits(rate=1e9, burst=10**9, joins=2, join_rate=0.001)) as server:
        host = hosted(server)
        link = host.done("invite")["path"]
        anna = guest(server, link)
        assert get(server.port, link)[0].status == 200
        before = (tmp_path / FILE).read_bytes(), dict(server.services.sessions.guests)
        response, content = get(server.port, link)
        assert (response.status, content) == (429, OFTEN)
        assert response.getheader("Set-Cookie") is None
        assert ((tmp_path / FILE).read_bytes(), server.services.sessions.guests) == before
        assert anna.get(link)[0].status == host.get(link)[0].status == 303
        assert get(server.port, "/join/nothing")[0].status == 404


def test_joins_are_limited_for_a_link(tmp_path):
    with running(tmp_path, limits=Limits(link_joins=1, link_join_rate=0.001)) as server:
        host = hosted(server)
        link = host.done("invite")["path"]
        assert [get(server.port, link)[0].status for _ in range(2)] == [200, 429]
        host.done("revoke")
        assert get(server.port, host.done("invite")["path"])[0].status == 200


def test_each_has_a_limit_of_their_own():
    time = [0.0]
    buckets = TokenBuckets(1, 2, lambda: time[0])
    assert [buckets.take(who) for who in "aabab"] == [True, True, True, False, True]
    time[0] = 1.0
    assert [buckets.take(who) for who in "aab"] == [True, False, True]


def test_a_join_writes_beside_the_event_loop_and_syncs_once(server, host, link, monkeypatch):
    synced, fsync = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(threading.current_thread().name), fsync(file)))
    assert get(server.port, link)[0].status == 200
    assert len(synced) == 1
    assert synced[0].startswith("writer")


def test_a_join_that_cannot_be_saved_lets_nobody_in(server, host, link, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    before = dict(server.services.sessions.guests)
    monkeypatch.setattr(os, "replace", refuse)
    response, content = get(server.port, link)
    assert response.status == 403
    assert b"could not be saved" in content
    assert server.services.sessions.guests == before


def test_a_late_write_leaves_what_is_newer(tmp_path):
    sessions = Sessions(tmp_path)
    late = sessions.writer()
    code = sessions.invite(TABLE)
    late()
    assert json.loads((tmp_path / FILE).read_text())["invites"] == {code: TABLE}


def test_who_may_come_in_is_written_like_the_store(server, monkeypatch):
    """A page without a server keeps files only then, and its host may load it again at any time."""
    host, kept, write = hosted(server, ONE_HAND), [], Services.write
    link, file = host.done("invite")["path"], server.services.sessions.path

    async def keep(services, function):
        result = await write(services, function)
        kept.append(file.read_bytes())
        return result

    anna, bela, cleo = guest(server, link, 2, "Anna"), guest(server, link, 1, "Bela"), guest(server, link)
    monkeypatch.setattr(Services, "write", keep)
    monkeypatch.setattr(Room, "go_on", lambda room: None)  # no bot writes anything
    anna.done("leave")
    host.done("free", seat=2)
    assert kept[-1] == file.read_bytes()
    host.done("put_out", guest=next(one["guest"] for one in host.done("guests")["guests"] if not one["name"]))
    assert cleo.until_closed() == PUT_OUT
    assert kept[-1] == file.read_bytes()
    assert bela.get("/sign-out", method="POST", Origin=f"http://127.0.0.1:{server.port}")[0].status == 204
    assert kept[-1] == file.read_bytes()
    monkeypatch.setattr(Table, "over", True)
    host.done("rematch")
    assert kept[-1] == file.read_bytes()


# A seat follows its session


def test_a_seat_without_a_session_is_free(tmp_path):
    """The file of sessions was damaged: somebody takes the seat, by the old name or another one."""
    with running(tmp_path) as server:
        host = hosted(server)
        link = host.done("invite")["path"]
        for seat, name in ((1, "Anna"), (2, "Fred")):
            guest(server, link, seat, name)
        key = host.key
    told = json.loads((tmp_path / FILE).read_text())
    told["guests"] = []
    (tmp_path / FILE).write_text(json.dumps(told))
    with running(tmp_path) as server:
        host = owner(server)
        assert host.key == key
        fred = guest(server, link)
        assert [seat["free"] for seat in fred.told["lobby"]["seats"]] == [False, True, True, True]
        fred.done("sit", seat=2, name="Fred")
        fred.until(lambda: "view" in fred.told)
        cleo = guest(server, link, 1, "Cleo")
        assert server.table(host).seats.people == ["Zoe", "Cleo", "Fred", None]
        assert [fred.view["seat"], cleo.view["seat"]] == [2, 1]


def test_a_guest_comes_back_whatever_the_host_is_called_by_now(server, host, link):
    anna = guest(server, link, 2, "Anna")
    anna.done("leave")
    host.done("rename", name="Anna")
    anna.reload()
    anna.done("sit", seat=2)
    anna.until(lambda: "view" in anna.told)
    assert server.table(host).seats.people == ["Zoe", None, "Anna", None]


def test_who_is_away_at_a_rematch_has_the_seat_again(tmp_path):
    with running(tmp_path, absent_after=0.1) as server:
        host = hosted(server, ONE_HAND)
        anna = guest(server, host.done("invite")["path"], 2, "Anna")
        anna.close()
        wait_for(lambda: server.table(host).seats.people[2] is None)
        server.up_to_date(host)
        host.play()
        host.done("rematch")
        anna.reload()
        assert (anna.key, anna.view["seat"]) == (host.key, 2)


# What the host can do


def test_the_host_ends_the_link(server, host, link):
    anna = guest(server, link, 2, "Anna")
    host.done("revoke")
    assert get(server.port, link)[0].status == 404
    anna.reload()
    assert anna.view["seat"] == 2
    after = host.done("invite")["path"]
    assert after not in (link, "/join/")
    assert guest(server, after).told["lobby"]
    assert Sessions(server.services.store.path.parent).invites == {after.rpartition("/")[2]: host.key}


def test_the_host_puts_a_guest_out(server, host, link):
    anna, bela = guest(server, link, 2, "Anna"), guest(server, link, 1, "Bela")
    host.done("put_out", guest=listed(host)["Anna"]["guest"])
    assert anna.until_closed() == PUT_OUT
    assert anna.get("/")[0].status == 403
    assert get(server.port, link)[0].status == 404
    assert anna.get(link)[0].status == 404
    bela.until(lambda: bela.told.get("news") == "Anna was removed. Random plays on.")
    assert server.table(host).seats.people == ["Zoe", "Bela", None, None]
    assert server.room(host).seating.holders == {0: "owner", 1: listed(host)["Bela"]["guest"]}
    again = guest(server, host.done("invite")["path"], 2, "Cleo")
    assert again.view["seat"] == 2


def test_the_host_puts_out_who_has_no_seat(server, host, link):
    anna = guest(server, link)
    anna.done("watch")
    host.until(lambda: host.view["watchers"])
    [found] = host.done("guests")["guests"]
    assert found == {
        "guest": found["guest"],
        "name": None,
        "face": None,
        "seat": None,
        "place": None,
        "plays": False,
        "here": True,
    }
    host.done("put_out", guest=found["guest"])
    assert anna.until_closed() == PUT_OUT
    host.until(lambda: not host.view["watchers"])
    assert host.refused("put_out", guest=found["guest"]) == "This guest is no longer here"
    assert host.refused("put_out", guest="owner").startswith("Guest must be a guest as `guests` lists them")


def test_nobody_is_put_out_of_another_table(server, host, link):
    guest(server, link, 2, "Anna")
    anna = listed(host)["Anna"]["guest"]
    host.done("new", rules=TWO_HANDS, bots=BOTS)
    assert host.refused("put_out", guest=anna) == "This guest is no longer here"


def test_who_cannot_be_put_out_stays(server, host, link, monkeypatch):
    anna = guest(server, link, 2, "Anna")
    number = listed(host)["Anna"]["guest"]

    def refuse(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, "replace", refuse)
        assert "could not be saved" in host.refused("put_out", guest=number)
    anna.reload()
    assert anna.view["seat"] == 2
    assert get(server.port, link)[0].status == 200


def test_the_host_sees_who_has_come(tmp_path):
    with running(tmp_path, absent_after=0.1) as server:
        host = hosted(server)
        link = host.done("invite")["path"]
        anna, bela = guest(server, link, 2, "Anna"), guest(server, link, 1, "Bela")
        guest(server, link)
        get(server.port, link)  # never opened a page
        anna.close()
        wait_for(lambda: server.table(host).seats.people[2] is None)
        bela.close()
        wait_for(lambda: len(server.room(host).audience.viewers) == 2)
        found = host.done("guests")["guests"]
        assert [(one["name"], one["place"], one["seat"], one["here"]) for one in found] == [
            ("Bela", "West", 1, False),
            ("Anna", "North", 2, False),
            (None, None, None, True),
        ]
        assert not found[1]["plays"]


def test_the_host_frees_the_seat_of_who_is_away(tmp_path):
    with running(tmp_path, absent_after=0.1) as server:
        host = hosted(server)
        link = host.done("invite")["path"]
        anna = guest(server, link, 2, "Anna")
        anna.close()
        wait_for(lambda: server.table(host).seats.people[2] is None)
        host.done("free", seat=2)
        bela = guest(server, link, 2, "Bela")
        assert bela.view["seat"] == 2
        anna.reload()
        assert not any(seat["yours"] for seat in anna.told["lobby"]["seats"])
        assert anna.told["lobby"]["name"] == "Anna"


def test_who_was_put_out_is_in_no_rematch(server):
    host = hosted(server, ONE_HAND)
    link = host.done("invite")["path"]
    anna, bela = guest(server, link, 2, "Anna"), guest(server, link, 1, "Bela")
    play_together(lambda: server.table(host).over, host, anna, bela)
    host.done("put_out", guest=listed(host)["Anna"]["guest"])
    assert anna.until_closed() == PUT_OUT
    host.done("rematch")
    assert server.table(host).seats.people == ["Zoe", "Bela", None, None]


def test_a_guest_sets_something_beside_the_event_loop(server, host, link, monkeypatch):
    """A guest's settings were written on the loop, twice synced, as often as messages may come."""
    anna, synced, fsync = guest(server, link), [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(threading.current_thread().name), fsync(file)))
    anna.done("set", name="page", value=1)
    assert synced
    assert all(name.startswith("writer") for name in synced)


def test_a_seat_that_one_has_is_not_written_again(server, host, link):
    anna = guest(server, link, 2, "Anna")
    anna.done("leave")
    before = (server.services.store.path.parent / FILE).stat().st_mtime_ns
    anna.done("sit", seat=2)
    assert (server.services.store.path.parent / FILE).stat().st_mtime_ns == before


def test_a_link_comes_with_its_qr_code(server):
    """Where the link for others is known: by the page's own address, unless the server was told another."""
    host = owner(server)
    assert host.done("invite")["code"] is None
    code = host.done("invite", begin="https://table.example")["code"]
    assert {len(row) for row in code} == {len(code)}
    assert set("".join(code)) == {"0", "1"}
    assert [row[:7] for row in code[:7]] == ["1111111", "1000001", *["1011101"] * 3, "1000001", "1111111"]
    assert code != host.done("invite", begin="https://other.example")["code"]
