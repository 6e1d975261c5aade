"""Code of your own in a run: networks, losses, rewards, stages, callbacks; and what is refused before it begins."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.strategies import scaled

from spades_env._jit import JIT_ON

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("onnx")
pytest.importorskip("matplotlib")

from safetensors.torch import load_file  # noqa: E402
from support.agents.levels import level_file  # noqa: E402
from support.train import own_code  # noqa: E402

from spades_env import Game, agents  # noqa: E402
from spades_env.agents.network.level import Level  # noqa: E402
from spades_env.play.commands.cli import main  # noqa: E402
from spades_env.training import Recipe, RecipeError, RunError, load_network, train  # noqa: E402
from spades_env.training.nets import CALLS_GAIN  # noqa: E402
from spades_env.training.own.callbacks import Callbacks, Record  # noqa: E402
from spades_env.training.own.check import check_imports  # noqa: E402
from spades_env.training.own.kept import Kept  # noqa: E402
from spades_env.training.own.network import OwnPolicy, policy_of  # noqa: E402
from spades_env.training.own.run_agents import player_of  # noqa: E402
from spades_env.training.recipe import NetworkShape  # noqa: E402

compiled = pytest.mark.skipif(not JIT_ON, reason="runs take minutes without the compiler")
OWN = "support.train.own_code"
SELF_PLAY = {"kind": "selfplay", "iterations": 2, "hands": 1, "minibatch": 64}


def recipe(*stages: dict, net: str = "Net", **changes) -> Recipe:
    """A short recipe with a network of our own."""
    table = {
        "name": "short",
        "tables": scaled(8),
        "checkpoint": 2,
        "network": {"kind": f"{OWN}:{net}" if net != "suits" else net, "bfloat16": False},
        "stage": list(stages or (SELF_PLAY,)),
        "pool": {"past": 0.3, "every": 2, "keep": 1},
        "evaluate": {"every": 2, "games": 4},
    }
    if net == "suits":
        table["network"] |= {"width": 8, "suit_width": 8}
    return Recipe.of(table | changes)


def follow(recipe: Recipe, folder: Path, resume: bool = False, callbacks=()) -> Path:
    torch.set_num_threads(1)
    return train(recipe, folder, resume, "cpu", lambda text: None, callbacks)


def metrics(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def rounds(folder: Path) -> list[dict]:
    return [line for line in metrics(folder) if "evaluation" not in line]


@pytest.fixture
def told():
    own_code.TOLD.clear()
    return own_code.TOLD


# What is refused


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


@compiled
def test_a_run_with_a_critic_of_our_own(tmp_path):
    """It stays as it is where the policy widens."""
    network = {
        "width": 8,
        "suit_width": 8,
        "bfloat16": False,
        "critic": f"{OWN}:Value",
        "critic_options": {"hidden": 4},
    }
    plan = recipe(SELF_PLAY, net="suits", network=network, evaluate={"every": 0})
    follow(plan, tmp_path / "run")
    wider = replace(plan, stage=(*plan.stage, replace(plan.stage[0], iterations=1, width=12)))
    assert Level.read(follow(wider, tmp_path / "run", resume=True)).widths == (12, 8)
    [file] = sorted((tmp_path / "run" / "checkpoints").glob("*3.safetensors"))
    assert load_file(file)["critic.net.body.0.weight"].shape == (4, 1256)
    assert [set(line) & {"loss_critic", "loss_tricks"} for line in rounds(tmp_path / "run")] == [{"loss_critic"}] * 3


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
        ({"kind": f"{OWN}:Mute"}, ["is not a stage", "a method learn(round)"]),
        ({"kind": f"{OWN}:Net"}, ["is not a stage", "a dataclass"]),
        ({"kind": f"{OWN}:Unset"}, ["its field iterations has no default"]),
        ({"kind": f"{OWN}:Handless"}, ["it has no field iterations"]),
        ({"kind": f"{OWN}:Stage", "iterations": 0}, ["stage.0.iterations must be more than 0"]),
        (
            {"kind": f"{OWN}:Stage", "learning_rat": 1.0},
            ["unknown key stage.0.learning_rat (did you mean learning_rate?)"],
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


# What a network is


def own_policy(kind: str) -> OwnPolicy:
    policy = policy_of(NetworkShape(f"{OWN}:{kind}"))
    assert isinstance(policy, OwnPolicy)
    return policy


def test_its_logits_of_calls_are_scaled_advantages():
    policy, features = own_policy("Net").eval(), torch.ones(2, 824, dtype=torch.int8)
    logits = policy(features)
    assert torch.equal(policy.card_logits(features), logits[:, :54])
    assert torch.allclose(CALLS_GAIN * policy.call_advantages(features), logits[:, 54:])


def test_its_player_takes_the_favourite_legal_action():
    policy = own_policy("Net")
    player, view = player_of("mine", policy), Game(seed=3).view(Game(seed=3).turn)
    hint = player.hint(view)
    assert player.act(view) == hint[0][0]
    assert {action for action, _ in hint} == set(np.flatnonzero(view.action_mask))
    itself = player_of("mine", own_policy("Player"))
    assert itself.act(view) == view.action_mask.argmax()


# What a program imports


def test_all_that_is_offered_is_there():
    from spades_env import training as package

    assert dir(package) == sorted(package.OFFERED)
    assert all(getattr(package, name).__name__ == name for name in package.OFFERED)
    with pytest.raises(AttributeError, match="has no attribute 'trains'"):
        package.trains  # noqa: B018  # pyright: ignore


# Callbacks


def test_a_record_is_read_only():
    record = Record("round", Path("run"), "selfplay", 1, 2, 30, 0.5, {"loss": 1.0})
    with pytest.raises(AttributeError):
        record.round = 5  # pyright: ignore
    with pytest.raises(TypeError):
        record.numbers["loss"] = 5  # pyright: ignore


def test_an_error_in_a_callback_names_it(told):
    record = Record("round", Path("run"), "selfplay", 1, 2, 30, 0.5, {})
    with pytest.raises(RunError, match=r"the callback support.train.own_code:clumsy failed after round 1: KeyError"):
        Callbacks.of([f"{OWN}:note", f"{OWN}:clumsy"], []).call(record)
    assert told == [record]


# Runs


@compiled
def test_a_run_of_our_own_code(tmp_path, told, capsys, monkeypatch):
    """With a loss, a stage, a reward and callbacks of our own; then export, and play."""
    pytest.importorskip("onnxruntime")
    monkeypatch.chdir(tmp_path)
    stages = [
        SELF_PLAY | {"loss": f"{OWN}:reinforce"},
        SELF_PLAY | {"iterations": 1},
        {"kind": f"{OWN}:Stage", "iterations": 1},
    ]
    made = recipe(*stages, reward={"function": f"{OWN}:tricks"}, callbacks=[f"{OWN}:note"])
    level = follow(made, tmp_path / "run", callbacks=[own_code.Watcher()])
    assert level == tmp_path / "run" / "level.onnx"
    lines = rounds(tmp_path / "run")
    assert [line["stage"] for line in lines] == ["selfplay"] * 3 + [f"{OWN}:Stage"]
    assert [set(line) & {"loss_own", "mine", "loss_calls"} for line in lines] == [
        *2 * [{"loss_own", "mine"}],
        *({"loss_calls"}, set()),
    ]
    assert lines[0]["mine"] == 1.5
    assert {"loss_mine", "done"} <= set(lines[3])
    events = [record.event for record in told]
    assert events == ["round"] * 2 + ["evaluation"] * 2 + ["checkpoint"] + ["round"] * 2 + ["evaluation"] * 2 + [
        *("checkpoint", "end")
    ]
    assert told[-1].round == told[-1].rounds == 4
    assert told[0].numbers["loss_own"] == lines[0]["loss_own"]
    assert told[0].stage == "selfplay"
    assert all(isinstance(number, int | float) for record in told for number in record.numbers.values())
    assert all(set(record.numbers) == of_evaluation(record) for record in told if record.event == "evaluation")
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert (config["network"]["kind"], config["reward"]["function"]) == (f"{OWN}:Net", f"{OWN}:tricks")
    assert [stage["kind"] for stage in config["stage"]] == ["selfplay", "selfplay", f"{OWN}:Stage"]
    assert config["stage"][0]["loss"] == f"{OWN}:reinforce"
    check_export(tmp_path / "run", level, config, capsys)


def of_evaluation(record: Record) -> set[str]:
    """The names of the numbers of an evaluation against the first opponent that it names."""
    opponent = next(iter(record.numbers)).partition("/")[2]
    return {f"{what}/{opponent}" for what in ("wins", "low", "high", "points")}


def check_export(run: Path, level: Path, config: dict, capsys) -> None:
    """The run's ONNX file, an exported one and the network itself play alike, and say where they come from."""
    import onnx

    words = {prop.key: prop.value for prop in onnx.load(str(level)).metadata_props}
    assert json.loads(words["recipe"]) == config
    assert json.loads(words["trained"])["rounds"] == 4
    assert json.loads(words["ratings"])["rule"]["games"] == 4
    assert main(["export", str(run), "--out", "own.safetensors"]) == 2
    assert "which is exported as ONNX, not as a level: --out NAME.onnx" in capsys.readouterr().err
    assert main(["export", str(run), "--out", "own.onnx", "--onnx", "too.onnx"]) == 2
    assert main(["export", str(run), "--out", "own.onnx"]) == 0
    net = load_network(run)
    assert isinstance(net, own_code.Net)
    assert not net.training
    games = [Game(seed=seed) for seed in range(20)]
    views = [game.view(game.turn) for game in games]
    logits = net(torch.from_numpy(np.stack([view.features for view in views])).float()).detach().numpy()
    expected = np.where([view.action_mask for view in views], logits, -np.inf).argmax(1)
    for file in (level, "own.onnx"):
        assert (agents.load(str(file)).act_batch(views) == expected).all()


