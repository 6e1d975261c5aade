"""Requests outside a game: rules, variants, difficulty, settings, names, saved games, statistics."""

from typing import Any

from spades_env.game.cards import Seat
from spades_env.game.rules import Rules
from spades_env.play import texts
from spades_env.play.progress.fair_fight import fight_of, why_not_fair, with_fair_opponents
from spades_env.play.rule_words import changed
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.requests.fields import Field, mapping, none_or, one_of, plain, simple, text
from spades_env.play.server.requests.hello import OWN_SETTINGS, list_sittings, rules_as_dict, variants
from spades_env.play.server.requests.request import BOTS, FLAG, NAME, RULES, SEAT, Answer, Client, Requests, Who
from spades_env.play.server.requests.table import check_bots
from spades_env.play.store.settings import FACE
from spades_env.play.store.statistics import statistics as statistics_of
from spades_env.play.table.company.faces import FACES
from spades_env.play.table.rating import difficulty as difficulty_of
from spades_env.play.table.rating import is_rated
from spades_env.play.table.seats import checked_name

SETUP = Requests()
MOST_OPTIONS, LONGEST_OPTION = 40, 100
MOST_SETTINGS, MOST_OF_GUESTS, LONGEST_SETTING = 64, 8, 2000
MOST_VARIANTS = 200
SETTING = Field(text(32, "[a-z][A-Za-z0-9_]*", "a word of letters, digits and _, the first a small letter"))


@SETUP.add(
    Who.ANYBODY,
    text=Field(none_or(RULES.check), None),
    base=Field(none_or(RULES.check), None),
    changes=Field(mapping(simple(LONGEST_OPTION), MOST_OPTIONS), {}),
)
async def rules(client: Client, text: str | None, base: str | None, changes: dict) -> Answer:
    """Return rules in words and values, from a text, or from a base with changes."""
    if (text is None) == (base is None):
        raise RefusedError("rules needs either text, or base with changes")
    return rules_as_dict(changed(Rules.parse((base if text is None else text) or ""), changes))


@SETUP.add(Who.ANYBODY, rules=RULES, bots=BOTS, seat=Field(SEAT.check, 0))
async def difficulty(client: Client, rules: str, bots: list[str], seat: Seat) -> Answer:
    """Return how hard a game with these bots would be for the person at a seat."""
    check_bots(client.services, bots)
    playing = [None if other == seat else bot for other, bot in enumerate(bots)]
    parsed = Rules.parse(rules)
    return {"difficulty": difficulty_of(parsed, seat, playing), "rated": is_rated(parsed)}


@SETUP.add(Who.OWNER, rules=RULES, bots=BOTS, seat=Field(SEAT.check, 0))
async def fair(client: Client, rules: str, bots: list[str], seat: Seat) -> Answer:
    """Return these bots with the opponents of a fair fight, and words about it; off: why they can't be picked."""
    services, store, parsed = client.services, client.services.store, Rules.parse(rules)
    check_bots(services, bots)
    if off := why_not_fair(parsed):
        return {"bots": bots, "words": off, "off": True}
    name = services.name
    picked = await services.write(lambda: with_fair_opponents(store, name, parsed, bots, seat))
    fight = await services.write(lambda: fight_of(store, name, parsed))
    return {"bots": picked, "words": fight.words, "off": False}


@SETUP.add(Who.OWNER, name=NAME, rules=RULES)
async def save_variant(client: Client, name: str, rules: str) -> Answer:
    """Save rules under a name, and return all variants."""
    services, store, parsed = client.services, client.services.store, Rules.parse(rules)
    if len(await services.write(store.variants.all)) >= MOST_VARIANTS:
        raise RefusedError(texts.text("error.variants_full", count=MOST_VARIANTS))
    await services.write(lambda: store.variants.save(name, parsed))
    return {"variants": await services.write(lambda: variants(store))}


@SETUP.add(Who.OWNER, name=NAME)
async def forget_variant(client: Client, name: str) -> Answer:
    """Delete the rules of this name, and return the variants that are left."""
    services, store = client.services, client.services.store
    await services.write(lambda: store.variants.forget(name))
    return {"variants": await services.write(lambda: variants(store))}


@SETUP.add(Who.ANYBODY, name=SETTING, value=Field(plain(LONGEST_SETTING)))
async def set(client: Client, name: str, value: Any) -> Answer:
    """Save a setting of the page."""
    services, session = client.services, client.session
    known, most = services.settings_of(session), MOST_SETTINGS if session.is_owner else MOST_OF_GUESTS
    if name in OWN_SETTINGS:
        raise RefusedError(f"{name} is not a setting of the page")
    if name not in known and len(known) >= most:
        raise RefusedError(f"There are {most} settings, which is the limit")
    await services.set(session, name, value)


@SETUP.add(Who.OWNER, name=NAME)
async def rename(client: Client, name: str) -> Answer:
    await client.server.rename_owner(checked_name(name))


@SETUP.add(Who.ANYBODY, face=Field(none_or(one_of(FACES))))
async def look(client: Client, face: str | None) -> Answer:
    """Choose the face that everybody at the table sees; null: the table's choice."""
    await client.services.set(client.session, FACE, face)
    for room in client.server.rooms.values():
        if room.seating.held_by(client.session) is not None:
            room.send_views()


@SETUP.add(Who.OWNER)
async def sittings(client: Client) -> Answer:
    """Return the latest sittings, including finished ones and those given up."""
    services = client.services
    return {"sittings": await services.write(lambda: list_sittings(services))}


@SETUP.add(Who.OWNER, unaided=FLAG)
async def statistics(client: Client, unaided: bool) -> Answer:
    """Return the owner's figures. unaided: only from games without help."""
    services, store, name = client.services, client.services.store, client.services.name
    found = await services.write(lambda: statistics_of(store, name, unaided))
    left_out = [services.words(words) for words in found.left_out]
    return {"statistics": found.as_dict() | {"left_out": left_out}}
