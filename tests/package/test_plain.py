"""Damaged TOML and JSON: wherever they are read, one sentence says what is wrong, and where."""

import json
from pathlib import Path

import pytest
from safetensors.numpy import load_file, save
from support.paths import ROOT

from spades_env import Rules, RulesError
from spades_env.agents.arena.ladder import LadderError, kept_pair, open_folder
from spades_env.agents.digest import sealed
from spades_env.agents.network.level import Level, LevelError
from spades_env.agents.roster import RosterError, read_roster
from spades_env.plain import DEEPEST, TOO_DEEP, PlainError, from_json, from_toml
from spades_env.play.commands.cli import main
from spades_env.play.server.requests.fields import RefusedError, read
from spades_env.training.data.dataset import MANIFEST, read_manifest
from spades_env.training.data.generate import PlanError
from spades_env.training.recipe import Recipe, RecipeError
from spades_env.training.run.folder import RunError, last_evaluations, read_recipe

DEEP = 3000
NESTED = "[" * DEEP + "]" * DEEP
DOTTED = ".".join("a" * DEEP) + " = 1"


@pytest.mark.parametrize("text", [NESTED, "[" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP, "[" * 80 + "]" * 80])
def test_nested_json_is_refused(text):
    with pytest.raises(PlainError):
        from_json(text)


@pytest.mark.parametrize("text", [f"a = {NESTED}", DOTTED, f"[{DOTTED.removesuffix(' = 1')}]", "a = " + "{a = " * DEEP])
def test_nested_toml_is_refused(text):
    with pytest.raises(PlainError):
        from_toml(text)


def test_nesting_up_to_the_limit_is_read():
    text = "[" * DEEPEST + "]" * DEEPEST
    assert json.dumps(from_json(text)) == text
    assert json.dumps(from_toml(f"a = {text[1:-1]}")["a"]) == text[1:-1]
    with pytest.raises(PlainError, match=f"^{TOO_DEEP}$"):
        from_json(f"[{text}]")


@pytest.mark.parametrize("text", ["", "{", b"\xff", "9" * 5000, "nothing"])
def test_other_faults_are_told(text):
    with pytest.raises(PlainError, match=r"."):
        from_json(text)
    with pytest.raises(PlainError, match=r"."):
        from_toml(b"a = " + text if isinstance(text, bytes) else f"a = {text}")


def test_errors_of_hooks_pass():
    def refuse(_):
        raise RulesError("no numbers here")

    with pytest.raises(RulesError, match="no numbers here"):
        from_json("[NaN]", parse_constant=refuse)


# All readers of files


@pytest.fixture(params=[f"a = {NESTED}", DOTTED, f"trumps = {NESTED}", f"a = {'9' * 5000}", "a ="])
def toml(request, tmp_path) -> Path:
    path = tmp_path / "odd.toml"
    path.write_text(request.param)
    return path


@pytest.fixture(params=[NESTED, '{"format": ' + NESTED + "}", "9" * 5000, "[]", "{", "", b"\xff\xfe"])
def content(request) -> bytes:
    """Return the content of a JSON file."""
    return request.param if isinstance(request.param, bytes) else request.param.encode()


def test_rules(toml):
    with pytest.raises(RulesError, match=f"{toml.name} is not TOML: "):
        Rules.load(toml)


def test_recipes(toml):
    with pytest.raises(RecipeError, match=f"{toml.name} is not TOML: "):
        Recipe.load(toml)


def test_a_roster(toml, tmp_path):
    with pytest.raises(RosterError, match=f"{toml.name} is not TOML: "):
        read_roster(toml, tmp_path / "nothing.json")


@pytest.mark.parametrize("command", [["rules"], ["train"]])
def test_commands_say_it_in_one_line(toml, command, capsys):
    assert main([*command, str(toml)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("spades: ")
    assert said.count("\n") == 1
    assert toml.name in said


@pytest.mark.parametrize(
    "change",
    [
        {"seed": NESTED},
        {f"pool.agents.{'.'.join('a' * DEEP)}": "1"},
        {"stage.0.kind": "[1]"},
        {"seed": "9" * 5000},
    ],
)
def test_changes_of_a_recipe(change):
    with pytest.raises(RecipeError):
        Recipe.load(ROOT / "configs" / "train" / "quick.toml", change)


def test_measured_figures_of_a_roster(content, tmp_path):
    (tmp_path / "roster.json").write_bytes(content)
    characters = tmp_path / "characters.toml"
    characters.write_text("")
    with pytest.raises(RosterError, match="must consist of"):
        read_roster(characters, tmp_path / "none.json")
    characters.write_text('[[character]]\nname = "Anna"\n')
    with pytest.raises(RosterError, match=r"roster\.json is damaged"):
        read_roster(characters, tmp_path / "roster.json")


def test_a_ladder(content, tmp_path):
    open_folder(tmp_path / "new", {})
    (tmp_path / "ladder.json").write_bytes(content)
    with pytest.raises(LadderError, match=r"ladder\.json cannot be read"):
        open_folder(tmp_path, {"games": 2})


def test_a_pairing_of_a_ladder(content, tmp_path, monkeypatch):
    monkeypatch.setattr("spades_env.agents.arena.ladder._path", lambda *_: tmp_path / "a-b.json")
    (tmp_path / "a-b.json").write_bytes(content)
    with pytest.raises(LadderError, match=r"a-b\.json cannot be read .*: remove it, and it will be played again"):
        kept_pair(tmp_path, ("a", "b"), 2)


def test_a_dataset(content, tmp_path):
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(PlanError, match=f"{MANIFEST} is damaged"):
        read_manifest(tmp_path)


def test_the_recipe_of_a_run(content, tmp_path):
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(RunError, match=r"config\.json is not a recipe"):
        read_recipe(tmp_path)


def test_lines_of_metrics_that_cannot_be_read_are_passed_over(tmp_path):
    good = json.dumps({"iteration": 3, "evaluation": "rule", "wins/rule": 0.5, "points/rule": 1.0, "ci": [0.4, 0.6]})
    odd = [NESTED, '{"iteration": ' + NESTED + "}", '{"iteration"']
    (tmp_path / "metrics.jsonl").write_text("\n".join([odd[0], good, *odd[1:]]))
    assert last_evaluations(tmp_path, 5) == {"rule": json.loads(good)}


def test_metadata_of_a_level(tmp_path):
    path = ROOT / "agents" / "levels" / "zofia.safetensors"
    metadata = Level.read(path).metadata | {"ratings": NESTED}
    (tmp_path / "odd.safetensors").write_bytes(sealed(save(load_file(path), metadata)))
    with pytest.raises(LevelError, match="ratings"):
        Level.read(tmp_path / "odd.safetensors")


@pytest.mark.parametrize("text", [NESTED, '{"id": 1, "do": ' + NESTED + "}", '{"id": ' + "9" * 5000 + "}"])
def test_messages_to_the_server(text):
    with pytest.raises(RefusedError, match="A message is one object in JSON"):
        read(text, 100_000)
