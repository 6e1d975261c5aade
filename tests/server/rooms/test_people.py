"""Several people at one table: links, lobbies, seats that people leave, lose and take back."""

import asyncio
import os

import pytest
from support.play.servers import BOTS, TWO_HANDS, Page, Running, guest, new_table, owner, running, wait_for

from spades_env.play.store.database import Store
from spades_env.play.table.table import Table

SEEN = "You've seen another hand of this deal: go back to that seat, or wait for the next hand"


def seats_taken(page: Page) -> list[bool]:
    """Return which seats people have, as a page shows it."""
    told = page.told.get("lobby") or page.view
    return [seat["person"] for seat in sorted(told["seats"], key=lambda seat: seat["seat"])]


def test_a_guest_sees_who_sits_where_and_no_cards(server, link):
    anna = guest(server, link)
    assert anna.told["hello"]["guest"]
    assert anna.told["hello"]["unfinished"] == anna.told["hello"]["variants"] == []
    assert anna.told["hello"]["name"] is None
    lobby = anna.told["lobby"]
    assert [seat["free"] for seat in lobby["seats"]] == [False, True, True, True]
    assert set(lobby) == {"rules", "title", "over", "name", "watchers", "seats"}
    keys = {"seat", "name", "who", "side", "person", "away", "kept_for", "free", "yours", "face"}
    assert set(lobby["seats"][0]) == keys


def test_a_seat_is_taken_and_only_that_view_comes(server, host, link):
    anna = guest(server, link, 2, "Anna")
    host.until(lambda: seats_taken(host) == [True, False, True, False])
    assert anna.view["seat"] == 2
    assert anna.view["seats"][0]["who"] == "Anna"
    assert anna.told["hello"]["guest"]
    assert anna.refused("act", action="bid:3", version=anna.view["version"]) == "It's not your turn"
    host.act("bid:3")
    anna.until(anna.to_move)
    anna.act("bid:2")
    host.until(lambda: host.view["seats"][2]["bid"] == 2)
    assert [looker["seats"][0]["seat"] for looker in (host.view, anna.view)] == [0, 2]


def test_whom_a_seat_is_refused_to(server, host, link):
    anna, bela = guest(server, link), guest(server, link)
    assert anna.refused("sit", seat=2) == "Enter your name first."
    assert anna.refused("sit", seat=2, name="Zoe") == "Somebody here is already called Zoe: choose another name"
    assert "a name has 1 to 24 characters" in anna.refused("sit", seat=2, name="\n").lower()
    assert anna.refused("sit", seat=0, name="Anna") == "Zoe already sits there"
    anna.done("sit", seat=2, name="Anna")
    assert bela.refused("sit", seat=2, name="Bela") == "Anna already sits there"
    assert bela.refused("sit", seat=1, name="Anna") == "Somebody here is already called Anna: choose another name"
    assert bela.refused("sit", seat=4, name="Bela").startswith("Seat must be")
    assert anna.refused("sit", seat=1, name="Cleo") == "You already have a seat: leave it first"
    assert server.table(host).seats.people == ["Zoe", None, "Anna", None]


def test_a_seat_that_is_left_is_kept(server, host, link):
    anna, bela = guest(server, link, 2, "Anna"), guest(server, link)
    anna.done("leave")
    anna.until(lambda: "lobby" in anna.told)
    assert anna.refused("leave") == "You have no seat at this table"
    assert [seat["yours"] for seat in anna.told["lobby"]["seats"]] == [False, False, True, False]
    assert bela.refused("sit", seat=2, name="Bela") == "This seat is kept for the person who left it"
    bela.until(lambda: not any(seat["person"] for seat in bela.told["lobby"]["seats"][1:]))
    assert [seat["free"] for seat in bela.told["lobby"]["seats"]] == [False, True, False, True]
    assert [seat["kept_for"] for seat in bela.told["lobby"]["seats"]] == [None, None, "Anna", None]
    server.up_to_date(host)
    host.act("bid:3")
    host.until(host.to_move)
    assert [deed.by for deed in server.table(host).moves if deed.seat == 2] == ["bot"]
    anna.reload()
    assert "lobby" in anna.told
    anna.done("sit", seat=2)
    anna.until(lambda: "view" in anna.told)
    assert anna.view["seats"][0]["who"] == "Anna"


