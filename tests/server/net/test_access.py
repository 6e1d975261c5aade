"""Who may come in, by which host name, and that the server serves nothing else."""

import json
import os
import re
import socket
import stat
import sys
from contextlib import suppress

import pytest
from support.paths import ROOT
from support.play.servers import Page, Running, get, guest, owner, running, speak
from websockets.exceptions import ConnectionClosed, InvalidStatus

from spades_env.play.commands import cli
from spades_env.play.server import table_command
from spades_env.play.server.limits import HostNames, Limits, TokenBucket
from spades_env.play.server.requests.fields import RefusedError
from spades_env.play.server.rooms.audience import SIGNED_OUT
from spades_env.play.server.routes import TEXTS, page_files
from spades_env.play.server.sessions import FILE, OWNER, Sessions

MOST_BYTES = 420_000  # of the page with its texts in one language, without the typeface
MOST_TYPE = 60_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Running(tmp_path_factory.mktemp("door"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def page(server):
    return owner(server)


def test_a_link_from_elsewhere_replaces_no_cookie(server, page):
    """A link on another site comes without the strict cookie; then our own page asks again, with it."""
    link = page.done("invite")["path"]
    from_elsewhere, content = get(server.port, link, **{"Sec-Fetch-Site": "cross-site"})
    assert from_elsewhere.status == 200
    assert from_elsewhere.getheader("Set-Cookie") is None
    assert f"0;url={link}?again".encode() in content
    again, _ = page.get(f"{link}?again", **{"Sec-Fetch-Site": "same-origin"})
    assert again.status == 303
    assert again.getheader("Set-Cookie") is None
    guest, _ = get(server.port, link, **{"Sec-Fetch-Site": "same-origin"})
    assert guest.getheader("Set-Cookie")


# Names


@pytest.mark.parametrize(
    "host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}", "table.example"]
)
def test_own_names_are_answered_to(server, host):
    response, _ = get(server.port, "/", Host=host.format(port=server.port))
    assert response.status == 403  # private, but answered


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:1", "127.0.0.1", "localhost:{port}.evil.example", ""])
def test_other_names_are_not(server, host):
    response, content = get(server.port, "/page/index.html", Host=host.format(port=server.port))
    assert response.status == 421
    assert b"--allow" in content


def test_names_that_were_allowed():
    names = HostNames(8321, "192.168.1.5", ["spades.lan", "other:9000"])
    for host in ("192.168.1.5:8321", "spades.lan", "spades.lan:8321", "other:9000", "127.0.0.1:8321"):
        assert names.knows(host)
    for host in (None, "", "192.168.1.5", "spades.lan:9000", "other"):
        assert not names.knows(host)
    assert HostNames(8321, "::1").knows("[::1]:8321")


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("http://127.0.0.1:8321", True),
        ("https://127.0.0.1:8321", True),
        ("http://localhost:8321", False),  # not the host that was asked
        ("http://127.0.0.1:9999", False),
        ("http://127.0.0.1", False),
        ("http://evil.example", False),
        ("file://127.0.0.1:8321", False),
        ("http://[127.0.0.1:8321", False),
        ("null", False),
        ("", False),
        (None, False),
    ],
)
def test_only_the_own_page_may_talk(origin, own):
    assert HostNames(8321).is_own_page(origin, "127.0.0.1:8321") is own


def test_an_origin_counts_only_under_an_own_name():
    assert not HostNames(8321).is_own_page("http://evil.example", "evil.example")


def talk(server: Running, cookie: str, origin: str | None) -> int:
    """Return the status with which a WebSocket is refused, or 101."""
    try:
        with speak(server.port, cookie, origin):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def test_the_websocket_wants_a_cookie_and_the_own_page(server, page):
    own = f"http://127.0.0.1:{server.port}"
    assert talk(server, page.cookie, own) == 101
    assert talk(server, page.cookie, None) == 403
    assert talk(server, page.cookie, "http://evil.example") == 403
    assert talk(server, page.cookie, f"http://localhost:{server.port}") == 403
    assert talk(server, "", own) == 403
    assert talk(server, page.cookie + "x", own) == 403
    assert talk(server, page.cookie.replace(str(server.port), "1"), own) == 403


