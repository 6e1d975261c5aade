"""Damaged checkpoints: the run goes on from the one before and says so, nothing is lost, and no traceback is shown."""

import errno
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.strategies import scaled

from spades_env._jit import JIT_ON
from spades_env.play.commands.cli import main

if not JIT_ON:
    pytest.skip("runs are about files and tensors, and take minutes without the compiler", allow_module_level=True)
torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("matplotlib")

from safetensors.torch import load_file, save  # noqa: E402
from support.agents.levels import random_level  # noqa: E402
from support.train.runs import run_here, training  # noqa: E402

from spades_env.agents.digest import read_sealed, sealed  # noqa: E402
from spades_env.training.export import export, load_start  # noqa: E402
from spades_env.training.recipe import Recipe  # noqa: E402
from spades_env.training.run.checkpoints import KEPT, RunError, checkpoint_files, last_whole, read_checkpoint  # noqa: E402
from spades_env.training.trainer import Training  # noqa: E402

TABLE = """
name = "short"
tables = {tables}
checkpoint = 1
network = {{ width = 4, suit_width = 4, bfloat16 = false }}
evaluate = {{ every = 2, games = 4 }}
pool = {{ agents = {{ rule = 0.1 }}, past = 0.2, every = 1, keep = 1 }}

[[stage]]
kind = "selfplay"
iterations = 3
hands = 1

[[stage]]
kind = "selfplay"
iterations = 1
hands = 1
width = 6
"""
BEFORE, LAST = "000003.safetensors", "000004.safetensors"


@pytest.fixture(scope="module")
def toml(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("recipes") / "short.toml"
    path.write_text(TABLE.format(tables=scaled(8)))
    return path


@pytest.fixture(scope="module")
def recipe(toml) -> Recipe:
    return Recipe.load(toml, {})


@pytest.fixture(scope="module")
def unbroken(recipe, tmp_path_factory) -> Path:
    """The folder of a run of four iterations, which widens in the last one."""
    folder = tmp_path_factory.mktemp("runs") / "short"
    run_here(recipe, folder)
    return folder


@pytest.fixture
def folder(unbroken, tmp_path) -> Path:
    """The same to be spoiled."""
    return Path(shutil.copytree(unbroken, tmp_path / "run"))


def resume(toml: Path, folder: Path) -> int:
    return main(
        ["train", str(toml), "--out", str(folder), "--resume", "--device", "cpu", "--threads", "1", "--workers", "1"]
    )


def contents(folder: Path) -> dict[str, bytes]:
    atomic_files = (path for path in folder.rglob("*") if path.is_file() and "tensorboard" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in atomic_files}


def same_tensors(one: Path, other: Path) -> bool:
    first, second = load_file(one), load_file(other)
    return list(first) == list(second) and all(torch.equal(first[name], second[name]) for name in first)


# Damages


def flipped(at: float) -> Callable[[Path], None]:
    """One bit is another one, so far into the file."""

    def damage(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[int(at * (len(content) - 1))] ^= 4
        path.write_bytes(content)

    return damage


def cut(share: float) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])


def rewritten(facts: str | None = None, without: str = "", **words: str) -> Callable[[Path], None]:
    """A file that is whole and says something else; without: tensors whose names begin so."""

    def damage(path: Path) -> None:
        tensors = {name: t for name, t in load_file(path).items() if not (without and name.startswith(without))}
        metadata = read_sealed(path)[1] | words
        metadata |= {"facts": facts} if facts is not None else {}
        path.write_bytes(sealed(save(tensors, metadata)))

    return damage


def in_facts(**changes) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        rewritten(json.dumps(read_checkpoint(path).facts | changes))(path)

    return damage


