"""Level files: what is written is read again, and whatever does not fit is refused in one clear sentence."""

import dataclasses
import json

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save
from support.agents.levels import level_file, random_level, random_tensors

import spades_env
from spades_env.agents import AgentError
from spades_env.agents.digest import sealed
from spades_env.agents.network.level import Level, LevelError
from spades_env.game.observe import LAYOUT, STATE_LAYOUT, layout_mark

WORDS = ("name", "style", "recipe", "rules", "ratings", "trained", "temperature", "version")


def damaged(path, tensors: dict | None = None, **metadata) -> None:
    """A level's file with other tensors or other metadata (None: without)."""
    level = random_level()
    words = {name: text for name, text in (level.metadata | metadata).items() if text is not None}
    path.write_bytes(sealed(save(dict(level.tensors) if tensors is None else tensors, words)))


def refusal(path) -> str:
    """The sentence in which a file is refused; it names the file."""
    with pytest.raises(LevelError) as error:
        Level.read(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    return str(error.value)


# Round trips


@pytest.mark.parametrize("widths", [(1, 1), (24, 16), (7, 20)])
def test_what_is_written_is_read_again(tmp_path, widths):
    level = random_level(3, *widths, temperature=0.25, rules="classic, «any» ♠")
    level.write(tmp_path / "deep" / "x.safetensors")
    read = Level.read(tmp_path / "deep" / "x.safetensors")
    assert set(read.tensors) == set(level.tensors)
    for name, tensor in level.tensors.items():
        assert read.tensors[name].tobytes() == tensor.tobytes()
    assert [getattr(read, word) for word in WORDS] == [getattr(level, word) for word in WORDS]
    assert read.widths == widths
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["x.safetensors"]


def test_half_precision(tmp_path):
    level = random_level()
    level.write(tmp_path / "half.safetensors", half=True)
    level.write(tmp_path / "full.safetensors")
    with safe_open(tmp_path / "half.safetensors", framework="numpy") as file:
        assert {file.get_tensor(name).dtype.name for name in level.tensors} == {"float16"}
    read = Level.read(tmp_path / "half.safetensors")
    for name, tensor in level.tensors.items():
        assert (read.tensors[name] == tensor.astype(np.float16).astype(np.float32)).all()
    assert (tmp_path / "half.safetensors").stat().st_size < 0.6 * (tmp_path / "full.safetensors").stat().st_size


def test_arrays_are_plain_and_cannot_be_changed(tmp_path):
    for tensor in Level.read(level_file(tmp_path)).tensors.values():
        assert tensor.dtype == np.float32
        assert tensor.flags.c_contiguous
        assert not tensor.flags.writeable


def test_a_level_is_its_own_copy():
    tensors = random_tensors()
    level = Level(tensors, "a", "b", "c", "d", {}, {})
    before = level.tensors["bids.bias"].copy()
    tensors["bids.bias"][:] = 7
    assert (level.tensors["bids.bias"] == before).all()


def test_temperature_and_version_have_defaults(tmp_path):
    damaged(tmp_path / "x.safetensors", temperature=None)
    assert Level.read(tmp_path / "x.safetensors").temperature == 0
    assert random_level().version == spades_env.__version__
    assert dataclasses.replace(random_level(), name="other").name == "other"


def test_another_version_of_the_package_is_no_obstacle(tmp_path):
    damaged(tmp_path / "x.safetensors", version="9.9")
    assert Level.read(tmp_path / "x.safetensors").version == "9.9"


def test_the_mark_tells_layouts_apart(monkeypatch):
    mark = layout_mark()
    assert mark == layout_mark()
    block = LAYOUT["hand"]
    for changed in (dataclasses.replace(block, name="cards"), dataclasses.replace(block, start=1)):
        monkeypatch.setitem(STATE_LAYOUT, "hand", changed)
        assert layout_mark() != mark
    monkeypatch.setitem(STATE_LAYOUT, "hand", dataclasses.replace(block, meaning="said otherwise"))
    assert layout_mark() == mark


# Refusals


def test_files_that_are_no_levels(tmp_path):
    path = tmp_path / "x.safetensors"
    assert "no such file" in refusal(path)
    assert "no such file" in refusal(tmp_path)
    whole = level_file(tmp_path).read_bytes()
    for content in (b"", b"not tensors at all " * 9, whole[:-1], whole[:100], whole + b"more"):
        path.write_bytes(content)
        assert "not a whole safetensors file" in refusal(path)
    assert issubclass(LevelError, AgentError)


@pytest.mark.parametrize("name", ["suits.weight", "table2.bias", "places.bias", "bids.weight"])
def test_a_lacking_tensor(tmp_path, name):
    tensors = random_tensors()
    del tensors[name]
    damaged(tmp_path / "x.safetensors", tensors)
    assert f"it lacks the tensor {name}; a level has" in refusal(tmp_path / "x.safetensors")


@pytest.mark.parametrize("name", ["suits.scale", "extra", "value.weight", "hidden.0.weight", "table3.bias"])
def test_a_tensor_too_many(tmp_path, name):
    damaged(tmp_path / "x.safetensors", random_tensors() | {name: np.zeros(3, np.float32)})
    assert f"it holds a tensor {name}; a level has" in refusal(tmp_path / "x.safetensors")


@pytest.mark.parametrize(
    ("name", "shape", "right"),
    [
        ("suits.weight", (16, 312), "[16, 134]"),
        ("suits.weight", (0, 134), "[1, 134]"),
        ("suits.weight", (16,), "[16, 134]"),
        ("suits.bias", (16, 1), "[16]"),
        ("table.weight", (24, 300), "[24, 414]"),
        ("table.bias", (), "[24]"),
        ("table2.weight", (24, 25), "[24, 24]"),
        ("cards.weight", (24, 174), "[16, 174]"),
        ("cards2.weight", (16, 24), "[16, 16]"),
        ("places.weight", (64, 16), "[16, 16]"),
        ("bids.bias", (18,), "[16]"),
        ("bids.weight", (24, 16), "[16, 24]"),
    ],
)
def test_a_wrong_shape(tmp_path, name, shape, right):
    damaged(tmp_path / "x.safetensors", random_tensors() | {name: np.zeros(shape, np.float32)})
    wrong = "[" + ", ".join(map(str, shape)) + "]"
    assert f"{name} has the shape {wrong}, it must have {right}" in refusal(tmp_path / "x.safetensors")


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite(tmp_path, number):
    tensors = random_tensors()
    tensors["cards2.weight"][3, 2] = number
    damaged(tmp_path / "x.safetensors", tensors)
    assert "cards2.weight holds a number that is not finite" in refusal(tmp_path / "x.safetensors")


@pytest.mark.parametrize("dtype", [np.float64, np.int8])
def test_other_types_of_numbers(tmp_path, dtype):
    tensors = random_tensors() | {"bids.bias": np.zeros(16, dtype)}
    damaged(tmp_path / "x.safetensors", tensors)
    assert "bids.bias is stored as" in refusal(tmp_path / "x.safetensors")
    with pytest.raises(LevelError, match="tensors are float16 or float32"):
        Level(tensors, "a", "b", "c", "d", {}, {})


@pytest.mark.parametrize(
    ("name", "other"),
    [("format", "spades-level/1"), ("env", "spades_v1"), ("layout", "0123456789abcdef"), ("rows", "0123456789ab")],
)
def test_other_marks(tmp_path, name, other):
    damaged(tmp_path / "x.safetensors", **{name: other})
    assert f"its {name} is {other!r}, this package plays {random_level().metadata[name]!r} only" in refusal(
        tmp_path / "x.safetensors"
    )


@pytest.mark.parametrize("name", sorted(set(random_level().metadata) - {"temperature"}))
def test_lacking_metadata(tmp_path, name):
    damaged(tmp_path / "x.safetensors", **{name: None})
    assert f"its metadata lack {name!r}; there must be format, env" in refusal(tmp_path / "x.safetensors")


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"a": NaN}', "[" * 100_000])
def test_metadata_that_are_no_json_object(tmp_path, text):
    damaged(tmp_path / "x.safetensors", ratings=text)
    assert "its ratings" in refusal(tmp_path / "x.safetensors")


