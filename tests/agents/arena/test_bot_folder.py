"""An entry's folder: what its entry.toml must say, and how its program runs apart."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from support.paths import ROOT

from spades_env._jit import JIT_ON
from spades_env.agents import arena
from spades_env.agents.arena import benchmark, entry
from spades_env.agents.arena.entries import isolation
from spades_env.agents.arena.entries.bot_folder import BotFolder
from spades_env.agents.arena.entry import EntryError
from spades_env.agents.base import Agent, AgentError
from spades_env.play.commands.cli import main

pytestmark = pytest.mark.skipif(not JIT_ON, reason="vectors need the compiler")
TOML = """name = "Noting"
command = "python3 bot.py"
track = "raw"
compute = "nothing trained"
authors = ["A. Player"]
licence = "MIT"
"""
BOT = """import json, os, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        with open(f"seats-{os.getpid()}", "a") as file:
            file.write(str(message["view"]["seat"]))
        print(json.dumps({"action": message["view"]["legal_actions"][0]}), flush=True)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "entry.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    return tmp_path


def loaded(bot: BotFolder, way: str | None = None) -> Agent:
    """Load a bot, and forget what it wrote when it was tried."""
    agent = bot.load(way)
    for path in bot.path.glob("seats-*"):
        path.unlink()
    return agent


def test_a_bot_is_read_and_runs_in_its_folder(folder):
    bot = BotFolder.read(folder)
    assert (bot.string, bot.seen, bot.about["licence"]) == ("cmd:python3 bot.py", [], "MIT")
    assert set(bot.digests()) == {"entry.toml", "bot.py"}
    agent = loaded(bot)
    result = arena.play(agent, "random", games=2, jobs=1)
    agent.close()
    assert sum(result.counted[0].values()) == 0
    assert len(list(folder.glob("seats-*"))) == 1


def test_apart_each_process_sees_one_seat(folder):
    agent = loaded(BotFolder.read(folder), isolation.NONE)
    result = arena.play(agent, "random", games=2, jobs=1)
    agent.close()
    assert sum(result.counted[0].values()) == 0
    seen = [set(path.read_text(encoding="utf-8")) for path in folder.glob("seats-*")]
    assert sorted(seen, key=min) == [{"0"}, {"1"}, {"2"}, {"3"}]


def test_apart_or_not_a_bot_plays_the_same(tmp_path):
    bot = BotFolder.read(ROOT / "entries" / "counter")
    together, apart = bot.load(), bot.load(isolation.NONE)
    rows = [arena.play(agent, "rb", benchmark.RULES, games=2, jobs=1).rows for agent in (together, apart)]
    assert (rows[0] == rows[1]).all()
    together.close()
    apart.close()


@pytest.mark.parametrize(
    ("body", "seconds", "why"), [("import nothing", "10", "exit status 1"), ("while True: pass", "0.1", "read line by")]
)
def test_a_bot_that_never_answers_gets_no_score(folder, body, seconds, why, monkeypatch, capsys):
    monkeypatch.setenv("SPADES_BOT_SECONDS", seconds)
    (folder / "bot.py").write_text(body, encoding="utf-8")
    assert main(["benchmark", str(folder), "--games", "2", "--jobs", "1", "--out"]) == 2
    said = capsys.readouterr().err
    assert "cmd:python3 bot.py gives no answer: " in said
    assert why in said
    assert not (folder / "results.json").exists()


LOOK = """import os, socket, sys
print(os.listdir("."), os.path.exists(sys.argv[1]), sorted(os.environ))
try:
    socket.create_connection(("127.0.0.1", 9), 1)
except OSError as error:
    print(error.strerror)
try:
    open("new", "w")
except OSError as error:
    print(error.strerror)
"""


def works(words: list[str]) -> bool:
    return bool(shutil.which(words[0])) and subprocess.run(words, capture_output=True).returncode == 0


def test_under_bubblewrap_there_is_no_network_and_no_file_but_its_own(tmp_path):
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "look.py").write_text(LOOK, encoding="utf-8")
    (tmp_path / "secret").write_text("x", encoding="utf-8")
    words = isolation.words(isolation.BWRAP, ["python3"], tmp_path / "bot")
    if not works([*words, "-c", "0"]):
        pytest.skip("bubblewrap is missing, or may not make namespaces here")
    done = subprocess.run([*words, "look.py", str(tmp_path / "secret")], capture_output=True, text=True, check=True)
    seen, network, writing = done.stdout.splitlines()
    assert seen.startswith("['look.py'] False")
    assert "HOME" not in seen
    assert network in ("Network is unreachable", "Connection refused")  # its own loopback
    assert writing == "Read-only file system"


@pytest.mark.skipif(not Path("/etc/alternatives/awk").exists(), reason="awk is no alternative of Debian's here")
def test_bubblewrap_follows_the_links_of_debian_to_programs(tmp_path):
    words = isolation.words(isolation.BWRAP, ["awk", 'BEGIN { print "found" }'], tmp_path)
    assert "/etc/alternatives" in words
    if not works(isolation.words(isolation.BWRAP, ["python3", "-c", "0"], tmp_path)):
        pytest.skip("bubblewrap is missing, or may not make namespaces here")
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "found\n"