def test_nobody_sees_two_hands_of_one_deal(server, host, link):
    anna = guest(server, link, 2, "Anna")
    anna.done("leave")
    assert anna.refused("sit", seat=1, name="Bela") == (SEEN)
    host.done("leave")
    assert host.refused("sit", seat=1) == SEEN


def test_no_other_name_shows_another_hand(server, host):
    """The host may change their name at any time: cards that they have seen stay seen."""
    host.done("leave")
    host.done("rename", name="Yan")
    assert host.refused("sit", seat=1) == SEEN
    host.done("sit", seat=0)


@pytest.mark.parametrize("name", ["Host", "You", "ZOE", "zoe"])
def test_no_guest_is_taken_for_the_host(server, host, link, name):
    assert guest(server, link).refused("sit", seat=2, name=name) == (
        f"Somebody here is already called {name}: choose another name"
    )


def test_a_game_that_was_given_up_stays_so(server, host, link):
    """Neither a guest whose page is still open nor the host can continue a game that was given up."""
    anna, key = guest(server, link, 2, "Anna"), host.key
    host.done("give_up", key=key)
    anna.until(lambda: anna.told.get("closed"))
    for do, fields in [("open", {"key": key}), ("sit", {"seat": 2, "name": "Anna"})]:
        assert anna.refused(do, **fields) == "You are no longer a guest at this table"
    assert host.refused("open", key=key).startswith("This game was abandoned")
    assert host.refused("sit", seat=2, name="Anna") == "No table is open"
    assert [saved.state for saved in server.services.store.sittings() if saved.key == key] == ["given up"]


def test_the_host_frees_a_seat(server, host, link):
    anna, bela = guest(server, link, 2, "Anna"), guest(server, link)
    assert host.refused("free", seat=0) == host.refused("free", seat=1) == "No guest has this seat"
    assert anna.refused("free", seat=2) == "Only the person who started the server can do that"
    host.done("free", seat=2)
    anna.until(lambda: "lobby" in anna.told)
    bela.done("sit", seat=2, name="Bela")
    bela.until(lambda: "view" in bela.told)
    assert server.table(host).seats.people == ["Zoe", None, "Bela", None]


def test_who_is_gone_is_played_for_while_others_wait(tmp_path, monkeypatch):
    monkeypatch.setattr("spades_env.play.server.rooms.absence.AWAY_SECONDS", 0)
    with running(tmp_path, absent_after=0.3) as server:
        host = owner(server)
        new_table(host)
        anna = guest(server, host.done("invite")["path"], 2, "Anna")
        server.up_to_date(host)
        host.act("bid:3")
        anna.until(anna.to_move)
        anna.close()
        host.until(host.to_move)
        assert seats_taken(host) == [True, False, False, False]
        views = [news["view"] for news in host.news if "view" in news]
        norths = [next(seat for seat in view["seats"] if seat["seat"] == 2) for view in views]
        states = [(seat["person"], seat["away"], seat["kept_for"]) for seat in norths]
        assert (True, True, None) in states
        assert (False, True, "Anna") not in states, "it isn't the bot that is away"
        assert states[-1] == (False, False, "Anna")
        anna.reload()
        assert anna.view["seat"] == 2
        host.until(lambda: seats_taken(host) == [True, False, True, False])
        host.close()
        wait_for(lambda: server.table(anna).seats.people[0] is None)
        anna.close()
        host.reload()
        assert host.view["seat"] == 0


def test_who_comes_back_while_the_bot_sits_down_has_the_seat_at_once(tmp_path):
    with running(tmp_path, absent_after=0.1) as server:
        host = owner(server)
        anna = guest(server, host.done("invite")["path"], 2, "Anna")
        room = server.room(anna)
        save = room.save

        async def save_slowly():
            await asyncio.sleep(0.3)
            await save()

        room.save = save_slowly
        host.close()
        wait_for(lambda: server.table(anna).seats.people[0] is None)
        host.news.clear()
        host.reload()
        assert [news for news in host.news if "lobby" in news] == []
        assert host.view["seat"] == 0


