"""The wheel holds all that is needed at run time, and works from any directory."""

import os
import subprocess
import sys
import zipfile

from support.paths import ROOT

SESSION = """
import random, spades_env
from spades_env import Game, Rules
assert "unpacked" in spades_env.__file__, spades_env.__file__
assert {"classic", "house", "pagat", "solo"} <= set(Rules.presets())
game = Game("showdown", seed=3)
for _ in range(60):
    game.apply(random.choice(game.legal_actions()))
assert Game.replay(game.record()).record() == game.record()
from spades_env import agents
for bot in ("rule", "standard", "zofia"):  # with their tables and levels; to compile them takes a minute
    agents.load(bot)
print("played")
"""


def test_the_wheel_holds_the_package_and_the_configs(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    package = [path for path in (ROOT / "spades_env").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    data = [
        *(ROOT / "configs").rglob("*.toml"),
        *(ROOT / "agents/levels").iterdir(),
        *(ROOT / "agents/fitted").iterdir(),
        *(ROOT / "agents/beliefs").iterdir(),
        *(ROOT / "agents").glob("*.*"),
    ]
    expected = {path.relative_to(ROOT).as_posix() for path in package}
    expected |= {f"spades_env/data/{path.relative_to(ROOT).as_posix()}" for path in data}
    assert {name for name in names if ".dist-info/" not in name} == expected


def test_the_wheel_has_one_import_name(wheel):
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"spades_env"}


def test_the_wheel_plays_from_any_directory(wheel, tmp_path):
    unpacked = tmp_path / "unpacked"
    zipfile.ZipFile(wheel).extractall(unpacked)
    environment = os.environ | {"PYTHONPATH": str(unpacked)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", SESSION], capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "played"


def test_the_package_needs_only_the_core(wheel):
    name = next(name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("METADATA"))
    metadata = zipfile.ZipFile(wheel).read(name).decode()
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert sorted(line.split()[1].split(">")[0].split("<")[0] for line in needed) == [
        "gymnasium",
        "numba",
        "numpy",
        "pettingzoo",
        "safetensors",
    ]
