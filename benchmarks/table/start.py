"""`spades table` where nothing is compiled: how soon a person is to move, and how much memory the server keeps.

python benchmarks/table/start.py                 with an empty cache of machine code, in a folder of its own
python benchmarks/table/start.py --seconds 600   wait longer for the compiled server

The person thinks for half a second, and plays any legal action. The compiler works beside the game; when it's done the
server restarts.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.measure import Row, human, machine
from benchmarks.table.server import connection, memory, running

SECONDS = 300.0  # to wait for the compiled server
SETTLED = 15.0  # seconds after which its memory is read
THINK = 0.5  # seconds before a person acts
BUDGET_SECONDS, BUDGET_BYTES = 20.0, 400e6


def measure(seconds: float = SECONDS) -> list[Row]:
    """Start a table without machine code, and play until its server is the compiled one."""
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(f"{folder}/data", XDG_CACHE_HOME=f"{folder}/cache") as (process, port, path),
    ):
        found, waits = {"the address is printed": time.perf_counter() - began}, []
        restarted = _play(port, path, began, seconds, found, waits)
        found["the slowest wait for the others until then"] = max(waits)
        found["the server is compiled"] = restarted - began
        size = _memory_while_playing(port, path, process.pid)
    budgets = {"own first turn": BUDGET_SECONDS}
    rows = [Row("table", name, value, value, value, "s", budgets.get(name)) for name, value in found.items()]
    return [*rows, Row("table", "the server's memory then", size, size, size, "bytes", BUDGET_BYTES)]


def _page(port: int, path: str) -> ClientConnection:
    return connect(**connection(port, path), open_timeout=60)


def _play(port: int, path: str, began: float, seconds: float, found: dict[str, float], waits: list[float]) -> float:
    """Play until the server restarts; return when that was."""
    asked = None
    try:
        with _page(port, path) as page:
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


def _memory_while_playing(port: int, path: str, pid: int) -> float:
    """Return the most memory of the compiled server while a person plays on."""
    most, end = 0.0, time.perf_counter() + SETTLED
    with _page(port, path) as page:
        for view in _own_turns(page, end):
            most = max(most, float(memory(pid)))
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
