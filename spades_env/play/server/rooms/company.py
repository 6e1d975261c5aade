"""What people do at a table besides playing and sitting: watch, say a quick phrase, begin a rematch.

Phrases are fixed and travel by key, so everybody reads them in their own language, and nobody can be insulted. Those
who watch see `play.table.company.watching` and nothing else.
"""

from collections.abc import Sequence

from spades_env.game.cards import NUM_SEATS, Seat
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.server import Server
from spades_env.play.server.sessions import Session
from spades_env.play.table.choices import offered, replace_missing
from spades_env.play.table.table import Table
from spades_env.play.texts import text

PHRASES = ("hello", "good_luck", "well_played", "thanks", "oops", "so_close", "one_moment", "good_game")


async def watch(room: Room, session: Session, on: bool) -> None:
    """Let somebody without a seat watch the table, or go back to the list of seats."""
    async with room.lock:
        room.check_open()
        audience, most = room.audience, room.services.limits.watchers
        if on and not audience.is_watching(session) and len(audience.watchers()) >= most:
            raise RefusedError(text("error.watch_full", count=most))
        audience.watching = audience.watching | {session.id} if on else audience.watching - {session.id}
        room.send_views()


def say(room: Room, session: Session, phrase: str) -> None:
    """Show a phrase at somebody's seat, to everybody at the table."""
    room.check_open()
    seat = room.seating.held_by(session)
    if seat is None or room.seating.people[seat] is None:
        raise RefusedError(text("error.no_seat"))
    if not room.phrases.take(session.id):
        raise RefusedError(text("error.phrase_often"))
    said = {"seat": seat, "phrase": phrase, "words": text(f"phrase.{phrase}")}
    room.audience.tell({"table": room.key, "said": said})


async def rematch(server: Server, room: Room, order: Sequence[Seat]) -> Room:
    """Begin another game of the same people and bots, and take everybody there. order: whose old seat each gets."""
    before = room.table
    if not before.over or room.closed:
        raise RefusedError(text("error.rematch_open"))
    seats, holders = before.seats, room.seating.holders
    known = [one.key for one in offered(room.services.extra_bots)]
    bots = replace_missing([seats.bots[old] for old in order], known)  # an imported game may name any agent
    gone = {seat for seat in range(NUM_SEATS) if holders and seat not in holders}  # people who were removed
    people = {new: person for new, old in enumerate(order) if (person := seats.people[old]) and old not in gone}
    held = {new: holders[order[new]] for new in range(NUM_SEATS) if order[new] in holders}

    def make() -> Table:
        return Table(before.rules, bots, people, adviser=room.services.adviser, move_seconds=before.clock.move)

    after = await server.rematch_room(room, make, held)
    after.audience.watching = set(room.audience.watching)
    viewers = list(room.audience.viewers)
    for viewer in viewers:
        await viewer.enter(after)
    after.audience.announce("rematch", room.services.name, but=after.seating.held_by(room.services.sessions.owner))
    return after
