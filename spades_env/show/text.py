"""A table as text, at most 77 columns wide, drawn from a View: `print(ansi(game.view(0)))`."""

import os
import sys
from itertools import groupby
from operator import itemgetter

from spades_env.game.cards import NUM_SEATS, SEATS, Card, Seat, Side
from spades_env.game.facts import side_name
from spades_env.game.view import View
from spades_env.show import captions

WIDTH = 77
TABLE_ROWS = 10
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
    """Return the table as text, at most 77 columns wide; `colour=None`: in colour if standard output is a terminal."""
    sheet = _Sheet()
    _write_table(sheet, view)
    _write_sides(sheet, view)
    _write_notes(sheet, view)
    _write_hand(sheet, view)
    mark = "▶ " if captions.is_to_move(view, view.seat) else "★ " if view.over else ""
    sheet.put(sheet.new_row(), 1, mark + captions.prompt(view), "strong")
    has_colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return "\n".join(_line(row, has_colours if colour is None else colour) for row in sheet.rows)


class _Sheet:
    """Rows of cells, each a visible character and its SGR codes; text beyond the width is cut."""

    def __init__(self):
        self.rows: list[list[tuple[str, str]]] = []

    def new_row(self) -> int:
        self.rows.append([(" ", "")] * WIDTH)
        return len(self.rows) - 1

    def put(self, row: int, column: int, text: str, style: str = "") -> int:
        """Write from a column on; return the column after the text."""
        codes = STYLES.get(style, style)
        for place, letter in zip(range(column, WIDTH), text, strict=False):
            self.rows[row][place] = (letter, codes)
        return column + len(text)


def _line(row: list[tuple[str, str]], colour: bool) -> str:
    runs = ((codes, "".join(letter for letter, _ in run)) for codes, run in groupby(row, key=itemgetter(1)))
    if not colour:
        return "".join(text for _, text in runs).rstrip()
    return "".join(f"\x1b[{codes}m{text}\x1b[0m" if codes else text for codes, text in runs).rstrip()


def _write_table(sheet: _Sheet, view: View) -> None:
    """Write a framed table with a title, four seats and the trick."""
    top = sheet.new_row()
    sheet.put(top, 0, f"╭{'─' * (WIDTH - 2)}╮", "frame")
    beside = WIDTH - 4 - len(captions.progress(view))
    sheet.put(top, 2, f" {captions.title(view, min(captions.LONGEST_TITLE, beside - 5))} ", "strong")
    sheet.put(top, beside, f" {captions.progress(view)} ")
    rows = [_new_framed_row(sheet) for _ in range(TABLE_ROWS)]
    for position, seat in enumerate(captions.seats_from(view)):
        _write_seat(sheet, view, seat, position, rows[0])
    for seat, card in view.table:
        _write_played(sheet, view, seat, card, rows[0])


def _new_framed_row(sheet: _Sheet) -> int:
    row = sheet.new_row()
    for column in (0, WIDTH - 1):
        sheet.put(row, column, "│", "frame")
    return row


def _write_seat(sheet: _Sheet, view: View, seat: Seat, position: int, top: int) -> None:
    """Write name, tricks and, for other seats, the backs of the cards held."""
    turn, broken = captions.is_to_move(view, seat), captions.nil_is_broken(view, seat)
    name = f"{'▶ ' if turn else ''}{SEATS[seat]}{' (dealer)' if seat == view.dealer else ''}"
    named = (name, "turn" if turn else "strong")
    status = (captions.seat_status(view, seat) + " ✗" * broken, "alarm" if broken else "")
    backs = ("▒" * captions.cards_held(view, seat), "back")
    if position == 0:
        _write_line(sheet, top + 9, 0.5, [named, status])
    elif position == 2:
        _write_line(sheet, top, 0.5, [named])
        _write_line(sheet, top + 1, 0.5, [status, backs])
    else:
        for row, words in enumerate((named, status, backs), top + 4):
            _write_line(sheet, row, 0 if position == 1 else 1, [words])


