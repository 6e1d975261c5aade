"""Damaged weights are noticed: a file that differs in one byte from what was written is refused."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save, save_file
from support.agents.levels import level_file, random_level
from support.paths import ROOT

from spades_env.agents.digest import BLANK, DamagedError, check, filled, main, sealed, weights_digest
from spades_env.agents.network.level import Level, LevelError
from spades_env.agents.roster import LEVELS

FLIPS = (0x20, 0x80)  # of a header's bytes, besides 1; the first one swaps capital and small letters


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
    expected = f"{path} cannot be played: it is "
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


def test_a_file_without_a_digest_is_refused(tmp_path):
    save_file({"x": np.zeros(3)}, tmp_path / "x.safetensors")
    with pytest.raises(LevelError, match="it is damaged, or never had a digest"):
        Level.read(tmp_path / "x.safetensors")


def test_the_command_checks_files(tmp_path, capsys):
    path = level_file(tmp_path)
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: as it was written, weights {weights_digest(path.read_bytes())}\n"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert main([str(path)]) == 2
    assert capsys.readouterr().err == f"{path}: it is damaged: its digest does not fit its content\n"
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_the_digest_of_weights_is_of_the_tensors_alone():
    weights = {"b": np.ones((2, 3), np.float32), "a": np.zeros(3)}
    first = weights_digest(save(weights, {"seconds": "1"}))
    assert first == weights_digest(save(dict(sorted(weights.items())), {"seconds": "2"}))
    others = [{"b": weights["b"].reshape(3, 2)}, {"a": np.ones(3)}, {"a": np.zeros(3, np.float32)}, {"c": np.ones(1)}]
    assert len({first, *(weights_digest(save(weights | other)) for other in others)}) == 5


def test_the_command_warns_of_nothing(tmp_path):
    command = [sys.executable, "-W", "error", "-m", "spades_env.agents.digest", str(level_file(tmp_path))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


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
    check(whole)
    check(b"anything", expected=False)
    for wrong in (whole[:-1], whole + b"!", whole.replace(b"before", b"BEFORE"), whole[: len(whole) // 2]):
        with pytest.raises(DamagedError):
            check(wrong, expected=False)
    with pytest.raises(DamagedError):
        check(b"anything")
