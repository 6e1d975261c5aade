"""Whole runs of training: what they leave, and that a kill changes nothing."""

import json
import shutil
import signal
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.strategies import scaled

from spades_env._jit import JIT_ON
from spades_env.agents import load
from spades_env.agents.network.level import Level
from spades_env.agents.roster import LEVELS

if not JIT_ON:
    pytest.skip("runs are about files and tensors, and take minutes without the compiler", allow_module_level=True)
torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("matplotlib")

from safetensors.torch import load_file  # noqa: E402
from support.train.runs import STAGE, TINY, run_elsewhere, run_here, tiny, training, weights_text  # noqa: E402

from spades_env.training.learner import has_bfloat16  # noqa: E402
from spades_env.training.nets import Policy  # noqa: E402
from spades_env.training.recipe import Recipe  # noqa: E402
from spades_env.training.rewards import GUESS  # noqa: E402
from spades_env.training.run.boards import tag  # noqa: E402
from spades_env.training.run.checkpoints import RunError  # noqa: E402
from spades_env.training.run.curves import PANELS, draw_curves  # noqa: E402
from spades_env.training.run.folder import Run  # noqa: E402

ITERATIONS = 6
TIMING = ("seconds", "per_second")
TWO = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")  # launches two workers
MOMENTS = [
    15,
    39,
    41,
]  # about to log an evaluation in the first wide iteration, to name a checkpoint, to remove an old one


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory) -> Path:
    """The folder of the tiny run."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    run_here(tiny(), folder)
    return folder


@pytest.fixture
def copy(unbroken, tmp_path) -> Path:
    """The same to be spoiled."""
    return Path(shutil.copytree(unbroken, tmp_path / "copy"))


def no_number(text: str):
    raise AssertionError(f"{text} is not JSON")


def metrics(folder: Path) -> list[dict]:
    """The lines, but for what the clock told; neither NaN nor Infinity is among them."""
    text = (folder / "metrics.jsonl").read_text()
    lines = [json.loads(line, parse_constant=no_number) for line in text.splitlines()]
    return [{name: value for name, value in line.items() if name not in TIMING} for line in lines]


def scalars(folder: Path) -> dict[str, dict[int, float]]:
    """What TensorBoard shows, by tag and decisions, but for what the clock told."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    board = EventAccumulator(str(folder / "tensorboard")).Reload()
    names = [name for name in board.Tags()["scalars"] if name not in map(tag, TIMING)]
    return {name: {event.step: event.value for event in board.Scalars(name)} for name in names}


def checkpoints(folder: Path) -> list[Path]:
    return sorted((folder / "checkpoints").iterdir())


def same_end(one: Path, other: Path) -> bool:
    """Levels, checkpoints and metrics alike, to the last bit."""
    if metrics(one) != metrics(other):
        return False
    for mine, theirs in zip(
        [one / "level.safetensors", *checkpoints(one)], [other / "level.safetensors", *checkpoints(other)], strict=True
    ):
        first, second = load_file(mine), load_file(theirs)
        if mine.name != theirs.name or list(first) != list(second):
            return False
        if any(not torch.equal(first[name], second[name]) for name in first):
            return False
    return True


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and "tensorboard" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


# What a run leaves


def test_the_folder(unbroken):
    assert {path.name for path in unbroken.iterdir()} == {
        *("config.json", "metrics.jsonl", "provenance.jsonl", "tensorboard", "checkpoints", "level.safetensors"),
        *("curves.svg", "run.lock"),
    }
    assert [path.name for path in checkpoints(unbroken)] == ["000005.safetensors", "000006.safetensors"]
    assert any((unbroken / "tensorboard").iterdir())
    assert "<svg" in (unbroken / "curves.svg").read_text()
    assert json.loads((unbroken / "config.json").read_text()) == json.loads(json.dumps(tiny().as_dict()))
    last = {line["evaluation"]: line for line in metrics(unbroken) if "evaluation" in line}
    ratings = Level.read(unbroken / "level.safetensors").ratings
    assert {name: one["iterations"] for name, one in ratings.items()} == {
        name: last[name]["iteration"] + 1 for name in last
    }


def test_the_metrics(unbroken):
    lines = metrics(unbroken)
    iterations = [line for line in lines if "evaluation" not in line]
    assert [line["iteration"] for line in iterations] == list(range(ITERATIONS))
    assert {line["stage"] for line in iterations} == {"selfplay"}
    logged = {"entropy", "clipped", "explained", "loss_calls", "loss_critic", "loss_tricks", "grad_norm", "nils"}
    assert all(logged | {"learning_rate"} <= set(line) for line in iterations)
    assert any("against/rule" in line for line in iterations)
    assert [line["decisions"] for line in iterations] == sorted({line["decisions"] for line in iterations})
    assert iterations[-1]["decisions"] >= ITERATIONS * 14 * scaled(16)
    evaluated = [(line["iteration"], line["evaluation"]) for line in lines if "evaluation" in line]
    assert evaluated == [(2, "rule"), (5, "rule")]
    assert all(line["ci"][0] <= line["wins/rule"] <= line["ci"][1] for line in lines if "evaluation" in line)


