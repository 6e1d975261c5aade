"""`spades play` from the shell: its arguments, what it refuses, and a kill in the middle of a trick."""

import argparse
import asyncio
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.paths import ROOT

from spades_env import Rules
from spades_env.errors import SpadesError
from spades_env.play.commands.cli import main
from spades_env.play.daily.deal_of_day import DailyError, local_day
from spades_env.play.store.database import Store
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table
from spades_env.play.terminal.client import hosted
from spades_env.play.terminal.play_command import add_play_arguments, opened


async def opened_with(folder: Path, *words: str) -> tuple[bool, Table | None]:
    """Return whether the arguments ask for a table, and which one the server opens for them."""
    async with hosted(folder) as client:
        asked = await opened(client, options(*words))
        assert client.server
        return asked, next((room.table for room in client.server.rooms.values()), None)


def begins(folder: Path, *words: str) -> Table:
    """Return the table that the arguments ask for."""
    asked, table = asyncio.run(opened_with(folder, *words))
    assert asked
    assert table
    return table


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_play_arguments(parser)
    return parser.parse_args(words)


def name_in(folder: Path) -> str | None:
    with Store(folder) as store:
        return store.settings.all().get("name")


def kept(folder: Path) -> list[str]:
    with Store(folder) as store:
        return [saved.key for saved in store.unfinished()]


def test_without_arguments_somebody_is_asked(tmp_path):
    assert asyncio.run(opened_with(tmp_path)) == (False, None)
    assert asyncio.run(opened_with(tmp_path, "--name", "Anna")) == (False, None)
    assert name_in(tmp_path) == "Anna"


def test_arguments_make_a_new_game(tmp_path):
    words = ["--rules", "pagat", "--set", "target=300", "--partner", "bis", "--left", "rb", "--right", "mc:2x2"]
    table = begins(tmp_path, *words, "--seed", "11", "--name", "Anna")
    assert str(table.rules) == "pagat target=300"
    assert table.seats.bots[1:] == ["rb", "bis", "mc:2x2"]
    assert (table.game.seed, table.counted, table.seats.people[0]) == (11, False, "Anna")
    assert kept(tmp_path) == [table.key]
    again = begins(tmp_path, "--new")
    assert str(again.rules) == "pagat target=300"
    assert again.seats.bots[1:] == ["rb", "bis", "mc:2x2"]
    assert again.counted


def test_todays_deal(tmp_path, monkeypatch):
    """Its own rules and players; begun once, then gone on with; nothing of the next usual game changes."""
    monkeypatch.setattr("spades_env.play.progress.daily.BOTS", ("rule",) * 4)
    table = begins(tmp_path, "--daily", "--name", "Anna")
    assert str(table.rules) == "classic target=off max_hands=4"
    assert table.daily
    assert table.daily.day == local_day()
    assert (table.seats.people[0], table.counted) == ("Anna", False)
    assert begins(tmp_path, "--daily").key == table.key
    assert str(begins(tmp_path, "--new").rules) == "classic"


@pytest.mark.parametrize(
    "words", [["--new"], ["--seed", "7"], ["--seed", "0"], ["--partner", "rb"], ["--set", "target=300"]]
)
def test_todays_deal_takes_no_other_choices(words, tmp_path):
    with pytest.raises(DailyError, match=f"--daily has its own cards, rules and players: leave {words[0]} out"):
        begins(tmp_path, "--daily", *words)
    assert kept(tmp_path) == []


def test_a_variant_of_ones_own(tmp_path):
    with Store(tmp_path) as store:
        store.variants.save("ours", Rules(target=123))
    assert begins(tmp_path, "--rules", "ours", "--left", "rb", "--right", "rb", "--partner", "rb").rules.target == 123


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--partner", "nobody"], "unknown agent 'nobody'"),
        (["--left", "oracle"], "oracle sees all cards, so it can't sit at a table"),
        (["--rules", "whist"], "unknown preset 'whist'"),
        (["--set", "trumps=clubs"], "trumps cannot be 'clubs'"),
        (["--seed", "-1"], "Seed must be a whole number"),
        (["--name", "a|b"], "A name has 1 to 24 characters"),
    ],
)
def test_bad_arguments_begin_nothing(words, told, tmp_path):
    with pytest.raises(SpadesError, match="^" + told[:20]) as found:
        begins(tmp_path, *words)
    assert told in str(found.value)
    assert kept(tmp_path) == []


