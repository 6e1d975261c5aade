"""Damaged weights are noticed: a file that differs in one byte from what was written is refused."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save, save_file
from support.levels import level_file, random_level
from support.paths import ROOT

from spades_env.agents import digest
from spades_env.agents.digest import BLANK, KEY, DamagedError, check, filled, main, sealed
from spades_env.agents.network.level import Level, LevelError
from spades_env.agents.roster import LEVELS

FLIPS = (0x20, 0x80)  # of a header's bytes, besides 1; the first one swaps capital and small letters


def metadata(path) -> dict[str, str]:
    with safe_open(path, framework="numpy") as file:
        return file.metadata()


def old_file(path: Path) -> Path:
    """A level without a digest, as old versions wrote it."""
    level = random_level()
    save_file(dict(level.tensors), path, level.metadata)
    return path


@pytest.fixture(autouse=True)
def nothing_noted(monkeypatch):
    monkeypatch.setattr(digest, "_noted", set())


def refusal(path: Path, content: bytes) -> str:
    """The error for a file with this content; empty if it loads."""
    path.write_bytes(content)
    try:
        Level.read(path)
    except LevelError as error:
        return str(error)
    return ""


def test_every_byte_of_a_level_that_is_changed_is_noticed(tmp_path):
    path = tmp_path / "tiny.safetensors"
    random_level(0, 1, 1).write(path, half=True)
    whole = path.read_bytes()
    header = range(8 + int.from_bytes(whole[:8], "little"))
    flips = [(at, 1) for at in range(len(whole))] + [(at, flip) for flip in FLIPS for at in header]
    said = {(at, flip): refusal(path, whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :]) for at, flip in flips}
    expected = f"{path} is no level to play: it is "
    assert [place for place, text in said.items() if not text.startswith(expected) or "\n" in text] == []
    assert refusal(path, whole) == ""


def test_one_byte_of_the_shipped_standard(tmp_path):
    """That byte changed 173 of 200 bids."""
    path = Path(shutil.copy(LEVELS / "standard.safetensors", tmp_path))
    content = bytearray(path.read_bytes())
    content[8 + int.from_bytes(content[:8], "little") + 1] ^= 0x40  # the first bias of the bids
    path.write_bytes(content)
    with pytest.raises(LevelError, match="it is damaged: its digest does not fit its content"):
        Level.read(path)


@pytest.mark.parametrize("path", sorted(LEVELS.glob("*.safetensors")), ids=lambda path: path.stem)
def test_shipped_levels_have_a_digest(path, caplog):
    assert metadata(path)[KEY].startswith(digest.PREFIX)
    Level.read(path)
    assert not caplog.records


def test_a_level_from_before_there_were_digests_loads_with_one_note(tmp_path, caplog):
    path = old_file(tmp_path / "old.safetensors")
    assert Level.read(path).name == Level.read(path).name == "anyhow"
    (note,) = caplog.messages
    assert (
        f"{path} has no digest, so damage would go unnoticed: python -m spades_env.agents.digest FILE adds one" == note
    )


def test_the_note_is_a_line_on_stderr_where_nobody_set_up_a_log(tmp_path):
    path = old_file(tmp_path / "old.safetensors")
    code = f"from spades_env.agents.network.level import Level; Level.read({str(path)!r}); Level.read({str(path)!r})"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr.splitlines() == [
        f"{path} has no digest, so damage would go unnoticed: python -m spades_env.agents.digest FILE adds one"
    ]


def test_nothing_is_noted_of_a_file_that_is_refused_anyway(tmp_path, caplog):
    save_file({"x": np.zeros(3)}, tmp_path / "x.safetensors")
    with pytest.raises(LevelError, match="its metadata lack 'format'"):
        Level.read(tmp_path / "x.safetensors")
    assert not caplog.records


def test_a_digest_changes_neither_tensors_nor_other_metadata(tmp_path, capsys):
    path = old_file(tmp_path / "old.safetensors")
    tensors, words = load_file(path), metadata(path)
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: has a digest now\n"
    now = load_file(path)
    assert {name: tensor.tobytes() for name, tensor in now.items()} == {
        name: tensor.tobytes() for name, tensor in tensors.items()
    }
    found = metadata(path)
    assert found.pop(KEY)
    assert found == words
    before = path.read_bytes()
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: has one already\n"
    assert path.read_bytes() == before


def test_a_damaged_file_gets_no_new_digest(tmp_path, capsys):
    path = level_file(tmp_path)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert main([str(path)]) == 2
    assert capsys.readouterr().err == f"{path}: it is damaged: its digest does not fit its content\n"
    assert path.read_bytes() == content
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_the_same_level_is_the_same_file(tmp_path):
    level = random_level(style='«any» ♠ \\ " \u2028')
    first, second = (
        sealed(save(dict(level.tensors), words)) for words in (level.metadata, dict(reversed(level.metadata.items())))
    )
    assert first == second == sealed(first)
    assert (int.from_bytes(first[:8], "little")) % 8 == 0
    (tmp_path / "x.safetensors").write_bytes(first)
    assert Level.read(tmp_path / "x.safetensors").style == level.style


def test_files_of_other_kinds():
    whole = filled(b"before " + BLANK.encode() + b" behind")
    check(whole, expected=True)
    check(b"anything", expected=False)
    for wrong in (whole[:-1], whole + b"!", whole.replace(b"before", b"BEFORE"), whole[: len(whole) // 2]):
        with pytest.raises(DamagedError):
            check(wrong, expected=False)
    with pytest.raises(DamagedError):
        check(b"anything", expected=True)
