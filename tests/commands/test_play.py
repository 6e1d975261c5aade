"""`spades play` from the shell: its arguments, what it refuses, and a kill in the middle of a trick."""

import argparse
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
from spades_env.play.commands.cli import main
from spades_env.play.daily.deal import DailyError, local_day
from spades_env.play.store.database import Store
from spades_env.play.store.profile import person, unfinished
from spades_env.play.store.sitting import Sitting, begin, resume
from spades_env.play.terminal.command import add_play_arguments, opened


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path) as store:
        yield store


def begins(store: Store, *words: str) -> Sitting:
    """The new game that the arguments ask for."""
    sitting = opened(store, options(*words))
    assert sitting
    return sitting


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_play_arguments(parser)
    return parser.parse_args(words)


def test_without_arguments_somebody_is_asked(store):
    assert opened(store, options()) is None
    assert opened(store, options("--name", "Anna")) is None
    assert person(store) == "Anna"


def test_arguments_make_a_new_game(store):
    words = ["--rules", "pagat", "--set", "target=300", "--partner", "bis", "--left", "rb", "--right", "random"]
    sitting = begins(store, *words, "--seed", "11", "--name", "Anna")
    assert str(sitting.table.rules) == "pagat target=300"
    assert sitting.table.seats.bots[1:] == ["rb", "bis", "random"]
    assert (sitting.table.game.seed, sitting.table.counted, sitting.name) == (11, False, "Anna")
    assert [saved.key for saved in unfinished(store)] == [sitting.table.key]
    again = begins(store, "--new")
    assert str(again.table.rules) == "pagat target=300"
    assert again.table.seats.bots[1:] == ["rb", "bis", "random"]
    assert again.table.counted


def test_todays_deal(store, monkeypatch):
    """Its own rules and players; begun once, then gone on with; nothing of the next usual game changes."""
    monkeypatch.setattr("spades_env.play.progress.daily.BOTS", ("rule",) * 4)
    sitting = begins(store, "--daily", "--name", "Anna")
    assert str(sitting.table.rules) == "classic target=off max_hands=4"
    assert sitting.table.daily
    assert sitting.table.daily.day == local_day()
    assert (sitting.name, sitting.table.counted) == ("Anna", False)
    assert begins(store, "--daily").table.key == sitting.table.key
    assert str(begins(store, "--new").table.rules) == "classic"


@pytest.mark.parametrize(
    "words", [["--new"], ["--seed", "7"], ["--seed", "0"], ["--partner", "rb"], ["--set", "target=300"]]
)
def test_todays_deal_takes_no_other_choices(store, words):
    with pytest.raises(DailyError, match=f"--daily has its own cards, rules and players: leave {words[0]} out"):
        opened(store, options("--daily", *words))
    assert store.sittings() == []


def test_a_variant_of_ones_own(store):
    store.variants.save("ours", Rules(target=123))
    sitting = begins(store, "--rules", "ours", "--left", "rb", "--right", "rb", "--partner", "rb")
    assert sitting.table.rules.target == 123


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--partner", "nobody"], "unknown agent 'nobody'"),
        (["--left", "oracle"], "oracle sees all cards: it may not sit at a table"),
        (["--rules", "whist"], "unknown preset 'whist'"),
        (["--set", "trumps=clubs"], "trumps cannot be 'clubs'"),
        (["--seed", "-1"], "seed must be a whole number"),
        (["--name", "a|b"], "A name has 1 to 24 characters"),
    ],
)
def test_bad_arguments_begin_nothing(words, told, store):
    with pytest.raises(ValueError, match="^" + told[:20]) as found:
        opened(store, options(*words))
    assert told in str(found.value)
    assert unfinished(store) == []


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
        for name in ("pause", "stay"):
            store.settings.set(f"terminal.{name}", 0.0)
        sitting = begin(store, "classic", ["rb"] * 4, "Anna", seed=7)
        key = sitting.table.key
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
        assert resume(store, key).view["seats"][0]["bid"] == 4
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
        events = resume(store, key).view["events"]
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
        assert screen.process.wait(20) == 0
