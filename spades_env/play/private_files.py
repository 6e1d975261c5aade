"""Files that only their owner may read, for any mode of the folder and any umask. Only POSIX has such modes."""

import os
from contextlib import suppress
from pathlib import Path

OWN = 0o600  # the owner reads and writes, nobody else has any access


def create_private(path: Path) -> None:
    with suppress(FileExistsError):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWN)
        os.close(handle)
        make_private(path)  # a umask may have removed more


def make_private(*paths: Path) -> None:
    """Remove other users' access to existing files; files of another owner stay unchanged."""
    if os.name != "posix":
        return
    for path in paths:
        with suppress(FileNotFoundError, PermissionError):
            if path.stat().st_mode & 0o777 != OWN:
                path.chmod(OWN)
