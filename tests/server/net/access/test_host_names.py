"""The server answers to its own host names only, and talks to its own page only."""

import pytest
from support.play.servers import get

from spades_env.play.server.limits import HostNames


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
