"""What sittings say, as a line of JSON each: run by the native program and by the one under node."""

import hashlib
import json
import time
from collections.abc import Iterator
from typing import Any

from web.sittings import all_sittings, sitting


def told(count: int) -> Iterator[dict[str, Any]]:
    """Return the moves and the hash of all lines of so many sittings, and the seconds that they took."""
    for one in all_sittings(count):
        began, digest, moves, hints = time.perf_counter(), hashlib.sha256(), 0, 0
        for line in sitting(one):
            digest.update(line.encode())
            moves += line[0].isdigit()
            hints += line.startswith('{"') and '"heading"' in line[:99]
        seconds = round(time.perf_counter() - began, 2)
        rules = f"{one.rules} {' '.join(one.bots)} {one.adviser}"
        yield {"sitting": rules, "moves": moves, "hash": digest.hexdigest(), "seconds": seconds}


def tell(count: int) -> None:
    for one in told(count):
        print(json.dumps(one), flush=True)
