"""A sitting as plain data, hidden cards too, and back to the letter: for the store.

told = packed(table)        a dict for JSON
table = unpacked(told)      the same table; its clock stands still until somebody acts
"""

import time
from collections import Counter
from dataclasses import asdict

from play.clock import Clock, Now
from play.hands import deeds_read, deeds_told
from play.seats import Seats
from play.source import Source
from play.table import Table, TableError
from spades_env import Rules, earlier

FORMAT = 2
FIRST_FORMAT = 1  # every table had a seed; its rules are a text of that time: see `spades_env.earlier`


def packed(table: Table) -> dict:
    """All there is to a table."""
    return {
        "format": FORMAT,
        "key": table.key,
        "rules": str(table.rules),
        **asdict(Source.of(table.game)),
        "salt": table.salt,
        "start": table.start,
        "counted": table.counted,
        **table.seats.as_dict(),
        **deeds_told(table.deeds),
        "timed_out": table.game.timed_out,
        "hints": counts_told(table.hints),
        "takebacks": counts_told(table.takebacks),
        "hinted": table.hinted,
        "seen": sorted(map(list, table.seen)),
        "settled": table.settled,
        "clock": table.clock.as_dict(),
        "version": table.version,
    }


def unpacked(told: dict, now: Now = time.monotonic) -> Table:
    """The table that `packed` told: every move is made again."""
    if told.get("format") not in (FIRST_FORMAT, FORMAT):
        known = f"{FIRST_FORMAT} to {FORMAT}"
        raise TableError(f"a table saved in format {told.get('format')!r} cannot be read, this program reads {known}")
    source = Source(told["seed"], told.get("secret"))
    seats = Seats.from_dict(told, source.bots)
    table = Table.of_parts(Rules.parse(rules_text(told)), source, told["start"], seats, Clock(now=now))
    table.key, table.salt, table.counted = told["key"], told["salt"], told["counted"]
    for move, by in zip(*deeds_read(told), strict=True):
        table.apply(move, by)
    if told["timed_out"]:
        table.game.time_up()
    table.hints, table.takebacks = counts_read(told["hints"]), counts_read(told["takebacks"])
    table.hinted, table.seen = told["hinted"], {(hand, seat) for hand, seat in told["seen"]}
    table.settled = told.get("settled", -1)
    table.clock.restore(told["clock"])
    table.version = told["version"]
    return table


def rules_text(told: dict) -> str:
    """Return the rules of a packed table as today's text."""
    return earlier.rules_text(told["rules"]) if told["format"] == FIRST_FORMAT else told["rules"]


def counts_told(counter: Counter) -> list[list[int]]:
    """Counts by hand and seat as lists."""
    return [[hand, seat, count] for (hand, seat), count in sorted(counter.items())]


def counts_read(told: list[list[int]]) -> Counter:
    """Counts as `counts_told` wrote them."""
    return Counter({(hand, seat): count for hand, seat, count in told})
