"""The server serves the page's files with safe headers, and nothing else."""

import pytest
from support.play.servers import get

from spades_env.play.server.routes import TEXTS, page_files

MOST_BYTES = 420_000  # of the page with its texts in one language, without the typeface
MOST_TYPE = 60_000


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