def test_nobody_is_there(tmp_path, capsys):
    pytest.importorskip("textual")
    assert main(["play", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "spades: spades play needs a terminal to show the table in\n"


def test_a_log_that_cannot_be_written(tmp_path, capsys):
    pytest.importorskip("textual")
    with running("--data", str(tmp_path), "--log", str(tmp_path / "no" / "log")) as screen:
        screen.wait_for("no such file")
        assert screen.process.wait(60) == 2


def test_what_is_missing_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "textual", None)
    for name in [name for name in sys.modules if name.startswith("spades_env.play.terminal.app")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.startswith("textual.")]:
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["play", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == 'spades: spades play needs Textual: pip install "spades-env[play]"\n'


def test_help_needs_no_screen():
    heavy = ("textual", "spades_env.play.store.database", "torch")
    code = f"import sys, spades_env.play.commands.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


# In a real terminal


@contextmanager
def running(*words: str, **environment: str):
    """The program in a terminal of 80 × 24: its process, what it has written, and a way to press keys."""
    pytest.importorskip("textual")
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = os.environ | {"TERM": "xterm-256color"} | environment
    command = [sys.executable, "-m", "spades_env.play.commands.cli", "play", *words]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=environment, start_new_session=True
    )
    os.close(theirs)
    try:
        yield Screen(process, ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


class Screen:
    """What a person would see and press."""

    def __init__(self, process: subprocess.Popen, descriptor: int):
        self.process, self._descriptor, self.written = process, descriptor, ""

    def wait_for(self, words: str) -> None:
        self.wait_until(lambda: words in self.written)

    def wait_until(self, holds: Callable[[], bool], seconds: float = 120) -> None:
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, self.written[-3000:]
            self.read()

    def press_until(self, keys: str, holds: Callable[[], bool]) -> None:
        """While bots move, keys only show the rest of it at once: then they are pressed again."""
        end = 0.0

        def held() -> bool:
            nonlocal end
            if not (done := holds()) and time.monotonic() > end:
                end = time.monotonic() + 5
                self.press(keys)
            return done

        self.wait_until(held)

    def press(self, keys: str) -> None:
        os.write(self._descriptor, keys.encode())

    def read(self) -> None:
        """What it has written in the meantime."""
        ready, _, _ = select.select([self._descriptor], [], [], 0.2)
        try:
            self.written += os.read(self._descriptor, 65536).decode(errors="replace") if ready else ""
        except OSError:  # the program is gone
            time.sleep(0.05)


def test_a_kill_in_the_middle_of_a_trick_loses_nothing(tmp_path):
    with Store(tmp_path) as store:
        store.settings.set("terminal", {"pause": 0.0, "stay": 0.0})
        table = Table("classic", ["rb"] * 4, {0: "Anna"}, seed=7)
        store.save(table)
        key = table.key
    with running("--data", str(tmp_path)) as screen:
        screen.wait_for("Resume the game")
        screen.press("\r")
        screen.wait_for("bid 0 to 13")
        screen.press("4")
        screen.wait_for("follow")
        screen.press_until("\r", lambda: len(cards_of_south(tmp_path, key)) == 1)
        screen.process.send_signal(signal.SIGKILL)
        assert screen.process.wait(60) == -signal.SIGKILL
    with Store(tmp_path) as store:
        assert seat_view(store.load(key), 0)["seats"][0]["bid"] == 4
    assert len(cards_of_south(tmp_path, key)) == 1
    with running("--data", str(tmp_path)) as screen:
        screen.wait_for("Resume the game")
        screen.press("\r")
        screen.wait_for("Your turn")
        screen.press("q")
        assert screen.process.wait(60) == 0
        screen.wait_for("Your game is saved")


def cards_of_south(folder: Path, key: str) -> list[str]:
    """What South has played, as it is kept."""
    with Store(folder) as store:
        events = seat_view(store.load(key), 0)["events"]
    return [event["action"] for event in events if event["seat"] == 0 and event["phase"] == "play"]


def test_without_colours_nothing_is_coloured(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    with running("--data", str(tmp_path), "--new", "--seed", "7", "--left", "rb", "--partner", "rb") as screen:
        screen.wait_for("Your turn: bid")
        screen.press("q")
        screen.wait_for("Your game is saved")
        codes = re.findall(r"\x1b\[([\d;]*)m", screen.written)
        assert len(codes) > 20
        numbers = {int(number) for code in codes for number in code.split(";") if number}
        assert not numbers & {*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)}


def test_leaving_waits_for_no_kernel(tmp_path):
    """All of them are compiled after an installation, which takes longer than is waited here."""
    with running("--data", str(tmp_path / "data"), "--seed", "3", NUMBA_CACHE_DIR=str(tmp_path / "cache")) as screen:
        screen.wait_for("is thinking")
        screen.press("\x11")
        screen.wait_until(lambda: screen.process.poll() is not None, 20)
        assert screen.process.returncode == 0
