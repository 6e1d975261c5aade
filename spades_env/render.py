"""What a table looks like from one seat: as text, as a picture, in a window. All are drawn from a View.

    print(ansi(game.view(0)))        text, at most 77 columns wide, in colour on a terminal that has it
    rgb_array(game.view(0))          uint8[640, 960, 3]; needs pygame
    window = Window()                needs pygame; without a display it draws unseen
    window.show(game.view(0))

The seat whose view it is sits at the bottom. Positions count clockwise from there:

                2 partner
        1 left             3 right
                0 the own seat
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from types import ModuleType

import numpy as np

from spades_env.cards import (
    BLACK_JOKER,
    HEARTS,
    NUM_SEATS,
    RANKS,
    SEATS,
    SPADES,
    SUIT_SYMBOLS,
    SUITS,
    TRUMP_ORDERS,
    Card,
    Seat,
    Side,
    partner,
)
from spades_env.facts import side_name
from spades_env.view import View

SUIT_ORDER = (3, 2, 0, 1)  # of the hand: colours alternate
ACE_OF_SPADES = 51
PICTURE_SIZE = (960, 640)
LONGEST_TITLE = 40
FEW_BAGS_LEFT = 3  # before the penalty: time to warn


class RenderError(ImportError):
    """There is no pygame to draw with."""


# What there is to say ------------------------------------------------------------------------------------------------


def seats_from(view: View) -> list[Seat]:
    """The seats by position."""
    return [(view.seat + i) % NUM_SEATS for i in range(NUM_SEATS)]


def sides_from(view: View) -> list[Side]:
    """The sides, the own one first."""
    return list(dict.fromkeys(view.rules.side(seat) for seat in seats_from(view)))


def title(view: View) -> str:
    """The rules, cut where they need many words."""
    words = str(view.rules)
    return words if len(words) <= LONGEST_TITLE else words[: LONGEST_TITLE - 1] + "…"


def progress(view: View) -> str:
    """How far the game is: "hand 3 · trick 5 · to 500"."""
    rules = view.rules
    hand = f"hand {view.hand_number + 1}" + (f" of {rules.max_hands}" if rules.max_hands else "")
    trick = f"trick {len(view.tricks_played) + 1}" if view.phase == "play" else ""
    return " · ".join(filter(None, (hand, trick, f"to {rules.target}" if rules.target else "")))


def is_to_move(view: View, seat: Seat) -> bool:
    """Is it this seat's turn?"""
    return seat == view.turn and not view.over


def nil_is_broken(view: View, seat: Seat) -> bool:
    """Has a nil bidder taken a trick?"""
    return view.nils[seat] and view.tricks[seat] > 0


def seat_status(view: View, seat: Seat) -> str:
    """Tricks won and bid: "2 / 4", "nil", "1 / nil"; "…" before the bid."""
    bid, tricks = view.bids[seat], view.tricks[seat]
    if bid is None:
        return "…"
    if not view.nils[seat]:
        return f"{tricks} / {bid}"
    return f"{tricks} / {_nil_words(view, seat)}" if tricks else _nil_words(view, seat)


def side_status(view: View, side: Side) -> str:
    """Tricks won and bid by those of the side who did not bid nil, then its nils: "5 / 7", "3 / 4 + nil"."""
    seats = view.rules.seats(side)
    bidders = [seat for seat in seats if view.bids[seat] is not None and not view.nils[seat]]
    helpers = seats if view.rules.failed_nil_tricks == "partner" else bidders
    words = [_nil_words(view, seat) for seat in seats if view.nils[seat]]
    if bidders:
        made, bid = sum(view.tricks[seat] for seat in helpers), sum(view.bids[seat] or 0 for seat in bidders)
        words.insert(0, f"{made} / {bid}")
    return " + ".join([*words, "…"] if None in [view.bids[seat] for seat in seats] else words)


def few_bags_left(view: View, side: Side) -> bool:
    """Is the side close to a bag penalty?"""
    limit = view.rules.bag_limit
    return limit is not None and 0 < limit - view.bags[side] <= FEW_BAGS_LEFT < limit


