"""The first message to a page, and the parts of it that other answers share."""

from functools import cache
from typing import Any

from spades_env._version import __version__
from spades_env.game.cards import TRUMP_ORDERS, card_name
from spades_env.game.rules import Rules
from spades_env.play.lessons.learnt import SETTING as LESSONS
from spades_env.play.rule_words import idle_options, rule_options, rule_words
from spades_env.play.server.requests.request import Client
from spades_env.play.server.rooms.company import PHRASES
from spades_env.play.server.services import Services
from spades_env.play.server.sessions import OWNER
from spades_env.play.store.database import Store
from spades_env.play.store.listing import list_entry, rule_names
from spades_env.play.store.settings import FACE, LAST, NAME
from spades_env.play.table.choices import adviser_as_dict, offered
from spades_env.play.texts import text

OWN_SETTINGS = (NAME, FACE, LAST, LESSONS)  # the server's, not the page's
MOST_SITTINGS = 500


async def hello(client: Client) -> dict[str, Any]:
    """Return the program, the person's name and settings, and all that can be chosen for a game."""
    services, session = client.services, client.session
    message = {
        "program": "spades",
        "version": __version__,
        "guest": not session.is_owner,
        "name": services.name if session.is_owner else session.name,
        "face": services.settings_of(session).get(FACE),
        "settings": {name: one for name, one in services.settings_of(session).items() if name not in OWN_SETTINGS},
        "presets": _presets(),
        "variants": [],
        "faults": [],
        "options": rule_options(),
        "roster": [vars(choice) for choice in offered(services.extra_bots)],
        "adviser": adviser_as_dict(services.adviser),
        "phrases": [{"phrase": phrase, "words": text(f"phrase.{phrase}")} for phrase in PHRASES],
        "last": None,
        "unfinished": [],
    }
    if session.is_owner:
        message["last"] = services.settings.get(LAST)
        message["variants"] = await services.write(lambda: variants(services.store))
        message["faults"] = [  # a sentence about each damaged variant or setting
            {"table": table, "words": services.words(words)}
            for table in ("variants", "settings")
            for words in services.store.file.faults_of(table)
        ]
        unfinished = await services.write(services.store.unfinished)
        message["unfinished"] = [vars(saved) for saved in unfinished[:MOST_SITTINGS]]
    return message


def variants(store: Store) -> list[dict[str, Any]]:
    return [{"name": name, **rules_as_dict(rules)} for name, rules in store.variants.all().items()]


def list_sittings(services: Services) -> list[dict[str, Any]]:
    """Return the latest sittings as the owner's list of games shows them."""
    names, found = rule_names(services.store), []
    for saved in services.store.sittings()[:MOST_SITTINGS]:
        holders = services.sessions.holders(saved.key).items()
        seat = next((seat for seat, holder in holders if holder == OWNER), None)
        found.append(vars(saved) | vars(list_entry(services.store, saved, services.name, names, seat)))
    return found


@cache
def _presets() -> list[dict[str, Any]]:
    return [{"name": name, **rules_as_dict(Rules.preset(name))} for name in Rules.presets()]


def rules_as_dict(rules: Rules) -> dict[str, Any]:
    """Return rules as a page shows them; trumps: highest first; idle: see `idle_options`."""
    trumps = [card_name(card) for card in TRUMP_ORDERS[rules.trumps]]
    words, values = rule_words(rules), rules.as_dict()
    return {"text": str(rules), "words": words, "values": values, "trumps": trumps, "idle": idle_options(rules)}
