"""What a page is told first of all."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from play.listed import listed, rule_names
from play.rule_options import rule_options
from play.rule_words import rule_words
from play.server.offers import adviser, roster
from play.server.sessions import OWNER
from play.store import Saved, Store
from spades_env import Rules, __version__
from spades_env.cards import TRUMP_ORDERS, card_name

if TYPE_CHECKING:
    from play.server.house import House
    from play.server.live import Connection

OWN_SETTINGS = ("name", "last")  # the server's, not the page's
MOST_SITTINGS = 500


async def hello(at: "Connection") -> dict[str, Any]:
    """Who the page talks to, what can be chosen, what was set."""
    house, session = at.house, at.session
    told = {
        "program": "spades",
        "version": __version__,
        "guest": not session.is_owner,
        "name": house.name if session.is_owner else session.name,
        "settings": session.settings,
        "presets": _presets(),
        "variants": [],
        "faults": [],
        "options": rule_options(),
        "roster": roster(house),
        "adviser": adviser(house),
        "last": None,
        "unfinished": [],
    }
    if not session.is_owner:
        return told
    own = {name: value for name, value in house.settings.items() if name not in OWN_SETTINGS}
    told |= {"settings": own, "last": house.last}
    told["variants"] = await house.write(lambda: variants(house.store))
    told["faults"] = faults(house)
    told["unfinished"] = sittings_told(await house.write(house.store.unfinished))
    return told


def variants(store: Store) -> list[dict[str, Any]]:
    """Rules that the owner has given names."""
    return [{"name": name, **rules_shown(rules)} for name, rules in store.variants().items()]


def faults(house: "House") -> list[dict[str, str]]:
    """Rules and settings that are damaged in the store: in which table, and what is the matter."""
    return [
        {"table": table, "words": house.words(words)}
        for table in ("variants", "settings")
        for words in house.store.faults_of(table)
    ]


def sittings_told(sittings: Sequence[Saved]) -> list[dict[str, Any]]:
    """The latest of them."""
    return [vars(sitting) for sitting in sittings[:MOST_SITTINGS]]


def sittings_listed(house: "House") -> list[dict[str, Any]]:
    """The latest of all, with what the owner's list of games shows of each."""
    names, found = rule_names(house.store), []
    for saved in house.store.sittings()[:MOST_SITTINGS]:
        held = house.sessions.holders(saved.key).items()
        seat = next((seat for seat, holder in held if holder == OWNER), None)
        found.append(vars(saved) | vars(listed(house.store, saved, house.name, names, seat)))
    return found


@cache
def _presets() -> list[dict[str, Any]]:
    """The rules that come with the program."""
    return [{"name": name, **rules_shown(Rules.preset(name))} for name in Rules.presets()]


def rules_shown(rules: Rules) -> dict[str, Any]:
    """Rules as a page shows them; trumps: highest first."""
    trumps = [card_name(card) for card in TRUMP_ORDERS[rules.trumps]]
    return {"text": str(rules), "words": rule_words(rules), "values": rules.as_dict(), "trumps": trumps}
