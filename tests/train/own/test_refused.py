"""Code of your own that is refused: before a run begins, or in its first iteration."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("onnx")
pytest.importorskip("matplotlib")

from support.train import own_code
from support.train.own_runs import OWN, SELF_PLAY, compiled, follow, recipe

from spades_env.training import Recipe, RecipeError, RunError
from spades_env.training.own.callbacks import Callbacks
from spades_env.training.own.check import check_imports
from spades_env.training.own.kept import Kept


def refusal(table: dict) -> str:
    with pytest.raises((RecipeError, RunError)) as error:
        check_imports(Recipe.of({"stage": [SELF_PLAY]} | table))
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("suit", ["network.kind must be 'suits' or an import path, written MODULE:NAME", "'suit'"]),
        ("nowhere:Net", ["network.kind = 'nowhere:Net' leads nowhere", "there is no module 'nowhere'"]),
        (f"{OWN}:Nat", ["leads nowhere", "has no 'Nat'", "Net"]),
        (f"{OWN}:TOLD", ["could not be made", "TypeError"]),
        (f"{OWN}:no_net", ["must make a torch.nn.Module, not 5"]),
        (f"{OWN}:Fixed", ["has no weights to train"]),
        (f"{OWN}:Short", ["answers 3 positions with [3, 52]", "float32[B, 70]"]),
        (f"{OWN}:Fails", ["fails on float32[3, 824]", "no such layer", "own_code.py, line"]),
        (f"{OWN}:Infinite", ["numbers that are not finite floats"]),
        (f"{OWN}:Branches", ["cannot be written as ONNX", "answers otherwise", "act(view)"]),
        (f"{OWN}:Loops", ["cannot be written as ONNX", "it has a loop or a branch", "act(view)"]),
    ],
)
@pytest.mark.filterwarnings("ignore:.*is deprecated:DeprecationWarning:torch")  # the only way to write a loop
def test_networks_that_cannot_be_used(kind, parts):
    message = refusal({"network": {"kind": kind}})
    assert [part for part in parts if part not in message] == [], message


@pytest.mark.parametrize(
    ("critic", "parts"),
    [
        ("closed", ["network.critic must be 'open' or an import path", "'closed'"]),
        (f"{OWN}:Nat", ["network.critic", "leads nowhere"]),
        (f"{OWN}:no_net", ["must make a torch.nn.Module, not 5"]),
        (f"{OWN}:ManyValues", ["answers 3 positions with [3, 70]", "forward must return values, float32[B]"]),
        (f"{OWN}:Net", ["fails on float32[3, 1256]"]),
    ],
)
def test_critics_that_cannot_be_used(critic, parts):
    message = refusal({"network": {"critic": critic}})
    assert [part for part in parts if part not in message] == [], message


def test_options_of_a_critic():
    message = refusal({"network": {"critic": f"{OWN}:Value", "critic_options": {"depth": 3}}})
    assert "network.critic_options" in message
    assert "depth" in message
    assert "must be empty with open" in refusal({"network": {"critic_options": {"hidden": 3}}})


def test_options_that_a_network_does_not_take():
    message = refusal({"network": {"kind": f"{OWN}:Net", "options": {"depth": 3}}})
    assert "network.options" in message
    assert "depth" in message
    assert "must be empty where kind is suits" in refusal({"network": {"options": {"hidden": 3}}})
    assert "texts, numbers and lists" in refusal({"network": {"kind": f"{OWN}:Net", "options": 5}})


@pytest.mark.parametrize(
    ("loss", "parts"),
    [
        ("mine", ["stage.0.loss must be an import path, written MODULE:NAME"]),
        (f"{OWN}:Net", ["must be a function of one argument (a training.Minibatch)"]),
        (f"{OWN}:two_arguments", ["must take one argument (a training.Minibatch)", "mask"]),
        (f"{OWN}:by_decision", ["returned float[4]", "a scalar tensor"]),
        (f"{OWN}:constant", ["returned float[]", "depends on the logits"]),
        (f"{OWN}:fails", ["failed", "own_code.py, line"]),
        (f"{OWN}:lines", ["'many'", "a single number"]),
        (f"{OWN}:renames", ["logs 'stage': choose another name"]),
    ],
)
def test_losses_that_cannot_be_used(loss, parts):
    message = refusal({"stage": [SELF_PLAY | {"loss": loss}]})
    assert [part for part in parts if part not in message] == [], message


def test_rewards_that_cannot_be_used():
    assert "reward.function must be an import path" in refusal({"reward": {"function": "mine"}})
    assert "has no 'trick'" in refusal({"reward": {"function": f"{OWN}:trick"}})
    assert "a training.OpenHands" in refusal({"reward": {"function": f"{OWN}:two_arguments"}})


@pytest.mark.parametrize(
    ("stage", "parts"),
    [
        ({"kind": f"{OWN}:Stag"}, ["stage.0.kind", "has no 'Stag'"]),
        ({"kind": f"{OWN}:Mute"}, ["is not a stage", "a method learn(iteration)"]),
        ({"kind": f"{OWN}:Net"}, ["is not a stage", "a dataclass"]),
        ({"kind": f"{OWN}:Unset"}, ["its field iterations has no default"]),
        ({"kind": f"{OWN}:Handless"}, ["it has no field iterations"]),
        ({"kind": f"{OWN}:Scheduled"}, ["stage.0 cannot be read back from JSON", "rates must be a list of tuple"]),
        ({"kind": f"{OWN}:Reads"}, ["stage.0 cannot be read back from JSON", "PosixPath is not JSON serializable"]),
        ({"kind": f"{OWN}:Stage", "iterations": 0}, ["stage.0.iterations must be more than 0"]),
        (
            {"kind": f"{OWN}:Stage", "learning_rat": 1.0},
            ["unknown key stage.0.learning_rat (did you mean 'learning_rate'?)"],
        ),
        ({"kind": f"{OWN}:Stage", "learning_rate": "fast"}, ["stage.0.learning_rate must be of the kind float"]),
    ],
)
def test_stages_that_cannot_be_used(stage, parts):
    message = refusal({"stage": [stage]})
    assert [part for part in parts if part not in message] == [], message


def test_callbacks_that_cannot_be_used():
    assert "written MODULE:NAME, not 'mine'" in refusal({"callbacks": ["mine"]})
    with pytest.raises(RecipeError, match="has no 'notes'"):
        Callbacks.of([f"{OWN}:notes"], [])
    with pytest.raises(RecipeError, match="int is not a callback"):
        Callbacks.of([], [5])
    with pytest.raises(RecipeError, match="cannot be called with a record"):
        Callbacks.of([], [own_code.two_arguments])


def test_a_refused_run_leaves_no_folder(tmp_path):
    with pytest.raises(RecipeError, match="answers 3 positions"):
        follow(recipe(net="Short"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_what_cannot_be_kept():
    kept = Kept()
    with pytest.raises(
        RecipeError, match=r"keep\('x'\) takes an object with state_dict and load_state_dict: no state_d"
    ):
        kept.keep("x", dict)  # pyright: ignore
    mean = kept.keep("mean", own_code.Mean)
    assert kept.keep("mean", own_code.Mean) is mean
    mean.seen = {3}
    with pytest.raises(RecipeError, match=r"own\.mean\.seen cannot be kept in a checkpoint, as it is a set"):
        kept.packed()
    mean.seen = np.zeros(2, [("bid", "i1")])
    with pytest.raises(RecipeError, match=r"own\.mean\.seen cannot be kept in a checkpoint, as it is a ndarray"):
        kept.packed()


@compiled
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"reward": {"function": f"{OWN}:too_few"}}, r"returned the shape \[\d+\]: it must return float32\[\d+, 4\]"),
        ({"reward": {"function": f"{OWN}:endless"}}, "returned numbers that are not finite"),
        ({"stage": [{"kind": f"{OWN}:Lazy"}]}, "played no hand: learn.iteration. must call iteration.play"),
        ({"stage": [{"kind": f"{OWN}:Endless"}]}, "failed in iteration 1: RuntimeError: out of ideas"),
        (
            {"stage": [{"kind": f"{OWN}:Diverges"}]},
            r"must return finite numbers by name .*nan",
        ),
        ({"stage": [{"kind": f"{OWN}:Counts"}]}, "logs 'iteration': choose another name"),
    ],
)
def test_what_shows_in_the_first_round(tmp_path, changes, words):
    with pytest.raises(RecipeError, match=words):
        follow(recipe(**changes), tmp_path / "run")
