"""A game as text that people can read, and the game back from the text.

    spades record 2
    rules: classic blind_nil_deficit=0 blind_nil_pass=2
    seed: 7

    hand 1, dealer South
    South: 9C 8C 7C 4C | QD TD 6D 3D 2D | 9H | QS 6S 4S
    …
    bids: East blind, South look 3, West look 3, North look 4
    passes: East JS 7S, West 3C 5C
     1. East 2C 4C KC QC, West
     2. West QH JH 3H 9H, West
    …
    South & North: bid 7, took 5, points -70, bags 0, score -70
    West & East: East blind nil, bid 3, took 8, points +235, bags 5, score 235

    …
    winner: West & East

Each trick line names the leader, the cards clockwise from it, and the winner. A game that began in an unusual way has
a line `start:` after the seed. If a secret decides the deals, `secret:` and 32 hex digits replace the seed. `replay`
plays the moves and then compares every line with what the game itself would write, so a record that is accepted is
exact; only the rules may be written differently.
"""

import re
from itertools import groupby, pairwise
from operator import itemgetter

from spades_env.checks import LARGEST_SEED, whole
from spades_env.errors import SpadesError
from spades_env.game import cards
from spades_env.game.cards import Action, Seat
from spades_env.game.facts import HandResult, Position, side_name
from spades_env.game.rules import Rules
from spades_env.game.secret_deals import checked_secret

FIRST_LINE = "spades record 2"
TIME_UP = "time is up"


class RecordError(SpadesError):
    """A record that is wrong; the message names the line."""


# Writing


