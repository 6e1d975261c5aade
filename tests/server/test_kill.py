"""A real server, killed in the middle of a trick: everything is there again, to the byte."""

import json
import signal
import sys

import pytest
from support.play.programs import Program
from support.play.servers import QUICK, Page
from support.strategies import scaled

from spades_env.play.commands import cli
from spades_env.play.server import table_command
from spades_env.play.store.database import Store
from spades_env.play.store.saved import packed
from spades_env.play.table.fairness import Proof, verify

RULES = "match target=off max_hands=2"


@pytest.fixture
def folder(tmp_path):
    with Store(tmp_path) as store:
        store.settings.set("last", QUICK | {"rules": RULES})
    return tmp_path


def in_a_trick(page: Page) -> bool:
    """Is it the person's turn, with cards on the table, and not the last of the hand?"""
    held = sum(len(lane["cards"]) for lane in page.view["lanes"])
    return page.to_move() and 0 < len(page.view["trick"]["cards"]) < 4 and held > 1


def test_a_game_goes_on_after_kills_in_the_middle_of_tricks(folder):
    program = Program(folder)
    page = program.page()
    key, committed = page.key, page.view["fair"]["hands"][0]
    for _ in range(scaled(3)):
        page.play(moves=3)
        page.until(page.to_move)
        while not in_a_trick(page):
            page.act(page.view["legal"][0])
            page.until(page.to_move)
        before = page.view | {"clock": None}
        program.kill()
        program = Program(folder)
        page = program.page()
        assert page.key == key
        page.until(page.to_move)
        assert page.view | {"clock": None} == before
    version, action = page.view["version"], page.view["legal"][-1]
    page.done("act", action=action, version=version)
    program.kill()  # while the bots move
    program = Program(folder)
    page = program.page()
    page.until(lambda: page.to_move() or page.view["outcome"])
    mine = [event["action"] for event in page.view["events"] if event["seat"] == 0]
    assert mine[-1] == action, "what was answered is kept"
    page.play()
    [proof, *_] = page.done("proofs", key=key)["proofs"]["hands"]
    assert proof["commitment"] == committed
    verify(Proof(**proof))
    program.kill()
    with Store(folder) as store:
        table = store.load(key)
        assert table.over
        assert len(store.hands.of(key)) == 2
        assert {deed.by for deed in table.moves if deed.seat == 0} <= {"person", "claim"}
        assert json.loads(json.dumps(packed(table)))["key"] == key


def test_it_ends_quietly_when_it_is_told_to(folder):
    program = Program(folder)
    page = program.page()
    program.process.send_signal(signal.SIGINT)
    output, _ = program.process.communicate(timeout=60)
    assert output in ("", "spades: stopped\n")
    assert page.until_closed() in (1001, 1012)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_while_kernels_are_compiled(folder, tmp_path_factory, how):
    """Compile all kernels, as after an installation, which takes longer than these tests wait."""
    program = Program(folder, NUMBA_CACHE_DIR=str(tmp_path_factory.mktemp("cache")))
    page = program.page()
    program.process.send_signal(how)
    program.process.communicate(timeout=20)
    assert program.process.returncode == (cli.STOPPED if how == signal.SIGINT else -how)
    assert page.until_closed() in (1001, 1012)
    with Store(folder) as store:
        assert store.load(page.key).key == page.key


# The command


def refused(capsys, *arguments: str) -> str:
    """Return why `spades table` does not start."""
    assert cli.main(["table", *arguments]) == cli.REFUSED
    return capsys.readouterr().err


def test_a_port_that_is_taken_is_said(capsys, folder):
    program = Program(folder)
    words = refused(capsys, "--port", str(program.port), "--data", str(folder))
    assert words == f"spades: Port {program.port} is already in use. Try --port 0.\n"
    program.kill()


def test_a_folder_has_one_server_until_that_ends(capsys, folder):
    """Two servers would overwrite each other's guests. A kill frees the folder."""
    program = Program(folder)
    words = refused(capsys, "--port", "0", "--data", str(folder))
    choices = "open its address, or choose another folder with --data DIR"
    assert words == f"spades: another server keeps its games in {folder}: {choices}\n"
    program.kill()
    program = Program(folder)
    program.kill()


def test_without_the_extra_one_sentence_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert refused(capsys) == "spades: the table in a browser needs uvicorn: pip install 'spades-env[play]'\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--also", "nobody"], "unknown agent 'nobody'"),
        (["--also", "oracle"], "oracle sees all cards"),
        (["--adviser", "oracle"], "oracle sees all cards"),
        (["--absent", "-1"], "--absent must be a number of seconds, 0 or more, not -1"),
        (["--absent", "nan"], "--absent must be a number of seconds"),
        (["--port", "-1"], "--port must be a whole number from 0 to 65535, not -1"),
        (["--port", "70000"], "--port must be a whole number from 0 to 65535, not 70000"),
        (["--host", "no such host"], "can't listen on no such host"),
    ],
)
def test_arguments_that_start_no_server(capsys, tmp_path, arguments, words):
    assert words in refused(capsys, "--data", str(tmp_path), *arguments)


def test_addresses_as_they_are_shown():
    assert [table_command._shown(host) for host in ("0.0.0.0", "", "::", "::1", "spades.lan")] == [
        "127.0.0.1",
        "127.0.0.1",
        "127.0.0.1",
        "[::1]",
        "spades.lan",
    ]
