"""Run `spades table` as a separate process, to measure it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from websockets.typing import Origin

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-m", "spades_env.play.commands.cli", "table", "--no-browser", "--port", "0", "--data"]
COMPILER = ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT")  # settings of our own that a measurement leaves out


@contextmanager
def running(data: str, **environment: str) -> Iterator[tuple[subprocess.Popen, int, str]]:
    """Run the program until the end of the block. Yields the process, its port, and the path that lets its owner in."""
    usual = {name: value for name, value in os.environ.items() if name not in COMPILER}
    told = usual | {"PYTHONPATH": str(ROOT)} | environment
    process = subprocess.Popen([*PROGRAM, data], stdout=subprocess.PIPE, text=True, env=told)
    try:
        assert process.stdout
        line = process.stdout.readline()
        while not (found := re.search(r"127\.0\.0\.1:(\d+)(/\S+)", line)):
            assert line, "the server ended before it said its address"
            line = process.stdout.readline()
        yield process, int(found[1]), found[2]
    finally:
        process.terminate()
        process.communicate()


def connection(port: int, path: str) -> dict[str, Any]:
    """Return the arguments with which `connect` of websockets opens a page, for whoever comes by this path."""
    door = HTTPConnection("127.0.0.1", port)
    door.request("GET", path)
    cookie = (door.getresponse().getheader("Set-Cookie") or "").partition(";")[0]
    return {
        "uri": f"ws://127.0.0.1:{port}/live?language=en",
        "origin": Origin(f"http://127.0.0.1:{port}"),
        "additional_headers": {"Cookie": cookie},
        "max_size": None,
    }


def memory(pid: int | str) -> int:
    """Return a process's memory in bytes."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return 1024 * int(found[1]) if found else 0
