"""A table as plain data for the store, hidden cards included, and back again.

data = packed(table)        a dict for JSON
table = unpacked(data)      the same table; its clock stands still until somebody acts
"""

import time
from collections import Counter
from dataclasses import asdict

from spades_env.game.rules import Rules
from spades_env.play.daily.deal_of_day import Daily
from spades_env.play.table.clock import Now
from spades_env.play.table.deal_source import DealSource
from spades_env.play.table.hands import moves_as_dict, moves_from_dict
from spades_env.play.table.table import Table, TableError

FORMAT = 2


def packed(table: Table) -> dict:
    return {
        "format": FORMAT,
        "key": table.key,
        "rules": str(table.rules),
        **asdict(DealSource.of(table.game)),
        "salt": table.salt,
        "start": table.start,
        "counted": table.counted,
        **table.seats.as_dict(),
        **moves_as_dict(table.moves),
        "timed_out": table.game.timed_out,
        "hints": [[hand, seat, count] for (hand, seat), count in sorted(table.hints.items())],
        "takebacks": [[hand, seat, count] for (hand, seat), count in sorted(table.takebacks.items())],
        "hinted": table.hinted,
        "seen": sorted(map(list, table.seen)),
        "settled": table.settled,
        "clock": table.clock.as_dict(),
        "version": table.version,
        **({"daily": table.daily.as_dict()} if table.daily else {}),
    }


def unpacked(data: dict, now: Now = time.monotonic) -> Table:
    """Return the table that `packed` described, making every move again."""
    if data.get("format") != FORMAT:
        raise TableError(f"a table saved in format {data.get('format')!r} cannot be read, this program reads {FORMAT}")
    people = {seat: person for seat, person in enumerate(data["people"]) if person is not None}
    options = {name: data[name] for name in ("start", "adviser", "counted")}
    options |= asdict(DealSource(data["seed"], data["secret"]))
    options["daily"] = Daily.from_dict(data["daily"]) if "daily" in data else None
    table = Table(Rules.parse(data["rules"]), data["bots"], people, **options, now=now, load=False)
    table.seats.restore_left(data["sat"])
    table.key, table.salt = data["key"], data["salt"]
    for move, by in zip(*moves_from_dict(data), strict=True):
        table.apply(move, by)
    if data["timed_out"]:
        table.game.time_up()
    table.hints, table.takebacks = _counts(data["hints"]), _counts(data["takebacks"])
    table.hinted, table.seen = data["hinted"], {(hand, seat) for hand, seat in data["seen"]}
    table.settled = data["settled"]
    table.clock.restore(data["clock"])
    table.version = data["version"]
    return table


def _counts(data: list[list[int]]) -> Counter:
    return Counter({(hand, seat): count for hand, seat, count in data})