def wider(path: Path) -> None:
    """A checkpoint of another network."""
    other = Recipe.of({"stage": [{"kind": "selfplay"}], "network": {"width": 8, "suit_width": 4}})
    run = training(other, path.parent.parent / "other")
    run.state.save(run.run)
    shutil.move(path.parent.parent / "other" / "checkpoints" / "000000.safetensors", path)
    shutil.rmtree(path.parent.parent / "other")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": cut(0),
    "cut in its header": cut(0.001),
    "cut in the middle": cut(0.5),
    "cut at its end": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "no tensors at all": lambda path: path.write_text("{}"),
    "flipped in its length": flipped(0),
    "flipped in its metadata": flipped(0.003),
    "flipped in the middle": flipped(0.5),
    "flipped at its end": flipped(1),
    "a level": lambda path: random_level().write(path),
    "a folder": a_folder,
    "another layout": rewritten(layout="0123456789abcdef"),
    "another format": rewritten(format="spades-checkpoint/9"),
    "another network": wider,
    "a pool of others": in_facts(pool=[["bis", 0.5]]),
    "no policy": rewritten(without="policy.bids"),
}
SOME = ("empty", "flipped in the middle", "a level", "a pool of others", "no policy")


@pytest.mark.parametrize("name", SOME)
def test_the_command_goes_on_from_the_checkpoint_before(unbroken, folder, toml, capsys, name):
    path = folder / "checkpoints" / LAST
    DAMAGES[name](path)
    spoiled = path.read_bytes()
    assert resume(toml, folder) == 0
    out, err = capsys.readouterr()
    said = [line for line in out.splitlines() if str(path) in line]
    assert said[0].endswith(f"; {BEFORE} is taken instead")
    assert said[1:] == [f"{path} is kept as 000004.damaged"]
    assert "from iteration 3" in out
    assert err == ""
    assert path.with_suffix(".damaged").read_bytes() == spoiled
    for file in ("level.safetensors", f"checkpoints/{BEFORE}", f"checkpoints/{LAST}"):
        assert same_tensors(folder / file, unbroken / file)


@pytest.mark.parametrize("name", DAMAGES)
def test_every_damage_is_met_by_the_one_before(folder, recipe, name):
    """One sentence that names the file, and the run stands where the other one left it."""
    path, said = folder / "checkpoints" / LAST, []
    DAMAGES[name](path)
    run = Training(recipe, folder, True, torch.device("cpu"), said.append)
    assert run.state.iterations == 3
    assert len(said) == 2
    assert all(str(path) in line and "\n" not in line for line in said)
    assert not path.exists()
    assert path.with_suffix(".damaged").exists()
    assert [file.name for file in checkpoint_files(folder)] == [BEFORE]


def test_a_checkpoint_that_cannot_be_read_just_now_is_not_taken_for_damaged(folder, monkeypatch):
    def too_many(path):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("spades_env.training.run.checkpoints.read_sealed", too_many)
    with pytest.raises(RunError, match="Too many open files"):
        last_whole(folder, lambda checkpoint: None, lambda text: None)
    assert not list((folder / "checkpoints").glob("*.damaged*"))


@pytest.mark.parametrize("name", SOME)
def test_where_none_is_whole_one_line_says_so(folder, toml, capsys, name):
    for path in checkpoint_files(folder):
        DAMAGES[name](path)
    before = contents(folder)
    assert resume(toml, folder) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert str(folder / "checkpoints" / LAST) in err
    assert err.endswith("; there is no whole checkpoint before it\n")
    assert out == ""
    assert contents(folder) == before


def test_nothing_that_was_set_aside_is_overwritten(folder, recipe):
    for content in (b"first", b"second", b"third"):
        (folder / "checkpoints" / LAST).write_bytes(content)
        Training(recipe, folder, True, torch.device("cpu"), lambda text: None)
    kept = {path.name: path.read_bytes() for path in (folder / "checkpoints").glob("*damaged*")}
    assert kept == {"000004.damaged": b"first", "000004.damaged-2": b"second", "000004.damaged-3": b"third"}


def test_what_was_set_aside_does_not_count_among_those_kept(folder, recipe):
    (folder / "checkpoints" / LAST).write_bytes(b"")
    run_here(recipe, folder, resume=True)
    assert [path.name for path in checkpoint_files(folder)] == [BEFORE, LAST]
    assert KEPT == 2


def test_any_byte_of_a_checkpoint_that_is_changed_is_noticed(folder):
    path = folder / "checkpoints" / LAST
    whole = path.read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    for at in [*range(0, header, 17), *range(header, len(whole), 4999), len(whole) - 1]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(RunError, match=r"000004\.safetensors cannot be read as a checkpoint") as error:
            read_checkpoint(path)
        assert "\n" not in str(error.value)