def hand_text(position: Position, seat: Seat) -> str:
    """Return a seat's cards by suit, highest first."""
    held = position._cards(position._s.hands[seat])
    strength = {c: int(position._compiled[0].place[c]) for c in held}
    suits = [
        [c for c in sorted(held, key=strength.__getitem__, reverse=True) if strength[c] // 16 == lane]
        for lane in range(len(cards.SUIT_LETTERS))
    ]
    return " | ".join(" ".join(map(cards.card_name, suit)) or "-" for suit in suits)


def write(game) -> str:
    """Return the record of a game so far."""
    tables = (game._position_at(move) for move in range(len(game.moves) + 1))
    positions = [Position(game.rules, game._compiled, table) for table in tables]
    source = f"seed: {game.seed}" if game.secret is None else f"secret: {game.secret}"
    lines = [FIRST_LINE, f"rules: {game.rules}", source, *_start_line(game)]
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
    """Return a line with what the seed alone does not say about how the game began, if there is anything."""
    start = Position(game.rules, game._compiled, game._start)
    plain = type(game)(game.rules, game.seed, hand_number=start.hand_number)
    facts = [
        ("dealer", cards.SEATS[start.dealer], start.dealer != plain.dealer),
        ("scores", " ".join(map(str, start.scores)), any(start.scores)),
        ("bags", " ".join(map(str, start.bags)), any(start.bags)),
        ("hand", str(start.hand_number + 1), start.hand_number > 0),
        ("cards", "given", game.deal_given),
    ]
    unusual_facts = [f"{name} {value}" for name, value, unusual in facts if unusual]
    return [f"start: {', '.join(unusual_facts)}"] if unusual_facts else []


def _hand_lines(positions: list[Position], moves: list[Action], result: HandResult | None) -> list[str]:
    """Write one hand: its deal, bids, passes, tricks and, if it is finished, its scores."""
    first, last = positions[0], positions[-1]
    lines = [f"hand {first.hand_number + 1}, dealer {cards.SEATS[first.dealer]}"]
    lines += [f"{cards.SEATS[seat]}: {hand_text(first, seat)}" for seat in range(4)]
    acted = list(zip(positions, moves, strict=False))
    bids = _by_seat(acted, ("blind", "bid"))
    passes = _by_seat(acted, ("pass",))
    lines += [f"bids: {bids}"] if bids else []
    lines += [f"passes: {passes}"] if passes else []
    played = [(position.turn, cards.card_name(move)) for position, move in acted if position.phase == "play"]
    winners = [position.leader for position in positions if position.cards_played and position.cards_played % 4 == 0]
    if result and len(winners) < cards.NUM_TRICKS:  # the next hand was dealt at once: compare the tricks to see who won
        winners.append(next(seat for seat in range(4) if result.tricks[seat] > winners.count(seat)))
    for number in range(0, len(played), 4):
        trick = played[number : number + 4]
        names = " ".join(name for _, name in trick)
        line = f"{number // 4 + 1:2}. {cards.SEATS[trick[0][0]]} {names}"
        if len(trick) == 4:
            line += f", {cards.SEATS[winners[number // 4]]}"
        lines.append(line)
    if result:
        lines += [result_line(last.rules, result, side) for side in range(last.rules.sides)]
    return lines


def _by_seat(acted: list[tuple[Position, Action]], phases: tuple[str, ...]) -> str:
    """Return the actions of these phases; a seat is named once for several in a row."""
    words = [(at.turn, cards.action_name(move).removeprefix("bid:")) for at, move in acted if at.phase in phases]
    runs = groupby(words, key=itemgetter(0))
    return ", ".join(" ".join([cards.SEATS[seat], *(word for _, word in run)]) for seat, run in runs)


def result_line(rules: Rules, result: HandResult, side: int) -> str:
    """Return a side's result of a hand, in one line."""
    parts = []
    bids = {seat: bid for seat in rules.seats(side) if (bid := result.bids[seat]) is not None}
    for seat, bid in bids.items():
        if result.blind[seat]:
            parts.append(f"{cards.SEATS[seat]} blind nil")
        elif rules.nil and bid == 0:
            parts.append(f"{cards.SEATS[seat]} nil")
        elif len(bids) < len(rules.seats(side)):
            parts.append(f"{cards.SEATS[seat]} blind for both")
    took = sum(result.tricks[seat] for seat in rules.seats(side))
    parts += [f"bid {sum(bids.values())}"] if bids else []
    parts += [f"took {took}", f"points {result.points[side]:+}"]
    if rules.bag_limit is not None:
        parts.append(f"bags {result.bags[side]}")
    return f"{side_name(rules, side)}: {', '.join(parts)}, score {result.scores[side]}"


# Reading

START = re.compile(
    r"start: (?:dealer (?P<dealer>\w+)(?:, |$))?(?:scores (?P<scores>-?[0-9]{1,10}(?: -?[0-9]{1,10})*)(?:, |$))?"
    r"(?:bags (?P<bags>[0-9]{1,10}(?: [0-9]{1,10})*)(?:, |$))?(?:hand (?P<hand>[0-9]{1,10})(?:, |$))?"
    r"(?P<cards>cards given)?$"
)
SEED = re.compile(r"[0-9]{1,20}$")
TRICK = re.compile(r" ?[0-9]+\. \w+((?: \w\w)*)(?:, \w+)?$")


def replay(game_class, text: str):
    """Return the recorded game, an instance of `game_class`; RecordError names the first line that is wrong."""
    if not isinstance(text, str):
        raise RecordError(f"a record is text, not {type(text).__name__}")
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    reader = _Reader(lines)
    game = reader.begin(game_class)
    try:
        reader.play(game)
    except RecordError:
        _compare(lines[: reader.at], write(game).splitlines())  # an earlier line may be the real mistake
        raise
    expected = write(game).splitlines()
    _compare(lines, expected)
    if len(lines) < len(expected):
        raise RecordError(f"line {len(lines) + 1}: {expected[len(lines)]!r} is missing")
    return game


def _compare(lines: list[str], expected: list[str]) -> None:
    """Refuse the first line that is not what the game would write."""
    for number, line in enumerate(lines, 1):
        due = expected[number - 1] if number <= len(expected) else None
        if line != due:
            wanted = "the end" if due is None else repr(due)
            raise RecordError(f"line {number}: expected {wanted}, found {_short(line)}")


def _short(line: str) -> str:
    return repr(line if len(line) <= 100 else line[:100] + "…")


class _Reader:
    """Reads the lines of a record; `at` is the index of the current line."""

    def __init__(self, lines: list[str]):
        self.lines = lines
        self.at = 0

    def begin(self, game_class):
        """Return the game that the head of the record describes."""
        if self.line() != FIRST_LINE:
            raise self.wrong(f"expected {FIRST_LINE!r}, found {_short(self.line())}")
        self.at += 1
        rules = self.take("rules: ", Rules.parse)
        self.lines[self.at - 1] = f"rules: {rules}"  # which a newer preset may have shortened
        source = self.source()
        options = self.take("start:", self.start_options) if self.line().startswith("start:") else {}
        head = self.at
        if options.pop("cards", False):
            options["deal"] = self.deal_ahead(rules)
        self.at = head
        try:
            return game_class(rules, **source, **options)
        except SpadesError as error:
            self.at = head - 1
            raise self.wrong(str(error)) from None

    def source(self) -> dict:
        if self.line().startswith("secret: "):
            return {"secret": self.take("secret: ", checked_secret)}
        return {"seed": self.take("seed: ", _parse_seed)}

    def play(self, game) -> None:
        """Play the moves in the lines; lines without moves are only compared later."""
        while self.at < len(self.lines):
            line = self.line()
            if line.startswith("bids: "):
                self.by_seat(game, line.removeprefix("bids: "), _parse_bid)
            elif line.startswith("passes: "):
                self.by_seat(game, line.removeprefix("passes: "), cards.card)
            elif match := TRICK.match(line):
                self.apply(game, match[1], cards.card)
            elif line == TIME_UP:
                self.checked(game.time_up)
            self.at += 1

    def by_seat(self, game, text: str, parse) -> None:
        """Play the actions in a line that `_by_seat` wrote."""
        for part in text.split(", "):
            name, _, words = part.partition(" ")
            if game.over or name != cards.SEATS[game.turn]:
                raise self.wrong(
                    f"{_short(name)} is not to move" + ("" if game.over else f": it is {cards.SEATS[game.turn]}")
                )
            self.apply(game, words, parse)

    def apply(self, game, words: str, parse) -> None:
        for word in words.split():
            self.checked(lambda word=word: game.apply(parse(word)))

    def start_options(self, rest: str) -> dict:
        """Return the arguments of Game that the `start:` line names."""
        match = START.match(f"start:{rest}")
        if not match or match["dealer"] not in (None, *cards.SEATS):
            raise SpadesError(f"{_short(rest)} is not 'dealer …, scores …, bags …, hand …, cards given' or some of it")
        options: dict = {name: list(map(int, match[name].split())) for name in ("scores", "bags") if match[name]}
        if match["dealer"]:
            options["dealer"] = cards.SEATS.index(match["dealer"])
        if match["hand"]:
            options["hand_number"] = int(match["hand"]) - 1
        return options | {"cards": match["cards"] is not None}

    def deal_ahead(self, rules: Rules) -> list[list[int]]:
        """Return the hands of the first deal, which are a few lines further down."""
        left = set(cards.deck(rules.trumps))
        self.take("", _parse_empty)
        self.take("hand ", str)
        return [self.take(f"{name}: ", lambda text: _parse_hand(text, left)) for name in cards.SEATS]

    # Lines

    def line(self) -> str:
        return self.lines[self.at] if self.at < len(self.lines) else ""

    def take(self, prefix: str, parse):
        """Return the parsed rest of the next line, which must have this prefix."""
        if self.at >= len(self.lines) or not self.line().startswith(prefix):
            found = _short(self.line()) if self.at < len(self.lines) else "the end"
            raise self.wrong(f"expected {prefix!r}, found {found}")
        value = self.checked(lambda: parse(self.line().removeprefix(prefix)))
        self.at += 1
        return value

    def checked(self, parse):
        try:
            return parse()
        except RecordError:
            raise
        except SpadesError as error:
            raise self.wrong(str(error)) from None

    def wrong(self, why: str) -> RecordError:
        return RecordError(f"line {self.at + 1}: {why}")


def _parse_empty(text: str) -> None:
    if text:
        raise SpadesError(f"found {_short(text)} where a line is empty")


def _parse_seed(text: str) -> int:
    if not SEED.match(text):
        raise SpadesError(f"a seed is a whole number from 0 to {LARGEST_SEED}, not {_short(text)}")
    return whole("seed", int(text), 0, LARGEST_SEED)


def _parse_hand(text: str, left: set[int]) -> list[int]:
    """Return thirteen of the cards left, and remove them from these."""
    hand = [cards.card(word) for word in text.split() if word not in ("|", "-")]
    for held in hand:
        if held not in left:
            raise SpadesError(f"{cards.card_name(held)} is dealt twice, or is not in the deck")
        left.remove(held)
    if len(hand) != cards.NUM_TRICKS:
        raise SpadesError(f"a hand has {cards.NUM_TRICKS} cards, not {len(hand)}")
    return hand


def _parse_bid(word: str) -> Action:
    name = word if word in ("blind", "look") else f"bid:{word}"
    if name in cards.ACTION_NAMES:
        return cards.ACTION_NAMES.index(name)
    raise SpadesError(f"unknown bid {_short(word)}; expected 0 to {cards.MAX_BID}, blind or look")
