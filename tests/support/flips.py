"""Files with one byte changed, and what their readers say."""

from collections.abc import Callable
from pathlib import Path

ALL = 10_000  # bytes of a file in which every one is changed; in a larger one, about MANY are
MANY = 500


def flipped(content: bytes, at: int, by: int = 1) -> bytes:
    return content[:at] + bytes([content[at] ^ by]) + content[at + 1 :]


def places(size: int, many: int = MANY) -> range:
    return range(0, size, 1 if size < ALL else size // many)


def assert_noticed(path: Path, read: Callable[[], object], error: type[Exception]) -> None:
    """Check that a changed byte of a file is refused in one sentence that names the file, and the whole file read."""
    whole, said = path.read_bytes(), dict[int, str]()
    for at in places(len(whole)):
        path.write_bytes(flipped(whole, at))
        try:
            read()
        except error as refused:
            said[at] = str(refused)
    path.write_bytes(whole)
    read()
    assert [at for at in places(len(whole)) if at not in said] == []
    assert [text for text in said.values() if path.name not in text or "\n" in text] == []
