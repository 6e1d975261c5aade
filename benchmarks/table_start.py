"""`spades table` where nothing is compiled: how soon a person is to move, and how much memory the server keeps.

python benchmarks/table_start.py                 with an empty cache of machine code, in a folder of its own
python benchmarks/table_start.py --seconds 600   wait longer for the compiled server

The person thinks for half a second, and plays any legal action. The compiler works beside the game; when it's done the
server restarts.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measure import Row, human, machine  # noqa: E402

SECONDS = 300.0  # to wait for the compiled server
SETTLED = 15.0  # seconds after which its memory is read
THINK = 0.5  # seconds before a person acts
PLAY = [sys.executable, "-m", "spades_env.play.commands.cli", "table", "--no-browser", "--port", "0", "--data"]
BUDGET_SECONDS, BUDGET_BYTES = 20.0, 400e6


def measure(seconds: float = SECONDS) -> list[Row]:
    """Start a table without machine code, and play until its server is the compiled one."""
    with tempfile.TemporaryDirectory() as folder, _server(folder) as (began, process, address):
        found, waits = {"the address is printed": time.perf_counter() - began}, []
        restarted = _play(address, began, seconds, found, waits)
        found["the slowest wait for the others until then"] = max(waits)
        found["the server is compiled"] = restarted - began
        memory = _memory_while_playing(address, process.pid)
    budgets = {"own first turn": BUDGET_SECONDS}
    rows = [Row("table", name, value, value, value, "s", budgets.get(name)) for name, value in found.items()]
    return [*rows, Row("table", "the server's memory then", memory, memory, memory, "bytes", BUDGET_BYTES)]


@contextmanager
def _server(folder: str) -> Iterator[tuple[float, subprocess.Popen, str]]:
    environment = os.environ | {"XDG_CACHE_HOME": f"{folder}/cache", "PYTHONPATH": str(ROOT)}
    for name in ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT"):
        environment.pop(name, None)
    began = time.perf_counter()
    process = subprocess.Popen([*PLAY, f"{folder}/data"], stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout
        yield began, process, process.stdout.readline()
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def _page(address: str) -> Iterator[ClientConnection]:
    found = re.search(r"127\.0\.0\.1:(\d+)/\?key=(\S+)", address)
    assert found, address
    port, headers = found[1], {"Cookie": f"spades-{found[1]}={found[2]}"}
    origin = Origin(f"http://127.0.0.1:{port}")
    where = f"ws://127.0.0.1:{port}/live"
    with connect(where, origin=origin, additional_headers=headers, max_size=None, open_timeout=60) as page:
        yield page


def _play(address: str, began: float, seconds: float, found: dict[str, float], waits: list[float]) -> float:
    """Play until the server restarts; return when that was."""
    asked = None
    try:
        with _page(address) as page:
            for view in _own_turns(page, began + seconds):
                now = time.perf_counter()
                found.setdefault("own first turn", now - began)
                if asked is not None:
                    waits.append(now - asked)
                _act(page, view)
                asked = time.perf_counter()
    except ConnectionClosed:
        return time.perf_counter()
    raise TimeoutError(f"the server wasn't compiled within {seconds:.0f} s")


def _act(page: ClientConnection, view: dict) -> None:
    time.sleep(THINK)
    page.send(json.dumps({"id": 1, "do": "act", "action": view["legal"][0], "version": view["version"]}))


def _own_turns(page: ClientConnection, end: float) -> Iterator[dict]:
    """Yield each view in which the person is to move, and begin another game after each."""
    shown = None
    while time.perf_counter() < end:
        view = json.loads(page.recv(timeout=60)).get("view")
        if view and view["outcome"]:
            bots = [seat["bot"]["agent"] for seat in view["seats"]]
            page.send(json.dumps({"id": 1, "do": "new", "rules": view["rules"]["text"], "bots": bots}))
        elif view and view["your_turn"] and view["version"] != shown:
            shown = view["version"]
            yield view


def _memory_while_playing(address: str, pid: int) -> float:
    """Return the most memory of the compiled server while a person plays on."""
    most, end = 0.0, time.perf_counter() + SETTLED
    with _page(address) as page:
        for view in _own_turns(page, end):
            status = Path(f"/proc/{pid}/status").read_text()
            most = max(most, 1024.0 * int((re.search(r"VmRSS:\s+(\d+)", status) or [0, 0])[1]))
            _act(page, view)
    return most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    options = parser.parse_args()
    print(f"{machine()}; load {os.getloadavg()[0]:.1f}")
    for row in measure(options.seconds):
        figure = f"{row.median / 1e6:.0f} MB" if row.unit == "bytes" else human(row.median, row.unit)
        print(f"{figure:>10}  {row.name}")


if __name__ == "__main__":
    main()
