"""Files are written to a temporary name and renamed: a kill at any moment leaves the old or the new."""

import os
from pathlib import Path


def write_whole(path: str | os.PathLike, content: str | bytes) -> None:
    """Replace a file's content at one stroke; its folder is made if need be."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(content.encode() if isinstance(content, str) else content)
    os.replace(part, path)