def _write_line(sheet: _Sheet, row: int, place: float, parts: list[tuple[str, str]]) -> None:
    """Write words on the left (0), in the middle (0.5) or on the right (1) of a framed row."""
    parts = [part for part in parts if part[0]]
    length = sum(len(text) + 2 for text, _ in parts) - 2
    column = 3 + round(place * (WIDTH - 6 - length))
    for text, style in parts:
        column = sheet.put(row, column, text, style) + 2


def _write_played(sheet: _Sheet, view: View, seat: Seat, card: Card, top: int) -> None:
    """Write a card on the table, with a heavy border and a star if it is winning."""
    row, column = CARD_PLACES[(seat - view.seat) % NUM_SEATS]
    wins = seat == view.winning
    for i, line in enumerate(HEAVY_BORDER if wins else LIGHT_BORDER):
        sheet.put(top + row + i, column, line, "gold" if wins else "quiet")
    sheet.put(top + row + 1, column + 1, f"{captions.card_text(card):>3}", _card_style(card))
    words = " ".join(["★"] * wins + ["led"] * (seat == view.leader))
    on_the_left = column < CARD_PLACES[0][1]
    sheet.put(top + row + 1, column - 1 - len(words) if on_the_left else column + 6, words, "gold")


def _write_sides(sheet: _Sheet, view: View) -> None:
    """Write the score panel below the table, inside its frame, one row for each side."""
    sheet.put(sheet.new_row(), 0, f"├{'─' * (WIDTH - 2)}┤", "frame")
    head = _new_framed_row(sheet)
    for column, words in ((22, "score"), (31, "tricks / bid"), (54, "bags" if view.rules.bag_limit else "")):
        sheet.put(head, column, words, "quiet")
    for side in captions.sides_from(view):
        row = _new_framed_row(sheet)
        won = view.winner == side
        sheet.put(row, 3, side_name(view.rules, side) + " ★" * won, "gold" if won else "strong")
        sheet.put(row, 18, f"{view.scores[side]:>9}", "strong")
        sheet.put(row, 31, captions.side_status(view, side))
        sheet.put(row, 54, _bags_text(view, side), "gold" if captions.few_bags_left(view, side) else "")
    sheet.put(sheet.new_row(), 0, f"╰{'─' * (WIDTH - 2)}╯", "frame")


def _bags_text(view: View, side: Side) -> str:
    limit, bags = view.rules.bag_limit, view.bags[side]
    if limit is None:
        return ""
    return "●" * bags + "○" * (limit - bags) if limit <= captions.MOST_PIPS else f"{bags} of {limit}"


def _write_notes(sheet: _Sheet, view: View) -> None:
    """Write the last trick, unusual trumps, and news."""
    row = sheet.new_row()
    column = sheet.put(row, 1, "last trick  " if captions.last_trick(view) else "last trick  –", "quiet")
    for seat, card in captions.last_trick(view):
        won = seat == view.leader
        column = sheet.put(row, column, "★ " * won + SEATS[seat], "gold" if won else "") + 1
        column = sheet.put(row, column, captions.card_text(card), _card_style(card)) + 3
    highest, lowest = captions.trump_parts(view)
    if highest:
        row = sheet.new_row()
        column = sheet.put(row, 1, "trumps      ", "quiet")
        for card in highest:
            column = sheet.put(row, column, captions.card_text(card), _card_style(card)) + 2
        sheet.put(row, sheet.put(row, column, "…  "), captions.card_text(lowest[0]), _card_style(lowest[0]))
    heading, words = captions.news(view)
    if words:
        sheet.put(sheet.new_row(), 1, f"{heading:<12}{words}", "quiet")


def _write_hand(sheet: _Sheet, view: View) -> None:
    """Write the viewer's hand by suit; below, ▲ marks the legal cards if not all are, △ those chosen to be passed."""
    suits = [[(f"{captions.card_text(card):>3}", card) for card in suit] for suit in captions.sorted_hand(view)]
    if not view.looked[view.seat]:
        suits = [[("▒▒▒", None)] * captions.cards_held(view, view.seat)]
    if not suits:
        return
    refused = captions.refused_cards(view)
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
    return f"1;38;5;{INKS[captions.colour_of(card)]};48;5;{DIM_PAPER if dim else PAPER}"