def test_podman_runs_the_command_in_the_image_without_a_network(tmp_path):
    words = isolation.words(isolation.PODMAN, ["python3", "bot.py"], tmp_path, "some/image:1")
    assert words[:2] == ["podman", "run"]
    assert words[-3:] == ["some/image:1", "python3", "bot.py"]
    assert {"none", "--read-only", f"{tmp_path.resolve()}:/bot:ro"} < set(words)


PODMAN = """#!/bin/sh
echo "$@" >> "$0.log"
[ "$1" = pull ] && { echo "first" >&2; echo "no such image" >&2; }
exit 125
"""


def test_an_image_is_pulled_before_the_first_question(folder, monkeypatch):
    podman = folder / "podman"
    podman.write_text(PODMAN, encoding="utf-8")
    podman.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    (folder / "entry.toml").write_text(f'{TOML}image = "some/image:1"', encoding="utf-8")
    with pytest.raises(AgentError, match="the image some/image:1 cannot be pulled: no such image"):
        BotFolder.read(folder).load(isolation.PODMAN)
    called = Path(f"{podman}.log").read_text(encoding="utf-8").splitlines()
    assert called == ["image exists some/image:1", "pull --quiet some/image:1"]


def test_an_isolation_that_cannot_be_is_refused(monkeypatch):
    with pytest.raises(AgentError, match=r"podman needs an image, and entry\.toml names none; expected bwrap or none"):
        isolation.way_for(None, "podman")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(AgentError, match="there is no program bwrap to isolate the bot: install it, or trust the bot"):
        isolation.way_for(None, None)
    with pytest.raises(AgentError, match="there is no program podman"):
        isolation.way_for("image", None)
    assert isolation.way_for(None, "none") == "none"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "Noting"\n', "", "name is missing: it must be a line of 1 to 60 characters"),
        ('"raw"', '"fast"', "track must be one of raw, computed, search"),
        ("licence", "license", "unknown field license; expected name"),
        ('command = "python3 bot.py"\n', "", "it must have either command or agent"),
        (
            'command = "python3 bot.py"',
            'agent = "mine:policy"',
            "agent must name one of our agents or a file",
        ),
        ('["A. Player"]', '"A. Player"', "authors must be a list of lines"),
        ('"MIT"', "MIT", "is not TOML"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(folder, old, new, words):
    (folder / "entry.toml").write_text(TOML.replace(old, new), encoding="utf-8")
    with pytest.raises(EntryError, match=r"entry\.toml") as error:
        BotFolder.read(folder)
    assert words in str(error.value)


def test_a_file_in_the_folder_can_be_the_agent(folder):
    text = TOML.replace('command = "python3 bot.py"', 'agent = "{folder}/net.safetensors"')
    (folder / "entry.toml").write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "agents" / "levels" / "milly.safetensors", folder / "net.safetensors")
    agent = BotFolder.read(folder).load()
    assert agent.name == "{folder}/net.safetensors"
    assert agent.loaded_as == (f"{folder}/net.safetensors", 0)


def test_all_that_decides_its_play_has_a_digest(folder):
    text = TOML.replace('command = "python3 bot.py"', 'agent = "zofia"')
    (folder / "entry.toml").write_text(text, encoding="utf-8")
    assert {"entry.toml", "zofia.safetensors", "beliefs.safetensors"} < set(BotFolder.read(folder).digests())
    (folder / "sub").mkdir()
    (folder / "sub" / "results.json").write_text("weights", encoding="utf-8")
    assert "sub/results.json" in BotFolder.read(folder).digests()
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "bot.py").write_text(BOT, encoding="utf-8")
    with pytest.raises(EntryError, match="compiled code, which nobody can read: remove __pycache__"):
        BotFolder.read(folder).digests()


def test_results_of_another_bot_are_refused(folder):
    shutil.copy(ROOT / "entries" / "counter" / "results.json", folder)
    with pytest.raises(EntryError, match=r"name is 'counter', but .*entry\.toml says 'Noting'"):
        BotFolder.read(folder).read_results()


def test_the_command_takes_from_the_folder_what_an_entry_needs(folder, monkeypatch, capsys):
    monkeypatch.setattr(benchmark, "PANEL", ("rb", "club"))
    monkeypatch.setattr(benchmark, "HELD_OUT", ("club",))
    (folder / "bot.py").write_text(f"import own\n{BOT}", encoding="utf-8")
    (folder / "own.py").touch()
    before = BotFolder.read(folder).digests()
    assert main(["benchmark", str(folder), "--games", "2", "--jobs", "1", "--beside", "--out"]) == 0
    assert "against a pair of rule, beside" in capsys.readouterr().out
    found = entry.read_entry(folder / "results.json")
    assert (found["name"], found["agent"], found["track"]) == ("Noting", "cmd:python3 bot.py", "raw")
    assert found["files"] == before
    assert not (folder / "__pycache__").exists()
    assert list(found["beside"]["with"]) == ["rb", "club"]
    assert main(["benchmark", str(folder), "--track", "raw"]) == 2
    assert "entry.toml says track: leave out --track" in capsys.readouterr().err
