"""Compiled code on disk: no damaged file and no full disk stops a program, and neither changes a result."""

import errno
import importlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from spades_env import _jit, _kernel_cache

pytestmark = pytest.mark.skipif(not _jit.JIT_ON, reason="nothing is compiled")
SOURCE = """
import numpy as np

LARGE = np.full(1_000_000, 2)

def line(x):
    return 2 * x + 1

def line_from_table(x):
    return LARGE[x] * x + 1
"""
CUTS = (0, 1, 31, 32, 33, 40, 100, 1000, -1000, -100, -2, -1)  # bytes that are left
FLIPS = 40


@pytest.fixture
def module(tmp_path, monkeypatch) -> ModuleType:
    """A module whose kernels are kept in tmp_path/cache."""
    name = f"kernels_of_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(_jit.config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(_kernel_cache, "_said", set())
    return importlib.import_module(name)


def hits(module: ModuleType) -> int:
    """Call a new kernel, and return how often it was found in the cache."""
    kernel = _jit.njit(module.line)
    assert kernel(3) == 7
    return sum(kernel.stats.cache_hits.values())


def kept(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def damaged(content: bytes) -> Iterator[bytes]:
    for cut in CUTS:
        yield content[:cut]
    for bit in range(0, 8 * len(content), 8 * len(content) // FLIPS + 1):  # in other bits of their bytes, too
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        yield bytes(flipped)


def test_damaged_files_are_compiled_again(module, tmp_path, caplog):
    assert [hits(module), hits(module)] == [0, 1]
    [path] = kept(tmp_path)
    cases = list(damaged(path.read_bytes()))
    assert len(set(cases)) == len(CUTS) + FLIPS
    for case in cases:
        path.write_bytes(case)
        assert [hits(module), hits(module)] == [0, 1]  # and is whole again
    assert caplog.messages == [f"compiled code in {path.parent} is damaged ({path.name}): it is compiled again"]


def test_signatures_of_a_kernel_are_kept_side_by_side(module, tmp_path):
    for number in (3, 3.0, 3):
        assert _jit.njit(module.line)(number) == 7
    assert len(kept(tmp_path)) == 1
    kernel = _jit.njit(module.line)
    assert (kernel(3), kernel(3.0)) == (7, 7)
    assert sum(kernel.stats.cache_hits.values()) == 2


def test_a_full_disk_keeps_nothing(module, tmp_path, monkeypatch, caplog):
    def full(path: Path, content: bytes) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert [hits(module), hits(module)] == [0, 0]
    assert kept(tmp_path) == []
    [message] = caplog.messages
    assert message.startswith(f"compiled code cannot be kept in {tmp_path / 'cache'}")
    assert message.endswith("(No space left on device): every process has to compile it again")
    assert not _kernel_cache.could_write()


@pytest.mark.skipif(os.name != "posix", reason="file systems are mounted on POSIX")
def test_a_disk_that_is_really_full_keeps_nothing(module, tmp_path, caplog):
    cache = tmp_path / "cache"
    cache.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(cache)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        (cache / "other").write_bytes(bytes(60_000))
        assert [hits(module), hits(module)] == [0, 0]
        assert kept(tmp_path) == [cache / "other"]
        (cache / "other").unlink()
        assert [hits(module), hits(module)] == [0, 1]
    finally:
        subprocess.run(["umount", str(cache)], check=True)
    assert ["No space left on device" in message for message in caplog.messages] == [True]


def test_code_with_addresses_of_its_process_is_not_kept(module, tmp_path, caplog):
    assert _jit.njit(module.line_from_table)(3) == 7
    assert kept(tmp_path) == []
    assert ["line_from_table-9 holds addresses of this process" in message for message in caplog.messages] == [True]


def test_a_folder_that_vanishes_is_made_again(module, tmp_path, caplog):
    kernels = [_jit.njit(module.line) for _ in range(3)]
    shutil.rmtree(tmp_path / "cache")
    assert [kernel(3) for kernel in kernels] == [7] * 3
    assert [sum(kernel.stats.cache_hits.values()) for kernel in kernels] == [0, 1, 1]
    assert caplog.messages == []


def test_what_can_be_neither_read_nor_written_is_compiled_each_time(module, tmp_path, caplog):
    hits(module)
    [path] = kept(tmp_path)
    path.unlink()
    path.mkdir()
    assert [hits(module), hits(module)] == [0, 0]
    assert len(caplog.messages) == 2
    assert kept(tmp_path) == []
