"""Draw the table with pygame, from a View; the words come from `captions`.

All places are those of a picture of 960 × 640, which is scaled to the size wanted:

    score panel       backs, partner        rules, last trick
                      trick of four
    backs, left         viewer's plate      backs, right
                     prompt, viewer's hand
"""

import numpy as np
import pygame

from spades_env.game.cards import BLACK_JOKER, NUM_SEATS, RANKS, SEATS, SUIT_SYMBOLS, Card, Seat, Side
from spades_env.game.facts import side_name
from spades_env.game.view import View
from spades_env.show import captions
from spades_env.show.pen import Colour, Pen, Point

FELT, FELT_EDGE = (32, 104, 72), (24, 80, 56)
PANEL, PANEL_EDGE = (17, 50, 37), (70, 120, 96)
WHITE, QUIET, GOLD, ALARM = (245, 245, 240), (164, 192, 176), (255, 184, 48), (255, 120, 104)
PAPER, DIM_PAPER, PAPER_EDGE = (252, 251, 246), (158, 164, 158), (96, 104, 98)
BACK, BACK_LINE = (44, 74, 124), (150, 176, 220)
INKS = ((20, 122, 58), (28, 88, 196), (200, 30, 40), (18, 20, 24))  # clubs, diamonds, hearts, spades
CARD_SHAPE = 0.71  # width by height
HAND_HEIGHT, TRICK_HEIGHT = 120, 104
GAP = 8  # between suits
UNSEEN = -1  # instead of a card
PLATE = (150, 50)
PLATE_PLACES = ((480, 448), (160, 268), (480, 92), (800, 268))  # middles, by position
NOTES_LEFT, NOTES_WIDTH = 658, 276
TRICK_PLACES = ((480, 348), (382, 264), (480, 180), (578, 264))


def array(view: View, size: tuple[int, int]) -> np.ndarray:
    """uint8[height, width, 3]"""
    return np.ascontiguousarray(pygame.surfarray.array3d(picture(view, size)).swapaxes(0, 1))


def picture(view: View, size: tuple[int, int]) -> pygame.Surface:
    """Return the table on a new surface; no display is needed."""
    pen = Pen(size)
    pen.fill(FELT_EDGE)
    pen.box(240, 128, 480, 352, FELT, 150)
    pen.box(240, 128, 480, 352, PANEL_EDGE, 150, line=2)
    for position, seat in enumerate(captions.seats_from(view)):
        if position:
            _draw_backs(pen, position, captions.cards_held(view, seat))
        _draw_plate(pen, view, seat, PLATE_PLACES[position])
    for seat, card in view.table:
        _draw_played(pen, view, seat, card)
    _draw_score_panel(pen, view)
    _draw_note_panel(pen, view)
    _draw_hand(pen, view)
    _draw_prompt(pen, view)
    return pen.finished()


# Cards