def test_nobody_plays_for_who_is_alone(tmp_path):
    with running(tmp_path, absent_after=0.1) as server:
        host = owner(server)
        host.until(host.to_move)
        table = server.table(host)
        host.close()
        wait_for(lambda: not server.connections)
        host.connect()
        host.listen(0.8)
        assert table.seats.people == ["You", None, None, None]
        assert table.moves == server.table(host).moves


def test_bots_wait_where_nobody_sits(server, host):
    host.done("leave")
    host.until(lambda: "lobby" in host.told)
    deeds = len(server.table(host).moves)
    host.listen(0.3)
    assert len(server.table(host).moves) == deeds
    host.done("sit", seat=0)
    host.until(host.to_move)


def test_the_host_may_play_another_seat_in_the_next_hand(server, host, link):
    anna = guest(server, link, 1, "Anna")
    host.done("leave")
    while server.table(host).game.hand_number == 0:
        anna.until(anna.to_move)
        anna.act(anna.view["legal"][0])
    host.done("sit", seat=3)
    host.until(lambda: "view" in host.told)
    assert host.view["seat"] == 3


def test_a_guest_has_settings_of_their_own(server, link):
    anna = guest(server, link, 2, "Anna")
    anna.done("set", name="page", value={"deck": "four"})
    anna.reload()
    assert anna.told["hello"]["settings"] == {"page": {"deck": "four"}}


def test_a_link_leads_in_again_and_ends_with_the_game(server, host, link):
    response, content = Page(server.port, link).get(link)
    assert (response.status, response.getheader("Location")) == (303, "/")  # somebody who is in already
    assert host.get(link)[0].status == 303
    assert host.done("invite")["path"] == link
    assert b"refresh" in guest(server, link).get(link, Cookie="")[1]
    key = host.key
    anna = guest(server, link, 2, "Anna")
    host.done("give_up", key=key)
    anna.until(lambda: anna.told.get("closed"))
    assert host.get(link)[0].status == 404
    assert anna.get("/")[0].status == 403
    assert content == b""


def test_a_whole_game_of_four(server, host, link):
    people = [host, *(guest(server, link, seat, name) for seat, name in enumerate(("Anna", "Bela", "Cleo"), 1))]
    table = server.table(host)
    server.up_to_date(*people)
    while not table.over:
        page = people[table.game.turn]
        page.until(page.to_move)
        page.act(page.view["legal"][-1])
    for page in people:
        page.until(lambda page=page: page.view["outcome"])
    assert {page.view["outcome"]["outcome"] for page in people} <= {"win", "loss", "draw"}
    assert {deed.by for deed in table.moves} == {"person", "bot"}  # a bot had begun before they came
    names = {row[0] for row in server.services.store.file.rows("SELECT person FROM game_results")}
    assert names == {"Zoe", "Anna", "Bela", "Cleo"}
    assert people[1].done("review", key=host.key, hand=1)["steps"]


def test_people_come_back_after_a_restart(tmp_path):
    with running(tmp_path) as server:
        host = owner(server)
        new_table(host)
        anna = guest(server, host.done("invite")["path"], 2, "Anna")
        server.up_to_date(host)
        host.act("bid:3")
        anna.until(anna.to_move)
        view = anna.view
    with running(tmp_path) as server:
        cookie = anna.cookie.partition("=")[2]
        anna.port, anna.cookie = server.port, f"spades-{server.port}={cookie}"
        anna.reload()
        fresh = {"clock": None}
        assert anna.view | fresh == view | fresh


def test_who_was_away_has_the_seat_again_after_a_restart(tmp_path):
    with running(tmp_path, absent_after=0.1) as server:
        host = owner(server)
        anna = guest(server, host.done("invite")["path"], 2, "Anna")
        host.close()
        wait_for(lambda: server.table(anna).seats.people[0] is None)
    with running(tmp_path) as server:
        host = owner(server)
        assert host.view["seat"] == 0
        host.done("leave")
        host.reload()
        assert "lobby" in host.told, "who has left the seat stands up"