@compiled
def test_a_run_goes_on_with_a_network_of_our_own(tmp_path):
    """Tied has tensors that are one and the same; resumed and prolonged, past selves among its opponents."""
    follow(recipe(SELF_PLAY, net="Tied"), tmp_path / "run")
    follow(recipe(SELF_PLAY | {"iterations": 3}, net="Tied"), tmp_path / "run", resume=True)
    assert [line["round"] for line in rounds(tmp_path / "run")] == [0, 1, 2]
    assert json.loads((tmp_path / "run" / "config_history.jsonl").read_text())["rounds"] == 2
    on = recipe(net="Tied", start=str(tmp_path / "run"), evaluate={"every": 0})
    assert follow(on, tmp_path / "on").name == "level.onnx"
    with pytest.raises(RunError, match="of another size"):
        follow(recipe(net="Net", start=str(tmp_path / "run")), tmp_path / "other")
    level = level_file(tmp_path)
    with pytest.raises(RunError, match=f"is a level of the network suits: {OWN}:Tied cannot start from it"):
        follow(recipe(net="Tied", start=str(level)), tmp_path / "other")


@compiled
def test_a_run_that_was_stopped_ends_alike(tmp_path):
    """Net has dropout, which draws random numbers of its own."""
    made = recipe(SELF_PLAY, {"kind": f"{OWN}:Stage", "iterations": 2}, evaluate={"every": 0})
    follow(made, tmp_path / "whole")
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    (tmp_path / "stopped" / "checkpoints" / "000004.safetensors").unlink()
    follow(made, tmp_path / "stopped", resume=True)
    first, second = (load_file(tmp_path / name / "checkpoints" / "000004.safetensors") for name in ("whole", "stopped"))
    assert list(first) == list(second)
    assert all(torch.equal(first[name], second[name]) for name in first)