@pytest.mark.parametrize("text", ["", "warm", "-0.1", "1e-10", "1e10", "nan", "inf"])
def test_temperatures_that_cannot_be(tmp_path, text):
    damaged(tmp_path / "x.safetensors", temperature=text)
    assert f"temperature cannot be {text!r}: it takes 0 or a number from 1e-09 to 1e+09" in refusal(
        tmp_path / "x.safetensors"
    )


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"temperature": -1}, "0 or a number from"),
        ({"temperature": None}, "0 or a number from"),
        ({"name": 7}, "must be text"),
        ({"ratings": []}, "that JSON can hold"),
        ({"trained": {"loss": float("nan")}}, "that JSON can hold"),
        ({"trained": {"path": object()}}, "that JSON can hold"),
        ({"trained": {1: 2}}, "that JSON can hold"),
    ],
)
def test_words_that_cannot_be_written(wrong, reason):
    with pytest.raises(LevelError, match=reason):
        random_level(**wrong)


def test_numbers_too_great_for_half_precision(tmp_path):
    tensors = random_tensors()
    tensors["bids.bias"][0] = 1e6
    with pytest.raises(LevelError, match=r"bids\.bias holds numbers too great for float16"):
        Level(tensors, "a", "b", "c", "d", {}, {}).write(tmp_path / "x.safetensors", half=True)
    assert list(tmp_path.iterdir()) == []


def test_the_file_says_what_it_is(tmp_path):
    with safe_open(level_file(tmp_path), framework="numpy") as file:
        metadata = file.metadata()
    assert (metadata["format"], metadata["env"], metadata["layout"]) == ("spades-level/3", "spades_v0", layout_mark())
    assert json.loads(metadata["ratings"]) == {"random": 12.5}
