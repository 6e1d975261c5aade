"""From what learns to what plays, and back."""

import json

import numpy as np
import pytest
from support.strategies import scaled

torch = pytest.importorskip("torch")

from support.agents.levels import random_level  # noqa: E402

from spades_env import SpadesVectorEnv  # noqa: E402
from spades_env.agents.base import Batch  # noqa: E402
from spades_env.agents.network.forward import think  # noqa: E402
from spades_env.agents.network.level import Level  # noqa: E402
from spades_env.agents.network.player import masks, sights  # noqa: E402
from spades_env.agents.roster import LEVELS  # noqa: E402
from spades_env.training.export import export, level_of, load_network  # noqa: E402
from spades_env.training.learner import Learner  # noqa: E402
from spades_env.training.nets import Policy, level_tensors, policy_from  # noqa: E402
from spades_env.training.recipe import Recipe  # noqa: E402
from spades_env.training.rewards import GUESS  # noqa: E402
from spades_env.training.run.checkpoints import MARKS, RunError  # noqa: E402
from spades_env.training.run.folder import Run  # noqa: E402

STAGES = [{"kind": "selfplay", "iterations": 4}, {"kind": "selfplay", "iterations": 2, "width": 24}]
RECIPE = {"name": "tiny", "stage": STAGES, "network": {"width": 16, "suit_width": 8, "bfloat16": False}}


def tiny(**changes) -> Recipe:
    """A recipe that nobody follows."""
    return Recipe.of(RECIPE | changes)


@pytest.fixture(scope="module")
def lively() -> Policy:
    """A policy whose numbers are as large as learned ones."""
    return policy_from(random_level(1, 32, 24).tensors)


@pytest.fixture(scope="module")
def positions() -> Batch:
    """Positions of all kinds."""
    env = SpadesVectorEnv(scaled(200), ["match", "solo", "match trumps=nyc", "house"] * scaled(50), start="situations")
    env.reset(seed=1)
    for _ in range(20):
        env.step(env.random_actions())
    return Batch.at(env)


def test_in_half_precision_it_chooses_nearly_the_same(lively, positions, tmp_path):
    level = level_of(lively, tiny(), {})
    level.write(tmp_path / "half.safetensors", half=True)
    mask = masks(positions).astype(bool)
    whole, half = (think(one.network, sights(positions)) for one in (level, Level.read(tmp_path / "half.safetensors")))
    assert np.abs(whole - half).max() < 0.01 * np.abs(whole).max()
    assert (np.where(mask, whole, -np.inf).argmax(1) == np.where(mask, half, -np.inf).argmax(1)).mean() > 0.98


def test_what_the_level_says(lively):
    level = level_of(lively, tiny(about="as it learned"), {"iterations": 3}, "bold", "")
    assert (level.name, level.style, level.trained) == ("bold", "as it learned", {"iterations": 3})
    assert level.widths == (32, 24)
    assert level.rules == str(tiny().rules)
    assert level.ratings == {}
    assert level_of(lively, tiny(), {}).name == "tiny"


def test_a_policy_can_go_on_from_a_level(lively):
    again = policy_from(level_tensors(lively))
    for name, tensor in lively.state_dict().items():
        assert torch.allclose(again.state_dict()[name], tensor, rtol=1e-5)


# What a run tells of its level


def evaluation(name: str, won: float) -> dict:
    """A line of the metrics, as the trainer writes it."""
    return {"evaluation": name, f"wins/{name}": won, "ci": [won - 0.05, won + 0.05], f"points/{name}": 12.345}


@pytest.fixture
def run(tmp_path) -> Run:
    """Six iterations, measured after two, four and six; against `bis` only once; checkpoints after four and five."""
    pytest.importorskip("tensorboard")
    recipe = tiny(evaluate={"against": ["rule", "bis"], "games": 40})
    run = Run.begin(tmp_path / "run", recipe)
    for number, lines in enumerate([[], [("rule", 0.4), ("bis", 0.7)], [], [("rule", 0.55)], [], [("rule", 0.6)]]):
        run.log(number, {"stage": "selfplay"}, number)
        for name, won in lines:
            run.log(number, evaluation(name, won), number)
    learner = Learner(recipe.network, torch.device("cpu"), 0)
    assert isinstance(learner.policy, Policy)
    torch.nn.init.zeros_(learner.policy.bids.weight)  # what is exported is the average
    for iterations in (4, 5):
        learner.widen(*recipe.widths_in(recipe.stage_before(iterations)))
        run.save(
            iterations, learner.tensors(), {"decisions": 10 * iterations, "seconds": 1.0, "winning": GUESS._asdict()}
        )
    run.close()
    return run


