"""Training recipes: what a file says, what may be changed, and what is refused in one clear sentence."""

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT

from spades_env.training.recipe import PoolShares, Recipe, RecipeError, SelfPlay, kind_of
from spades_env.training.recipe.keys import read_section

SHIPPED = sorted((ROOT / "configs" / "train").glob("*.toml"))
SMALL = """
tables = 32

[network]
width = 64

[rules]
main = "match"
main_share = 1

[[stage]]
kind = "selfplay"
iterations = 3

[[stage]]
kind = "selfplay"
iterations = 5
width = 96
gae_lambda = 1
"""


@pytest.fixture
def small(tmp_path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


def refusal(tmp_path, text: str, changes: dict[str, str] | None = None) -> str:
    """The sentence in which a recipe is refused."""
    path = tmp_path / "refused.toml"
    path.write_text(text)
    with pytest.raises(RecipeError) as error:
        Recipe.load(path, changes)
    assert "\n" not in str(error.value)
    return str(error.value)


@dataclass
class OwnStage:
    """What the fields of a stage of somebody's own may be."""

    layers: tuple[int, ...] = (256, 256)
    options: dict[str, float] = field(default_factory=lambda: {"beta": 3.0})
    stop_at: float | None = None


# What a file says


def test_fields_of_a_stage_of_your_own_can_be_read_again():
    stage = OwnStage((128, 64), {"beta": 7.0}, stop_at=0.9)
    assert read_section(OwnStage, json.loads(json.dumps(asdict(stage))), "stage.0.") == stage
    with pytest.raises(RecipeError, match=r"stage\.0\.layers must be a list of int, not "):
        read_section(OwnStage, {"layers": ["wide"]}, "stage.0.")


def test_a_file(small):
    recipe = Recipe.load(small)
    assert (recipe.name, recipe.tables, recipe.network.width) == ("small", 32, 64)
    assert [kind_of(stage) for stage in recipe.stage] == ["selfplay", "selfplay"]
    assert (recipe.rules.main_share, recipe.rules.main) == (1.0, "match")
    assert recipe.stage[1] == SelfPlay(iterations=5, width=96, gae_lambda=1.0)


def test_what_a_file_leaves_out(small):
    recipe = Recipe.load(small)
    assert recipe.stage[0] == SelfPlay(iterations=3)
    assert recipe.pool == PoolShares()
    for key in fields(Recipe):
        if key.name not in ("name", "tables", "network", "rules", "stage"):
            assert getattr(recipe, key.name) == getattr(Recipe(), key.name)


def test_as_a_dict_it_says_everything(small):
    recipe = Recipe.load(small, {"pool.agents.rule": "0.25", "evaluate.against": '["bis", "rb"]'})
    table = json.loads(json.dumps(recipe.as_dict()))
    assert Recipe.of(table) == recipe
    assert set(table) == {field.name for field in fields(Recipe)}
    assert table["stage"][1]["kind"] == "selfplay"


def test_moments(small):
    recipe = Recipe.load(small)
    first, second = recipe.stage
    moments = list(recipe.moments())
    assert recipe.iterations == len(moments) == 8
    assert [number for number, _, _ in moments] == list(range(8))
    assert [stage for _, stage, _ in moments] == [first] * 3 + [second] * 5
    assert [done for _, _, done in moments[3:]] == [0, 0.2, 0.4, 0.6, 0.8]
    assert list(recipe.moments(5)) == moments[5:]
    assert not list(recipe.moments(8))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_what_we_ship_can_be_followed(path):
    recipe = Recipe.load(path)
    assert recipe.name == path.stem
    assert recipe.iterations
    assert Recipe.of(json.loads(json.dumps(recipe.as_dict()))) == recipe  # what a run's folder keeps


def test_networks_widen_with_the_stages(small):
    recipe = Recipe.load(small)
    assert [recipe.widths_in(stage) for stage in recipe.stage] == [(64, 64), (96, 64)]
    assert [recipe.stage_before(iterations) for iterations in (0, 3, 4, 8, 9)] == [
        recipe.stage[i] for i in (0, 0, 1, 1, 1)
    ]


# Changes


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("seed", "7", 7),
        ("name", "other", "other"),
        ("name", '"5"', "5"),
        ("about", "plays as it learned", "plays as it learned"),
        ("network.width", "16", 16),
        ("network.bfloat16", "false", False),
        ("stage.1.iterations", "50", 50),
        ("stage.0.points_only", "true", True),
        ("stage.1.learning_rate", "1e-5", 1e-5),
        ("stage.1.trick_weight", "0", 0.0),
        ("pool.past", "0", 0.0),
        ("pool.agents", '{ rule = 0.5, "bis" = 0.25 }', {"rule": 0.5, "bis": 0.25}),
        ("pool.agents.rule", "0.1", 0.1),
        ("evaluate.against", '["bis"]', ("bis",)),
        ("evaluate.every", "0", 0),
        ("rules.main", "solo", "solo"),
    ],
)
def test_changes(small, key, text, value):
    found: Any = Recipe.load(small, {key: text})
    for step in key.split("."):
        found = (
            found[int(step)] if step.isdecimal() else found[step] if isinstance(found, dict) else getattr(found, step)
        )
    assert found == value
    assert type(found) is type(value)


def test_other_keys_stay_as_they_are(small):
    before, after = Recipe.load(small).as_dict(), Recipe.load(small, {"stage.1.iterations": "50"}).as_dict()
    after["stage"][1]["iterations"] = 5
    assert before == after


# Refusals


