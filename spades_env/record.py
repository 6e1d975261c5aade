"""A game as text that a person can read, and the way back.

    spades record 1
    rules: classic target=300
    seed: 7

    hand 1, dealer West
    South: AC 9C 4C | KD TD | QH 7H 5H 2H | KS JS 8S 3S
    West: …
    bids: South 4, West nil, North look 3, East blind
    passes: East 2C 3D, West AS KS
     1. South QH 3H 9H KH, East
     2. East …
    South & North: bid 7, took 8, points +71, bags 3, score 191
    West & East: …

    winner: South & North

Each trick line names the leader, the cards clockwise from it, and the winner. A game that did not begin plainly has
a line `start:` behind the seed. `replay` plays the moves and then compares every line with what the game itself
would write, so a record that reads back is true to the letter.
"""

import re
from itertools import pairwise

from spades_env.cards import (
    BID_ZERO,
    BLIND_NIL,
    LOOK,
    MAX_BID,
    SEATS,
    SUIT_LETTERS,
    Action,
    Seat,
    card,
    card_name,
    cards,
)
from spades_env.facts import Facts, HandResult, side_name
from spades_env.rules import Rules, RulesError

FIRST_LINE = "spades record 1"
TIME_UP = "time is up"


class RecordError(ValueError):
    """A record that does not tell a game; the message names the line."""


# Writing -------------------------------------------------------------------------------------------------------------


