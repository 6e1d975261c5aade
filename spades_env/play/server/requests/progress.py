"""Requests for what a person comes back for: the daily deal, achievements, what a finished game has changed."""

from spades_env.play.daily.deal_of_day import SEAT
from spades_env.play.progress.achievements import achievements as achievements_of
from spades_env.play.progress.changes import achievement_words
from spades_env.play.progress.changes import ending as ending_of
from spades_env.play.progress.daily import daily_status, new_daily, open_daily
from spades_env.play.progress.fair_fight import fight_of, why_not_fair
from spades_env.play.progress.history import facts_of
from spades_env.play.server.requests.fields import Field, text
from spades_env.play.server.requests.request import KEY, Answer, Client, Requests, Who
from spades_env.play.server.services import Services
from spades_env.play.store.settings import LAST
from spades_env.play.table.table import Table
from spades_env.play.texts import Text
from spades_env.play.texts import text as words

PROGRESS = Requests()
DAY = Field(text(10, "[0-9]{4}-[0-9]{2}-[0-9]{2}", "a day like 2026-11-25"))


@PROGRESS.add(Who.OWNER, day=DAY)
async def daily(client: Client, day: str) -> Answer:
    """Open this day's deal: the game that was begun, or a new one."""
    services, store = client.services, client.services.store
    name, adviser = services.name, services.adviser
    async with services.opening_daily:  # two windows begin one game
        key = await services.write(lambda: open_daily(store, name, day))
        if key is None:
            table = await services.write(lambda: new_daily(store, name, day, adviser))
            room = await client.server.new_room(lambda: table, SEAT)
        else:
            room = await client.server.room(key)
    await client.enter(room)
    return {"key": room.key}


@PROGRESS.add(Who.OWNER, day=DAY)
async def dailies(client: Client, day: str) -> Answer:
    """Return how the owner stands with this day's deal, the streak, and the latest results."""
    services, store, name = client.services, client.services.store, client.services.name
    found = await services.write(lambda: daily_status(store, name, day))
    unknown = [one["key"] for one in found["results"] if one["share"] is None]
    for key in unknown[:1]:  # its room lets the champion finish
        await client.server.room(key)
    return {"daily": found}


@PROGRESS.add(Who.OWNER)
async def achievements(client: Client) -> Answer:
    """Return all achievements, earned and open, with what each takes."""
    services, store, name = client.services, client.services.store, client.services.name
    found = await services.write(lambda: achievements_of(facts_of(store, name)))
    return {"achievements": [achievement_words(one.key) | one._asdict() for one in found]}


@PROGRESS.add(Who.SEATED, key=KEY)
async def ending(client: Client, key: str) -> Answer:
    """Return what a finished game has changed for somebody who sat there; a guest gets the hands alone."""
    room, services, session = await client.server.room(key), client.services, client.session
    seat = room.seating.seat_of(session)
    assert seat is not None
    table, person = room.table, services.name if session.is_owner else None
    found = await services.write(lambda: ending_of(services.store, table, seat, person, session.shown_name))
    return found | {"fair": await services.write(lambda: _fair(services, table)) if person else None}


def _fair(services: Services, table: Table) -> Text | None:
    """Say who is next in a fair fight, if the owner plays one."""
    last = services.settings.get(LAST) or {}
    if table.daily or not last.get("fair") or why_not_fair(table.rules):
        return None
    return words("fair.next", fight=fight_of(services.store, services.name, table.rules).words)
