"""Games and keys are for their owner's eyes, whatever the folder's mode and the umask are."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.play.sittings import new

from spades_env.play.server.server import Server
from spades_env.play.store.database import FILE, Store

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only POSIX has such modes")


@pytest.fixture(params=[0o000, 0o022, 0o277])
def umask(request) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_all_files_are_their_owners_alone(tmp_path, umask):
    tmp_path.chmod(0o755)
    services = Server(tmp_path).services
    services.store.save(new())
    found = modes(tmp_path)
    assert found == dict.fromkeys([FILE, f"{FILE}-wal", f"{FILE}-shm", "server.json", "server.lock"], 0o600)
    services.close()


def test_wider_modes_of_before_are_taken_away(tmp_path):
    tmp_path.chmod(0o755)
    first = Store(tmp_path)
    first.save(new())
    (tmp_path / "server.lock").touch()
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    services = Server(tmp_path).services
    assert modes(tmp_path) == dict.fromkeys([FILE, f"{FILE}-wal", f"{FILE}-shm", "server.json", "server.lock"], 0o600)
    services.close()
    first.close()


def test_a_file_of_another_program_keeps_its_mode(tmp_path):
    (tmp_path / FILE).write_text("no database at all, but long enough to be looked at " * 20)
    (tmp_path / FILE).chmod(0o644)
    with pytest.raises(ValueError, match="not a database"):
        Store(tmp_path)
    assert modes(tmp_path) == {FILE: 0o644}
