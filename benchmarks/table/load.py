"""`spades table` under the load of many tables: how fast bots answer, what a table costs, whether memory grows.

python benchmarks/table/load.py                          200 tables of one scripted person and three bots, for a minute
python benchmarks/table/load.py --bot dara --think 3 --seconds 60
python benchmarks/table/load.py --hands 10000            one table after the other: does it leak?

It speaks to a server of its own, as pages do, over WebSockets. A bot's answer is timed from the view before it
to its own view, so it holds thinking, saving, telling everybody, and waiting for all other tables.
"""

import argparse
import asyncio
import json
import math
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.measure import machine
from benchmarks.table.server import connection, memory, running

PACE = 0.04  # seconds between the owner's requests: below the server's limit
SEAT = 2  # of the scripted people
GAMES_OF = 8  # hands
SAMPLES = 20  # of the memory, over all hands


class Page:
    """A page that only counts."""

    def __init__(self, socket: ClientConnection):
        self.socket, self.number = socket, 0

    async def ask(self, do: str, **fields) -> dict:
        """Return the answer to a request; news on the way is dropped."""
        await self.ask_only(do, **fields)
        while (told := json.loads(await self.socket.recv())).get("re") != self.number:
            pass
        assert "error" not in told, told
        return told

    async def ask_only(self, do: str, **fields) -> None:
        self.number += 1
        await self.socket.send(json.dumps({"id": self.number, "do": do} | fields))


class Person(Page):
    """A scripted person: thinks for a while, takes any legal action, measures the time."""

    def __init__(self, socket: ClientConnection, seed: int):
        super().__init__(socket)
        self.rng = random.Random(seed)
        self.bots: list[float] = []  # seconds that bots took
        self.own: list[float] = []  # seconds until a move of one's own was seen

    async def play(self, think: float, end: float) -> None:
        """Play until the time is up, or the game over."""
        at, deeds, acting = time.perf_counter(), -1, None
        while time.perf_counter() < end:
            try:
                told = json.loads(await asyncio.wait_for(self.socket.recv(), end - time.perf_counter()))
            except TimeoutError:
                return
            view = told.get("view")
            if not view or (view["outcome"] and deeds < 0):  # the game before is over
                continue
            now, done = time.perf_counter(), view["hand_number"] * 1000 + len(view["events"])
            if deeds >= 0 and done > deeds:
                (self.own if acting else self.bots).append(now - at)
            at, deeds, acting = now, done, False
            if view["outcome"]:
                return
            if view["your_turn"]:
                await asyncio.sleep(think * self.rng.uniform(0.5, 1.5))
                await self.ask_only("act", action=self.rng.choice(view["legal"]), version=view["version"])
                at, acting = time.perf_counter(), True


async def load(options: argparse.Namespace, port: int, path: str, pid: int) -> None:
    """Play at many tables at once, and print the times."""
    owner = await _page(port, path)
    await owner.ask("stop")
    await asyncio.sleep(options.warm)
    before = memory(pid)
    links = [await _table(owner, options.bot) for _ in range(options.tables)]
    people = []
    for number, link in enumerate(links):
        page = await _page(port, link, Person, number)
        await page.ask_only("sit", seat=SEAT, name=f"Person {number}")
        people.append(page)
    seated, cpu, start = memory(pid), _seconds(pid), time.perf_counter()
    await asyncio.gather(*(person.play(options.think, start + options.seconds) for person in people))
    spent, wall, sizes = _seconds(pid) - cpu, time.perf_counter() - start, (before, seated, memory(pid))
    moves = [seconds for person in people for seconds in person.bots]
    own = [seconds for person in people for seconds in person.own]
    print(f"{options.tables} tables, bots {options.bot}, people think {options.think:g} s; {machine()}")
    print(f"load of the machine before and now: {os.getloadavg()[2]:.1f}, {os.getloadavg()[0]:.1f}")
    print(f"bots' answers     {_spread(moves)}")
    print(f"own moves seen    {_spread(own)}")
    done = len(moves) + len(own)
    print(f"moves a second    {done / wall:.0f}; the server's share of a core {spent / wall:.2f}")
    print(f"processor time    {1000 * spent / done:.1f} ms a move, whatever else runs on the machine")
    shown = "  ".join(
        f"{words} {value / 1e6:.0f} MB" for words, value in zip(("before", "seated", "now"), sizes, strict=True)
    )
    print(f"memory            {shown}; per table {(sizes[-1] - sizes[0]) / options.tables / 1e3:.0f} kB")


async def _table(owner: Page, bot: str) -> str:
    """Return the link to a new table, at which nobody sits yet."""
    await owner.ask("new", rules="classic", bots=[bot] * 4)
    link = (await owner.ask("invite"))["path"]
    await owner.ask("leave")
    await asyncio.sleep(3 * PACE)
    return link


async def _page(port: int, path: str, kind: type = Page, *more):
    return kind(await connect(**connection(port, path), compression=None), *more)


def _spread(seconds: list[float]) -> str:
    cuts = statistics.quantiles(seconds, n=100)
    shown = "  ".join(f"p{share} {1000 * cuts[share - 1]:.0f} ms" for share in (50, 95, 99))
    return f"{shown}  most {1000 * max(seconds):.0f} ms  ({len(seconds):,})"


def _seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def growth(options: argparse.Namespace, port: int, path: str, pid: int) -> None:
    """Play one game after the other; print the memory at regular intervals, and its slope over the second half."""
    owner, played, samples = await _page(port, path, Person, 1), 0, []
    while played < options.hands:
        await owner.ask_only("new", rules=f"classic target=off max_hands={GAMES_OF}", bots=[options.bot] * 4)
        await owner.play(PACE, math.inf)
        played += GAMES_OF
        if played * SAMPLES >= options.hands * (len(samples) + 1):
            samples.append((played, memory(pid)))
            print(f"{played:>7,} hands  {samples[-1][1] / 1e6:7.1f} MB", flush=True)
    later = np.array(samples[len(samples) // 2 :], float)
    print(f"slope over the second half: {np.polyfit(later[:, 0], later[:, 1], 1)[0]:.0f} bytes a hand")
    print(f"processor time    {1000 * _seconds(pid) / played:.0f} ms a hand")


def main() -> None:
    parser = argparse.ArgumentParser(description="The table under load.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=3.0, help="seconds that people think, on average")
    parser.add_argument("--bot", default="rule")
    parser.add_argument("--warm", type=float, default=10.0, help="seconds for the server to get ready")
    parser.add_argument(
        "--hands", type=int, help="instead: hands to play at one table after the other, to see memory grow"
    )
    options = parser.parse_args()
    measure = growth if options.hands else load
    with tempfile.TemporaryDirectory() as folder, running(folder) as (process, port, path):
        asyncio.run(measure(options, port, path, process.pid))


if __name__ == "__main__":
    main()