# The key


def test_the_key_becomes_a_cookie_and_leaves_the_address(server):
    response, _ = get(server.port, f"/?key={server.key}", Sec_Fetch_Site="none")
    assert (response.status, response.getheader("Location")) == (303, "/")
    cookie = response.getheader("Set-Cookie") or ""
    assert {"HttpOnly", "SameSite=strict"} <= set(cookie.split("; "))
    assert response.getheader("Cache-Control") == "no-store"


@pytest.mark.parametrize("headers", [{}, {"Sec_Fetch_Site": "cross-site"}])
def test_after_a_link_from_elsewhere_our_own_page_leads_on(server, headers):
    """A redirect would come without the strict cookie."""
    response, content = get(server.port, f"/?key={server.key}", **headers)
    assert response.status == 200
    assert b'content="0;url=/"' in content
    assert server.key.encode() not in content
    assert response.getheader("Set-Cookie")


def test_the_cookie_is_not_the_key(server):
    response, _ = get(server.port, f"/?key={server.key}")
    cookie = response.getheader("Set-Cookie") or ""
    assert server.key not in cookie
    assert server.services.sessions.by_cookie(server.key) is None  # as it was before
    assert "Secure" not in cookie


def test_a_cookie_that_came_by_https_stays_there(server, page):
    """A proxy on this computer says so."""
    for path in (f"/?key={server.key}", page.done("invite")["path"]):
        response, _ = get(server.port, path, X_Forwarded_Proto="https", Host="table.example")
        assert "Secure" in (response.getheader("Set-Cookie") or "").split("; ")


def signed_out(page: Page, **headers: str) -> int:
    """Ask to be signed out, and return the status."""
    own = {"Origin": f"http://127.0.0.1:{page.port}"}
    return page.get("/sign-out", method="POST", **own | headers)[0].status


def test_the_owner_is_signed_out_in_every_browser(tmp_path):
    with running(tmp_path) as server:
        here, elsewhere = owner(server), owner(server)
        friend = guest(server, here.done("invite")["path"], 2, "Anna")
        response, _ = here.get("/sign-out", method="POST", Origin=f"http://127.0.0.1:{server.port}")
        assert response.status == 204
        assert "Max-Age=0" in (response.getheader("Set-Cookie") or "")
        for page in (here, elsewhere):
            assert page.until_closed() == SIGNED_OUT
            assert page.get("/")[0].status == 403
            assert talk(server, page.cookie, f"http://127.0.0.1:{server.port}") == 403
        assert friend.done("stop")
        again = Sessions(tmp_path)
        assert again.by_cookie(here.cookie.partition("=")[2]) is None
        assert again.key == server.key
        owner(server).close()  # by the printed address
        friend.close()


def test_a_guest_who_leaves_the_table_is_forgotten(tmp_path):
    with running(tmp_path) as server:
        host = owner(server)
        host.until(host.to_move)
        anna = guest(server, host.done("invite")["path"], 2, "Anna")
        assert signed_out(anna) == 204
        assert anna.until_closed() == SIGNED_OUT
        assert anna.get("/")[0].status == 403
        assert host.done("stop")
        assert server.room(host).seating.holders == {0: OWNER}
        bela = guest(server, host.done("invite")["path"])
        assert [seat["free"] for seat in bela.told["lobby"]["seats"]] == [False, True, True, True]
        host.close()
        bela.close()


def test_nobody_is_signed_out_if_that_cannot_be_saved(server, page, monkeypatch):
    def refuse(*_) -> None:
        raise RefusedError("This could not be saved")

    monkeypatch.setattr("spades_env.play.server.sessions.write_file", refuse)
    assert signed_out(page) == 403
    monkeypatch.undo()
    assert page.get("/")[0].status == 200


def test_only_a_page_of_our_own_signs_anybody_out(server, page):
    assert signed_out(page, Origin="http://evil.example") == 403
    assert signed_out(page, Origin=f"http://127.0.0.1:{page.port + 1}") == 403
    assert signed_out(page, Cookie="") == 403
    assert page.get("/sign-out")[0].status == 405
    assert page.get("/")[0].status == 200


