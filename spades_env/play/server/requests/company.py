"""Requests among people: watch, say a quick phrase, begin a rematch; and the owner's list of tables."""

from typing import Any

from spades_env.game.cards import NUM_SEATS
from spades_env.play.server.requests.fields import Field, flag, one_of, order_of_four
from spades_env.play.server.requests.request import Answer, Client, Requests, Who
from spades_env.play.server.rooms import company
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.services import Services
from spades_env.play.server.sessions import OWNER
from spades_env.play.store.listing import list_entry, rule_names
from spades_env.play.store.sitting_rows import Saved
from spades_env.play.table.seat_view import progress

COMPANY = Requests()
MOST_TABLES = 50  # in the owner's list


@COMPANY.add(Who.UNSEATED, on=Field(flag, True))
async def watch(client: Client, on: bool) -> Answer:
    """Watch the table without a seat, or see the list of its seats again."""
    await company.watch(client.room, client.session, on)


@COMPANY.add(Who.SEATED, phrase=Field(one_of(company.PHRASES)))
async def say(client: Client, phrase: str) -> Answer:
    """Show one of the quick phrases at the client's seat."""
    company.say(client.room, client.session, phrase)


@COMPANY.add(Who.OWNER, order=Field(order_of_four, list(range(NUM_SEATS))))
async def rematch(client: Client, order: list[int]) -> Answer:
    """Begin another game with the people of a finished one; each seat gets who sat where `order` says."""
    return {"key": (await company.rematch(client.server, client.room, order)).key}


@COMPANY.add(Who.OWNER)
async def tables(client: Client) -> Answer:
    """Return the unfinished tables that others have a link to, and those with people, the latest first."""
    services, rooms = client.services, client.server.rooms
    unfinished = await services.write(services.store.unfinished)
    shared = [one for one in unfinished if services.sessions.is_invited(one.key) or _has_people(rooms.get(one.key))]
    listed = shared[:MOST_TABLES]
    return {"tables": await services.write(lambda: [_table(services, one, rooms.get(one.key)) for one in listed])}


def _has_people(room: Room | None) -> bool:
    return room is not None and bool(room.audience.viewers)


def _table(services: Services, saved: Saved, room: Room | None) -> dict[str, Any]:
    """Describe a table: its rules, its score, who sits there and is here, who watches or waits for a seat."""
    holders = services.sessions.holders(saved.key).items()
    own = next((seat for seat, holder in holders if holder == OWNER), None)
    entry = list_entry(services.store, saved, services.name, rule_names(services.store), own)
    seats, result = [dict(seat) for seat in entry.seats], entry.result
    if room:
        if not room.table.finished:
            result = progress(room.table.game.view(0))
        names, people = room.table.seats, room.seating.people
        seats = [{"who": names.name(seat), "person": people[seat] is not None} for seat in range(NUM_SEATS)]
    for seat, one in enumerate(seats):
        one["here"] = room is not None and room.audience.is_there(seat)
    return {
        "key": saved.key,
        "title": entry.title,
        "result": result,
        "forfeit": entry.forfeit,
        "shared": services.sessions.is_invited(saved.key),
        "seats": seats,
        "watching": len(room.audience.watchers()) if room else 0,
        "waiting": room.audience.waiting() if room else 0,
    }
