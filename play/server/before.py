"""What is asked before a game: rules, variants, how hard it will be, settings, names; and what was played."""

from typing import TYPE_CHECKING, Any

from play.seats import checked_name
from play.server.fields import Field, mapping, none_or, plain, simple, text
from play.server.hello import OWN_SETTINGS, rules_shown, sittings_listed, variants
from play.server.offers import checked_bots
from play.server.refusals import RefusedError
from play.server.requests import BOTS, FLAG, NAME, RULES, SEAT, Answer, Requests
from play.standing import difficulty as difficulty_of
from play.statistics import statistics as statistics_of
from spades_env import Rules
from spades_env.cards import Seat

if TYPE_CHECKING:
    from play.server.live import Connection

BEFORE = Requests()
MOST_OPTIONS, LONGEST_OPTION = 40, 100
MOST_SETTINGS, MOST_OF_GUESTS, LONGEST_SETTING = 64, 8, 2000
MOST_VARIANTS = 200
SETTING = Field(text(32, "[a-z][A-Za-z0-9_]*", "a word of letters, digits and _, the first a small letter"))


@BEFORE.add(
    text=Field(none_or(RULES.check), None),
    base=Field(none_or(RULES.check), None),
    changes=Field(mapping(simple(LONGEST_OPTION), MOST_OPTIONS), {}),
)
async def rules(at: "Connection", text: str | None, base: str | None, changes: dict) -> Answer:
    """Rules in words and values, out of a text, or of others with changes."""
    if (text is None) == (base is None):
        raise RefusedError("rules needs either text, or base with changes")
    return rules_shown(Rules.parse((base if text is None else text) or "").replace(**changes))


@BEFORE.add(rules=RULES, bots=BOTS, seat=Field(SEAT.check, 0))
async def difficulty(at: "Connection", rules: str, bots: list[str], seat: Seat) -> Answer:
    """How hard a game with these bots would be for the person at a seat."""
    playing = [None if other == seat else bot for other, bot in enumerate(checked_bots(at.house, bots))]
    return {"difficulty": difficulty_of(Rules.parse(rules), seat, playing)}


@BEFORE.add(owner=True, name=NAME, rules=RULES)
async def save_variant(at: "Connection", name: str, rules: str) -> Answer:
    """Keep rules under a name; the answer is all that have one."""
    store, parsed = at.house.store, Rules.parse(rules)
    if len(await at.house.write(store.variants)) >= MOST_VARIANTS:
        raise RefusedError(f"There are {MOST_VARIANTS} variants: forget one first")
    await at.house.write(lambda: store.save_variant(name, parsed))
    return {"variants": await at.house.write(lambda: variants(store))}


@BEFORE.add(owner=True, name=NAME)
async def forget_variant(at: "Connection", name: str) -> Answer:
    """Rules of this name are no longer kept; the answer is those that are left."""
    store = at.house.store
    await at.house.write(lambda: store.forget_variant(name))
    return {"variants": await at.house.write(lambda: variants(store))}


@BEFORE.add(name=SETTING, value=Field(plain(LONGEST_SETTING)))
async def set(at: "Connection", name: str, value: Any) -> Answer:
    """Keep a setting of the page: the owner's in the store, a guest's in the session."""
    house, session = at.house, at.session
    known, most = (house.settings, MOST_SETTINGS) if session.is_owner else (session.settings, MOST_OF_GUESTS)
    if name in OWN_SETTINGS:
        raise RefusedError(f"{name} is no setting of the page")
    if name not in known and len(known) >= most:
        raise RefusedError(f"There are {most} settings, as many as there can be")
    if session.is_owner:
        await house.set(name, value)
    else:
        session.settings[name] = value
        house.sessions.write()


@BEFORE.add(owner=True, name=NAME)
async def rename(at: "Connection", name: str) -> Answer:
    """The owner is called so from now on."""
    await at.house.rename(checked_name(name))


@BEFORE.add(owner=True)
async def sittings(at: "Connection") -> Answer:
    """The latest sittings, finished ones and those given up, too."""
    return {"sittings": await at.house.write(lambda: sittings_listed(at.house))}


@BEFORE.add(owner=True, unaided=FLAG)
async def statistics(at: "Connection", unaided: bool) -> Answer:
    """The owner's own figures; unaided: of the games without help."""
    store, name = at.house.store, at.house.name
    found = await at.house.write(lambda: statistics_of(store, name, unaided))
    told = found.as_dict()
    return {"statistics": told | {"left_out": [at.house.words(words) for words in found.left_out]}}
