"""What a run says of where it comes from: the code, the libraries, the command, and the files that its recipe names."""

import hashlib
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

pytest.importorskip("torch")

from support.train import own_code

from spades_env._version import __version__
from spades_env.training.recipe import Recipe, named_in
from spades_env.training.run import provenance as told
from spades_env.training.run.provenance import note_start, provenance

OWN = "support.train.own_code"
STAGES = [{"kind": f"{OWN}:Stage"}, {"kind": "selfplay", "iterations": 1, "loss": f"{OWN}:reinforce"}]
RECIPE = Recipe.of({"network": {"kind": f"{OWN}:Net"}, "stage": STAGES, "evaluate": {"against": ["standard"]}})


def sha256(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def test_a_line_for_each_start(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/somewhere/spades", "train", "my own.toml"])
    note_start(tmp_path / "run", 0, RECIPE.as_dict(), named_in(RECIPE))
    note_start(tmp_path / "run", 5, RECIPE.as_dict())
    first, second = map(json.loads, (tmp_path / "run" / "provenance.jsonl").read_text().splitlines())
    assert (first["iterations"], second["iterations"]) == (0, 5)
    assert first["command"] == "spades train 'my own.toml'"
    assert first["version"] == __version__
    assert {name: first[name] for name in ("torch", "numba", "numpy")} == {
        name: version(name) for name in ("torch", "numba", "numpy")
    }
    assert first["recipe"] == second["recipe"] == sha256(json.dumps(RECIPE.as_dict(), sort_keys=True).encode())


def test_files_behind_what_a_recipe_names():
    digest = sha256(Path(own_code.__file__).read_bytes())
    files = provenance({}, named_in(RECIPE))["files"]
    assert {name: files[name] for name in files if name != "standard"} == {
        f"{OWN}:{name}": digest for name in ("Net", "Stage", "reinforce")
    }
    assert files["standard"].startswith("sha256:")


def test_the_commit_and_whether_files_differ_from_it(tmp_path, monkeypatch):
    package = tmp_path / "package"
    monkeypatch.setattr(told, "PACKAGE", package)
    assert {name: provenance({})[name] for name in ("commit", "dirty")} == {"commit": None, "dirty": None}
    package.mkdir()
    (package / "file").write_text("first")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        who = ["-c", "user.name=x", "-c", "user.email=x@example.invalid"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *words], check=True)
    clean = provenance({})
    assert (len(clean["commit"]), clean["dirty"]) == (40, False)
    (package / "file").write_text("second")
    assert provenance({})["commit"] == clean["commit"]
    assert provenance({})["dirty"]
