"""Files that only their owner may read, whatever the folder's mode and the umask. Only POSIX has such modes."""

import os
from contextlib import suppress
from pathlib import Path

OWN = 0o600  # the owner reads and writes, nobody else has any access


def create_private(path: Path) -> None:
    """Create an empty file unless it exists."""
    with suppress(FileExistsError):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWN)
        os.close(handle)
        make_private(path)  # a umask may have taken more away


def make_private(*paths: Path) -> None:
    """Take away other users' access to existing files; files of somebody else stay as they are."""
    if os.name != "posix":
        return
    for path in paths:
        with suppress(FileNotFoundError, PermissionError):
            if path.stat().st_mode & 0o777 != OWN:
                path.chmod(OWN)
