"""The person's hand, and above it what else may be chosen: bids, blind nil, what is passed.

nil   1    2   [3]   4    5    6    7    8    9   10   11   12   13      bids; below them what the adviser weighs
           ┏━━━┓
╭───╮ ┌┄┄┄┐┃ 9♦┃ …                                                      the card under the cursor is lifted
│10♥│ ┊ 2♣┊┃   ┃
╰───╯ └┄┄┄┘┗━━━┛
██▌          ▏                                                            what the adviser weighs
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.text import Text

from play.terminal.pictures.canvas import Canvas
from play.terminal.pictures.cards import BIG, DIM, PLAIN, SMALL, STRONG, Size, draw_back, draw_card, face
from spades_env.cards import MAX_BID, SEATS

GAP = 2  # between suits
BARS = " ▏▎▍▌▋▊▉█"
CHOSEN = "△"


@dataclass(frozen=True)
class HandState:
    """What is drawn. cursor: an action's word; weights: bars of the advice, by action."""

    view: dict
    cursor: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    nil: bool = True  # is a bid of 0 a nil?


def hand_rows(width: int, height: int) -> int:
    """Return how many rows a hand takes in a terminal of this size."""
    return _size(width, height).height + 3


def hand_picture(hand: HandState, width: int, height: int, styles: Mapping[str, str]) -> Text:
    """Draw the hand in so many rows."""
    canvas = Canvas(width, height)
    size = BIG if height >= BIG.height + 3 else SMALL
    _draw_choices(canvas, hand)
    lanes = [lane["cards"] for lane in hand.view["lanes"]]
    if not lanes and not hand.view["seats"][0]["looked"]:
        _draw_backs(canvas, hand.view["seats"][0]["cards"], size)
    else:
        _draw_lanes(canvas, hand, lanes, size)
    return canvas.text(styles)


def bar(weight: float, cells: int) -> str:
    """Draw a number from 0 to 1 as a bar."""
    eighths = max(round(weight * cells * 8), 1 if weight > 0.005 else 0)
    return BARS[8] * (eighths // 8) + BARS[eighths % 8].strip()


def bid_words(bid: int, nil: bool) -> str:
    """Return a bid as it is shown: nil for 0 where that is a nil."""
    return "nil" if nil and bid == 0 else str(bid)


def _size(width: int, height: int) -> Size:
    """Take big cards where thirteen of them fit, with a big table above."""
    return BIG if width >= 13 * BIG.width + 3 * GAP + 4 and height >= 40 else SMALL


# Above the hand


def _draw_choices(canvas: Canvas, hand: HandState) -> None:
    view = hand.view
    if view["phase"] == "bid" and view["your_turn"]:
        _draw_bids(canvas, hand)
    elif view["phase"] == "blind" and view["your_turn"]:
        labels = {"look": "Look at the cards"}
        if view["blind_nil"]:
            labels["blind"] = f"Blind nil ±{view['blind_nil']['bonus']}"
        _draw_cells(canvas, hand, list(labels.items()), 24)
    elif view["phase"] == "pass" and view["passing"]:
        given = " ".join(map(face, view["passing"]["given"])) or "–"
        canvas.centred(0, f"for {SEATS[view['passing']['to']]}: {given}", "gold")


def _draw_bids(canvas: Canvas, hand: HandState) -> None:
    cells = [(f"bid:{bid}", bid_words(bid, hand.nil)) for bid in range(MAX_BID + 1)]
    _draw_cells(canvas, hand, cells, 5)


def _draw_cells(canvas: Canvas, hand: HandState, cells: list[tuple[str, str]], width: int) -> None:
    """Draw choices side by side: [ ] around the one under the cursor, the adviser's weight below each."""
    left = (canvas.width - width * len(cells)) // 2
    for number, (action, words) in enumerate(cells):
        column = left + width * number
        on = action == hand.cursor
        shown = f"[{words}]" if on else f" {words} "
        canvas.centred(0, shown, "cursor" if on else "strong", column, column + width)
        canvas.put(1, column, bar(hand.weights.get(action, 0), width - 1), "bar")


# The cards


def _draw_backs(canvas: Canvas, count: int, size: Size) -> None:
    left = (canvas.width - count * size.width) // 2
    for number in range(count):
        draw_back(canvas, 2, left + number * size.width, size)


def _draw_lanes(canvas: Canvas, hand: HandState, lanes: list[list[str]], size: Size) -> None:
    count = sum(map(len, lanes))
    column = (canvas.width - count * size.width - GAP * (len(lanes) - 1)) // 2
    for lane in lanes:
        for name in lane:
            _draw_held(canvas, hand, name, column, size)
            column += size.width
        column += GAP


def _draw_held(canvas: Canvas, hand: HandState, name: str, column: int, size: Size) -> None:
    """Draw one card: lifted under the cursor, dotted when refused; below it its mark or the adviser's weight."""
    lifted, refused = name == hand.cursor, name in hand.view["refused"]
    kind = DIM if refused else STRONG if lifted else PLAIN
    draw_card(canvas, 1 if lifted else 2, column, name, size, kind)
    below = 2 + size.height
    passing = hand.view["passing"] or {"given": []}
    if hand.view["phase"] == "pass" and name in passing["given"]:
        canvas.put(below, column + size.width // 2, CHOSEN, "gold")
    elif name in hand.weights:
        canvas.put(below, column, bar(hand.weights[name], size.width - 1), "bar")
    elif lifted:
        canvas.put(below, column + size.width // 2, "▲", "gold")