def test_guests_whom_nobody_knows_any_more_are_played_for(tmp_path):
    """The file of sessions was deleted: a bot takes a guest's seat after a while, or the host frees it."""
    with running(tmp_path) as server:
        host = owner(server)
        host.done("new", rules=TWO_HANDS, bots=BOTS)
        for seat, name in ((1, "Anna"), (2, "Bela")):
            guest(server, host.done("invite")["path"], seat, name)
        assert server.table(host).seats.people == ["You", "Anna", "Bela", None]
    (tmp_path / "server.json").unlink()
    with running(tmp_path) as server:
        host = owner(server)
        assert host.view["seat"] == 0
        host.done("free", seat=2)
        assert server.table(host).seats.people == ["You", "Anna", None, None]
    with running(tmp_path, absent_after=0.1) as server:
        host = owner(server)
        wait_for(lambda: server.table(host).seats.people == ["You", None, None, None])


def test_a_host_without_a_name(server: Running):
    """The host reads "You", others do not."""
    host = owner(server)
    host.until(host.to_move)
    anna = guest(server, host.done("invite")["path"])
    assert anna.told["lobby"]["seats"][0]["who"] == "Host"
    assert anna.refused("sit", seat=0, name="Anna") == "Host already sits there"
    for name in ("You", "Host"):
        assert "choose another name" in anna.refused("sit", seat=2, name=name)
    anna.done("sit", seat=2, name="Anna")
    anna.until(lambda: "view" in anna.told)
    assert [seat["who"] for seat in anna.view["seats"]] == ["Anna", "Random", "Host", "Random"]
    host.done("rename", name="Bela")
    anna.until(lambda: anna.view["seats"][2]["who"] == "Bela")


# Tables begun elsewhere


@pytest.mark.parametrize(
    ("people", "seat"), [({0: "You"}, 0), ({2: "Anna"}, 2), ({1: "Bela"}, 1), ({0: "Bela", 3: "Anna"}, 3)]
)
def test_the_host_goes_on_with_a_game_of_another_program(server, people, seat):
    """A table from another program: the host has the seat of their name, or the only person's."""
    host = owner(server)
    host.done("rename", name="Anna")
    table = Table(TWO_HANDS, BOTS, people)
    with Store(server.services.store.path.parent) as store:
        store.save(table)
    host.done("open", key=table.key)
    host.until(lambda: host.key == table.key)
    assert "view" in host.told, "the lobby is shown"
    host.until(host.to_move)
    assert host.view["seat"] == seat
    assert server.services.sessions.holders(table.key) == {seat: "owner"}
    host.act(host.view["legal"][0])


def test_no_seat_is_the_hosts_where_others_sit(server):
    host, table = owner(server), Table(TWO_HANDS, BOTS, {0: "Bela", 1: "Cleo"})
    with Store(server.services.store.path.parent) as store:
        store.save(table)
    host.done("open", key=table.key)
    host.until(lambda: host.key == table.key)
    assert "lobby" in host.told
    assert server.room(host).seating.holders == {}


# A disk that is full


@pytest.fixture
def full(monkeypatch):
    """Return a function; once it is called, only the store can still be written."""

    def fill() -> None:
        def refuse(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "replace", refuse)

    return fill


def test_a_seat_that_cannot_be_kept_is_not_taken(server, host, link, full):
    anna = guest(server, link)
    full()
    assert "could not be saved" in anna.refused("sit", seat=2, name="Anna")
    assert server.table(host).seats.people == ["Zoe", None, None, None]
    assert server.room(host).seating.holders == server.services.sessions.holders(host.key) == {0: "owner"}
    assert server.services.sessions.guest_names(host.key) == {}


def test_no_link_leads_in_that_was_not_kept(server, host, full):
    full()
    assert "could not be saved" in host.refused("invite")
    assert server.services.sessions.invites == {}


def test_clocks_go_on_whatever_fails(server, host, full, monkeypatch):
    """If a table that was left cannot be removed from the file, the clocks of others run on."""
    left = host.key
    host.play()
    host.done("new", rules=TWO_HANDS, bots=BOTS, move_seconds=1)
    host.until(lambda: host.key != left and host.to_move())
    table = server.table(host)
    full()
    monkeypatch.setattr("spades_env.play.server.rooms.absence.IDLE_SECONDS", 0.0)
    wait_for(lambda: left not in server.rooms)
    host.done("shown", version=host.view["version"])
    wait_for(lambda: any(deed.by == "late" for deed in table.moves))