@pytest.mark.parametrize("path", ["/", "/?key=", "/?key=wrong", "/?key=%C3%A4", "/?key[]=1"])
def test_without_the_key_there_is_a_page_that_says_so(server, path):
    response, content = get(server.port, path)
    assert response.status == 403
    assert b"This table is private" in content
    assert response.getheader("Set-Cookie") is None


@pytest.mark.parametrize("cookie", ["", "x", ".", "a.b", "owner.", "ä", "owner.owner"])
def test_cookies_that_nobody_was_given(server, cookie):
    assert server.services.sessions.by_cookie(cookie) is None


def test_the_file_of_keys_is_its_owners_alone(server):
    path = server.services.store.path.parent / FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("words", "reach", "origin"),
    [
        ([], "Only this computer", ""),
        (["--host", "127.0.0.2"], "Only this computer", ""),
        (["--host", "0.0.0.0"], "--allow ADDRESS", ""),
        (["--host", "0.0.0.0", "--allow", "192.168.1.5"], "", "http://192.168.1.5:0"),
        (["--allow", "spades.example"], "Others come through spades.example", ""),  # with a proxy in front
        (["--allow", "spades.example:443"], "", "http://spades.example:443"),
        (
            ["--host", "0.0.0.0", "--allow", "spades.example", "--allow", "192.168.1.5:8321"],
            "",
            "http://192.168.1.5:8321",
        ),
        (["--host", "192.168.1.5"], "", ""),
    ],
)
def test_the_link_leads_others_here(tmp_path, monkeypatch, words, reach, origin):
    made = {}

    def server(*_, **told):
        made.update(told)
        raise KeyboardInterrupt

    monkeypatch.setattr("spades_env.play.server.server.Server", server)
    monkeypatch.setattr(table_command, "_listen", lambda *_: socket.socket())
    assert cli.main(["table", "--data", str(tmp_path), *words]) == cli.STOPPED
    assert made["origin"] == origin
    assert reach in made["reach"]
    assert bool(reach) == bool(made["reach"])


@pytest.mark.parametrize(
    ("host", "warned"), [("127.0.0.1", 0), ("localhost", 0), ("127.0.0.2", 0), ("::1", 0), ("0.0.0.0", 1), ("::", 1)]
)
def test_plain_http_beyond_this_machine_is_warned_of(tmp_path, monkeypatch, capsys, host, warned):
    def server(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("spades_env.play.server.server.Server", server)
    monkeypatch.setattr(table_command, "_listen", lambda *_: socket.socket())
    cli.main(["table", "--data", str(tmp_path), "--host", host])
    assert capsys.readouterr().err.count("plain HTTP isn't encrypted: anyone on the network path can read") == warned


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_all_addresses_are_those_of_both_kinds():
    with table_command._listen("::", 0) as listening:
        socket.create_connection(("127.0.0.1", listening.getsockname()[1])).close()


def test_the_file_of_keys_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    done, fsync, replace = [], os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda file: (done.append("fsync"), fsync(file)))
    monkeypatch.setattr(os, "replace", lambda *paths: (done.append("replace"), replace(*paths)))
    Sessions(tmp_path)
    assert done == ["fsync", "replace", "fsync"]


def test_keys_and_guests_survive_a_restart(tmp_path):
    first = Sessions(tmp_path)
    word, cookie = first.invite("a" * 16), first.join("a" * 16)
    first.set_holders("a" * 16, {2: first.by_cookie(cookie).id})  # type: ignore[union-attr]
    again = Sessions(tmp_path)
    assert again.key == first.key
    session = again.by_cookie(cookie)
    assert session
    assert again.holders(session.table or "") == {2: session.id}
    assert again.invite("a" * 16) == word
    assert cookie.partition(".")[2] not in (tmp_path / FILE).read_text()
    again.forget_all_but(set())
    assert Sessions(tmp_path).by_cookie(cookie) is None


# What there is