class Position(Facts):
    """A table as it stood at some moment of a game."""

    def __init__(self, game, table):
        self.rules, self._compiled, self._table = game.rules, game._compiled, table

    def hand_text(self, seat: Seat) -> str:
        """A seat's cards by suit, highest first."""
        held = self._cards(self._s.hands[seat])
        strength = {c: int(self._compiled[0].place[c]) for c in held}
        suits = [
            [c for c in sorted(held, key=strength.__getitem__, reverse=True) if strength[c] // 16 == lane]
            for lane in range(len(SUIT_LETTERS))
        ]
        return " | ".join(" ".join(map(card_name, suit)) or "-" for suit in suits)


def write(game) -> str:
    """The record of a game as far as it has come."""
    tables = [table for _, table, _ in game._past] + [game._table]
    positions = [Position(game, table) for table in tables]
    lines = [FIRST_LINE, f"rules: {game.rules}", f"seed: {game.seed}", *_start_line(game)]
    numbers = [position.hand_number for position in positions]
    starts = [i for i, number in enumerate(numbers) if i == 0 or number > numbers[i - 1]]
    for number, (start, end) in enumerate(pairwise([*starts, len(positions)])):
        result = game.results[number] if number < len(game.results) else None
        lines += ["", *_hand_lines(positions[start:end], game.moves[start:end], result)]
    if game.timed_out:
        lines += [TIME_UP]
    if game.over:
        lines += ["", "draw" if game.winner is None else f"winner: {side_name(game.rules, game.winner)}"]
    return "\n".join(lines) + "\n"


def _start_line(game) -> list[str]:
    """What a game began with, unless it is what its seed gives."""
    start = Position(game, game._start)
    plain = Position(game, type(game)(game.rules, game.seed)._start)
    facts = [
        ("dealer", SEATS[start.dealer], start.dealer != plain.dealer),
        ("scores", " ".join(map(str, start.scores)), any(start.scores)),
        ("bags", " ".join(map(str, start.bags)), any(start.bags)),
        ("hand", str(start.hand_number + 1), start.hand_number > 0),
        ("cards", "given", game.deal_given),
    ]
    told = [f"{name} {value}" for name, value, unusual in facts if unusual]
    return [f"start: {', '.join(told)}"] if told else []


def _hand_lines(positions: list[Position], moves: list[Action], result: HandResult | None) -> list[str]:
    """One hand: its deal, bids, passes, tricks and, when finished, scores."""
    first, last = positions[0], positions[-1]
    lines = [f"hand {first.hand_number + 1}, dealer {SEATS[first.dealer]}"]
    lines += [f"{SEATS[seat]}: {first.hand_text(seat)}" for seat in range(4)]
    acted = list(zip(positions, moves, strict=False))
    bids = _by_seat(acted, ("blind", "bid"), bid_word)
    passes = _by_seat(acted, ("pass",), card_name)
    lines += [f"bids: {bids}"] if bids else []
    lines += [f"passes: {passes}"] if passes else []
    played = [(position.turn, card_name(move)) for position, move in acted if position.phase == "play"]
    winners = [position.turn for position in positions if position.phase == "play" and not position.table][1:]
    winners += [_last_winner(result, winners)] if result else []
    for number in range(0, len(played), 4):
        trick = played[number : number + 4]
        cards_text = " ".join(name for _, name in trick)
        line = f"{number // 4 + 1:2}. {SEATS[trick[0][0]]} {cards_text}"
        if len(trick) == 4:
            line += f", {SEATS[winners[number // 4]]}"
        lines.append(line)
    if result:
        lines += [result_line(last.rules, result, side) for side in range(last.rules.sides)]
    return lines


def _by_seat(acted, phases, word) -> str:
    """Seats with what they did, a seat named once for what it did in a row."""
    parts: list[str] = []
    previous = None
    for position, move in acted:
        if position.phase not in phases:
            continue
        if position.turn == previous:
            parts[-1] += f" {word(move)}"
        else:
            parts.append(f"{SEATS[position.turn]} {word(move)}")
        previous = position.turn
    return ", ".join(parts)


def _last_winner(result: HandResult, winners: list[Seat]) -> Seat:
    """Who won the last trick: whoever won more than the first twelve show."""
    return next(seat for seat in range(4) if result.tricks[seat] > winners.count(seat))


def bid_word(action: Action) -> str:
    """`4`, `blind`, `look`."""
    if action == BLIND_NIL:
        return "blind"
    return "look" if action == LOOK else str(action - BID_ZERO)


def result_line(rules: Rules, result: HandResult, side: int) -> str:
    """What a hand brought a side, in one line."""
    parts = []
    for seat in rules.seats(side):
        if result.blind[seat]:
            parts.append(f"{SEATS[seat]} blind nil")
        elif rules.nil and result.bids[seat] == 0:
            parts.append(f"{SEATS[seat]} nil")
    bid = sum(result.bids[seat] for seat in rules.seats(side))
    took = sum(result.tricks[seat] for seat in rules.seats(side))
    parts += [f"bid {bid}", f"took {took}", f"points {result.points[side]:+}"]
    if rules.bag_limit is not None:
        parts.append(f"bags {result.bags[side]}")
    return f"{side_name(rules, side)}: {', '.join(parts)}, score {result.scores[side]}"


# Reading -------------------------------------------------------------------------------------------------------------

START = re.compile(
    r"start: (?:dealer (?P<dealer>\w+)(?:, |$))?(?:scores (?P<scores>[-\d ]+)(?:, |$))?"
    r"(?:bags (?P<bags>[\d ]+)(?:, |$))?(?:hand (?P<hand>\d+)(?:, |$))?(?P<cards>cards given)?$"
)
TRICK = re.compile(r" ?(\d+)\. (\w+)((?: \w\w)*)(, \w+)?$")


def replay(game_class, text: str):
    """The game a record tells, of the class given; RecordError names the first line that is wrong."""
    if not isinstance(text, str):
        raise RecordError(f"a record is text, not {type(text).__name__}")
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    reader = _Reader(lines)
    game = reader.begin(game_class)
    while reader.more():
        reader.act(game)
    _compare(lines, write(game).splitlines())
    return game


def _compare(lines: list[str], expected: list[str]) -> None:
    for number, (line, told) in enumerate(zip(lines, expected, strict=False), 1):
        if line != told:
            raise RecordError(f"line {number}: found {line!r} where the game gives {told!r}")
    if len(lines) != len(expected):
        number = min(len(lines), len(expected)) + 1
        what = f"found {lines[number - 1]!r}" if len(lines) > len(expected) else f"{expected[number - 1]!r} is missing"
        raise RecordError(f"line {number}: {what} where the game gives {len(expected)} lines in all")


class _Reader:
    """Walks through the lines of a record and knows where it stands."""

    def __init__(self, lines: list[str]):
        self.lines = lines
        self.at = 0

    def more(self) -> bool:
        return self.at < len(self.lines)

    def wrong(self, why: str) -> RecordError:
        return RecordError(f"line {self.at + 1}: {why}")

    def take(self, prefix: str) -> str:
        """The rest of the next line, which must begin so."""
        line = self.lines[self.at] if self.more() else "the end"
        if not line.startswith(prefix):
            raise self.wrong(f"expected {prefix!r}, found {line!r}")
        self.at += 1
        return line.removeprefix(prefix)

    def begin(self, game_class):
        """The table as the head of the record sets it."""
        if self.take(FIRST_LINE):
            self.at -= 1
            raise self.wrong(f"expected {FIRST_LINE!r}, found {self.lines[0]!r}")
        try:
            rules = Rules.parse(self.take("rules: "))
        except RulesError as error:
            self.at -= 1
            raise self.wrong(str(error)) from None
        seed = self.take("seed: ")
        if not (seed.isascii() and seed.isdigit()):
            self.at -= 1
            raise self.wrong(f"a seed is a whole number, not {seed!r}")
        options = self.start_options()
        given = options.pop("cards", None)
        try:
            if given:
                options["deal"] = self.deal_ahead()
            return game_class(rules, int(seed), **options)
        except RecordError:
            raise
        except ValueError as error:
            self.at = 2 if not options else 3
            raise self.wrong(str(error)) from None

    def start_options(self) -> dict:
        """What the `start:` line says, if there is one."""
        if not self.more() or not self.lines[self.at].startswith("start:"):
            return {}
        match = START.match(self.lines[self.at])
        if not match or (match["dealer"] and match["dealer"] not in SEATS):
            raise self.wrong(f"{self.lines[self.at]!r} is not 'start: dealer …, scores …, bags …, hand …, cards given'")
        self.at += 1
        options = {}
        if match["dealer"]:
            options["dealer"] = SEATS.index(match["dealer"])
        for name in ("scores", "bags"):
            if match[name]:
                options[name] = [int(number) for number in match[name].split()]
        if match["hand"]:
            options["hand_number"] = int(match["hand"]) - 1
        if match["cards"]:
            options["cards"] = True
        return options

    def deal_ahead(self) -> list[list[int]]:
        """The hands of the first deal, which stand a few lines further down."""
        here, hands = self.at, []
        while self.more() and not self.lines[self.at].startswith("hand "):
            self.at += 1
        self.at += 1
        for name in SEATS:
            text = self.take(f"{name}: ")
            try:
                hands.append(cards(text.replace("|", " ").replace("-", " ")))
            except ValueError as error:
                self.at -= 1
                raise self.wrong(str(error)) from None
        self.at = here
        return hands

    def act(self, game) -> None:
        """Do what the next line tells; a line that tells no move is left to the comparison at the end."""
        line = self.lines[self.at]
        if line.startswith("bids: "):
            self.by_seat(game, line.removeprefix("bids: "), _parse_bid)
        elif line.startswith("passes: "):
            self.by_seat(game, line.removeprefix("passes: "), card)
        elif match := TRICK.match(line):
            for word in match[3].split():
                self.apply(game, self.checked(lambda word=word: card(word)))
        elif line == TIME_UP:
            self.checked(game.time_up)
        elif line.startswith("hand "):
            self.check_deal(game)
        self.at += 1

    def check_deal(self, game) -> None:
        """A hand's cards must be those on the table before its moves make sense."""
        position = Position(game, game._table)
        expected = [f"hand {game.hand_number + 1}, dealer {SEATS[game.dealer]}"]
        expected += [f"{SEATS[seat]}: {position.hand_text(seat)}" for seat in range(4)]
        for found, told in zip(self.lines[self.at : self.at + 5], expected, strict=False):
            if found != told:
                raise self.wrong(f"found {found!r} where the game gives {told!r}")
            self.at += 1
        self.at -= 1

    def by_seat(self, game, text: str, parse) -> None:
        """Seats with what they did, as `_by_seat` writes them."""
        for part in text.split(", "):
            name, _, words = part.partition(" ")
            self.to_move(game, name)
            for word in words.split():
                self.apply(game, self.checked(lambda word=word: parse(word)))

    def to_move(self, game, name: str) -> None:
        if game.over or name != SEATS[game.turn]:
            raise self.wrong(f"{name} is not to move" + ("" if game.over else f": it is {SEATS[game.turn]}"))

    def apply(self, game, action: Action) -> None:
        self.checked(lambda: game.apply(action))

    def checked(self, deed):
        try:
            return deed()
        except ValueError as error:
            raise self.wrong(str(error)) from None


def _parse_bid(word: str) -> Action:
    if word in ("blind", "look"):
        return BLIND_NIL if word == "blind" else LOOK
    if word.isascii() and word.isdigit() and int(word) <= MAX_BID:
        return BID_ZERO + int(word)
    raise ValueError(f"{word!r} is no bid: 0 to {MAX_BID}, blind or look")
