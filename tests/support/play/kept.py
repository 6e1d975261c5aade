"""Tables of Anna's in the store: new ones, finished ones, and results of games alone."""

from support.play import sittings
from support.play.sittings import SHORT, by_rule, move

from spades_env.game.rules import RulesSource
from spades_env.play.store.database import Store
from spades_env.play.table.table import Table


def new(rules: RulesSource = SHORT, people=None, **options) -> Table:
    return sittings.new(rules, {0: "Anna"} if people is None else people, **options)


def kept(store: Store, table: Table, person=by_rule) -> Table:
    """Play a table to the end, saved after every move."""
    while not table.over:
        store.save(table)
        move(table, person)
    store.save(table)
    return table


def outcomes(store: Store, *rows: tuple[float, int | None]) -> None:
    """Store games with these outcomes at these difficulties."""
    for number, (outcome, stars) in enumerate(rows):
        store.file.insert(
            "INSERT INTO game_results",
            [
                {
                    "key": f"game {number}",
                    "seat": 0,
                    "person": "Anna",
                    "ended": "",
                    "outcome": outcome,
                    "margin": 0,
                    "hands": 8,
                    "difficulty": stars,
                    "partner": "zofia",
                    "opponents": '["milly", "milly"]',
                    "hints": number == 1,
                    "takebacks": 2 * (number == 1),
                    "moved_for": number == 2,
                }
            ],
        )
