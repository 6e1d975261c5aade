"""The wheel alone in an empty environment: a game, a level, the command, the table in a browser.

`make test-install` runs it with every Python from 3.11 to 3.13 that is here. It takes minutes and an index of packages,
so that elsewhere it is skipped; test_wheel.py looks into the same wheel in seconds.
"""

import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from support.paths import ROOT

if os.environ.get("SPADES_INSTALL_TESTS") != "1":
    pytest.skip("environments are installed by make test-install", allow_module_level=True)
pytestmark = pytest.mark.timeout(3600)  # each makes environments of its own


VERSIONS = ("3.11", "3.12", "3.13")
SESSION = """
import sys, random
import spades_env
from spades_env import agents
from spades_env import Game
assert "site-packages" in spades_env.__file__, spades_env.__file__
assert not {"torch", "starlette", "textual", "pyarrow"} & set(sys.modules)
game = Game("showdown target=off max_hands=1", seed=3)
rule, level = agents.load("rule"), agents.load("standard")
while not game.over:
    game.apply((rule if game.turn % 2 else level).act(game.view(game.turn)))
assert Game.replay(game.record()).record() == game.record()
print("played", spades_env.__version__)
"""


def interpreter(version: str) -> str | None:
    """A Python of this version: the one that runs, one on the path, or one of pyenv."""
    if sys.version.startswith(f"{version}."):
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    kept = [str(path) for path in sorted(pyenv.glob(f"{version}.*/bin/python{version}"), reverse=True)]
    for found in [*kept, shutil.which(f"python{version}")]:
        if found and subprocess.run([found, "-c", ""], capture_output=True).returncode == 0:
            return found
    return None


@pytest.fixture(scope="module", params=VERSIONS)
def python(request, wheel, tmp_path_factory) -> Path:
    """An environment in which there is the wheel, and what it asks for."""
    found = interpreter(request.param)
    if not found:
        pytest.skip(f"there is no Python {request.param} here")
    folder = tmp_path_factory.mktemp(f"python{request.param}")
    run(found, "-m", "venv", str(folder))
    python = folder / "bin" / "python"
    pip(python, str(wheel))
    return python


def run(*command: str, cwd: Path | None = None) -> str:
    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=outside)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip(python: Path, *what: str) -> None:
    constraints = str(ROOT / "constraints.txt")
    run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", constraints, *what)


def test_the_core_plays(python, tmp_path):
    """Neither torch nor a web stack is there, and none is missed."""
    listed = run(str(python), "-m", "pip", "list", "--format", "freeze").lower()
    assert not [name for name in ("torch", "starlette", "uvicorn", "textual", "pyarrow") if f"{name}==" in listed]
    assert run(str(python), "-c", SESSION, cwd=tmp_path).startswith("played ")


def test_the_command_works(python, tmp_path):
    spades = str(python.with_name("spades"))
    assert "arena" in run(spades, "--help", cwd=tmp_path)
    assert "showdown" in run(spades, "rules", cwd=tmp_path)
    assert '"games": 2' in run(spades, "arena", "rule", "random", "--games", "2", "--json", cwd=tmp_path)


def test_the_table_opens(python, wheel, tmp_path):
    """With the extra for it."""
    pip(python, f"{wheel}[play]")
    words = ["table", "--no-browser", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen([str(python.with_name("spades")), *words], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            address = process.stdout.readline().split()[-1]
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())  # the key becomes a cookie
            with browser.open(address, timeout=60) as page:
                assert page.status == 200
                assert b"app.js" in page.read()
        finally:
            process.terminate()


@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_a_package_named_agents_lives_beside_it(wheel, tmp_path, first):
    """`openai-agents` installs `agents` as its import name: neither package touches the other's files."""
    run(sys.executable, "-m", "venv", str(tmp_path / "both"))
    python = tmp_path / "both" / "bin" / "python"
    both = [str(wheel), "openai-agents"]
    for one in both if first == "ours" else reversed(both):
        pip(python, one)
    theirs = "import agents; print(agents.Runner.__module__)"
    assert run(str(python), "-c", theirs, cwd=tmp_path).startswith("agents.")
    assert run(str(python), "-c", SESSION, cwd=tmp_path).startswith("played ")
    run(str(python), "-m", "pip", "uninstall", "--yes", "openai-agents")
    assert run(str(python), "-c", SESSION, cwd=tmp_path).startswith("played ")
