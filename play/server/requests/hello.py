"""The first message to a page, and what other answers share with it."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from play.rule_words import rule_options, rule_words
from play.server.requests.request import Client
from play.server.services import Services
from play.server.sessions import OWNER
from play.store.database import Store
from play.store.listing import list_entry, rule_names
from play.store.sitting_rows import Saved
from play.table.choices import adviser_as_dict, offered
from spades_env import Rules, __version__
from spades_env.cards import TRUMP_ORDERS, card_name

OWN_SETTINGS = ("name", "last")  # the server's, not the page's
MOST_SITTINGS = 500


async def hello(client: Client) -> dict[str, Any]:
    """Return who the page talks to, what can be chosen, what was set."""
    services, session = client.services, client.session
    message = {
        "program": "spades",
        "version": __version__,
        "guest": not session.is_owner,
        "name": services.name if session.is_owner else session.name,
        "settings": session.settings,
        "presets": _presets(),
        "variants": [],
        "faults": [],
        "options": rule_options(),
        "roster": [choice.as_dict() for choice in offered(services.extra_bots)],
        "adviser": adviser_as_dict(services.adviser),
        "last": None,
        "unfinished": [],
    }
    if not session.is_owner:
        return message
    own = {name: value for name, value in services.settings.items() if name not in OWN_SETTINGS}
    message |= {"settings": own, "last": services.last}
    message["variants"] = await services.write(lambda: variants(services.store))
    message["faults"] = _faults(services)
    message["unfinished"] = _latest(await services.write(services.store.unfinished))
    return message


def variants(store: Store) -> list[dict[str, Any]]:
    """Return the rules that the owner has given names."""
    return [{"name": name, **rules_as_dict(rules)} for name, rules in store.variants().items()]


def _faults(services: Services) -> list[dict[str, str]]:
    """Return the rules and settings that are damaged in the store: the table, and what is the matter."""
    return [
        {"table": table, "words": services.words(words)}
        for table in ("variants", "settings")
        for words in services.store.faults_of(table)
    ]


def _latest(sittings: Sequence[Saved]) -> list[dict[str, Any]]:
    return [vars(sitting) for sitting in sittings[:MOST_SITTINGS]]


def list_sittings(services: Services) -> list[dict[str, Any]]:
    """Return the latest sittings, with what the owner's list of games shows of each."""
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
    """Return rules as a page shows them; trumps: highest first."""
    trumps = [card_name(card) for card in TRUMP_ORDERS[rules.trumps]]
    return {"text": str(rules), "words": rule_words(rules), "values": rules.as_dict(), "trumps": trumps}
