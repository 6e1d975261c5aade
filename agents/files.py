"""Files are written to a temporary name and renamed: a kill at any moment leaves the old or the new."""

import os
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Replace a file's text at one stroke."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
