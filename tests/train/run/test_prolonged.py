"""A run goes on with more iterations of its last stage, or with more stages; everything else is refused."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from spades_env.training.recipe import Recipe
from spades_env.training.run.checkpoints import RunError
from spades_env.training.run.folder import Run

FIRST, LAST = {"kind": "selfplay", "iterations": 2}, {"kind": "selfplay", "iterations": 4}


def recipe(*stages: dict, **changes) -> Recipe:
    return Recipe.of({"name": "short", "stage": list(stages or (FIRST, LAST))} | changes)


@pytest.fixture
def folder(tmp_path) -> Path:
    Run.begin(tmp_path / "run", recipe())
    return tmp_path / "run"


def history(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "config_history.jsonl").read_text().splitlines()]


def config(folder: Path) -> dict:
    return json.loads((folder / "config.json").read_text())


def test_more_hands_of_the_last_stage(folder):
    longer = recipe(FIRST, LAST | {"iterations": 9})
    Run.resume(folder, longer).adopt(6)
    assert config(folder) == json.loads(json.dumps(longer.as_dict()))
    assert history(folder) == [{"iterations": 6, "was": {"stage.1.iterations": 4}, "is": {"stage.1.iterations": 9}}]


def test_a_stage_more(folder):
    longer = recipe(FIRST, LAST, LAST | {"iterations": 3, "gae_lambda": 0.5})
    Run.resume(folder, longer).adopt(6)
    assert [stage["iterations"] for stage in config(folder)["stage"]] == [2, 4, 3]
    assert history(folder)[0]["was"] == {}
    assert history(folder)[0]["is"]["stage.2.gae_lambda"] == 0.5


def test_twice(folder):
    Run.resume(folder, recipe(FIRST, LAST | {"iterations": 5})).adopt(6)
    Run.resume(folder, recipe(FIRST, LAST | {"iterations": 6})).adopt(7)
    assert [(line["iterations"], line["is"]["stage.1.iterations"]) for line in history(folder)] == [(6, 5), (7, 6)]


def test_the_same_recipe_writes_nothing(folder):
    before = (folder / "config.json").read_bytes()
    Run.resume(folder, recipe()).adopt(6)
    assert (folder / "config.json").read_bytes() == before
    assert not (folder / "config_history.jsonl").exists()


def test_a_kill_between_the_two_files_leaves_one_line(folder):
    before = (folder / "config.json").read_bytes()
    longer = recipe(FIRST, LAST | {"iterations": 9})
    Run.resume(folder, longer).adopt(6)
    (folder / "config.json").write_bytes(before)
    Run.resume(folder, longer).adopt(6)
    assert len(history(folder)) == 1


@pytest.mark.parametrize(
    ("stages", "key"),
    [
        ((FIRST, LAST | {"iterations": 3}), "stage.1.iterations is 4, asked for is 3"),
        ((FIRST | {"iterations": 3}, LAST), "stage.0.iterations is 2, asked for is 3"),
        ((FIRST, LAST | {"gae_lambda": 0.5}), "stage.1.gae_lambda is 0.9, asked for is 0.5"),
        ((FIRST,), "asked for is not there"),
    ],
)
def test_anything_else_is_refused_and_nothing_is_written(folder, stages, key):
    before = (folder / "config.json").read_bytes()
    with pytest.raises(RunError, match=key) as error:
        Run.resume(folder, recipe(*stages))
    assert "more iterations of its last stage, more stages behind it, or other callbacks only" in str(error.value)
    assert (folder / "config.json").read_bytes() == before


def test_callbacks_may_change(folder):
    Run.resume(folder, recipe(callbacks=["mine:watch"])).adopt(2)
    assert history(folder) == [{"iterations": 2, "was": {"callbacks": []}, "is": {"callbacks": ["mine:watch"]}}]
