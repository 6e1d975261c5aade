"""Write files atomically: a kill or a power cut at any moment leaves either the old content or the new.

The content goes to a temporary file, .NAME.PROCESS-THREAD.part, which is then renamed. So threads and processes may
write the same file at once. Only a kill leaves a temporary file behind; nothing reads it, as its name begins with a
dot.
"""

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HAS_FOLDERS_TO_SYNC = os.name == "posix"  # Windows cannot open folders, and needs no sync of them
NO_SYNC = (errno.EACCES, errno.EINVAL, errno.ENOTSUP)  # a folder without read permission, or on a drive without sync


def write_whole(path: str | os.PathLike, content: str | bytes) -> None:
    """Replace a file's content atomically; make its folder if needed."""
    path = Path(path)
    _make_folder(path.parent)
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with naming(path):
            with open(part, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())  # without it, a power cut may leave an empty file under the new name
            os.replace(part, path)
    finally:
        if part.exists():
            part.unlink()
    sync_folder(path.parent)


def is_unfinished(path: Path) -> bool:
    """Return whether it is a temporary file, which a kill left behind."""
    return path.name.startswith(".") and path.suffix == ".part"


@contextmanager
def naming(path: str | os.PathLike) -> Iterator[None]:
    """Name the file in errors: those of writing, syncing and closing don't say which file could not be written."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from error


def sync_file(path: str | os.PathLike) -> None:
    """Wait until what has been appended to a file is on the disk."""
    with naming(path), open(path, "rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: str | os.PathLike) -> None:
    """Wait until the names in a folder are on the disk."""
    if not HAS_FOLDERS_TO_SYNC:
        return
    try:
        with naming(folder):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
    except OSError as error:
        if error.errno not in NO_SYNC:
            raise


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)