# Others that read checkpoints


def test_an_export_takes_the_last_whole_one_and_says_so(folder, tmp_path, capsys):
    path = folder / "checkpoints" / LAST
    flipped(0.5)(path)
    assert main(["export", str(folder), "--out", str(tmp_path / "x.safetensors")]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(f"{path} cannot be read as a checkpoint: it is damaged")
    assert out[0].endswith(f"; {BEFORE} is taken instead")
    assert export(folder, "", "", lambda text: None).trained["iterations"] == 3
    assert path.exists()  # only the run itself sets anything aside


def test_an_export_of_a_damaged_one_is_refused(folder, tmp_path, capsys):
    path = folder / "checkpoints" / LAST
    flipped(0.5)(path)
    assert main(["export", str(path), "--out", str(tmp_path / "x.safetensors")]) == 2
    assert capsys.readouterr().err == (
        f"spades: {path} cannot be read as a checkpoint: it is damaged: its digest does not fit its content\n"
    )
    assert not (tmp_path / "x.safetensors").exists()


def test_a_start_is_the_last_whole_one_of_a_run(folder, recipe, tmp_path):
    said = []
    (folder / "checkpoints" / LAST).write_bytes(b"")
    run = training(recipe, tmp_path / "on")
    load_start(run.state.learner, str(folder), said.append)
    own, there = run.state.learner.networks(), load_file(folder / "checkpoints" / BEFORE)
    assert all(torch.equal(own[name], there[name]) for name in own)
    assert len(said) == 1
    assert LAST in said[0]
    with pytest.raises(RunError, match="nothing to start from in"):
        load_start(run.state.learner, str(folder / "checkpoints" / LAST))
    shutil.rmtree(folder / "checkpoints")
    with pytest.raises(RunError, match="holds no checkpoint yet"):
        load_start(run.state.learner, str(folder))


# Metrics and recipe


BEHIND = (b"", b"\0" * 300, b"\xff\xfe{]\n", b"[" * 100_000 + b"\n")


def iterations_told(path: Path) -> list[int]:
    return [json.loads(line)["iteration"] for line in path.read_text().splitlines()]


@pytest.mark.parametrize("end", BEHIND, ids=["cut", "zeros", "bytes", "nested"])
@pytest.mark.parametrize("left", [1, 200])
def test_damaged_metrics_are_no_obstacle(unbroken, folder, recipe, left, end):
    """Cut short, or with anything behind: whole lines before the checkpoint stay, others are written again."""
    path = folder / "metrics.jsonl"
    (folder / "checkpoints" / LAST).unlink()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - left] + end)
    run_here(recipe, folder, resume=True)
    assert iterations_told(path) == iterations_told(unbroken / "metrics.jsonl")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"7", b"\xff\xfe", b"[" * 100_000, b'{"stage": 7}', None])
def test_a_damaged_recipe_is_one_line(folder, toml, capsys, content):
    config = folder / "config.json"
    config.unlink() if content is None else config.write_bytes(content)
    before = contents(folder)
    assert resume(toml, folder) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "config.json" in err
    assert contents(folder) == before


# What a power cut leaves


def test_numbers_are_on_the_disk_before_the_checkpoint_that_counts_on_them(recipe, tmp_path, monkeypatch):
    from spades_env.agents import atomic_files

    folder, done, replace = tmp_path / "run", [], atomic_files.os.replace
    run = training(recipe, folder)
    run.run.log(0, {"loss": 1.0}, 100)
    inode = (folder / "metrics.jsonl").stat().st_ino
    synced = lambda handle: done.append("metrics" if atomic_files.os.fstat(handle).st_ino == inode else "other")  # noqa: E731
    monkeypatch.setattr(atomic_files.os, "fsync", synced)
    monkeypatch.setattr(
        atomic_files.os, "replace", lambda part, path: (done.append(Path(path).name), replace(part, path))
    )
    run.run.save(1, {"x": torch.zeros(2)}, {"decisions": 0, "seconds": 0.0})
    run.run.close()
    assert done.count("metrics") == 1
    assert done.index("metrics") < done.index("000001.safetensors")
