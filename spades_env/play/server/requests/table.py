"""Requests at a table: open one, play, sit down, get up."""

from typing import Any

from spades_env.checks import LARGEST_SEED
from spades_env.errors import SpadesError
from spades_env.game.cards import Seat
from spades_env.game.rules import Rules
from spades_env.play import texts
from spades_env.play.coach.hint import coached
from spades_env.play.progress.fair_fight import why_not_fair, with_fair_opponents
from spades_env.play.ready import compiling_elsewhere
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.requests.fields import MOST, Field, flag, none_or, number, text, whole
from spades_env.play.server.requests.request import BOTS, KEY, NAME, RULES, SEAT, VERSION, Answer, Client, Requests, Who
from spades_env.play.server.rooms import people
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.server import Server
from spades_env.play.server.services import Services
from spades_env.play.store.settings import LAST, LONGEST_MOVE
from spades_env.play.table.choices import default_bots, steady_partner, why_not_offered
from spades_env.play.table.seats import names_at
from spades_env.play.table.table import Table

TABLE = Requests()
LONGEST_DEAL = 400
SEED = text(20, "[0-9]{1,20}", f"a whole number from 0 to {LARGEST_SEED}, as text")


# Tables


async def enter_first(client: Client) -> None:
    """Open a table for a new page: a guest's own, the latest unfinished one, or a new one like the last.

    If the latest unfinished game cannot be opened, the page reads why. A new one has no clock: nobody has asked for it.
    """
    server, services, refusal = client.server, client.services, ""
    if client.session.table:
        await client.enter(await server.room(client.session.table))
        return
    for sitting in await services.write(services.store.unfinished):
        try:
            room = await server.room(sitting.key)
            await services.set_up(room.table.seats.load_all)
            break
        except SpadesError as error:  # it is damaged, or a bot is gone: try the next one
            refusal = refusal or texts.text("error.latest", why=services.words(error))
    else:
        partner = steady_partner(at_once=compiling_elsewhere.is_set())
        usual = {"rules": "classic", "bots": default_bots(partner=partner), "seat": 0, "move_seconds": None}
        last: dict[str, Any] = services.settings.get(LAST) or usual
        if why_not_offered(last["bots"], services.extra_bots):
            last = last | {"bots": default_bots(last["seat"])}
        untimed = str(Rules.parse(last["rules"]).replace(time_limit_s=None))
        room = await _new_room(server, **last | {"rules": untimed, "move_seconds": None})
    await client.enter(room)
    if refusal:
        client.tell({"re": None, "error": services.words(refusal)})


def check_bots(services: Services, bots: list[str]) -> None:
    if why := why_not_offered(bots, services.extra_bots):
        raise RefusedError(why)


async def _new_room(
    server: Server,
    rules: str,
    bots: list[str],
    seat: Seat,
    move_seconds: float | None,
    seed: str | None = None,
    deal: str | None = None,
    fair: bool = False,
) -> Room:
    """Return the room of a new table with the owner at a seat. fair: unless results are compared, pick opponents."""
    services, parsed = server.services, Rules.parse(rules)
    check_bots(services, bots)
    name, counted = services.name, seed is None and deal is None
    if fair and counted and not why_not_fair(parsed):
        bots = await services.write(lambda: with_fair_opponents(services.store, name, parsed, bots, seat))
    people = {seat: name}
    options: dict[str, Any] = {"adviser": services.adviser, "move_seconds": move_seconds}
    options["seed"] = None if seed is None else int(seed)
    options["start"] = {"deal": deal} if deal else {}
    options["counted"] = counted
    return await server.new_room(lambda: Table(parsed, bots, people, **options), seat)


@TABLE.add(Who.ANYBODY, key=KEY)
async def open(client: Client, key: str) -> Answer:
    """Look at another saved table."""
    room = await client.server.room(key)
    if room.closed:
        raise RefusedError(texts.text("error.abandoned"))
    await client.enter(room)
    return {"key": key}


@TABLE.add(
    Who.OWNER,
    rules=RULES,
    bots=BOTS,
    seat=Field(SEAT.check, 0),
    move_seconds=Field(none_or(number(1, LONGEST_MOVE)), None),
    fair=Field(flag, False),
    seed=Field(none_or(SEED), None),
    deal=Field(none_or(text(LONGEST_DEAL)), None),
    remember=Field(flag, True),
)
async def new(client: Client, seed: str | None, deal: str | None, remember: bool, **setup: Any) -> Answer:
    """Begin a game.

    fair: the opponents follow the results; remember: the next game is set up like this one, but for seed and deal.
    """
    room = await _new_room(client.server, **setup, seed=seed, deal=deal)
    if remember:
        await client.services.set(client.session, LAST, setup)
    await client.enter(room)
    return {"key": room.key}


@TABLE.add(Who.OWNER, key=KEY)
async def give_up(client: Client, key: str) -> Answer:
    await client.server.give_up(key)


# Playing


@TABLE.add(Who.SEATED, action=Field(text(8)), version=VERSION)
async def act(client: Client, action: str, version: int) -> Answer:
    room, seat = client.room, own_seat(client)
    await room.change(lambda: room.table.act(seat, action, version))


@TABLE.add(Who.SEATED, moves=Field(whole(1, 10_000), 1), version=VERSION)
async def takeback(client: Client, moves: int, version: int) -> Answer:
    """Undo this many moves of the client's, with all that came after. Other people who are there are asked first."""
    return {"done": await people.take_back(client.room, own_seat(client), moves, version)}


@TABLE.add(Who.SEATED, number=Field(whole(1, MOST)), allow=Field(flag))
async def answer_undo(client: Client, number: int, allow: bool) -> Answer:
    """Agree to somebody's undo, decline it, or withdraw one's own."""
    await people.answer_undo(client.room, own_seat(client), number, allow)


@TABLE.add(Who.SEATED, group="hint", version=VERSION)
async def hint(client: Client, version: int) -> Answer:
    """Return the adviser's opinion of each action at the client's turn, with its reason, and count the hint."""
    room, seat = client.room, own_seat(client)
    question = await room.change(lambda: room.table.ask(seat, version))
    names = names_at(room.table.seats, seat, client.session.shown_name)
    return await client.compute(lambda: coached(question, names)) | {"version": question.version}


@TABLE.add(Who.SEATED, version=VERSION)
async def claim(client: Client, version: int) -> Answer:
    room, seat = client.room, own_seat(client)
    await room.change(lambda: room.table.claim(seat, version))


@TABLE.add(Who.ANYBODY, version=VERSION)
async def shown(client: Client, version: int) -> Answer:
    """Let the clock run: this view is on the screen."""
    client.room.audience.shown(client.session, version)


# Seats


@TABLE.add(Who.ANYBODY, seat=SEAT, name=Field(none_or(NAME.check), None))
async def sit(client: Client, seat: Seat, name: str | None) -> Answer:
    """Take a free seat, or return to the one left before."""
    await people.sit(client.room, client.session, seat, name)


@TABLE.add(Who.SEATED)
async def leave(client: Client) -> Answer:
    """Get up. The bot plays on, and nobody else may take the seat."""
    refuse_daily(client.room)
    await people.get_up(client.room, client.session)


def refuse_daily(room: Room) -> None:
    """Refuse what would put somebody else into a daily deal: its results could not be compared."""
    if room.table.daily:
        raise RefusedError(texts.text("error.daily_alone"))


def own_seat(client: Client) -> Seat:
    """Return where the client sits, in a request that only those who sit may make."""
    seat = client.room.seating.seat_of(client.session)
    assert seat is not None
    return seat
