"""One process in a folder: a second one is refused with the name of the first, and a killed one holds nothing."""

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.paths import ROOT

from spades_env import folder_lock
from spades_env._jit import JIT_ON
from spades_env.folder_lock import FolderLock, InUseError
from spades_env.play.commands.cli import main

pytest.importorskip("torch")

from spades_env.training.recipe import Recipe
from spades_env.training.run.folder import lock_folder, unlock_folder
from spades_env.training.trainer import train

HOLD = (  # as lock_folder does, without the seconds that torch takes
    "import sys; from pathlib import Path; from spades_env.folder_lock import FolderLock; "
    "from spades_env.training.run import RUN_LOCK; "
    "lock = FolderLock(Path(sys.argv[1]), *RUN_LOCK); print(flush=True); sys.stdin.read()"
)
RECIPE = """
tables = 8
checkpoint = 1
network = { width = 12, suit_width = 8 }
evaluate = { every = 0 }
stage = [{ kind = "selfplay", iterations = 2, hands = 1 }]
"""
TEXT = "{} is in use by process {} on {}: wait until that ends, or name another folder with --out"


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen]:
    """Let another process lock a folder."""
    command, pipe = [sys.executable, "-c", HOLD, str(folder)], subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe) as process:
        assert process.stdout
        assert process.stdout.readline() == b"\n"
        yield process
        process.kill()


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_killed_process_holds_nothing(tmp_path):
    with holder(tmp_path) as process:
        with pytest.raises(InUseError) as error:
            lock_folder(tmp_path)
        assert str(error.value) == TEXT.format(tmp_path, process.pid, socket.gethostname())
        process.kill()
        process.wait()
        lock_folder(tmp_path)
        lock_folder(tmp_path)  # what is ours already
        assert (tmp_path / "run.lock").read_text() == f"process {os.getpid()} on {socket.gethostname()}\n"
    unlock_folder(tmp_path)
    with holder(tmp_path):
        pass


def test_a_damaged_file_locks_all_the_same(tmp_path):
    (tmp_path / "a.lock").write_bytes(b"\xff" * 1000)
    lock = FolderLock(tmp_path, "a.lock", "{folder} has {holder}")
    with pytest.raises(InUseError, match=f"{tmp_path} has process {os.getpid()} on "):
        FolderLock(tmp_path, "a.lock", "{folder} has {holder}")
    lock.close()


@pytest.mark.parametrize(
    ("words", "locked"),
    [
        ("train {}/short.toml --workers 1 --out {}/run", "run"),
        (
            "exploit random --start standard --iterations 0 --search none --games 2 --selection-games 2 --out {}/run",
            "run",
        ),
    ],
)
def test_a_second_process_is_refused(tmp_path, capsys, words, locked):
    (tmp_path / "short.toml").write_text(RECIPE)
    folder = tmp_path / locked
    with holder(folder) as process:
        before = contents(tmp_path)
        assert main(words.replace("{}", str(tmp_path)).split()) == 2
        assert contents(tmp_path) == before
        told = f"spades: {TEXT.format(folder, process.pid, socket.gethostname())}\n"
        assert capsys.readouterr().err == told


@pytest.mark.skipif(not JIT_ON, reason="trains")
def test_a_training_locks_its_folder_until_it_ends(tmp_path):
    path, folder, done = tmp_path / "short.toml", tmp_path / "run", []
    path.write_text(RECIPE)

    def resume_elsewhere(record) -> None:
        if record.event == "checkpoint" and not done:
            before = contents(folder)
            command = [
                sys.executable,
                "-m",
                "spades_env.training",
                str(path),
                "--out",
                str(folder),
                "--resume",
                "--workers",
                "1",
            ]
            done.append(subprocess.run(command, cwd=ROOT, capture_output=True, text=True))
            assert contents(folder) == before

    train(Recipe.load(path), folder, device="cpu", say=lambda text: None, callbacks=[resume_elsewhere])
    assert done[0].returncode == 2
    assert done[0].stderr == f"train: {TEXT.format(folder, os.getpid(), socket.gethostname())}\n"
    with holder(folder):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks files in another way")
def test_a_drive_without_locks_is_trained_on_all_the_same(tmp_path, monkeypatch):
    def missing(*arguments):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(folder_lock.fcntl, "flock", missing)
    lock_folder(tmp_path)
    unlock_folder(tmp_path)