def test_an_exported_level_tells_how_its_run_last_went(run):
    """Up to the checkpoint: what came later was another policy."""
    rating = {"ci": [0.5, 0.6], "won": 0.55, "points": 12.35, "games": 40, "iterations": 4}
    level = export(run.folder, "bold", "")
    assert level.trained["iterations"] == 5
    assert level.ratings["rule"] == rating
    assert level.ratings["bis"] == rating | {"ci": [0.65, 0.75], "won": 0.7, "iterations": 2}
    assert export(run.folder / "checkpoints" / "000004.safetensors", "", "").ratings == level.ratings


def test_a_level_has_the_averaged_weights_as_wide_as_they_were(run):
    """The run widened after its fourth iteration."""
    levels = [export(run.folder / "checkpoints" / f"00000{iterations}.safetensors", "", "") for iterations in (4, 5)]
    assert [level.widths for level in levels] == [(16, 8), (24, 8)]
    assert all(level.tensors["bids.weight"].any() for level in levels)
    network = load_network(run.folder)
    assert not network.training
    for name, tensor in policy_from(levels[1].tensors).state_dict().items():
        assert torch.allclose(network.state_dict()[name], tensor, rtol=1e-5)


def test_a_checkpoint_of_another_layout_is_refused(run, monkeypatch):
    """Else its level would claim to have been trained on the present one."""
    for name in ("layout", "rows", "env"):
        monkeypatch.setitem(MARKS, name, "another")
        with pytest.raises(RunError, match=f"000005.safetensors is not a checkpoint of this version: its {name} is"):
            export(run.folder, "", "")
        monkeypatch.undo()
    assert export(run.folder, "", "").trained["iterations"] == 5


def test_a_recipe_that_does_not_fit_its_checkpoint(run):
    config = run.folder / "config.json"
    config.write_text(config.read_text().replace('"suit_width": 8', '"suit_width": 12'))
    with pytest.raises(RunError, match="is of another size than the recipe beside it says"):
        export(run.folder, "", "")


def test_a_run_goes_on_by_the_recipe_it_has(run):
    config, recipe = run.folder / "config.json", run.recipe
    text = config.read_text()
    short = json.loads(text)
    del short["stage"][0]["trick_weight"]  # a key that there was not yet
    config.write_text(json.dumps(short))
    Run.resume(run.folder, recipe)
    other = tiny(evaluate={"against": ["rule", "bis"], "games": 40}, stage=[STAGES[0], STAGES[1] | {"iterations": 1}])
    with pytest.raises(RunError, match=r"its stage\.1\.iterations is 2, asked for is 1"):
        Run.resume(run.folder, other)
    config.write_text(text[:30])
    with pytest.raises(RunError, match=r"config\.json is not a recipe"):
        Run.resume(run.folder, recipe)


def test_ratings_survive_the_file(run, tmp_path):
    level = export(run.folder, "bold", "")
    level.write(tmp_path / "bold.safetensors", half=True)
    read = Level.read(tmp_path / "bold.safetensors")
    assert (read.ratings, read.rules) == (level.ratings, level.rules)


def test_a_line_that_a_kill_cut_short_rates_nothing(run):
    path = run.folder / "metrics.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:6], lines[6][:-9]]))
    assert export(run.folder, "", "").ratings["rule"]["iterations"] == 2
    path.unlink()
    assert export(run.folder, "", "").ratings == {}


@pytest.mark.parametrize("path", sorted(LEVELS.glob("*.safetensors")), ids=lambda path: path.stem)
def test_levels_that_ship_are_read_with_the_ratings_they_have(path):
    assert Level.read(path).ratings
