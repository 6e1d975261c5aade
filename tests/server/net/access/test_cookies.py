"""The key in a link becomes a cookie; without one nobody comes in, and signing out ends it."""

import os
import stat

import pytest
from support.play.servers import Page, Running, get, guest, owner, running, speak
from websockets.exceptions import InvalidStatus

from spades_env.play.server.requests.fields import RefusedError
from spades_env.play.server.rooms.audience import SIGNED_OUT
from spades_env.play.server.sessions import FILE, OWNER, Sessions


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
