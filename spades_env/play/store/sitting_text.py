"""A finished sitting as text for export and import: the seats, who made each move, hints and takebacks, the game.

    spades sitting 1
    South: rule | Anna
    West: rule
    …
    adviser: rule
    salt: 5f…
    hand 1 by: pbbbpbbb…           who made each move: a person, a bot, a claim, or late: a bot when the time was up
    hints: hand 1 South 2
    takebacks: none
    check: 3b…                     the hash of all the other lines

    spades record 2
    …

Reading refuses a text that would not be written the same. A game's record alone is read as a game of bots. A game from
a text never counts in statistics.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_SEATS, SEATS, Seat
from spades_env.game.game import Game
from spades_env.game.record import FIRST_LINE as RECORD
from spades_env.play.table.deal_source import DealSource
from spades_env.play.table.hands import BOT, MADE_BY, HandStart
from spades_env.play.table.table import Table, TableError
from spades_env.play.texts import grouped
from spades_env.play.texts import text as sentence

FIRST_LINE = "spades sitting 1"
LONGEST = 1_000_000  # characters
NONE = "none"
HELP = re.compile(rf"hand ([0-9]{{1,6}}) ({'|'.join(SEATS)}) ([0-9]{{1,6}})")


class SittingError(SpadesError):
    """A text is not a sitting; the message says why in one sentence."""


# Writing


def write(table: Table) -> str:
    """Write a sitting whose game is over: an earlier text would give hidden cards away."""
    if not table.over:
        raise TableError(sentence("error.record_early"))
    record = table.game.record()
    head = "\n".join(_head(table))
    return f"{head}\ncheck: {_check(head, record)}\n\n{record}"


def _head(table: Table) -> list[str]:
    seats = table.seats
    lines = [FIRST_LINE]
    for name, bot, person in zip(SEATS, seats.bots, seats.people, strict=True):
        lines.append(f"{name}: {bot}{f' | {person}' if person else ''}")
    lines += [f"adviser: {seats.adviser}", f"salt: {table.salt}"]
    lines += [f"hand {hand.number + 1} by: {''.join(move.by[0] for move in hand.moves)}" for hand in table.hands]
    return [*lines, f"hints: {_help(table.hints)}", f"takebacks: {_help(table.takebacks)}"]


def _help(counter: Counter) -> str:
    words = [f"hand {hand + 1} {SEATS[seat]} {count}" for (hand, seat), count in sorted(counter.items())]
    return ", ".join(words) or NONE


def _check(head: str, record: str) -> str:
    return hashlib.sha256(f"{head}\n\n{record}".encode()).hexdigest()[:32]


# Reading


def read(text: str) -> Table:
    """Return the table that a text describes; SittingError if it describes none."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise SittingError(sentence("error.game_long", most=grouped(LONGEST)))
    try:
        text.encode()
    except UnicodeEncodeError:  # JSON may hold a lone surrogate
        raise SittingError("this text cannot be saved: it contains half of a character (a lone surrogate)") from None
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if lines[:1] == [RECORD]:
        game = _replayed(lines)
        return _table_of(game, ["rule"] * NUM_SEATS, {}, "rule", [BOT] * len(game.moves))
    if lines[:1] != [FIRST_LINE]:
        raise SittingError(sentence("error.game_text", a=FIRST_LINE, b=RECORD))
    blank = lines.index("") if "" in lines else len(lines)
    head, record = lines[:blank], lines[blank + 1 :]
    check = _check("\n".join(head[:-1]), "\n".join(record) + "\n")
    if head[-1] != f"check: {check}":
        raise SittingError(sentence("error.game_lines"))
    try:
        table = _parsed(head[1:-1], _replayed(record))
    except (ValueError, LookupError):
        table = None
    if table is None or not table.over or _head(table) != head[:-1]:
        raise SittingError(sentence("error.game_head"))
    return table


def read_finished(text: str) -> Table:
    """Read a sitting for review: its game must be over and have a finished hand."""
    table = read(text)
    if not table.over:
        raise SittingError(sentence("error.game_open"))
    if not table.finished:
        raise SittingError(sentence("error.game_empty"))
    return table


def _replayed(lines: list[str]) -> Game:
    try:
        return Game.replay("\n".join(lines) + "\n")
    except ValueError as error:
        raise SittingError(sentence("error.game_moves", why=str(error))) from None


def _parsed(head: list[str], game: Game) -> Table:
    """Return the table of a head without its first and its last line; any error means damage."""
    fields = dict(line.split(": ", 1) for line in head)
    pairs = [fields[name].split(" | ") for name in SEATS]
    people = {seat: pair[1] for seat, pair in enumerate(pairs) if len(pair) > 1}
    letters = "".join(value for name, value in fields.items() if name.endswith(" by"))
    table = _table_of(
        game, [pair[0] for pair in pairs], people, fields["adviser"], [MADE_BY[letter] for letter in letters]
    )
    table.salt = fields["salt"]
    table.hints, table.takebacks = _read_help(fields["hints"]), _read_help(fields["takebacks"])
    return table


def _read_help(text: str) -> Counter[tuple[int, Seat]]:
    found = [] if text == NONE else [HELP.fullmatch(part) for part in text.split(", ")]
    return Counter({(int(part[1]) - 1, SEATS.index(part[2])): int(part[3]) for part in found if part})


def _table_of(
    game: Game, bots: Sequence[str], people: Mapping[Seat, str], adviser: str, made_by: Sequence[str]
) -> Table:
    """Return a table at which this game was played. The game given is undone to its beginning."""
    moves, timed_out, given = game.moves, game.timed_out, game.deal_given
    if moves or timed_out:
        game.undo(len(moves) + timed_out)
    begun = HandStart.of(game)
    start = {"dealer": begun.dealer, "scores": begun.scores, "bags": begun.bags, "hand_number": begun.number}
    start |= {"deal": begun.deal} if given else {}
    options = asdict(DealSource.of(game)) | {"start": start, "adviser": adviser}
    table = Table(game.rules, bots, people, **options, counted=False, load=False)
    for move, by in zip(moves, made_by, strict=True):
        table.apply(move, by)
    if timed_out:
        table.game.time_up()
    return table
