"""Keeps the machine code of kernels on disk, and survives damaged files and full disks.

A kernel has one file, with what was compiled for each of its signatures:

    SHA-256 of the rest | pickle of {key: pickle of what was compiled}

The digest is compared before anything else: damaged bytes could make pickle or LLVM do anything. What cannot be read is
compiled again and replaces the file; what cannot be written is compiled again by the next process.
"""

import hashlib
import logging
import os
import pickle
import uuid
from contextlib import suppress
from pathlib import Path

from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

UNREADABLE = "compiled code in %s is damaged (%s): it is compiled again"
UNWRITABLE = "compiled code cannot be kept in %s (%s): every process has to compile it again"
DIGEST_BYTES = 32

log = logging.getLogger(__name__)
_said: set[str] = set()


class KernelCache(FunctionCache):
    """Takes the place of numba's cache of one kernel, whose way of making keys it keeps."""

    def __init__(self, function, folder: Path):
        self._py_func = function
        self._cache_path = str(folder)
        name = f"{function.__module__}.{function.__qualname__}-{function.__code__.co_firstlineno}"
        self._path = folder / name.replace("<", "").replace(">", "")  # which Windows forbids

    def load_overload(self, sig, target_context):
        target_context.refresh()  # as numba does, so that the kernel's functions are known
        found = self._read().get(self._index_key(sig, target_context.codegen()))
        return None if found is None else CompileResult._rebuild(target_context, *pickle.loads(found))

    def save_overload(self, sig, data):
        if data.library.has_dynamic_globals:  # from large arrays, say
            say_once(UNWRITABLE, self._path.parent, f"{self._path.name} holds addresses of this process")
        else:
            self._write(self._read() | {self._index_key(sig, data.codegen): dumps(data._reduce())})

    def flush(self):
        self._path.unlink(missing_ok=True)

    def _read(self) -> dict:
        """Return what is kept for each key: nothing if the file is damaged."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            say_once(UNREADABLE, self._path.parent, error.strerror)
            return {}
        digest, rest = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
        if digest != hashlib.sha256(rest).digest():
            say_once(UNREADABLE, self._path.parent, self._path.name)
            return {}
        return pickle.loads(rest)

    def _write(self, kept: dict) -> None:
        """Replace the file: two processes may do so at once, and what one of them adds is lost."""
        rest = dumps(kept)
        part = self._path.with_name(f"{uuid.uuid4().hex}.part")
        try:
            part.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(hashlib.sha256(rest).digest() + rest)
            os.replace(part, self._path)
        except OSError as error:
            say_once(UNWRITABLE, self._path.parent, error.strerror)
            with suppress(OSError):
                part.unlink()


def say_once(sentence: str, *details: object) -> None:
    """Log a warning unless this process has had one like it."""
    if sentence not in _said:
        _said.add(sentence)
        log.warning(sentence, *details)


def could_write() -> bool:
    """Has this process kept all that it compiled?"""
    return UNWRITABLE not in _said
