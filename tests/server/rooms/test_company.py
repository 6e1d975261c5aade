"""People at one table besides playing: those who watch, quick phrases, a rematch, the host's tables."""

import json

from support.play.servers import BOTS, ONE_HAND, PATIENT, Page, guest, hosted, owner, play_together, running, wait_for

from spades_env.play.server.limits import Limits
from spades_env.play.server.rooms.company import PHRASES
from spades_env.play.table.choices import REPLACEMENT_BOT
from spades_env.play.table.company.faces import FACES, faces_at


def to_the_end(*pages: Page) -> None:
    play_together(lambda: all(page.view["outcome"] for page in pages), *pages)


def phrases(page: Page) -> list[tuple[int, str]]:
    return [(one["said"]["seat"], one["said"]["phrase"]) for one in page.news if "said" in one]


# Watching


def test_who_watches_sees_the_table_and_no_hand(server, host):
    anna = guest(server, host.done("invite")["path"])
    assert "lobby" in anna.told
    anna.done("watch")
    anna.until(lambda: "view" in anna.told)
    assert anna.view["watching"]
    assert anna.view["lanes"] == anna.view["legal"] == []
    assert [seat["free"] for seat in anna.view["seats"]] == [False, True, True, True]
    host.until(lambda: host.view["watchers"] == ["a guest"])
    anna.done("watch", on=False)
    anna.until(lambda: "lobby" in anna.told)
    host.until(lambda: host.view["watchers"] == [])


def test_who_watches_may_take_a_free_seat(server, host):
    anna = guest(server, host.done("invite")["path"])
    anna.done("watch")
    anna.done("sit", seat=2, name="Anna")
    anna.until(lambda: "view" in anna.told and not anna.view["watching"])
    assert anna.view["seat"] == 2
    assert anna.refused("watch") == "You have a seat at this table: leave it first, then you can watch"
    assert host.refused("watch").startswith("You have a seat")
    anna.done("leave")
    anna.until(lambda: "lobby" in anna.told)


def test_who_finds_every_seat_taken_watches_at_once(server, host, link):
    people = [guest(server, link, seat, name) for seat, name in ((1, "Anna"), (2, "Bela"), (3, "Cleo"))]
    dora = guest(server, link)
    assert dora.view["watching"]
    assert not any(seat["free"] for seat in dora.view["seats"])
    people[0].until(lambda: people[0].view["watchers"] == ["a guest"])
    dora.close()
    people[0].until(lambda: people[0].view["watchers"] == [])


def test_only_so_many_watch(tmp_path):
    with running(tmp_path, limits=Limits(rate=1e9, burst=10**9, watchers=1)) as server:
        host = hosted(server)
        link = host.done("invite")["path"]
        anna, bela = guest(server, link), guest(server, link)
        anna.done("watch")
        anna.done("watch")
        assert bela.refused("watch") == "Somebody is already watching, and only one person may"
        anna.close()
        wait_for(lambda: len(server.room(host).audience.viewers) == 2)
        bela.done("watch")


# Phrases


def test_a_phrase_reaches_everybody_by_its_key(server, host, link):
    anna, bela = guest(server, link, 2, "Anna"), guest(server, link)
    bela.done("watch")
    assert [one["phrase"] for one in anna.told["hello"]["phrases"]] == list(PHRASES)
    anna.done("say", phrase="well_played")
    for page in (host, anna, bela):
        page.until(lambda page=page: phrases(page))
        assert phrases(page) == [(2, "well_played")]
    [told] = [json.loads(text) for text in host.heard if "said" in json.loads(text)]
    assert told["said"]["words"] == "Well played!"
    assert told["texts"] == {"said": {"words": ["phrase.well_played", {}]}}


def test_everybody_reads_the_table_in_the_language_of_their_page(server, host, link):
    anna = guest(server, link, 2, "Anna")
    anna.language, before = "de", len(anna.heard)
    anna.reload()
    anna.done("say", phrase="well_played")
    read = {"Well played!": host, "Gut gespielt!": anna}
    for words, page in read.items():
        page.until(lambda page=page: phrases(page))
        assert page.told["said"]["words"] == words
    assert anna.refused("watch").startswith("Du hast an diesem Tisch einen Platz")
    assert [one["words"] for one in anna.told["hello"]["phrases"]][:2] == ["Hallo zusammen!", "Viel Glück!"]
    assert anna.view["seats"][0]["called"] == "Du"
    assert not any("texts" in json.loads(heard) for heard in anna.heard[before:])
    anna.language = "xx"
    anna.reload()
    assert anna.view["seats"][0]["called"] == "You"
    assert "texts" in json.loads(anna.heard[-1])


def test_everybody_sees_the_face_that_a_person_has_chosen(server, host, link):
    """It is checked and kept; who has chosen none has one that nobody else has at the table."""
    anna = guest(server, link, 2, "Anna")
    faces = lambda page: {seat["seat"]: seat["face"] for seat in page.view["seats"]}  # noqa: E731
    anna.done("look", face="fox")
    host.until(lambda: faces(host)[2] == "fox")
    usual = faces(host)[0]
    assert faces(host) == {0: usual, 1: None, 2: "fox", 3: None}
    assert usual in FACES
    assert usual != "fox"
    host.done("look", face="owl")
    anna.until(lambda: faces(anna)[0] == "owl")
    assert "Face must be one of fox, owl, bear" in anna.refused("look", face="<svg>")
    assert "not a setting of the page" in anna.refused("set", name="face", value="<svg>")
    assert guest(server, link).told["lobby"]["seats"][2]["face"] == "fox"
    assert {one["name"]: one["face"] for one in host.done("guests")["guests"]}["Anna"] == "fox"
    host.done("look", face=None)
    anna.until(lambda: faces(anna)[0] == usual)


