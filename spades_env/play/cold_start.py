"""Starts a table at once where nothing is compiled yet: it plays in plain Python while another process compiles.

    restart(plain=True)        when `is_cold(TABLE)`: this process restarts without the compiler
    Compiler(TABLE, adviser)   compiles in a process of its own, whose memory is free again when it ends
    restart(plain=False)       then: this process restarts, and loads the machine code from the cache
    Compiler(OTHERS)           the other bots, while people play with compiled ones

The listening socket stays open all the while, so pages only reconnect. It works on POSIX.
"""

import hashlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from spades_env._jit import JIT_ON, _cache_folder
from spades_env.play import ready
from spades_env.shipped import PACKAGE

SOCKET = "SPADES_TABLE_SOCKET"  # in the environment after a restart: the file number of the listening socket
OFF = "NUMBA_DISABLE_JIT"
STOP_SECONDS = 2.0
POLL_SECONDS = 0.5
COMPILE = """
import threading
from spades_env.play.cold_start import compile_part, end_with
threading.Thread(target=end_with, args=[{}], daemon=True).start()
raise SystemExit(not compile_part({!r}, {!r}))
"""
TABLE, OTHERS = "table", "others"  # the parts: what a first game needs, and the bots that it doesn't


def is_cold(part: str) -> bool:
    """Would kernels have to be compiled first, and can another process do it?

    A user who sets NUMBA_DISABLE_JIT, even to 0, has already chosen.
    """
    mark = _mark(part) if JIT_ON and os.name == "posix" and OFF not in os.environ else None
    return mark is not None and not mark.exists()


def end_with(parent: int) -> None:
    """End this process soon after its parent has ended, however that was."""
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
    os._exit(1)


def compile_part(part: str, adviser: str = "") -> bool:
    """Compile what a table needs, or the other bots, and leave a mark in the cache. Return whether all is kept."""
    from spades_env._kernel_cache import could_write  # which a web page lacks

    if part == TABLE:
        ready.ready_rules()
    for _ in ready.ready_table(adviser) if part == TABLE else ready.ready_others():
        pass
    mark = _mark(part)
    with suppress(OSError):
        if mark and could_write():
            mark.parent.mkdir(exist_ok=True)
            mark.touch()
            return True
    return False


def _mark(part: str) -> Path | None:
    """Return the file that says that a part is compiled for this version; None if nothing can be cached."""
    folders = {_cache_folder(path) for path in _kernel_files()}
    kept = sorted(folder for folder in folders if folder)
    if len(kept) < len(folders) or not kept:
        return None
    digest = hashlib.sha256(str(kept).encode()).hexdigest()
    return kept[0].parent / f"table-{digest[:16]}" / part


def _kernel_files() -> list[Path]:
    """Return our files that have kernels."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if b"@njit" in path.read_bytes()]


class Compiler:
    """Another process that compiles a part; `done` is called if it ends well."""

    def __init__(self, part: str, adviser: str = "", done: Callable[[], None] = lambda: None):
        environment = {name: value for name, value in os.environ.items() if name != OFF}
        line = [sys.executable, "-c", COMPILE.format(os.getpid(), part, adviser)]
        self._process = subprocess.Popen(line, stdout=subprocess.DEVNULL, env=environment)
        self._done = done
        if not JIT_ON:
            ready.compiling_elsewhere.set()
        self._waiting = threading.Thread(target=self._wait, daemon=True)
        self._waiting.start()

    def _wait(self) -> None:
        code = self._process.wait()
        ready.compiling_elsewhere.clear()
        if code == 0:
            self._done()

    @property
    def running(self) -> bool:
        return self._waiting.is_alive()

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        self._waiting.join(STOP_SECONDS)


def inherited_socket() -> socket.socket | None:
    """Return the listening socket that was open before a restart."""
    number = os.environ.pop(SOCKET, None)
    return socket.socket(fileno=int(number)) if number else None


def restart(listening: socket.socket, plain: bool) -> NoReturn:
    """Begin the program anew with the same arguments, with or without the compiler."""
    listening.set_inheritable(True)
    environment = {name: value for name, value in os.environ.items() if name != OFF}
    environment |= {SOCKET: str(listening.fileno())} | ({OFF: "1"} if plain else {})
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)
