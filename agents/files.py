"""Files are written to a temporary name and renamed: a kill at any moment leaves the old or the new.

Each writer has a part of its own, .NAME.PROCESS-THREAD.part, so that those who write the same file at once don't write
into each other's. Only a kill leaves one behind; nobody reads it, nor do libraries that read a whole folder.
"""

import os
import threading
from pathlib import Path


def write_whole(path: str | os.PathLike, content: str | bytes) -> None:
    """Replace a file's content at one stroke; its folder is made if need be."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
        os.replace(part, path)
    finally:
        if part.exists():
            part.unlink()