def test_no_two_people_have_the_same_face_unless_they_chose_it():
    everybody = ["Anna", "Bela", "Cleo", "Dora"]
    assert len(set(faces_at(everybody, {}))) == 4
    assert len(set(faces_at(everybody, {3: FACES[0], 2: FACES[1]}))) == 4
    assert faces_at(["Anna", None, None, "Dora"], {0: "cat", 3: "cat"}) == ["cat", None, None, "cat"]


def test_phrases_are_limited_for_each_person(server, host):
    anna = guest(server, host.done("invite")["path"], 2, "Anna")
    for _ in range(PATIENT.phrases):
        anna.done("say", phrase="hello")
    assert anna.refused("say", phrase="hello") == "That's a lot at once: wait a few seconds"
    anna.reload()
    assert anna.refused("say", phrase="oops") == "That's a lot at once: wait a few seconds"
    host.done("say", phrase="hello")
    host.until(lambda: len(phrases(host)) == PATIENT.phrases + 1)


# A rematch


def test_a_rematch_takes_everybody_along_to_other_seats(server):
    host = hosted(server, ONE_HAND)
    link = host.done("invite")["path"]
    anna, bela = guest(server, link, 2, "Anna"), guest(server, link)
    bela.done("watch")
    assert host.refused("rematch") == "The game isn't over yet: a rematch begins after it"
    to_the_end(host, anna)
    before = host.key
    server.table(host).seats.bots[3] = "cmd:true"  # as an imported game may name it
    assert anna.refused("rematch") == "Only the person who started the server can do that"
    after = host.done("rematch", order=[0, 2, 1, 3])["key"]
    for page in (host, anna, bela):
        page.until(lambda page=page: page.told.get("table") == after)
    assert after != before
    assert (host.view["seat"], anna.view["seat"], bela.view["seat"]) == (0, 1, None)
    assert bela.view["watching"]
    assert server.table(host).seats.people == ["Zoe", "Anna", None, None]
    assert server.table(host).seats.bots[3] == REPLACEMENT_BOT
    assert server.table(host).rules == server.services.store.load(before).rules
    anna.until(lambda: anna.told.get("news") == "Zoe has started a rematch.")
    anna.reload()
    assert (anna.key, anna.view["seat"]) == (after, 1)
    cleo = guest(server, link)
    assert cleo.key == after, "the link leads to the rematch"
    to_the_end(host, anna)


def test_a_rematch_that_cannot_be_kept_leaves_everybody_where_they_are(server, monkeypatch):
    host = hosted(server, ONE_HAND)
    anna = guest(server, host.done("invite")["path"], 2, "Anna")
    to_the_end(host, anna)
    sessions, before = server.services.sessions, host.key
    for writes in ("sessions.write_file", "services.Services.write_sessions"):
        monkeypatch.setattr(f"spades_env.play.server.{writes}", refuse)
        assert host.refused("rematch") == "The disk is full"
        monkeypatch.undo()
        assert (host.key, anna.key) == (before, before)
        assert {one.table for one in sessions.guests.values()} == {before}
    assert host.done("rematch")["key"] != before


def refuse(*_, **__):
    from spades_env.play.server.errors import RefusedError

    raise RefusedError("The disk is full")


# The host's tables


def test_the_host_sees_their_tables(server, host):
    first = host.key
    link = host.done("invite")["path"]
    anna, bela = guest(server, link, 2, "Anna"), guest(server, link)
    [found] = host.done("tables")["tables"]
    assert (found["key"], found["shared"], found["watching"], found["waiting"]) == (first, True, 0, 1)
    assert [(one["who"], one["person"], one["here"]) for one in found["seats"]] == [
        ("Zoe", True, True),
        ("Random", False, False),
        ("Anna", True, True),
        ("Random", False, False),
    ]
    bela.done("watch")
    second = host.done("new", rules=ONE_HAND, bots=BOTS)["key"]
    host.until(lambda: host.key == second)
    host.done("invite")
    found = {one["key"]: one for one in host.done("tables")["tables"]}
    assert set(found) == {first, second}
    assert (found[first]["watching"], found[first]["waiting"]) == (1, 0)
    assert [one["here"] for one in found[first]["seats"]] == [False, False, True, False]
    assert [one["forfeit"] for one in found.values()] == [False, False]
    assert [found[key]["result"] for key in (first, second)] == ["hand 1 of 2", "hand 1 of 1"], "not just unfinished"
    assert anna.refused("tables") == "Only the person who started the server can do that"
    host.done("give_up", key=first)
    anna.until(lambda: anna.told.get("closed"))
    assert [one["key"] for one in host.done("tables")["tables"]] == [second]


def test_tables_that_nobody_has_open_are_listed_too(tmp_path):
    with running(tmp_path) as server:
        host = hosted(server)
        key = host.key
        guest(server, host.done("invite")["path"], 2, "Anna")
    with running(tmp_path) as server:
        host = owner(server)
        host.done("new", rules=ONE_HAND, bots=BOTS)
        host.done("invite")
        found = {one["key"]: one for one in host.done("tables")["tables"]}
        assert [one["who"] for one in found[key]["seats"]] == ["Zoe", "Random", "Anna", "Random"]
        assert not any(one["here"] for one in found[key]["seats"])