def cards_held(view: View, seat: Seat) -> int:
    """How many cards a seat holds, as everybody can count."""
    tricks = [*view.tricks_played, view.table]
    return 13 - sum(player == seat for trick in tricks for player, _ in trick)


def suit_of(view: View, card: Card) -> int:
    """The suit a card counts as."""
    return SPADES if card in TRUMP_ORDERS[view.rules.trumps] else card // 13


def colour_of(card: Card) -> int:
    """The suit whose colour a card has: a joker's is that of its name."""
    return card // 13 if card < BLACK_JOKER else SPADES if card == BLACK_JOKER else HEARTS


def sorted_hand(view: View) -> list[list[Card]]:
    """The own cards by suit, the strongest first; before they are looked at, none."""
    strength = [*TRUMP_ORDERS[view.rules.trumps], *range(BLACK_JOKER, -1, -1)]
    hand = sorted(view.hand, key=strength.index)
    suits = [[card for card in hand if suit_of(view, card) == suit] for suit in SUIT_ORDER]
    return [suit for suit in suits if suit]


def refused_cards(view: View) -> set[Card]:
    """The own cards that the rules refuse now; none when another seat is to move."""
    if view.phase != "play" or view.turn != view.seat:
        return set()
    return set(view.hand) - set(view.legal_actions())


def trump_parts(view: View) -> tuple[list[Card], list[Card]]:
    """The trumps down to the ace of spades, and the lowest; nothing to say when the ace is the highest."""
    order = list(TRUMP_ORDERS[view.rules.trumps])
    ace = order.index(ACE_OF_SPADES)
    return (order[: ace + 1], order[-1:]) if ace else ([], [])


def prompt(view: View) -> str:
    """Who is to do what, or who won."""
    if view.over:
        return "The game is a draw." if view.winner is None else f"{side_name(view.rules, view.winner)} won the game."
    if view.turn == view.seat:
        return f"Your turn: {_own_deed(view)}."
    deeds = {"blind": "bids blind nil, or looks", "bid": "bids", "pass": "passes cards"}
    return f"{SEATS[view.turn]} {deeds.get(view.phase, 'plays' if view.table else 'leads')}."


def _own_deed(view: View) -> str:
    if view.phase == "blind":
        return "bid blind nil, or look at your cards"
    if view.phase == "bid":
        return "bid 0 to 13"
    if view.phase == "pass":
        return f"pass {SEATS[partner(view.seat)]} card {len(view.given) + 1} of {view.rules.blind_nil_pass}"
    if not view.table:
        return "lead any suit but spades, they are not broken" if refused_cards(view) else "lead any card"
    led = suit_of(view, view.table[0][1])
    follows = led in {suit_of(view, card) for card in view.hand}
    return f"follow {SUITS[led]}" if follows else f"no {SUITS[led]}, so play any card"


def _nil_words(view: View, seat: Seat) -> str:
    return "blind nil" if view.blind[seat] else "nil"


def last_trick(view: View) -> list[tuple[Seat, Card]]:
    """The trick finished last in this hand; `view.leader` won it."""
    return (view.tricks_played or [[]])[-1]


def news(view: View) -> tuple[str, str]:
    """A heading and what it heads: what the last hand brought, until a trick is played; or which cards were passed."""
    if view.results and (view.over or not view.tricks_played):
        points = view.results[-1].points
        return "last hand", ", ".join(f"{side_name(view.rules, side)} {points[side]:+d}" for side in sides_from(view))
    if view.given and view.phase == "play":
        given, received = (" ".join(map(card_text, held)) for held in (view.given, view.received))
        return "passed", f"you gave {given} and got {received}"
    return "", ""


