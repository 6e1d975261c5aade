"""Requests after a hand: the review, grades, the deal again, texts, proofs, ten thousand deals.

A hand is named by its table and its number, as views number them. Looking at a finished hand of an open game settles
it: no move up to its end can be taken back any more.
"""

from typing import Any

from spades_env.game.cards import NUM_SEATS, SEATS, Seat
from spades_env.game.secret_deals import new_secret
from spades_env.play import texts
from spades_env.play.coach.grade import Judge
from spades_env.play.review.deals import counted
from spades_env.play.review.grades import Graded
from spades_env.play.review.grades import grades as graded
from spades_env.play.review.hand_review import again as again_from
from spades_env.play.review.hand_review import steps
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import Limits
from spades_env.play.server.requests.fields import Field, none_or, text, whole
from spades_env.play.server.requests.hello import rules_as_dict
from spades_env.play.server.requests.request import HAND, KEY, SEAT, Answer, Client, Requests, Who
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.sessions import Session
from spades_env.play.store.sitting_text import read_finished, write
from spades_env.play.table.choices import offered, replace_missing
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.rating import bot_name
from spades_env.play.table.seats import Names, names_at
from spades_env.play.table.sheet import sheet_line
from spades_env.play.table.table import Table

REVIEW = Requests()
GRADES, COMPARISON = "grades", "comparison"  # groups that are stopped when the review is closed
SECONDS = 60.0  # for grading a hand
END = object()


async def look_at(room: Room, number: int | None) -> PlayedHand:
    """Return a finished hand, the last one if no number is given, and settle it."""
    finished = [hand for hand in room.table.finished if number in (None, hand.number + 1)]
    if not finished:
        raise RefusedError(
            texts.text("error.no_hand") if number is None else texts.text("error.hand_open", hand=number)
        )
    hand = finished[-1]
    if not (room.table.over or room.closed):
        await room.change(lambda: room.table.settle(hand.number))
    return hand


@REVIEW.add(Who.HOLDER, key=KEY, hand=Field(none_or(HAND.check), None))
async def review(client: Client, key: str, hand: int | None) -> Answer:
    """Return a finished hand move by move with all cards open, who sat where, and the score sheet."""
    room = await client.server.room(key)
    found, table, own = await look_at(room, hand), room.table, room.seating.seat_of(client.session)
    names, seat = names_at(table.seats, own, client.session.shown_name), own or 0
    return {
        "hand": found.number + 1,
        "steps": await client.compute(lambda: steps(table.rules, found, names, own)),
        "hands": [one.number + 1 for one in table.finished],
        "over": table.over,
        "rules": rules_as_dict(table.rules),
        "seat": seat,
        "seats": [_place(table, other, client.session, names) for other in range(NUM_SEATS)],
        "sheet": [sheet_line(table.rules, found, side, names, own) for side in range(table.rules.sides)],
    }


def _place(table: Table, seat: Seat, session: Session, names: Names) -> dict[str, Any]:
    bot, person = table.seats.bots[seat], table.seats.people[seat]
    who = session.shown_name(table.seats.name(seat))
    return {
        "seat": seat,
        "name": SEATS[seat],
        "who": who,
        "called": names[seat],
        "person": person is not None,
        "bot": bot,
    }


@REVIEW.add(Who.HOLDER, group=GRADES, key=KEY, hand=HAND, seat=SEAT)
async def grades(client: Client, key: str, hand: int, seat: Seat) -> Answer:
    """Send a grade for every decision of a seat, with the better choice and its reason, as they are found."""
    room, services = await client.server.room(key), client.services
    played, rules, adviser = await look_at(room, hand), room.table.rules, services.adviser
    by, names = bot_name(adviser), names_at(room.table.seats, seat, client.session.shown_name)
    about, found = {"key": key, "hand": hand, "seat": seat, "by": by}, []
    judge = await client.compute(lambda: Judge(adviser))
    walk = graded(rules, played, seat, judge, names, by, SECONDS)
    while isinstance(one := await client.compute(lambda: next(walk, END)), Graded):
        found.append(one.as_dict())
        client.tell({"grades": about | {"found": found, "done": False}})
    client.tell({"grades": about | {"found": found, "done": True}})


@REVIEW.add(Who.HOLDER, group=COMPARISON, key=KEY, hand=HAND)
async def compare(client: Client, key: str, hand: int) -> Answer:
    """Return the result of a deal with the adviser in all four seats, beside the one that was played."""
    room, services = await client.server.room(key), client.services
    found, adviser = await look_at(room, hand), services.adviser
    table = room.table
    replay = await client.compute(lambda: again_from(table, found.number, {}, [adviser] * NUM_SEATS, adviser))
    while not replay.finished:
        await client.compute(replay.step)
    results = [one.result.as_dict() for one in (replay.finished[0], found) if one.result]
    return {"by": bot_name(adviser), "result": results[0], "played": results[1]}


@REVIEW.add(Who.ANYBODY)
async def stop(client: Client) -> Answer:
    """Stop what is still computed for a review that was closed."""
    client.stop(GRADES, COMPARISON)


@REVIEW.add(Who.OWNER, key=KEY, hand=HAND, seat=SEAT, moves=Field(whole(0, 99), 0))
async def again(client: Client, key: str, hand: int, seat: Seat, moves: int) -> Answer:
    """Play the same deal at a new table, the owner at this seat, after so many of the moves made before."""
    room, services = await client.server.room(key), client.services
    found, table, name = await look_at(room, hand), room.table, services.name
    bots = replace_missing(table.seats.bots, [choice.key for choice in offered(services.extra_bots)])
    adviser = services.adviser
    replay = await client.server.new_room(
        lambda: again_from(table, found.number, {seat: name}, bots, adviser, moves), seat
    )
    await client.enter(replay)
    return {"key": replay.key}


@REVIEW.add(Who.ANYBODY, do="text", key=KEY)
async def text_of(client: Client, key: str) -> Answer:
    table = (await client.server.room(key)).table
    return {"text": await client.compute(lambda: write(table))}


@REVIEW.add(Who.OWNER, do="import", text=Field(text(Limits.text)))
async def import_text(client: Client, text: str) -> Answer:
    """Read a finished game from its text, and open it."""
    table = await client.compute(lambda: read_finished(text))
    await client.enter(await client.server.new_room(lambda: table))
    return {"key": table.key}


@REVIEW.add(Who.HOLDER, key=KEY)
async def proofs(client: Client, key: str) -> Answer:
    """Return all hashes shown so far, and the proofs of finished hands."""
    room = await client.server.room(key)
    if room.table.finished:
        await look_at(room, room.table.finished[-1].number + 1)
    opened = {name: [vars(proof) for proof in found] for name, found in room.table.proofs().items()}
    return {"commitments": room.table.commitments, "proofs": opened}


@REVIEW.add(Who.ANYBODY, group="deals")
async def deals(client: Client) -> Answer:
    """Count ten thousand deals, from a secret drawn for it."""
    return await client.compute(lambda: counted(new_secret()))