def test_tensorboard_shows_the_same_numbers(unbroken):
    logged: dict[str, dict] = {}
    lines = metrics(unbroken)
    decisions = {line["iteration"]: line["decisions"] for line in lines if "evaluation" not in line}
    for line in lines:
        for name, value in line.items():
            if isinstance(value, int | float) and (name != "iteration" or "evaluation" not in line):
                logged.setdefault(tag(name), {})[decisions[line["iteration"]]] = pytest.approx(value, rel=1e-6)
    assert scalars(unbroken) == logged
    groups = {name.partition("/")[0] for name in logged}
    assert groups == {"losses", "learning", "evaluation", "opponents", "time"}


def test_the_curves_have_a_panel_for_each_number_that_there_is(unbroken):
    picture = (unbroken / "curves.svg").read_text()
    titles = [title for title, _ in PANELS if f">{title}</text>" in picture]
    assert titles == [title for title, _ in PANELS]
    assert ">games won, 95 % intervals</text>" in picture
    assert ">against rule</text>" in picture


def test_curves_of_a_run_that_was_not_measured(unbroken, tmp_path):
    lines = (unbroken / "metrics.jsonl").read_text().splitlines()[:2]
    (tmp_path / "metrics.jsonl").write_text("\n".join(lines))
    draw_curves(Run(tmp_path, tiny()))
    picture = (tmp_path / "curves.svg").read_text()
    assert "entropy" in picture
    assert "games won" not in picture


def test_past_selves_are_kept(unbroken):
    names = {name.split(".")[1] for name in load_file(checkpoints(unbroken)[-1]) if name.startswith("past.")}
    assert len(names) == TINY["pool"]["keep"]
    assert names < {"000002", "000004", "000006"}


def test_the_level_plays(unbroken):
    level = Level.read(unbroken / "level.safetensors")
    assert (level.name, level.widths) == ("tiny", (16, 8))
    assert level.trained["iterations"] == ITERATIONS
    assert json.loads(level.recipe) == json.loads((unbroken / "config.json").read_text())
    assert load(str(unbroken / "level.safetensors")).name.endswith("level.safetensors")


def test_the_same_recipe_again_and_another_seed(unbroken, tmp_path):
    run_here(tiny(), tmp_path / "again")
    assert same_end(unbroken, tmp_path / "again")
    run_here(tiny(seed=1, evaluate={"every": 0}), tmp_path / "other")
    assert not same_end(unbroken, tmp_path / "other")


# Going on


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_run_ends_as_if_nothing_had_happened(unbroken, tmp_path, moment):
    folder = tmp_path / "killed"
    killed = run_elsewhere(folder, moment)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not (folder / "level.safetensors").exists()
    assert checkpoints(folder)
    ElementTree.parse(folder / "curves.svg")
    run_here(tiny(), folder, resume=True)
    assert same_end(unbroken, folder)
    assert scalars(folder) == scalars(unbroken)


def test_a_line_that_was_cut_short_is_written_again(unbroken, copy):
    (copy / "checkpoints" / "000006.safetensors").unlink()
    lines = (copy / "metrics.jsonl").read_text()
    (copy / "metrics.jsonl").write_text(lines[:-25])
    run_here(tiny(), copy, resume=True)
    assert metrics(copy) == metrics(unbroken)


def test_before_the_first_checkpoint_it_begins_anew(unbroken, copy):
    for path in checkpoints(copy):
        path.unlink()
    run_here(tiny(), copy, resume=True)
    assert same_end(unbroken, copy)


def test_a_finished_run_stays_as_it_is(unbroken, copy):
    run_here(tiny(), copy, resume=True)
    assert same_end(unbroken, copy)


# Refusals


def test_a_folder_that_holds_a_run(copy):
    before = contents(copy)
    with pytest.raises(RunError, match="holds a run already: continue it with --resume"):
        training(tiny(), copy)
    assert contents(copy) == before


def test_another_recipe(copy):
    before = contents(copy)
    with pytest.raises(RunError, match="another recipe"):
        training(tiny(seed=5), copy, resume=True)
    assert contents(copy) == before


def test_nothing_to_resume(tmp_path):
    with pytest.raises(RunError, match="holds no run to resume"):
        training(tiny(), tmp_path / "nowhere", resume=True)
    assert not (tmp_path / "nowhere").exists()


# A start


def wide(**changes) -> Recipe:
    """The tiny recipe, as wide from the start as it ends."""
    return tiny(network=TINY["network"] | {"width": 16}, **changes)