@compiled
@pytest.mark.parametrize("stage", [{"kind": f"{OWN}:Remembers"}, SELF_PLAY | {"loss": f"{OWN}:pulled"}])
def test_state_of_our_own_survives_a_stop(tmp_path, stage):
    made = recipe(stage | {"iterations": 5}, SELF_PLAY | {"iterations": 1}, evaluate={"every": 0})
    follow(made, tmp_path / "whole")
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    (tmp_path / "stopped" / "checkpoints" / "000006.safetensors").unlink()
    follow(made, tmp_path / "stopped", resume=True)  # with a round of this stage, and one in which nobody asks for it
    first, second = (load_file(tmp_path / name / "checkpoints" / "000006.safetensors") for name in ("whole", "stopped"))
    assert list(first) == list(second)
    assert any(name.startswith("own.") for name in first)
    assert [name for name in first if not torch.equal(first[name], second[name])] == []


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


@compiled
def test_a_network_that_plays_by_itself(tmp_path, capsys):
    kept = follow(recipe(net="Player"), tmp_path / "run")
    assert kept.parent.name == "checkpoints"
    assert isinstance(load_network(kept), own_code.Player)
    assert main(["export", str(tmp_path / "run"), "--out", str(tmp_path / "x.onnx")]) == 2
    assert "plays by its own act: training.load_network(RUN) returns it" in capsys.readouterr().err


@compiled
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"reward": {"function": f"{OWN}:too_few"}}, r"returned the shape \[\d+\]: it must return float32\[\d+, 4\]"),
        ({"reward": {"function": f"{OWN}:endless"}}, "returned numbers that are not finite"),
        ({"stage": [{"kind": f"{OWN}:Lazy"}]}, "played no hand: learn.round. must call round.play"),
        ({"stage": [{"kind": f"{OWN}:Endless"}]}, "failed in round 1: RuntimeError: out of ideas"),
        (
            {"stage": [{"kind": f"{OWN}:Diverges"}]},
            r"must return finite numbers by name .*nan",
        ),
    ],
)
def test_what_shows_in_the_first_round(tmp_path, changes, words):
    with pytest.raises(RecipeError, match=words):
        follow(recipe(**changes), tmp_path / "run")