def card_text(card: Card) -> str:
    """A♠, 10♥, RJ."""
    if card >= BLACK_JOKER:
        return "BJ" if card == BLACK_JOKER else "RJ"
    return RANKS[card % 13].replace("T", "10") + SUIT_SYMBOLS[card // 13]


# Pictures and windows ------------------------------------------------------------------------------------------------


def rgb_array(view: View, size: tuple[int, int] = PICTURE_SIZE) -> np.ndarray:
    """The table as a picture of (width, height): uint8[height, width, 3]."""
    return _drawing().array(view, size)


class Window:
    """A window that shows one view after the other.

    Its close button closes it for good: play goes on unseen. `close()` closes it until the next view is shown.
    A picture stays for at least 1 / `fps` seconds when there is a display; without one nothing is waited for.
    """

    def __init__(self, size: tuple[int, int] = PICTURE_SIZE, fps: float = 2):
        self.closed_by_user = False
        self._drawing = _drawing()
        self._pygame = import_module("pygame")
        self._size, self._fps = size, fps
        self._is_open = False
        self._display_was_ready = False
        self._clock = self._pygame.time.Clock()

    def show(self, view: View) -> None:
        """Draw the view, unless the user has closed the window."""
        if self.closed_by_user:
            return
        screen = self._screen()
        if self._pygame.display.get_driver() != "dummy":
            self._clock.tick(self._fps)
        screen.blit(self._drawing.picture(view, screen.get_size()), (0, 0))
        self._pygame.display.flip()
        self._hear_close_button()

    def close(self) -> None:
        """Close the window, if this object opened it; leave pygame's display as it was found."""
        if self._is_open:
            self._pygame.display.quit()
            if self._display_was_ready:
                self._pygame.display.init()
        self._is_open = False

    def _screen(self):
        """The window's surface, opened now if there is none: unseen where there is no display."""
        display = self._pygame.display
        if display.get_surface():
            return display.get_surface()
        self._is_open, self._display_was_ready = True, display.get_init()
        with _environment("SDL_VIDEODRIVER", "dummy" if _is_headless() else None):
            display.init()
        screen = display.set_mode(self._size, self._pygame.RESIZABLE)
        display.set_caption("Spades")
        return screen

    def _hear_close_button(self) -> None:
        """Let the window system have its say; the events of a window that another opened are left to it."""
        self._pygame.event.pump()
        if self._is_open and self._pygame.event.get(self._pygame.QUIT):
            self.closed_by_user = True
            self.close()


def _is_headless() -> bool:
    has_server = sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return not has_server and not os.environ.get("SDL_VIDEODRIVER")


def _drawing() -> ModuleType:
    """The module that draws, loaded when first needed."""
    try:
        with _environment("PYGAME_HIDE_SUPPORT_PROMPT", "1"):
            import_module("pygame")
    except ImportError as error:
        raise RenderError("pictures of the table need pygame: pip install spades-env[render]") from error
    return import_module("spades_env.draw")


@contextmanager
def _environment(name: str, value: str | None) -> Iterator[None]:
    """An environment variable for a moment; None leaves it alone."""
    before = os.environ.get(name)
    if value is not None:
        os.environ[name] = value
    try:
        yield
    finally:
        if before is not None:
            os.environ[name] = before
        elif value is not None:
            del os.environ[name]


# Text ----------------------------------------------------------------------------------------------------------------

WIDTH = 77
TABLE_ROWS = 10
MOST_PIPS = 20
CARD_PLACES = ((6, 36), (4, 26), (2, 36), (4, 46))  # row and column of the card before each position
LIGHT_BORDER = ("╭───╮", "│   │", "╰───╯")
HEAVY_BORDER = ("┏━━━┓", "┃   ┃", "┗━━━┛")  # of the card that is winning
STYLES = {  # SGR codes
    "frame": "38;5;65",
    "quiet": "38;5;245",
    "back": "38;5;67",
    "strong": "1",
    "alarm": "1;38;5;203",
    "gold": "1;38;5;214",
    "turn": "1;38;5;16;48;5;214",
}
INKS = (28, 26, 160, 16)  # clubs green, diamonds blue, hearts red, spades black
PAPER, DIM_PAPER = 255, 248


def ansi(view: View, *, colour: bool | None = None) -> str:
    """The table as text, at most 77 columns wide; `colour=None`: in colour where standard output shows it."""
    sheet = _Sheet()
    _write_table(sheet, view)
    _write_sides(sheet, view)
    _write_notes(sheet, view)
    _write_hand(sheet, view)
    mark = "▶ " if is_to_move(view, view.seat) else "★ " if view.over else ""
    sheet.put(sheet.new_row(), 1, mark + prompt(view), "strong")
    return sheet.text(_terminal_has_colours() if colour is None else colour)


def _terminal_has_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class _Sheet:
    """Rows of cells, each one visible character and its SGR codes; what would stick out is cut."""

    def __init__(self):
        self._rows: list[list[tuple[str, str]]] = []

    def new_row(self) -> int:
        self._rows.append([(" ", "")] * WIDTH)
        return len(self._rows) - 1

    def put(self, row: int, column: int, text: str, style: str = "") -> int:
        """Write from a column on; the column behind the text."""
        codes = STYLES.get(style, style)
        for place, letter in zip(range(column, WIDTH), text, strict=False):
            self._rows[row][place] = (letter, codes)
        return column + len(text)

    def text(self, colour: bool) -> str:
        return "\n".join(map(_coloured if colour else _plain, self._rows))


def _plain(row: list[tuple[str, str]]) -> str:
    return "".join(letter for letter, _ in row).rstrip()


def _coloured(row: list[tuple[str, str]]) -> str:
    runs = ((codes, "".join(letter for letter, _ in run)) for codes, run in groupby(row, key=itemgetter(1)))
    return "".join(f"\x1b[{codes}m{text}\x1b[0m" if codes else text for codes, text in runs).rstrip()


def _write_table(sheet: _Sheet, view: View) -> None:
    """A framed table with a title, four seats and the trick."""
    top = sheet.new_row()
    sheet.put(top, 0, f"╭{'─' * (WIDTH - 2)}╮", "frame")
    sheet.put(top, 2, f" {title(view)} ", "strong")
    sheet.put(top, WIDTH - 4 - len(progress(view)), f" {progress(view)} ")
    rows = [_new_framed_row(sheet) for _ in range(TABLE_ROWS)]
    for position, seat in enumerate(seats_from(view)):
        _write_seat(sheet, view, seat, position, rows[0])
    for seat, card in view.table:
        _write_played(sheet, view, seat, card, rows[0])


def _new_framed_row(sheet: _Sheet) -> int:
    row = sheet.new_row()
    for column in (0, WIDTH - 1):
        sheet.put(row, column, "│", "frame")
    return row


def _write_seat(sheet: _Sheet, view: View, seat: Seat, position: int, top: int) -> None:
    """Name, tricks and, for other seats, the backs of the cards held."""
    turn, broken = is_to_move(view, seat), nil_is_broken(view, seat)
    name = f"{'▶ ' if turn else ''}{SEATS[seat]}{' (dealer)' if seat == view.dealer else ''}"
    named = (name, "turn" if turn else "strong")
    status = (seat_status(view, seat) + " ✗" * broken, "alarm" if broken else "")
    backs = ("▒" * cards_held(view, seat), "back")
    if position == 0:
        _write_line(sheet, top + 9, 0.5, [named, status])
    elif position == 2:
        _write_line(sheet, top, 0.5, [named])
        _write_line(sheet, top + 1, 0.5, [status, backs])
    else:
        for row, words in enumerate((named, status, backs), top + 4):
            _write_line(sheet, row, 0 if position == 1 else 1, [words])


def _write_line(sheet: _Sheet, row: int, place: float, parts: list[tuple[str, str]]) -> None:
    """Words on the left (0), in the middle (0.5) or on the right (1) of a framed row."""
    parts = [part for part in parts if part[0]]
    length = sum(len(text) + 2 for text, _ in parts) - 2
    column = 3 + round(place * (WIDTH - 6 - length))
    for text, style in parts:
        column = sheet.put(row, column, text, style) + 2


def _write_played(sheet: _Sheet, view: View, seat: Seat, card: Card, top: int) -> None:
    """A card on the table; a heavy border and a star say that it is winning."""
    row, column = CARD_PLACES[(seat - view.seat) % NUM_SEATS]
    wins = seat == view.winning
    for i, line in enumerate(HEAVY_BORDER if wins else LIGHT_BORDER):
        sheet.put(top + row + i, column, line, "gold" if wins else "quiet")
    sheet.put(top + row + 1, column + 1, f"{card_text(card):>3}", _card_style(card))
    words = " ".join(["★"] * wins + ["led"] * (seat == view.leader))
    on_the_left = column < CARD_PLACES[0][1]
    sheet.put(top + row + 1, column - 1 - len(words) if on_the_left else column + 6, words, "gold")


def _write_sides(sheet: _Sheet, view: View) -> None:
    """The score panel, a row a side, below the table and in its frame."""
    sheet.put(sheet.new_row(), 0, f"├{'─' * (WIDTH - 2)}┤", "frame")
    head = _new_framed_row(sheet)
    for column, words in ((22, "score"), (31, "tricks / bid"), (54, "bags" if view.rules.bag_limit else "")):
        sheet.put(head, column, words, "quiet")
    for side in sides_from(view):
        row = _new_framed_row(sheet)
        won = view.winner == side
        sheet.put(row, 3, side_name(view.rules, side) + " ★" * won, "gold" if won else "strong")
        sheet.put(row, 18, f"{view.scores[side]:>9}", "strong")
        sheet.put(row, 31, side_status(view, side))
        sheet.put(row, 54, _bags_text(view, side), "gold" if few_bags_left(view, side) else "")
    sheet.put(sheet.new_row(), 0, f"╰{'─' * (WIDTH - 2)}╯", "frame")


def _bags_text(view: View, side: Side) -> str:
    """Bags as pips; as a number where pips would be too many."""
    limit, bags = view.rules.bag_limit, view.bags[side]
    if limit is None:
        return ""
    return "●" * bags + "○" * (limit - bags) if limit <= MOST_PIPS else f"{bags} of {limit}"


def _write_notes(sheet: _Sheet, view: View) -> None:
    """The last trick; unusual trumps; news."""
    row = sheet.new_row()
    column = sheet.put(row, 1, "last trick  " if last_trick(view) else "last trick  –", "quiet")
    for seat, card in last_trick(view):
        won = seat == view.leader
        column = sheet.put(row, column, "★ " * won + SEATS[seat], "gold" if won else "") + 1
        column = sheet.put(row, column, card_text(card), _card_style(card)) + 3
    highest, lowest = trump_parts(view)
    if highest:
        row = sheet.new_row()
        column = sheet.put(row, 1, "trumps      ", "quiet")
        for card in highest:
            column = sheet.put(row, column, card_text(card), _card_style(card)) + 2
        sheet.put(row, sheet.put(row, column, "…  "), card_text(lowest[0]), _card_style(lowest[0]))
    heading, words = news(view)
    if words:
        sheet.put(sheet.new_row(), 1, f"{heading:<12}{words}", "quiet")


def _write_hand(sheet: _Sheet, view: View) -> None:
    """The own cards, suits apart; below them ▲ those to choose from, when not all may be played, △ those chosen."""
    suits = [[(f"{card_text(card):>3}", card) for card in suit] for suit in sorted_hand(view)]
    if not view.looked[view.seat]:
        suits = [[("▒▒▒", None)] * cards_held(view, view.seat)]
    if not suits:
        return
    refused = refused_cards(view)
    chosen = set(view.given) if view.phase == "pass" else set()
    rows = [sheet.new_row() for _ in range(4)]
    column = (WIDTH - sum(4 * len(suit) + 2 for suit in suits) + 1) // 2
    for suit in suits:
        for row, (left, line, middle, right) in zip(rows, ("╭─┬╮", "│ ││", "╰─┴╯"), strict=False):
            sheet.put(row, column, left + middle.join([line * 3] * len(suit)) + right, "quiet")
        for place, (text, card) in enumerate(suit):
            left = column + 1 + 4 * place
            sheet.put(rows[1], left, text, "back" if card is None else _card_style(card, card in refused))
            mark = "△" if card in chosen else "▲" if refused and card not in refused else ""
            sheet.put(rows[3], left + 1, mark, "gold")
        column += 4 * len(suit) + 2


def _card_style(card: Card, dim: bool = False) -> str:
    return f"1;38;5;{INKS[colour_of(card)]};48;5;{DIM_PAPER if dim else PAPER}"
