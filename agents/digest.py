"""A digest in the metadata of a safetensors or ONNX file, so that damaged files are refused.

    digest    spades-sha256: and 64 hexadecimal digits

The digits are the SHA-256 of the whole file with zeros in their place. A file older than digests has none: it still
loads, with a line in the log. This command adds one and changes nothing else:

    python -m agents.digest FILE.safetensors ...
"""

import hashlib
import json
import logging
import os
import sys
from pathlib import Path

from safetensors import SafetensorError, deserialize

from agents.files import write_whole

KEY = "digest"
PREFIX = "spades-sha256:"
DIGITS = 64
BLANK = PREFIX + "0" * DIGITS
ALIGNMENT = 8  # of the tensors behind the header

log = logging.getLogger(__name__)
_noted: set[str] = set()


class DamagedError(ValueError):
    """A file that is not as it was written; the message says how one can tell."""


def filled(content: bytes) -> bytes:
    """Return the content with the digest in place of the BLANK in its metadata."""
    at = content.index(BLANK.encode()) + len(PREFIX)
    return b"".join((content[:at], _digits(content, at), memoryview(content)[at + DIGITS :]))


def check(content: bytes, expected: bool) -> None:
    """Raise DamagedError if the digest does not match, or is missing although expected."""
    start = content.find(PREFIX.encode())
    if start < 0 and not expected:
        return
    at = start + len(PREFIX)
    if start < 0 or content[at : at + DIGITS] != _digits(content, at):
        raise DamagedError("it is damaged: its digest does not fit its content")


def _digits(content: bytes, at: int) -> bytes:
    """Return the digits of the digest whose place begins at `at`."""
    view, digest = memoryview(content), hashlib.sha256()
    for part in (view[:at], b"0" * DIGITS, view[at + DIGITS :]):
        digest.update(part)
    return digest.hexdigest().encode()


# Safetensors: 8 bytes with the length of the header, the header as JSON padded with spaces, the tensors


def sealed(content: bytes) -> bytes:
    """Return the safetensors file with a digest and its other metadata sorted."""
    header, end = _header(content)
    metadata = dict(sorted(header.pop("__metadata__", {}).items()))
    metadata.pop(KEY, None)
    text = json.dumps({"__metadata__": {KEY: BLANK, **metadata}, **header}, ensure_ascii=False, separators=(",", ":"))
    packed = text.encode()
    packed += b" " * (-len(packed) % ALIGNMENT)
    return filled(b"".join((len(packed).to_bytes(8, "little"), packed, memoryview(content)[end:])))


def read_sealed(path: str | os.PathLike) -> tuple[bytes, dict[str, str]]:
    """Return the bytes and metadata of a safetensors file; raise DamagedError if it is damaged."""
    content = Path(path).read_bytes()
    try:
        deserialize(content)
    except SafetensorError as error:
        raise DamagedError(f"it is not a whole safetensors file ({error})") from None
    metadata = _header(content)[0].get("__metadata__") or {}
    check(content, KEY in metadata)
    return content, metadata


def note_missing(path: str | os.PathLike, metadata: dict[str, str]) -> None:
    if KEY not in metadata and os.fspath(path) not in _noted:
        _noted.add(os.fspath(path))
        log.warning("%s has no digest, so damage would go unnoticed: python -m agents.digest FILE adds one", path)


def _header(content: bytes) -> tuple[dict, int]:
    end = 8 + int.from_bytes(content[:8], "little")
    return json.loads(content[8:end]), end


def main(paths: list[str]) -> int:
    """Add a digest to files that have none; return the exit code."""
    for path in paths:
        try:
            content, metadata = read_sealed(path)
        except (DamagedError, OSError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
        if KEY not in metadata:
            write_whole(path, sealed(content))
        print(f"{path}: {'has one already' if KEY in metadata else 'has a digest now'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
