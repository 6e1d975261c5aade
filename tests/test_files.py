"""Files written whole: never a mixture, never half of one, and nothing beside them."""

import os
import threading

import pytest

from agents import files
from agents.files import write_whole


def test_a_file_is_replaced_and_its_folder_made(tmp_path):
    path = tmp_path / "deep" / "told.json"
    for content, bytes_ in (("älter", "älter".encode()), (b"newer", b"newer")):
        write_whole(path, content)
        assert path.read_bytes() == bytes_
    assert os.listdir(path.parent) == ["told.json"]


def test_two_threads_that_write_one_file_are_not_mixed(tmp_path, monkeypatch):
    """One writes all of its own while the other is about to put its part in the file's place."""
    path, replace, replaced = tmp_path / "told.json", os.replace, []

    def late(part, whole):
        if not replaced:
            replaced.append(part)
            other = threading.Thread(target=write_whole, args=(path, "the other's"))
            other.start()
            other.join()
            assert path.read_text() == "the other's"
        replace(part, whole)

    monkeypatch.setattr(files.os, "replace", late)
    write_whole(path, "mine")
    assert path.read_text() == "mine"
    assert os.listdir(tmp_path) == ["told.json"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_two_processes_that_write_one_file_are_not_mixed(tmp_path, monkeypatch):
    path, replace, parent = tmp_path / "told.json", os.replace, os.getpid()

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

    monkeypatch.setattr(files.os, "replace", late)
    write_whole(path, "mine")
    assert path.read_text() == "mine"


def test_what_fails_leaves_the_old_and_no_part(tmp_path, monkeypatch):
    path = tmp_path / "told.json"
    write_whole(path, "old")

    def full(part, whole):
        raise OSError("no space left")

    monkeypatch.setattr(files.os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["told.json"]
