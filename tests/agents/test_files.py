"""Files are written atomically: no mixtures, no halves, and no temporary files left."""

import errno
import importlib
import os
import re
import stat
import sys
import threading
from contextlib import nullcontext

import pytest

from spades_env.agents import atomic_files
from spades_env.agents.atomic_files import write_whole


def test_a_file_is_replaced_and_its_folder_made(tmp_path):
    path = tmp_path / "deep" / "data.json"
    for content, bytes_ in (("älter", "älter".encode()), (b"newer", b"newer")):
        write_whole(path, content)
        assert path.read_bytes() == bytes_
    assert os.listdir(path.parent) == ["data.json"]


def test_two_threads_that_write_one_file_are_not_mixed(tmp_path, monkeypatch):
    """One writes its whole content while the other is about to rename its temporary file."""
    path, replace, replaced = tmp_path / "data.json", os.replace, []

    def late(part, whole):
        if not replaced:
            replaced.append(part)
            other = threading.Thread(target=write_whole, args=(path, "the other's"))
            other.start()
            other.join()
            assert path.read_text() == "the other's"
        replace(part, whole)

    monkeypatch.setattr(atomic_files.os, "replace", late)
    write_whole(path, "mine")
    assert path.read_text() == "mine"
    assert os.listdir(tmp_path) == ["data.json"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_two_processes_that_write_one_file_are_not_mixed(tmp_path, monkeypatch):
    path, replace, parent = tmp_path / "data.json", os.replace, os.getpid()

    def late(part, whole):
        if os.getpid() == parent:  # the other has the same number for its thread
            child = os.fork()
            if child == 0:
                try:
                    write_whole(path, "the other's")
                finally:
                    os._exit(0)
            os.waitpid(child, 0)
            assert path.read_text() == "the other's"
        replace(part, whole)

    monkeypatch.setattr(atomic_files.os, "replace", late)
    write_whole(path, "mine")
    assert path.read_text() == "mine"


def test_a_failed_write_leaves_the_old_content_and_no_temporary_file(tmp_path, monkeypatch):
    path = tmp_path / "data.json"
    write_whole(path, "old")

    def full(part, whole):
        raise OSError("no space left")

    monkeypatch.setattr(atomic_files.os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["data.json"]


# What an error says


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of the size of files")
def test_a_file_that_cannot_be_written_is_named(tmp_path):
    resource = importlib.import_module("resource")
    path, limits = tmp_path / "data.json", resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(OSError) as error:  # noqa: PT011
            write_whole(path, "x" * 101)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (error.value.errno, error.value.filename) == (errno.EFBIG, str(path))
    assert os.listdir(tmp_path) == []


WRITES = {"write": lambda path: write_whole(path, "new"), "append": atomic_files.sync_file}


@pytest.mark.parametrize(("write", "failing"), [("write", "fsync"), ("write", "replace"), ("append", "fsync")])
def test_a_full_disk_is_told_with_the_name_of_the_file(tmp_path, monkeypatch, write, failing):
    def full(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), *arguments[1:])

    path = tmp_path / "data.json"
    path.write_text("old")
    monkeypatch.setattr(atomic_files.os, failing, full)
    with pytest.raises(OSError, match=r"^.Errno 28. No space left on device: '.*data\.json'$"):
        WRITES[write](path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["data.json"]


def test_a_folder_that_cannot_be_synced_is_named(tmp_path, monkeypatch):
    def failed(handle):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", failed)
    with pytest.raises(OSError, match=re.escape(repr(str(tmp_path)))):
        atomic_files.sync_folder(tmp_path)


# What a power cut leaves


@pytest.fixture
def disk(monkeypatch) -> list[tuple[str, str]]:
    """The operations on files and folders, in order: (synced or renamed, name)."""
    done, replace, fsync = [], os.replace, os.fsync

    def synced(handle):
        done.append(("synced", os.path.basename(os.readlink(f"/proc/self/fd/{handle}"))))
        fsync(handle)

    def renamed(part, whole):
        done.append(("renamed", os.path.basename(whole)))
        replace(part, whole)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", renamed)
    return done


needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="names of open files are read from /proc")


@needs_proc
def test_a_file_is_on_the_disk_before_its_name_and_then_the_name(tmp_path, disk):
    path = tmp_path / "data.json"
    write_whole(path, "new")
    assert disk == [
        ("synced", f".data.json.{os.getpid()}-{threading.get_ident()}.part"),
        ("renamed", "data.json"),
        ("synced", tmp_path.name),
    ]


@needs_proc
def test_folders_that_are_made_are_on_the_disk(tmp_path, disk):
    write_whole(tmp_path / "a" / "b" / "data.json", "new")
    assert disk[:2] == [("synced", tmp_path.name), ("synced", "a")]
    assert disk[-1] == ("synced", "b")


def test_the_whole_content_is_there_when_it_is_synced(tmp_path, monkeypatch):
    sizes, fsync = [], os.fsync

    def synced(handle):
        sizes.append(os.fstat(handle).st_size)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", synced)
    write_whole(tmp_path / "data", b"x" * 100_001)
    assert sizes[0] == 100_001


@pytest.mark.parametrize(("number", "passes"), [(errno.EINVAL, True), (errno.ENOTSUP, True), (errno.EIO, False)])
def test_a_drive_that_cannot_sync_folders_is_still_written_to(tmp_path, monkeypatch, number, passes):
    def refuse(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with nullcontext() if passes else pytest.raises(OSError, match=os.strerror(number)):
        write_whole(tmp_path / "data", "new")
    assert (tmp_path / "data").read_text() == "new"


def test_windows_has_no_folders_to_sync(tmp_path, monkeypatch):
    def refuse(*arguments):
        raise PermissionError("folders cannot be opened")

    monkeypatch.setattr(atomic_files, "HAS_FOLDERS_TO_SYNC", False)
    monkeypatch.setattr(atomic_files.os, "open", refuse)
    atomic_files.sync_folder(tmp_path)


def test_a_file_that_others_appended_to_is_synced(tmp_path, monkeypatch):
    path, synced = tmp_path / "lines", []
    path.write_text("one\n")
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    atomic_files.sync_file(path)
    assert synced == [path.stat().st_ino]
    assert path.read_text() == "one\n"