@pytest.mark.parametrize(
    ("key", "text", "parts"),
    [
        ("tabels", "3", ["unknown key tabels (did you mean 'tables'?); expected one of "]),
        ("xyz", "3", ["unknown key xyz; expected one of ", "tables", "checkpoint"]),
        ("network.with", "3", ["network.with", "width", "suit_width"]),
        ("stage.1.noise", "0.1", ["stage.1.noise", "gae_lambda"]),
        ("tables", "many", ["tables", "int", "'many'"]),
        ("tables", "2.5", ["tables", "int", "2.5"]),
        ("tables", "true", ["tables", "int", "True"]),
        ("name", "5", ["name", "str", "5"]),
        ("network.bfloat16", "1", ["network.bfloat16", "bool"]),
        ("network", "5", ["network must be a section"]),
        ("stage.0.learning_rate", "fast", ["stage.0.learning_rate", "float"]),
        ("tables", "0", ["tables must be more than 0", "0"]),
        ("seed", "-1", ["seed must be at least 0", "-1"]),
        ("checkpoint", "0", ["checkpoint must be more than 0"]),
        ("stage.1.iterations", "-5", ["stage.1.iterations", "more than 0", "-5"]),
        ("stage.1.gae_lambda", "1.5", ["stage.1.gae_lambda must be at most 1", "1.5"]),
        ("stage.0.trick_weight", "-0.5", ["stage.0.trick_weight must be at least 0"]),
        ("stage.0.temperature", "0", ["stage.0.temperature must be more than 0"]),
        ("stage.0.keep", "0", ["stage.0.keep must be more than 0"]),
        ("stage.0.learning_rate", "nan", ["stage.0.learning_rate", "nan"]),
        ("stage.0.learning_rate", "inf", ["stage.0.learning_rate", "inf"]),
        ("stage.0.kind", "sleep", ["stage.0.kind must be one of selfplay, or MODULE:NAME", "'sleep'"]),
        ("stage", "5", ["[[stage]]"]),
        ("stage", "[5]", ["stage.0", "[[stage]]", "5"]),
        ("stage", "[]", ["[[stage]]", "nothing to learn"]),
        ("stage.0.width", "-5", ["stage.0.width must be at least 0"]),
        ("stage.1.width", "32", ["stage.1 asks for networks (32, 64) wide", "(64, 64) before it: they only widen"]),
        ("network.kind", "mine:Net", ["stage.1.width and suit_width are for network.kind = 'suits'"]),
        ("rules.main", "clasic", ["rules.main", "classic"]),
        ("rules.main_share", "2", ["rules.main_share must be at most 1"]),
        ("rules.also", "{ solo = 0.4, suicide = 0.2 }", ["the shares in [rules] add up to more than 1"]),
        ("rules.also", "{ match = 0.4 }", ["rules.also names rules.main", "rules.main_share"]),
        ("rules.also", "{ sulo = 0.4 }", ["rules.also", "sulo"]),
        ("rules.also.solo", "-1", ["rules.also", "a share from 0 to 1"]),
        ("seed", str(2**64), ["seed must be at most 18446744073709551615"]),
        ("pool.every", "0", ["pool.every must be more than 0"]),
        ("pool.agents", "5", ["pool.agents", "a share from 0 to 1"]),
        ("pool.agents.rule", "1.5", ["pool.agents", "a share from 0 to 1"]),
        ("pool", "{ agents = { rule = 0.9 }, past = 0.2 }", ["[pool]", "more than 1"]),
        ("pool.agents.golf", "0.1", ["the recipe names an agent that cannot be loaded", "golf", "rule"]),
        ("pool.agents.oracle", "0.1", ["oracle", "sees all cards"]),
        ("evaluate.against", '["golf"]', ["golf", "agent", "rule"]),
        ("evaluate.against", "rule", ["evaluate.against", "a list of strings", "'rule'"]),
        ("evaluate.against", '["oracle"]', ["oracle", "sees all cards"]),
        ("evaluate.games", "7", ["evaluate.games", "an even number from 4 up", "7"]),
        ("evaluate.games", "2", ["evaluate.games", "an even number from 4 up", "2"]),
        ("stage.9.iterations", "5", ["stage.9.iterations names no place"]),
        ("stage.x.iterations", "5", ["stage.x.iterations names no place"]),
        ("stage.x", "5", ["stage.x names no place"]),
        ("tables.x", "5", ["tables.x names no place"]),
        ("tables.x.y", "5", ["tables.x.y names no place"]),
    ],
)
def test_refusals(tmp_path, key, text, parts):
    message = refusal(tmp_path, SMALL, {key: text})
    assert [part for part in parts if part not in message] == [], message


def test_no_stage(tmp_path):
    assert "no [[stage]]" in refusal(tmp_path, "tables = 3\n")


@pytest.mark.parametrize("text", ["tables = = 3\n", "[[stage]\n", "\x00"])
def test_not_toml(tmp_path, text):
    message = refusal(tmp_path, text)
    assert "refused.toml is not TOML" in message


def test_no_file(tmp_path):
    with pytest.raises(RecipeError, match=r"cannot read the recipe .*nowhere.toml: No such file"):
        Recipe.load(tmp_path / "nowhere.toml")


@pytest.mark.parametrize("shares", [(0.24, 0.16, 0.46, 0.03, 0.11), (0.1, 0.2, 0.3, 0.2, 0.2)])
def test_shares_may_fill_all_tables(small, shares):
    """Whatever floats make of the sum."""
    *named, past = map(str, shares)
    changes = {f"pool.agents.{name}": share for name, share in zip(("rule", "bis", "rb", "random"), named, strict=True)}
    assert Recipe.load(small, changes | {"pool.past": past}).pool.past == shares[-1]
