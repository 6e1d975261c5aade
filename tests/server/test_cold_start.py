"""Where nothing is compiled the table plays at once, and goes on as the compiled one when another process is done."""

import asyncio
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT
from support.play.servers import QUICK, Page, slow

from spades_env import _kernel_cache
from spades_env._jit import JIT_ON
from spades_env.play import cold_start, ready
from spades_env.play.cold_start import OTHERS, TABLE, is_cold
from spades_env.play.server import table_command
from spades_env.play.server.requests import table as requests
from spades_env.play.store.database import Store
from spades_env.play.table.choices import steady_partner
from spades_env.play.table.table import Table

SERVICE_RESTART = 1012  # why the connection is closed
PROGRAM = """
import sys
from pathlib import Path
from spades_env.play import cold_start
from spades_env.play.commands import cli
from spades_env.play.server.net import door
from spades_env._jit import JIT_ON

door.Door.address = property(lambda self: "127.0.0.2")
mark, go = Path(sys.argv.pop(1)), Path(sys.argv.pop(1))
cold_start._mark = lambda part: mark
cold_start.COMPILE = f"import time\\nwhile not __import__('os').path.exists({str(go)!r}): time.sleep(0.05)\\n"
cold_start.COMPILE += f"open({str(mark)!r}, 'x').close()  # {{}} {{}} {{}}"
print("compiled" if JIT_ON else "plain", flush=True)
cli.program()
"""


@slow
def test_a_cold_table_is_played_at_once_and_goes_on_compiled(tmp_path):
    """One process, the same addresses; the page reconnects to the same game in the same position."""
    with Store(tmp_path / "data") as store:
        store.settings.set("last", QUICK)
    mark, go = tmp_path / "mark", tmp_path / "go"
    words = ["table", "--no-browser", "--port", "0", "--data", str(tmp_path / "data")]
    line = [sys.executable, "-c", PROGRAM, str(mark), str(go), *words]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment()) as process:
        assert process.stdout
        told = [process.stdout.readline() for _ in range(3)]
        assert told[:2] == ["compiled\n", "plain\n"]  # a plain one in place of the first
        found = re.fullmatch(r"The table is at http://127\.0\.0\.1:(\d+)(/\?key=\S+)\n", told[2])
        assert found, told
        page = Page(int(found[1]), found[2])
        page.until(lambda: page.is_at_table)
        page.play(moves=3)
        page.until(page.to_move)
        before = page.view
        page.done("open_door")
        go.touch()
        assert page.until_closed() == SERVICE_RESTART
        page.reload()
        assert [page.view[name] for name in ("key", "events", "lanes")] == [
            before[name] for name in ("key", "events", "lanes")
        ]
        socket.create_connection(("127.0.0.2", page.port)).close()
        page.play()
        process.terminate()
        assert process.stdout.read() == "compiled\n"  # the address is printed once


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != cold_start.OFF}
    return kept | {"PYTHONPATH": str(ROOT)}


@slow
def test_a_cache_is_cold_until_its_mark_is_there(tmp_path, monkeypatch):
    monkeypatch.delenv(cold_start.OFF, raising=False)
    monkeypatch.setattr(cold_start, "_mark", lambda part: tmp_path / "folder" / part)
    for part in ("ready_rules", "ready_others"):
        monkeypatch.setattr(ready, part, lambda: iter(()))
    monkeypatch.setattr(ready, "ready_table", lambda adviser: iter([adviser]))
    assert is_cold(TABLE)
    with monkeypatch.context() as full_disk:
        full_disk.setattr(_kernel_cache, "could_write", lambda: False)
        assert not cold_start.compile_part(TABLE, "rule")
    assert is_cold(TABLE)
    assert cold_start.compile_part(TABLE, "rule")
    assert [is_cold(TABLE), is_cold(OTHERS)] == [False, True]
    monkeypatch.setenv(cold_start.OFF, "0")  # has chosen to wait for the compiler
    assert not is_cold(OTHERS)
    monkeypatch.delenv(cold_start.OFF)
    monkeypatch.setattr(cold_start, "_mark", lambda part: None)  # nothing can be cached
    assert not is_cold(OTHERS)


@slow
def test_an_edit_makes_the_cache_cold_again(monkeypatch):
    marks = []
    for folder in ("one", "other"):
        monkeypatch.setattr(cold_start, "_cache_folder", lambda path, folder=folder: Path("/cache") / folder)
        marks.append(cold_start._mark(TABLE))
    assert None not in marks
    assert marks[0] != marks[1]


def test_a_compiler_that_fails_leaves_the_table_as_it_is(monkeypatch):
    ended: list[str] = []
    monkeypatch.setattr(cold_start, "COMPILE", "raise SystemExit(3)  # {} {} {}")
    compiler = cold_start.Compiler(TABLE, "rule", lambda: ended.append("done"))
    compiler._waiting.join(60)
    assert not compiler.running
    assert ended == []
    assert not ready.compiling_elsewhere.is_set()


def test_a_compiler_ends_with_its_table(monkeypatch):
    monkeypatch.setattr(cold_start, "COMPILE", "import time; time.sleep(600)  # {} {} {}")
    compiler = cold_start.Compiler(TABLE, "rule")
    assert ready.compiling_elsewhere.is_set() != JIT_ON
    compiler.stop()
    assert not compiler.running
    assert not ready.compiling_elsewhere.is_set()


@pytest.mark.skipif(os.name != "posix", reason="a parent is watched on POSIX")
def test_a_compiler_ends_when_its_table_is_killed(tmp_path):
    code = "import os, time; from spades_env.play import cold_start as it; import threading\n"
    code += "threading.Thread(target=it.end_with, args=[os.getppid()]).start(); print(os.getpid(), flush=True)"
    parent = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {code!r}]).wait()"
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout
        assert int(process.stdout.readline())
        process.kill()
        assert process.stdout.read() == b""  # ends once nobody can write to it


def test_who_waits_for_a_bot_meanwhile_reads_why(monkeypatch):
    shown: list[bool] = []
    monkeypatch.setattr(ready, "PATIENT_SECONDS", 0.01)
    monkeypatch.setattr(ready, "compiling", lambda: False)
    ready.compiling_elsewhere.set()
    try:
        asyncio.run(ready.patiently(asyncio.sleep(0.1), shown.append))
    finally:
        ready.compiling_elsewhere.clear()
    assert shown == [True, False]


def test_the_partner_of_a_cold_table_does_not_search(tmp_path, monkeypatch):
    """Nobody waits a quarter of a minute for a card."""
    table = Table("classic", [steady_partner(at_once=True)] * 4, {}, seed=1)
    assert not any("trial" in table.seats.agent(seat).name for seat in range(4))
    assert requests.steady_partner is steady_partner


def test_an_inherited_socket_listens_where_the_first_one_did(monkeypatch):
    with table_command._listen("127.0.0.1", 0) as first:
        monkeypatch.setenv(cold_start.SOCKET, str(first.dup().detach()))
        second = cold_start.inherited_socket()
        assert second
        with second:
            assert second.getsockname() == first.getsockname()
        assert cold_start.inherited_socket() is None
