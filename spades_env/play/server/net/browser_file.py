"""The file that opens the owner's browser.

Anyone on a machine can see the command line of every process, so the browser's must not contain the key. The browser
gets the name of this file instead, which only the owner can read. The file redirects to the address with the key.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

FILE = "open.html"
PAGE = '<!doctype html><meta charset=utf-8><title>Spades</title><meta http-equiv=refresh content="0;url={address}">'


def remove_leftover(folder: Path) -> None:
    """Delete the file of a server that was killed, even of one that was just writing it."""
    for left in folder.glob(f"{FILE}*"):
        left.unlink(missing_ok=True)


@contextmanager
def browser_file(folder: Path, address: str) -> Iterator[Path]:
    """Write the file, and delete it afterwards."""
    path = folder.absolute() / FILE
    handle, part = tempfile.mkstemp(dir=folder, prefix=FILE)  # readable by its owner only, whatever the umask
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(PAGE.format(address=escape(address)))
        os.replace(part, path)
        yield path
    finally:
        for left in (Path(part), path):
            left.unlink(missing_ok=True)