def test_every_answer_bears_the_headers_that_keep_a_page_safe(server, page):
    for response, _ in (
        page.get("/"),
        page.get("/nothing"),
        page.get("/page/index.html"),
        get(server.port, "/", Host="x"),
    ):
        policy = response.getheader("Content-Security-Policy") or ""
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert response.getheader("X-Content-Type-Options") == "nosniff"
        assert response.getheader("Referrer-Policy") == "no-referrer"
        assert response.getheader("Server") in (None, "uvicorn")


def test_the_page_is_served_packed_and_asked_for_anew(page):
    plain, content = page.get("/")
    assert content == page_files()["index.html"].content
    assert b"braucht JavaScript" in content
    assert plain.getheader("Content-Type") == "text/html; charset=utf-8"
    again, nothing = page.get("/", If_None_Match=plain.getheader("ETag"))
    assert (again.status, nothing) == (304, b"")
    packed, _ = page.get("/", Accept_Encoding="gzip")
    assert packed.getheader("Content-Encoding") == "gzip"


def test_the_typeface_comes_with_its_licence(page):
    sizes = []
    for name in ("latin", "latin-ext"):
        response, content = page.get(f"/page/type/bitter-{name}.woff2")
        assert response.getheader("Content-Type") == "font/woff2"
        assert content.startswith(b"wOF2")
        assert f"type/bitter-{name}.woff2".encode() in page.get("/page/styles/typeface.css")[1]
        sizes.append(len(content))
    assert sum(sizes) <= MOST_TYPE
    assert b"SIL OPEN FONT LICENSE" in page.get("/page/type/OFL.txt")[1]
    assert "font-src 'self'" in response.getheader("Content-Security-Policy")


def test_the_page_is_small():
    page = sum(len(file.content) for name, file in page_files().items() if not name.startswith("type/"))
    assert 0 < page + max(len(file.content) for file in page_files(TEXTS).values()) <= MOST_BYTES


@pytest.mark.parametrize(
    "path",
    [
        "/page/../server/site.py",
        "/page/%2e%2e/server/site.py",
        "/page/..%2fserver%2fsite.py",
        "/page//etc/passwd",
        "/page/....//index.html",
        "/page/index.html%00.js",
        "/page/",
        "/page",
        "/server.json",
        "/spades.db",
        "/docs",
        "/join/",
        "/join/nothing",
        "/join/../page/index.html",
        "/live",
        "/nothing",
    ],
)
def test_there_is_nothing_else(page, path):
    assert page.get(path)[0].status == 404


def test_nothing_can_be_posted(page):
    for path in ("/", "/page/index.html", "/join/x"):
        assert page.get(path, method="POST")[0].status == 405


# Limits


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


def test_the_documentation_tells_what_the_page_weighs():
    text = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
    told = re.search(r"The page is (\d+) kB in (\d+) files, drawings included, and (\d+) kB compressed", text)
    assert told, "the sentence about the page"
    texts = re.search(r"The texts of a language are another (\d+) kB, (\d+) kB\s+compressed", text)
    assert texts, "the sentence about the texts"
    files = [file for name, file in page_files().items() if not name.startswith("type/")]
    sizes = sum(len(one.content) for one in files), sum(len(one.packed) for one in files)
    english = page_files(TEXTS)["en.json"]
    sizes += len(english.content), len(english.packed)
    for number, size in zip((told[1], told[3], texts[1], texts[2]), sizes, strict=True):
        assert int(number) == pytest.approx(size / 1000, rel=0.05)
    assert int(told[2]) == pytest.approx(len(files), abs=2)


def test_the_command_shows_each_link_once_and_its_qr_code_in_a_terminal(tmp_path, monkeypatch, capsys):
    with running(tmp_path) as server:
        server.server.on_invite = table_command._link_shower()
        host = owner(server)
        path = host.done("invite", begin="https://table.example")["path"]
        host.done("invite", begin="https://table.example")
        link = f"https://table.example{path}"
        assert capsys.readouterr().out == f"Others can join at {link}\n"
        assert table_command._links(server.services.sessions.invites, "https://table.example") == [link]
        assert table_command._links(server.services.sessions.invites, "") == []
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    table_command._link_shower()(link)
    assert capsys.readouterr().out.count("█") > 100
