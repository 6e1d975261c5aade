"""A store that is damaged in every table, for tests of everything that shows it."""

import sqlite3
from pathlib import Path

from support.play.sittings import new, play

from spades_env import Rules
from spades_env.play.store.database import FILE, Store

DAMAGED = "d" * 16
DAMAGE = {
    "sittings": f"UPDATE sittings SET told = cast(x'ff7b22' AS text) WHERE key = '{DAMAGED}'",
    "variants": "UPDATE variants SET rules = '' WHERE name = 'Ours'",
    "settings": "UPDATE settings SET value = '[1' WHERE name = 'page'",
    "game_results": "UPDATE game_results SET outcome = 'won'",
    "hand_results": "UPDATE hand_results SET bid = 'three'",
    "hands": "UPDATE hands SET told = cast(x'ff' AS text)",
}


def damaged_store(folder: Path) -> None:
    """Save a finished game, an unfinished one, variants and settings, then damage them."""
    with Store(folder) as store:
        game = play(new("match target=off max_hands=1", people={0: "You"}))
        game.key = "over"
        store.save(game)
        other = play(new(people={0: "You"}), 4)
        other.key = DAMAGED
        store.save(other)
        store.variants.save("Ours", Rules(target=300))
        store.variants.save("Theirs", Rules(target=250))
        store.settings.set("page", {"deck": "four"})
        store.settings.set("terminal.deck", "two")
    with sqlite3.connect(folder / FILE) as db:
        for statement in DAMAGE.values():
            db.execute(statement)
    db.close()
