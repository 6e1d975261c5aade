"""What is asked at a table: to open one, to play, to sit down and get up."""

from typing import TYPE_CHECKING, Any

from play.advice import advise
from play.server.fields import MOST, Field, flag, none_or, number, text, whole
from play.server.offers import checked_bots, usual_bots
from play.server.refusals import REFUSALS, RefusedError
from play.server.requests import BOTS, KEY, NAME, RULES, SEAT, VERSION, Answer, Requests
from play.server.rooms import Room
from play.table import Table
from spades_env import Rules
from spades_env.cards import Seat
from spades_env.checks import LARGEST_SEED

if TYPE_CHECKING:
    from play.server.live import Connection

AT_TABLE = Requests()
LONGEST_DEAL = 400
LONGEST_MOVE = 3600  # seconds
SEED = text(20, "[0-9]{1,20}", f"a whole number from 0 to {LARGEST_SEED}, as text")


# Tables


async def enter_first(at: "Connection") -> None:
    """The table that is open when a page opens: a guest's own, the unfinished one played last, or a new one. Why one
    that was played later cannot be gone on with is said.
    """
    house, refusal = at.house, ""
    if at.session.table:
        await at.enter(await house.room(at.session.table))
        return
    for sitting in await house.write(house.store.unfinished):
        try:
            room = await house.room(sitting.key)
            await house.set_up(room.table.seats.load_all)
            break
        except REFUSALS as error:  # its text is damaged, or a bot has gone; the next one
            refusal = refusal or f"Your latest game is not open: {error}"
    else:
        room = await house.new_room(*_table(at, **_usual(at)))
    await at.enter(room)
    if refusal:
        at.tell({"re": None, "error": house.words(refusal)})


def _usual(at: "Connection") -> dict[str, Any]:
    """How the last table was set up; before there was one: classic, with a strong partner."""
    last = at.house.last or {"rules": "classic", "bots": usual_bots(), "seat": 0, "move_seconds": None}
    try:
        checked_bots(at.house, last["bots"])
    except RefusedError:  # one of them is no longer here
        last = last | {"bots": usual_bots(last["seat"])}
    return last


def _table(
    at: "Connection",
    rules: str,
    bots: list[str],
    seat: Seat,
    move_seconds: float | None,
    seed: str | None = None,
    deal: str | None = None,
) -> tuple:
    """What makes the table, and the owner's seat."""
    parsed, bots = Rules.parse(rules), checked_bots(at.house, bots)
    name, adviser = at.house.name, at.house.adviser

    def make() -> Table:
        try:
            return Table(
                parsed,
                bots,
                {seat: name},
                seed=None if seed is None else int(seed),
                start={"deal": deal} if deal else {},
                adviser=adviser,
                move_seconds=move_seconds,
                counted=seed is None and deal is None,
            )
        except ValueError as error:  # a deal or a seed that cannot be; its words say why
            raise RefusedError(str(error)) from None

    return make, seat


@AT_TABLE.add(key=KEY)
async def open(at: "Connection", key: str) -> Answer:
    """Look at another table that is kept, unless its game was given up."""
    room = await room_to_see(at, key)
    if room.closed:
        raise RefusedError("This game was given up: its finished hands can be looked at, no more")
    await at.enter(room)
    return {"key": key}


@AT_TABLE.add(
    owner=True,
    rules=RULES,
    bots=BOTS,
    seat=Field(SEAT.check, 0),
    move_seconds=Field(none_or(number(1, LONGEST_MOVE)), None),
    seed=Field(none_or(SEED), None),
    deal=Field(none_or(text(LONGEST_DEAL)), None),
)
async def new(at: "Connection", seed: str | None, deal: str | None, **chosen: Any) -> Answer:
    """Begin a game; how it was set up, but for seed and deal, is kept for the next one."""
    room = await at.house.new_room(*_table(at, **chosen, seed=seed, deal=deal))
    await at.house.set("last", chosen)
    await at.enter(room)
    return {"key": room.key}


@AT_TABLE.add(owner=True, key=KEY)
async def give_up(at: "Connection", key: str) -> Answer:
    """An unfinished game will not be gone on with."""
    await at.house.give_up(key)


# Playing


@AT_TABLE.add(action=Field(text(8)), version=VERSION)
async def act(at: "Connection", action: str, version: int) -> Answer:
    """Bid, pass or play from the own seat."""
    room, seat = at.here(), own_seat(at)
    await room.change(lambda: room.table.act(seat, action, version))


@AT_TABLE.add(moves=Field(whole(1, 10_000), 1), version=VERSION)
async def takeback(at: "Connection", moves: int, version: int) -> Answer:
    """Undo so many of the own moves, with all that came after; other people who are there are asked first."""
    room, seat = at.here(), own_seat(at)
    return {"done": await room.take_back(seat, moves, version)}


@AT_TABLE.add(number=Field(whole(1, MOST)), allow=Field(flag))
async def answer_undo(at: "Connection", number: int, allow: bool) -> Answer:
    """Agree to somebody's undo or decline it; or no longer ask for the own one."""
    room, seat = at.here(), own_seat(at)
    await room.answer_undo(seat, number, allow)


@AT_TABLE.add(beside="hint", version=VERSION)
async def hint(at: "Connection", version: int) -> Answer:
    """What the adviser weighs at the own turn; it is counted."""
    room, seat = at.here(), own_seat(at)
    question = await room.change(lambda: room.table.ask(seat, version))
    return await at.house.think(lambda: advise(question)) | {"version": question.version}


@AT_TABLE.add(version=VERSION)
async def claim(at: "Connection", version: int) -> Answer:
    """Take all tricks that are left, where they are certain."""
    room, seat = at.here(), own_seat(at)
    await room.change(lambda: room.table.claim(seat, version))


@AT_TABLE.add(version=VERSION)
async def shown(at: "Connection", version: int) -> Answer:
    """This view is on the screen: the clock need not wait for it any more."""
    room = at.here()
    room.waiting.shown(room, room.seat_of(at.session), version)


# Seats


@AT_TABLE.add(seat=SEAT, name=Field(none_or(NAME.check), None))
async def sit(at: "Connection", seat: Seat, name: str | None) -> Answer:
    """Take a free seat, or come back to the own one."""
    await at.here().sit(at.session, seat, name)


@AT_TABLE.add()
async def leave(at: "Connection") -> Answer:
    """Get up: the bot plays on, and the seat is kept for who has left it."""
    await at.here().get_up(at.session)


@AT_TABLE.add(owner=True, seat=SEAT)
async def free(at: "Connection", seat: Seat) -> Answer:
    """A guest's seat is given to its bot, and to whoever wants it."""
    await at.here().free(seat)


@AT_TABLE.add(owner=True)
async def invite(at: "Connection") -> Answer:
    """The path that brings guests to this table, behind what name others reach the server, and what to know of that."""
    room = at.here()
    if room.table.over:
        raise RefusedError("The game is over: there is no seat to take")
    path = f"/join/{at.house.sessions.invite(room.key)}"
    return {"path": path, "origin": at.house.origin, "reach": at.house.reach}


def own_seat(at: "Connection") -> Seat:
    """Where who asks sits."""
    seat = at.here().seat_of(at.session)
    if seat is None:
        raise RefusedError("You have no seat at this table")
    return seat


def check_may_see(at: "Connection", key: str) -> None:
    """A guest may look at one table only."""
    if not at.session.is_owner and key != at.session.table:
        raise RefusedError("You are a guest of another table")


async def room_to_see(at: "Connection", key: str) -> Room:
    """The room of a table that who asks may look at."""
    check_may_see(at, key)
    return await at.house.room(key)
