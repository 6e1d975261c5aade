"""Does a site play as the native program does? python tests/web/equal_play.py SITE SITTINGS

Sittings with all bots, presets and trumps are played here and by the site's Python and kernels under node. Every view,
action and hint must be the same, letter for letter.
"""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from web.sittings import all_sittings, sitting

NODE = Path(__file__).with_name("node.mjs")
EVERY = 100  # sittings between two lines of progress


def played(count: int) -> Iterator[dict[str, Any]]:
    """Play this many sittings; return the moves, the hash of all lines and the seconds of each."""
    for one in all_sittings(count):
        began, digest, moves = time.perf_counter(), hashlib.sha256(), 0
        for line in sitting(one):
            digest.update(line.encode())
            moves += line[0].isdigit()
        seconds = time.perf_counter() - began
        rules = f"{one.rules} {' '.join(one.bots)} {one.adviser}"
        yield {"sitting": rules, "moves": moves, "hash": digest.hexdigest(), "seconds": seconds}


def print_played(count: int) -> None:
    """Print each sitting as a line of JSON: this runs under node."""
    for one in played(count):
        print(json.dumps(one), flush=True)


def pairs(site: Path, count: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Return each sitting as it went here and as it went under node."""
    command = ["node", str(NODE), str(site), f"from equal_play import print_played; print_played({count})"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdout
        for own, line in zip(played(count), islice(node.stdout, count), strict=True):
            yield own, json.loads(line)
    if node.returncode:
        raise RuntimeError(f"node ended with {node.returncode}")


def main(site: Path, count: int) -> int:
    moves = wrong = 0
    here = there = 0.0
    for number, (own, other) in enumerate(pairs(site, count), 1):
        same = own["hash"] == other["hash"]
        moves, wrong = moves + own["moves"], wrong + (not same)
        here, there = here + own["seconds"], there + other["seconds"]
        if not same:
            print(f"different: {own['sitting']}")
        if number % EVERY == 0 or number == count:
            times = f"{here:.0f} s here, {there:.0f} s there"
            print(f"{number} sittings, {moves:,} moves: {wrong} sittings differ; {times}", flush=True)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