def _draw_card(pen: Pen, card: Card, x: float, y: float, height: float, dim: bool = False) -> None:
    """Draw a face with its index in the corner, readable when overlapped from the right."""
    width = CARD_SHAPE * height
    ink = INKS[captions.colour_of(card)]
    _draw_paper(pen, x, y, width, height, DIM_PAPER if dim else PAPER)
    index = x + 0.17 * width
    if card >= BLACK_JOKER:
        pen.text(captions.card_text(card), index + 0.04 * width, y + 0.15 * height, 0.26 * height, ink, 0.5)
        pen.disc(x + 0.54 * width, y + 0.6 * height, 0.36 * width, ink, line=0.025 * height)
        pen.shape("★", x + 0.54 * width, y + 0.6 * height, 0.27 * width, ink)
        return
    symbol = SUIT_SYMBOLS[card // 13]
    rank = RANKS[card % 13].replace("T", "10")
    pen.text(rank, index, y + 0.15 * height, 0.3 * height, ink, 0.5)
    pen.shape(symbol, index, y + 0.36 * height, 0.085 * height, ink)
    pen.shape(symbol, x + 0.58 * width, y + 0.64 * height, 0.25 * height, ink)


def _draw_paper(pen: Pen, x: float, y: float, width: float, height: float, colour: Colour) -> None:
    radius = 0.08 * max(width, height)
    pen.box(x, y, width, height, colour, radius)
    pen.box(x, y, width, height, PAPER_EDGE, radius, line=1)


def _draw_back(pen: Pen, x: float, y: float, width: float, height: float) -> None:
    inset = 0.09 * min(width, height)
    _draw_paper(pen, x, y, width, height, PAPER)
    pen.box(x + inset, y + inset, width - 2 * inset, height - 2 * inset, BACK, 0.06 * max(width, height))
    pen.shape("♦", x + width / 2, y + height / 2, 0.24 * min(width, height), BACK_LINE)


def _draw_backs(pen: Pen, position: int, number: int) -> None:
    """Draw a neighbour's cards: along the left, the upper or the right edge."""
    long, short, step = 48, 34, 14
    for i in range(number):
        along = step * (i - (number - 1) / 2) - short / 2
        if position == 2:
            _draw_back(pen, 480 + along, 12, short, long)
        else:
            _draw_back(pen, 20 if position == 1 else 940 - long, 268 + along, long, short)


def _draw_chip(pen: Pen, card: Card, x: float, y: float, height: float) -> float:
    """Draw a small card with only its name, from x on; return its right edge."""
    text = captions.card_text(card)
    width = pen.width(text, 0.8 * height) + 0.5 * height
    pen.box(x, y - height / 2, width, height, PAPER, 0.2 * height)
    pen.text(text, x + width / 2, y + 0.03 * height, 0.8 * height, INKS[captions.colour_of(card)], 0.5)
    return x + width


# The table


def _draw_plate(pen: Pen, view: View, seat: Seat, middle: Point) -> None:
    """Draw name and tricks: framed with an arrow for the turn, a disc for the dealer, a broken nil struck through."""
    (x, y), (width, height) = middle, PLATE
    left, top = x - width / 2, y - height / 2
    turn, broken = captions.is_to_move(view, seat), captions.nil_is_broken(view, seat)
    pen.box(left, top, width, height, PANEL, 10)
    pen.box(left, top, width, height, GOLD if turn else PANEL_EDGE, 10, line=4 if turn else 1)
    pen.text("▶ " * turn + SEATS[seat], x, y - 11, 23, GOLD if turn else WHITE, 0.5)
    status = captions.seat_status(view, seat)
    pen.text(status, x, y + 11, 23, ALARM if broken else WHITE, 0.5)
    if broken:
        length = pen.width(status, 23) + 8
        pen.box(x - length / 2, y + 10, length, 2, ALARM, 0)
    if seat == view.dealer:
        pen.disc(left + width - 4, top + 4, 12, WHITE)
        pen.text("D", left + width - 4, top + 4.5, 20, PANEL, 0.5)


def _draw_played(pen: Pen, view: View, seat: Seat, card: Card) -> None:
    """Draw a card of the trick: framed and starred if it wins, tagged if it was led."""
    x, y = TRICK_PLACES[(seat - view.seat) % NUM_SEATS]
    width = CARD_SHAPE * TRICK_HEIGHT
    left, top = x - width / 2, y - TRICK_HEIGHT / 2
    wins = seat == view.winning
    if wins:
        pen.box(left - 5, top - 5, width + 10, TRICK_HEIGHT + 10, GOLD, 12)
    _draw_card(pen, card, left, top, TRICK_HEIGHT)
    if wins:
        pen.disc(left + width - 4, top + 4, 12, PANEL)
        pen.shape("★", left + width - 4, top + 4, 9, GOLD)
    if seat == view.leader:
        pen.box(x - 18, top + TRICK_HEIGHT - 9, 36, 18, PANEL, 9)
        pen.text("led", x, top + TRICK_HEIGHT, 18, WHITE, 0.5)


def _draw_score_panel(pen: Pen, view: View) -> None:
    """Draw a block for each side: name and score, tricks and bags."""
    sides = captions.sides_from(view)
    height = 36 if len(sides) > 2 else 48
    pen.box(14, 12, 300, height * len(sides) + 8, PANEL, 10)
    for i, side in enumerate(sides):
        _draw_side(pen, view, side, 16 + height * (i + 0.5), height)


def _draw_side(pen: Pen, view: View, side: Side, middle: float, height: float) -> None:
    won = view.winner == side
    colour = GOLD if won else WHITE
    upper, lower, size = middle - 0.22 * height, middle + 0.22 * height, 12 + 0.2 * height
    pen.text("★ " * won + side_name(view.rules, side), 26, upper, size, colour)
    pen.text(str(view.scores[side]), 302, upper, 1.15 * size, colour, 1)
    pen.text(captions.side_status(view, side), 26, lower, 0.85 * size, QUIET, room=140)
    _draw_bags(pen, view, side, lower)


def _draw_bags(pen: Pen, view: View, side: Side, y: float) -> None:
    """Draw pips up to the penalty, golden when few are left, or a number if there would be too many pips."""
    limit, bags = view.rules.bag_limit, view.bags[side]
    colour = GOLD if captions.few_bags_left(view, side) else WHITE
    if limit is None:
        return
    if limit > captions.MOST_PIPS:
        pen.text(f"bags {bags} of {limit}", 302, y, 19, colour, 1)
        return
    step = min(12.0, 130 / limit)
    for i in range(limit):
        pen.disc(297 - step * (limit - 1 - i), y, 0.38 * step, colour, line=0 if i < bags else 1)


def _draw_note_panel(pen: Pen, view: View) -> None:
    """Draw the rules and how far the game is; then the last trick, unusual trumps and news, if there are any."""
    notes = [
        (_draw_last_trick, 46, captions.last_trick(view)),
        (_draw_trumps, 28, captions.trump_parts(view)[0]),
        (_draw_news, 22, captions.news(view)[1]),
    ]
    pen.box(NOTES_LEFT - 12, 12, 300, 50 + sum(height for _, height, there in notes if there), PANEL, 10)
    pen.text(captions.title(view), NOTES_LEFT, 28, 22, WHITE, room=NOTES_WIDTH)
    pen.text(captions.progress(view), NOTES_LEFT, 47, 19, QUIET)
    y = 60
    for draw_note, height, there in notes:
        if there:
            draw_note(pen, view, y)
            y += height


def _draw_last_trick(pen: Pen, view: View, y: float) -> None:
    pen.text("last", NOTES_LEFT, y + 22, 17, QUIET)
    pen.text("trick", NOTES_LEFT, y + 34, 17, QUIET)
    for i, (seat, card) in enumerate(captions.last_trick(view)):
        x = NOTES_LEFT + 44 + 60 * i
        won = seat == view.leader
        pen.text("★ " * won + SEATS[seat], x, y + 8, 16, GOLD if won else QUIET)
        _draw_chip(pen, card, x, y + 28, 24)


def _draw_trumps(pen: Pen, view: View, y: float) -> None:
    highest, lowest = captions.trump_parts(view)
    x = NOTES_LEFT
    pen.text("trumps", x, y + 13, 17, QUIET)
    x += 52
    for card in highest:
        x = _draw_chip(pen, card, x, y + 13, 20) + 4
    pen.text("…", x, y + 13, 20, QUIET)
    _draw_chip(pen, lowest[0], x + 20, y + 13, 20)


def _draw_news(pen: Pen, view: View, y: float) -> None:
    pen.text("  ".join(captions.news(view)), NOTES_LEFT, y + 10, 17, QUIET, room=NOTES_WIDTH)


def _draw_hand(pen: Pen, view: View) -> None:
    """Draw the viewer's hand by suit: dimmed if illegal now, raised if chosen to be passed."""
    width, top = CARD_SHAPE * HAND_HEIGHT, 508
    suits = captions.sorted_hand(view)
    if not view.looked[view.seat]:
        suits = [[UNSEEN] * captions.cards_held(view, view.seat)]
    shown = sum(map(len, suits)) - len(suits)  # cards not at the right end of their suit
    ends = len(suits) * width + GAP * (len(suits) - 1)
    step = min(64, (920 - ends) / max(1, shown))
    x = 480 - (shown * step + ends) / 2
    refused = captions.refused_cards(view)
    chosen = view.given if view.phase == "pass" else []
    for suit in suits:
        for card in suit:
            if card == UNSEEN:
                _draw_back(pen, x, top, width, HAND_HEIGHT)
            else:
                _draw_card(pen, card, x, top - 14 * (card in chosen), HAND_HEIGHT, card in refused)
            x += step
        x += width - step + GAP


def _draw_prompt(pen: Pen, view: View) -> None:
    """Write the prompt below the viewer's plate, or, when the game is over, on the empty table."""
    if view.over and not view.table:
        pen.text(captions.prompt(view), 480, 262, 40, GOLD, 0.5, room=440)
    else:
        pen.text(captions.prompt(view), 480, 489, 24, GOLD if view.turn == view.seat else WHITE, 0.5)
