"""The owner's browser is opened without the key on any command line."""

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.paths import ROOT
from support.play.servers import QUICK, Running, get, wait_for

from spades_env.play.commands.parsing import STOPPED
from spades_env.play.server.net import serving
from spades_env.play.server.net.browser_file import FILE, browser_file, remove_leftover
from spades_env.play.store.database import Store

posix = pytest.mark.skipif(os.name != "posix", reason="needs shell scripts and signals")
BROWSER = """#!/bin/sh
for word in "$@"; do printf '%s\\n' "$word"; done > "$ARGUMENTS.part"
mv "$ARGUMENTS.part" "$ARGUMENTS"
"""


def heed_signals() -> None:
    """Undo what `nohup`, or a shell's background, lets a program ignore."""
    for one in (signal.SIGINT, signal.SIGHUP):
        signal.signal(one, signal.SIG_DFL)


def is_private(path: Path) -> bool:
    return stat.S_IMODE(path.stat().st_mode) == 0o600


def test_only_the_owner_can_read_the_file(tmp_path):
    (tmp_path / FILE).write_text("left by a server that was killed")
    (tmp_path / FILE).chmod(0o644)
    before = os.umask(0)
    try:
        with browser_file(tmp_path, "http://127.0.0.1:1/?key=a&b") as path:
            assert path.parent == tmp_path
            assert is_private(path)
            assert "url=http://127.0.0.1:1/?key=a&amp;b" in path.read_text()
            assert list(tmp_path.iterdir()) == [path]
    finally:
        os.umask(before)
    assert not list(tmp_path.iterdir())


def test_what_a_killed_server_left_is_deleted(tmp_path):
    for name in (FILE, f"{FILE}k3y_part"):
        (tmp_path / name).write_text("left by a server that was killed")
    for _ in range(2):
        remove_leftover(tmp_path)
        assert not list(tmp_path.iterdir())


@contextmanager
def table(folder: Path, **variables: str) -> Iterator[tuple[subprocess.Popen, str]]:
    """Run `spades table` with these environment variables; yield the process and the address that it prints."""
    with Store(folder) as store:
        store.settings.set("last", QUICK)
    line = [sys.executable, "-m", "spades_env.play.commands.cli", "table", "--port", "0", "--data", str(folder)]
    with subprocess.Popen(
        line,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | variables,
        preexec_fn=heed_signals,
    ) as process:
        assert process.stdout
        printed = next(line for line in process.stdout if line.startswith("The table is at ")).split()[-1]
        try:
            yield process, printed
        finally:
            process.kill()


@posix
def test_the_browser_is_given_no_key(tmp_path):
    browser, arguments, folder = tmp_path / "browser", tmp_path / "arguments", tmp_path / "data"
    browser.write_text(BROWSER)
    browser.chmod(0o755)
    with table(folder, BROWSER=str(browser), ARGUMENTS=str(arguments)) as (_, printed):
        key = urlsplit(printed).query.removeprefix("key=")
        wait_for(arguments.exists)
        opened = arguments.read_text().split("\n")
        assert key not in arguments.read_text()
        assert opened[:-1] == [(folder / FILE).as_uri()]
        assert is_private(folder / FILE)
        assert printed in (folder / FILE).read_text()
        response, _ = get(urlsplit(printed).port or 0, f"/?key={key}")
        assert response.getheader("Set-Cookie")


@posix
@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_the_file_goes_however_the_server_is_ended(tmp_path, how):
    with table(tmp_path, BROWSER="true") as (process, _):
        wait_for((tmp_path / FILE).exists)
        process.send_signal(getattr(signal, how))
        process.wait(60)
    assert process.returncode == (STOPPED if how == "SIGINT" else -signal.SIGTERM)
    assert not (tmp_path / FILE).exists()


def test_a_server_that_was_told_to_stop_while_it_started_ends(tmp_path, monkeypatch):
    told = threading.Event()
    told.set()
    monkeypatch.setattr(serving, "terminated", told)
    server = Running(tmp_path)
    wait_for(lambda: not server.alive)


@posix
def test_the_next_start_removes_the_file_of_a_killed_server(tmp_path):
    with table(tmp_path, BROWSER="true") as (process, first):
        wait_for((tmp_path / FILE).exists)
        process.kill()
        process.wait(60)
    assert first in (tmp_path / FILE).read_text()
    with table(tmp_path, BROWSER="true") as (_, second):
        wait_for(lambda: second in text_of(tmp_path / FILE))


def text_of(path: Path) -> str:
    """Return what is in a file that another process may remove at any time."""
    try:
        return path.read_text()
    except FileNotFoundError:
        return ""