def test_a_run_may_start_from_a_checkpoint(unbroken, tmp_path):
    source = checkpoints(unbroken)[-1]
    run = training(wide(start=str(source)), tmp_path / "on")
    same = training(tiny(), Path(shutil.copytree(unbroken, tmp_path / "x")), True)
    assert weights_text(run) == weights_text(same)
    assert run.state.learner.steps == same.state.learner.steps > 0  # the average moves as slowly as before
    assert run.state.iterations == 0


@pytest.mark.parametrize("file", ["level.safetensors", "checkpoints"])
def test_a_start_may_be_narrower_and_knows_the_chance_of_winning(tmp_path, file):
    first = training(tiny(), tmp_path / "first")
    first.state.winning = GUESS._replace(nils=GUESS.nils + 1)
    first.state.save(first.run)
    first.state.write_level(first.run.folder)
    network = TINY["network"] | {"width": 24, "suit_width": 12}
    start = first.run.folder / ("" if file == "checkpoints" else file)
    run = training(tiny(network=network, stage=[STAGE], start=str(start)), tmp_path / "on")
    policy = run.state.learner.policy
    assert isinstance(policy, Policy)
    assert policy.widths == (24, 12)
    assert run.state.winning == pytest.approx(first.state.winning, abs=1e-3)


def test_a_start_is_not_forgotten_by_a_kill_before_the_first_checkpoint(unbroken, tmp_path):
    recipe = wide(start=str(checkpoints(unbroken)[-1]))
    begun = training(recipe, tmp_path / "on")
    assert weights_text(training(recipe, tmp_path / "on", resume=True)) == weights_text(begun)


def test_a_run_may_start_from_a_level(unbroken, tmp_path):
    run = training(wide(start=str(unbroken / "level.safetensors")), tmp_path / "on")
    written = load_file(run.state.write_level(tmp_path))
    for name, tensor in load_file(unbroken / "level.safetensors").items():
        assert torch.allclose(written[name], tensor, rtol=2e-3, atol=1e-6)


def test_a_run_may_start_from_a_level_of_ours_by_its_name(tmp_path):
    standard = Level.read(LEVELS / "standard.safetensors")
    width, suit_width = standard.widths
    one = STAGE | {"iterations": 1, "hands": 1, "critic_first": 1}
    network = {"width": width, "suit_width": suit_width}
    run = training(tiny(start="standard", network=network, stage=[one]), tmp_path / "on")
    written = load_file(run.state.write_level(tmp_path))  # the critic learned alone
    assert all(np.array_equal(written[name], tensor) for name, tensor in standard.tensors.items())


def test_no_start_no_run(tmp_path):
    with pytest.raises(RunError, match="nothing to start from at nowhere"):
        training(tiny(start="nowhere"), tmp_path / "on")
    assert not (tmp_path / "on").exists()


@pytest.mark.parametrize("file", ["level.safetensors", "checkpoints/000006.safetensors"])
def test_a_start_that_is_wider_than_the_recipe(unbroken, tmp_path, file):
    with pytest.raises(RunError, match=r"of another size than the recipe|wide, more than the recipe's"):
        training(tiny(start=str(unbroken / file)), tmp_path / "on")


# Several workers, bfloat16


@pytest.fixture(scope="module")
def pair(tmp_path_factory) -> Path:
    """The folder of the tiny run by two workers."""
    folder = tmp_path_factory.mktemp("runs") / "pair"
    done = run_elsewhere(folder, launcher=TWO)
    assert done.returncode == 0, done.stderr
    return folder


def checksums(folder: Path) -> list[str]:
    """The checksums of both workers' weights."""
    return [(folder / f"worker-{rank}-of-2").read_text() for rank in (0, 1)]


def test_two_workers_hold_the_same_weights(unbroken, pair):
    assert len(set(checksums(pair))) == 1
    mine, theirs = metrics(pair), metrics(unbroken)
    assert [line["iteration"] for line in mine] == [line["iteration"] for line in theirs]
    assert mine[0]["loss_critic"] != theirs[0]["loss_critic"]
    assert mine[0]["decisions"] == pytest.approx(2 * theirs[0]["decisions"], rel=0.2)


def test_two_workers_go_on_after_a_kill(pair, tmp_path):
    folder = tmp_path / "killed"
    assert run_elsewhere(folder, MOMENTS[1], launcher=TWO).returncode
    assert checkpoints(folder)
    assert not (folder / "level.safetensors").exists()
    done = run_elsewhere(folder, launcher=TWO)
    assert done.returncode == 0, done.stderr
    assert checksums(folder) == checksums(pair)
    assert same_end(pair, folder)


@pytest.mark.skipif(not has_bfloat16(torch.device("cpu")), reason="a CPU without bfloat16 units: as the tiny run")
def test_a_kill_changes_nothing_in_bfloat16_either(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert run_elsewhere(whole, 0, "wide").returncode == 0
    assert run_elsewhere(killed, 9, "wide").returncode == -signal.SIGKILL
    assert checkpoints(killed)
    assert not (killed / "level.safetensors").exists()
    assert run_elsewhere(killed, 0, "wide").returncode == 0
    assert same_end(whole, killed)
