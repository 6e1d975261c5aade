"""Sittings at a table, as a page plays them: what is traced here is compiled, and what is compared is this.

    for line in sitting(Sitting("pagat", ["zofia", "rule", "otto", "rb"], seed=3)): …

A line is all that a moment says: the view of the person's seat, the action taken, the adviser's hint where one is asked
for. The native program and the one in a browser must say the same lines.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from spades_env import Rules
from spades_env.game.cards import NUM_SEATS, TRUMP_ORDERS
from spades_env.play.table.choices import OTHERS, trained
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table

CHANGING = ("key", "fair", "clock")  # of a view: a table draws its key, a clock runs
# whoever is not ahead may bid blind, for both or nil, and cards are passed
BLIND = " blind_nil_deficit=0 blind_nil_pass=1 blind_bid=6 blind_bid_deficit=0"
LATE = {"scores": [300, 0]}  # a game near its end


@dataclass(frozen=True)
class Sitting:
    """rules: as text; hints: how many the person asks for; start: as `Game` takes it."""

    rules: str
    bots: list[str]
    seed: int
    hands: int = 1
    adviser: str = "rule"
    hints: int = 3
    start: dict[str, Any] = field(default_factory=dict)


def sitting(one: Sitting) -> Iterator[str]:
    """Play until enough hands are finished, with a person in South who takes a legal action by the view's version."""
    table = Table(one.rules, one.bots, {0: "You"}, seed=one.seed, adviser=one.adviser, start=one.start)
    hints = one.hints
    while not table.over and len(table.finished) < one.hands:
        before, seat = len(table.moves), table.game.turn
        if not table.step():
            view = seat_view(table, 0)
            yield json.dumps({name: said for name, said in view.items() if name not in CHANGING}, sort_keys=True)
            if hints and (table.game.phase != "play" or view["version"] % 5 == 0):
                hints -= 1
                yield json.dumps(table.hint(0))
            if view["can"]["claim"]:
                table.claim(0)
            else:
                legal = view["legal"]
                table.act(0, legal[view["version"] % len(legal)])
        yield f"{seat} {[move.action for move in table.moves[before:]]}"


def all_sittings(count: int) -> Iterator[Sitting]:
    """Return sittings in which all bots, presets and trumps come up."""
    bots = [*(one.key for one in trained()), *OTHERS]
    presets, trumps = sorted(Rules.presets()), sorted(TRUMP_ORDERS)
    for number in range(count):
        rules = f"{presets[number % len(presets)]} trumps={trumps[number // len(presets) % len(trumps)]}"
        parsed = Rules.parse(rules)
        alone, free = not parsed.partners, parsed.bidding == "free"
        rules += BLIND if number % 3 == 1 and free and not alone else ""
        seats = [bots[(5 * number + 7 * seat) % len(bots)] for seat in range(NUM_SEATS)]
        start = LATE if number % 4 == 2 and not alone else {}
        yield Sitting(rules, seats, number, adviser=bots[number % len(bots)], start=start)
