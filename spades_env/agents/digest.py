"""A digest in a file, so that damage to it is noticed.

    digest    spades-sha256: and 64 hexadecimal digits

The digits are the SHA-256 of the whole file with zeros in their place. In safetensors, ONNX and Parquet files the
digest is among the metadata, in JSON files it is the first key. This command checks files of all four kinds:

    python -m spades_env.agents.digest FILE ...

Of safetensors files it also prints a digest of the weights alone. Two equal runs agree in it, though not in the times
that are among the metadata.
"""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, deserialize

from spades_env.errors import SpadesError
from spades_env.plain import PlainError, from_json

KEY = "digest"
PREFIX = "spades-sha256:"
DIGITS = 64
BLANK = PREFIX + "0" * DIGITS
ALIGNMENT = 8  # of the tensors behind the header


class DamagedError(SpadesError):
    """A file that is not as it was written; the message says how one can tell."""


def filled(content: bytes) -> bytes:
    """Return the content with the digest in place of the BLANK that it holds."""
    at = content.index(BLANK.encode()) + len(PREFIX)
    return b"".join((content[:at], _digits(content, at), memoryview(content)[at + DIGITS :]))


def check(content: bytes, expected: bool = True) -> None:
    """Raise DamagedError if the digest does not match, or is missing although expected."""
    start = content.find(PREFIX.encode())
    if start < 0 and not expected:
        return
    at = start + len(PREFIX)
    if start < 0 or content[at : at + DIGITS] != _digits(content, at):
        how = ", or never had a digest" if start < 0 else ": its digest does not fit its content"
        raise DamagedError(f"it is damaged{how}")


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
    """Return the bytes and metadata of a safetensors file; raise DamagedError if it is damaged or has no digest."""
    content = Path(path).read_bytes()
    try:
        deserialize(content)
    except SafetensorError as error:
        raise DamagedError(f"it is not a whole safetensors file ({error})") from None
    check(content)
    return content, _header(content)[0].get("__metadata__") or {}


def weights_digest(content: bytes) -> str:
    """Return the SHA-256 of a safetensors file's tensors: their names, kinds, shapes and numbers, not its metadata."""
    digest = hashlib.sha256()
    for name, stored in sorted(deserialize(content), key=lambda one: one[0]):
        digest.update(json.dumps([name, stored["dtype"], stored["shape"]]).encode())
        digest.update(stored["data"])
    return f"sha256:{digest.hexdigest()}"


def _header(content: bytes) -> tuple[dict, int]:
    end = 8 + int.from_bytes(content[:8], "little")
    return json.loads(content[8:end]), end


# JSON: an object whose first key is the digest


def sealed_json(found: Mapping[str, Any], **style: Any) -> bytes:
    """Return an object as JSON with a digest; style: as `json.dumps` takes it."""
    return filled((json.dumps({KEY: BLANK, **found}, **style) + "\n").encode())


def read_sealed_json(path: str | os.PathLike) -> dict[str, Any]:
    """Return the object in a JSON file without its digest; raise DamagedError if it is damaged or has none."""
    content = Path(path).read_bytes()
    try:
        found = from_json(content)
    except PlainError as error:
        raise DamagedError(f"it is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise DamagedError("it is not a JSON object")
    check(content)
    found.pop(KEY, None)
    return found


# The command


def main(paths: list[str]) -> int:
    """Check files; return the exit code."""
    for path in paths:
        try:
            content = Path(path).read_bytes()
            check(content)
        except (DamagedError, OSError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
        print(f"{path}: as it was written{_weights_words(content)}")
    return 0


def _weights_words(content: bytes) -> str:
    with suppress(SafetensorError):  # a file of another kind
        return f", weights {weights_digest(content)}"
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
