"""Code of your own in a run: networks, losses, rewards, stages, callbacks."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("onnx")
pytest.importorskip("matplotlib")

from safetensors.torch import load_file  # noqa: E402
from support.agents.levels import level_file  # noqa: E402
from support.train import own_code  # noqa: E402
from support.train.own_runs import OWN, SELF_PLAY, compiled, follow, iterations, recipe  # noqa: E402

from spades_env import Game, agents  # noqa: E402
from spades_env.agents.network.level import Level  # noqa: E402
from spades_env.play.commands.cli import main  # noqa: E402
from spades_env.training import Recipe, RunError, load_network  # noqa: E402
from spades_env.training.nets import CALLS_GAIN  # noqa: E402
from spades_env.training.own.callbacks import Callbacks, Record  # noqa: E402
from spades_env.training.own.network import OwnPolicy, policy_of  # noqa: E402
from spades_env.training.own.run_agents import player_of  # noqa: E402
from spades_env.training.recipe import NetworkShape  # noqa: E402


@pytest.fixture
def told():
    own_code.TOLD.clear()
    return own_code.TOLD


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
    record = Record("iteration", Path("run"), "selfplay", 1, 2, 30, 0.5, {"loss": 1.0})
    with pytest.raises(AttributeError):
        record.iteration = 5  # pyright: ignore
    with pytest.raises(TypeError):
        record.numbers["loss"] = 5  # pyright: ignore


def test_an_error_in_a_callback_names_it(told):
    record = Record("iteration", Path("run"), "selfplay", 1, 2, 30, 0.5, {})
    with pytest.raises(
        RunError, match=r"the callback support.train.own_code:clumsy failed after iteration 1: KeyError"
    ):
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
    lines = iterations(tmp_path / "run")
    assert [line["stage"] for line in lines] == ["selfplay"] * 3 + [f"{OWN}:Stage"]
    assert [set(line) & {"loss_own", "mine", "loss_calls"} for line in lines] == [
        *2 * [{"loss_own", "mine"}],
        *({"loss_calls"}, set()),
    ]
    assert lines[0]["mine"] == 1.5
    assert {"loss_mine", "done"} <= set(lines[3])
    events = [record.event for record in told]
    assert events == ["iteration"] * 2 + ["evaluation"] * 2 + ["checkpoint"] + ["iteration"] * 2 + [
        "evaluation"
    ] * 2 + [*("checkpoint", "end")]
    assert told[-1].iteration == told[-1].iterations == 4
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
    assert json.loads(words["trained"])["iterations"] == 4
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
    assert [line["iteration"] for line in iterations(tmp_path / "run")] == [0, 1, 2]
    assert json.loads((tmp_path / "run" / "config_history.jsonl").read_text())["iterations"] == 2
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
    follow(
        made, tmp_path / "stopped", resume=True
    )  # with an iteration of this stage, and one in which nobody asks for it
    first, second = (load_file(tmp_path / name / "checkpoints" / "000006.safetensors") for name in ("whole", "stopped"))
    assert list(first) == list(second)
    assert any(name.startswith("own.") for name in first)
    assert [name for name in first if not torch.equal(first[name], second[name])] == []


@compiled
def test_a_stage_that_derives_from_ours_learns_in_its_own_way(tmp_path):
    made = recipe({"kind": f"{OWN}:Derived", "iterations": 1, "learning_rate": 0.5}, evaluate={"every": 0})
    follow(made, tmp_path)
    [line] = iterations(tmp_path)
    assert (line["stage"], line["loss_mine"]) == (f"{OWN}:Derived", 0.5)
    assert Recipe.of(json.loads((tmp_path / "config.json").read_text())) == made


@compiled
def test_a_network_that_plays_by_itself(tmp_path, capsys):
    kept = follow(recipe(net="Player"), tmp_path / "run")
    assert kept.parent.name == "checkpoints"
    assert isinstance(load_network(kept), own_code.Player)
    assert main(["export", str(tmp_path / "run"), "--out", str(tmp_path / "x.onnx")]) == 2
    assert "plays by its own act: training.load_network(RUN) returns it" in capsys.readouterr().err


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
    assert [set(line) & {"loss_critic", "loss_tricks"} for line in iterations(tmp_path / "run")] == [
        {"loss_critic"}
    ] * 3
