"""What is asked after a hand: the review, what was lost, the deal again, texts, proofs, ten thousand deals.

A hand is named by its table and its number, as views number them. Whoever looks at a finished hand of a game that goes
on settles it: no move up to its end is taken back any more.
"""

from typing import TYPE_CHECKING, Any

from play.choices import SURPLUS_BOT
from play.deal_statistics import counted
from play.hands import Hand
from play.review import Difference, decisions, steps
from play.review import again as again_from
from play.server.at_table import room_to_see
from play.server.fields import Field, none_or, text
from play.server.hello import rules_shown
from play.server.offers import roster
from play.server.refusals import RefusedError
from play.server.requests import HAND, KEY, SEAT, Answer, Requests
from play.server.rooms import Room
from play.server.sessions import Session
from play.sheet import sheet_line
from play.sitting_text import read_finished, write
from play.standing import bot_name
from play.table import Table
from spades_env.cards import NUM_SEATS, SEATS, Seat
from spades_env.shuffle import new_secret

if TYPE_CHECKING:
    from play.server.live import Connection

AFTER = Requests()
REVIEW, COMPARISON = "review", "comparison"  # what takes long, and stops when the review is closed
LONGEST_TEXT = 262_144
SECONDS = 60.0  # to find out what was lost in a hand
END = object()


async def looked_at(room: Room, number: int | None) -> Hand:
    """A finished hand, the last one where no number is given; it is settled by this."""
    finished = [hand for hand in room.table.finished if number in (None, hand.number + 1)]
    if not finished:
        raise RefusedError("No hand is finished yet" if number is None else f"Hand {number} is not finished")
    hand = finished[-1]
    if not (room.table.over or room.closed):
        await room.change(lambda: room.table.settle(hand.number))
    return hand


@AFTER.add(key=KEY, hand=Field(none_or(HAND.check), None))
async def review(at: "Connection", key: str, hand: int | None) -> Answer:
    """A finished hand move by move with all cards open, who sat where, and the score sheet."""
    room = await room_to_see(at, key)
    found, table, seat = await looked_at(room, hand), room.table, room.seat_of(at.session) or 0
    return {
        "hand": found.number + 1,
        "steps": await at.house.work(lambda: steps(table.rules, found)),
        "hands": [one.number + 1 for one in table.finished],
        "rules": rules_shown(table.rules),
        "seat": seat,
        "seats": [_place(table, other, at.session) for other in range(NUM_SEATS)],
        "sheet": [sheet_line(table.rules, found, side) for side in range(table.rules.sides)],
    }


def _place(table: Table, seat: Seat, session: Session) -> dict[str, Any]:
    bot, person = table.seats.bots[seat], table.seats.people[seat]
    who = session.reads(table.seats.name(seat))
    return {"seat": seat, "name": SEATS[seat], "who": who, "person": person is not None, "bot": bot}


@AFTER.add(beside=REVIEW, key=KEY, hand=HAND, seat=SEAT)
async def losses(at: "Connection", key: str, hand: int, seat: Seat) -> Answer:
    """Where the adviser would have done otherwise than a seat, and what that cost, told as it is found."""
    room = await room_to_see(at, key)
    found, rules, adviser = await looked_at(room, hand), room.table.rules, at.house.adviser
    about = {"key": key, "hand": hand, "seat": seat, "by": bot_name(adviser)}
    walk, told, asked = decisions(rules, found, seat, adviser, seconds=SECONDS), [], 0
    while (decision := await at.house.work(lambda: next(walk, END))) is not END:
        asked += 1
        if isinstance(decision, Difference):
            told.append(decision.as_dict())
            at.tell({"losses": about | {"found": told, "asked": asked, "done": False}})
    at.tell({"losses": about | {"found": told, "asked": asked, "done": True}})


@AFTER.add(beside=COMPARISON, key=KEY, hand=HAND)
async def compare(at: "Connection", key: str, hand: int) -> Answer:
    """What the adviser in all four seats makes of a deal, beside what was made of it."""
    room = await room_to_see(at, key)
    found, adviser = await looked_at(room, hand), at.house.adviser
    table = room.table
    replay = await at.house.work(lambda: again_from(table, found.number, {}, [adviser] * NUM_SEATS, adviser))
    while not replay.finished:
        await at.house.work(replay.step)
    results = [hand.result.as_dict() for hand in (replay.finished[0], found) if hand.result]
    return {"by": bot_name(adviser), "result": results[0], "played": results[1]}


@AFTER.add()
async def stop(at: "Connection") -> Answer:
    """The review is closed: what is still worked out for it is not wanted any more."""
    at.stop(REVIEW, COMPARISON)


@AFTER.add(owner=True, key=KEY, hand=HAND, seat=SEAT)
async def again(at: "Connection", key: str, hand: int, seat: Seat) -> Answer:
    """The same deal at a new table, the owner at this seat."""
    room = await room_to_see(at, key)
    found, table, name = await looked_at(room, hand), room.table, at.house.name
    adviser = at.house.adviser
    here = [one["key"] for one in roster(at.house)]
    bots = [bot if bot in here else SURPLUS_BOT for bot in table.seats.bots]
    replay = await at.house.new_room(lambda: again_from(table, found.number, {seat: name}, bots, adviser), seat)
    await at.enter(replay)
    return {"key": replay.key}


@AFTER.add(do="text", key=KEY)
async def text_of(at: "Connection", key: str) -> Answer:
    """A finished game as text."""
    table = (await room_to_see(at, key)).table
    return {"text": await at.house.work(lambda: write(table))}


@AFTER.add(owner=True, do="import", text=Field(text(LONGEST_TEXT)))
async def take_in(at: "Connection", text: str) -> Answer:
    """A finished game out of its text, opened to be looked at."""
    table = await at.house.work(lambda: read_finished(text))
    await at.enter(await at.house.new_room(lambda: table))
    return {"key": table.key}


@AFTER.add(key=KEY)
async def proofs(at: "Connection", key: str) -> Answer:
    """All hashes shown so far, and what opens those of finished hands."""
    room = await room_to_see(at, key)
    if room.table.finished:
        await looked_at(room, room.table.finished[-1].number + 1)
    opened = {name: [proof.as_dict() for proof in told] for name, told in room.table.proofs().items()}
    return {"commitments": room.table.commitments, "proofs": opened}


@AFTER.add(beside="deals")
async def deals(at: "Connection") -> Answer:
    """Ten thousand deals counted, from a secret drawn for it."""
    return await at.house.work(lambda: counted(new_secret()))
