"""Requests about guests: their link, who has come, and how the owner frees a seat or puts somebody out."""

from typing import Any

from spades_env.extras import needed
from spades_env.game.cards import NUM_SEATS, SEATS, Seat
from spades_env.play import texts
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.requests.fields import Field, none_or, text
from spades_env.play.server.requests.request import SEAT, Answer, Client, Requests, Who
from spades_env.play.server.requests.table import refuse_daily
from spades_env.play.server.rooms import people
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.sessions import OWNER
from spades_env.play.store.settings import FACE

GUESTS = Requests()
LONGEST_BEGIN = 300
NO_CODE = "the QR code of a link needs {missing}: pip install 'spades-env[play]'"
NO_SEAT = {"seat": None, "place": None, "plays": False}
GUEST = Field(text(12, "[0-9a-f]{12}", "a guest as `guests` lists them"))


@GUESTS.add(Who.OWNER, begin=Field(none_or(text(LONGEST_BEGIN)), None))
async def invite(client: Client, begin: str | None) -> Answer:
    """Return the path that brings guests to this table, and the server's address for other machines.

    begin: what stands before the path for guests, where that isn't the server's address.
    """
    room, server = client.room, client.server
    refuse_daily(room)
    if room.table.over:
        raise RefusedError(texts.text("error.no_seat_free"))
    path = f"/join/{client.services.sessions.invite(room.key)}"
    begin = begin or server.origin
    code = needed("spades_env.play.server.qr", NO_CODE).rows(begin + path) if begin else None
    if begin:
        server.on_invite(begin + path)
    opens = server.door.address if server.door and client.here and not server.origin else None
    return {"path": path, "origin": server.origin, "reach": server.reach, "code": code, "opens": opens}


@GUESTS.add(Who.OWNER)
async def open_door(client: Client) -> Answer:
    """Let others on the network connect until the server stops, as the page on the server's own computer asks."""
    if not client.here:
        raise RefusedError(texts.text("error.open_here"))
    await client.server.open_door()


@GUESTS.add(Who.OWNER)
async def revoke(client: Client) -> Answer:
    """End the table's link. Who has come by it stays; the next `invite` makes another link."""
    client.services.sessions.revoke(client.room.key)


@GUESTS.add(Who.OWNER)
async def guests(client: Client) -> Answer:
    """Return who has a seat besides the owner, then the other guests who are here or have sat here."""
    room = client.room
    here = {viewer.session.id for viewer in room.audience.viewers}
    seated = [found for seat in range(NUM_SEATS) if (found := _in_seat(room, seat, here))]
    holders = room.seating.holders.values()
    others = [
        {"guest": one.id, "name": one.name, "face": one.settings.get(FACE), "here": one.id in here} | NO_SEAT
        for one in client.services.sessions.guests_of(room.key)
        if one.id not in holders and (one.name or one.id in here)
    ]
    return {"guests": seated + others}


def _in_seat(room: Room, seat: Seat, here: set[str]) -> dict[str, Any] | None:
    """Describe the guest of a seat. guest: None for a person whose session is gone; plays: False while the bot does."""
    holder, person = room.seating.holders.get(seat), room.seating.people[seat]
    if holder == OWNER or (holder is None and person is None):
        return None
    name = person or room.services.sessions.guest_names(room.key).get(holder or "")
    place, plays = texts.text(f"seat.{SEATS[seat].lower()}"), person is not None
    about = {"guest": holder, "name": name, "seat": seat, "place": place, "plays": plays, "here": holder in here}
    return about | {"face": room.seating.faces()[seat]}


@GUESTS.add(Who.OWNER, seat=SEAT)
async def free(client: Client, seat: Seat) -> Answer:
    """Give a guest's seat to its bot, for anybody to take."""
    await people.free(client.room, seat)


@GUESTS.add(Who.OWNER, guest=GUEST)
async def put_out(client: Client, guest: str) -> Answer:
    """Put a guest out for good: their pages close, their seat goes to its bot, and the link ends."""
    await people.put_out(client.room, guest, client.server.connections)
