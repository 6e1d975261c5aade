"""The person's hand, and above it the other choices: bids, blind nil, the cards to pass.

nil   1    2   [3]   4    5    6    7    8    9   10   11   12   13      bids; below them the advice as bars
           ┏━━━┓
╭─★─╮ ┌┄┄┄┐┃ 9♦┃ …                                                      the card under the cursor is lifted,
│10♥│ ┊ 2♣┊┃   ┃                                                          the best one of the advice has a star
╰───╯ └┄┄┄┘┗━━━┛
██▌          ▏                                                            the advice as bars
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from spades_env.play.terminal.cursor import NIL, choices
from spades_env.play.terminal.pictures.canvas import Canvas
from spades_env.play.terminal.pictures.cards import BIG, DIM, PLAIN, SMALL, STRONG, Size, draw_back, draw_card, face
from spades_env.play.terminal.pictures.log_lines import called
from spades_env.play.terminal.words import said

GAP = 2  # between suits
BLIND_CELL = 5  # of a blind bid
BARS = " ▏▎▍▌▋▊▉█"
CHOSEN = "△"
BEST = "★"


@dataclass(frozen=True)
class HandState:
    """What is drawn. cursor: an action in text form; weights: bars of the advice, by action, the best one first."""

    view: dict
    cursor: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    nil: bool = True  # is a bid of 0 a nil?

    @property
    def best(self) -> str | None:
        return next(iter(self.weights), None)


def hand_rows(width: int, height: int) -> int:
    """Return how many rows a hand takes: more in a terminal where thirteen big cards fit."""
    is_big = width >= 13 * BIG.width + 3 * GAP + 4 and height >= 40
    return (BIG if is_big else SMALL).height + 3


def draw_hand(canvas: Canvas, hand: HandState) -> None:
    """Draw the hand and the choices above it, with big cards if there is room."""
    size = BIG if canvas.height >= BIG.height + 3 else SMALL
    _draw_choices(canvas, hand)
    lanes = [lane["cards"] for lane in hand.view["lanes"]]
    if not lanes and not hand.view["seats"][0]["looked"]:
        count = hand.view["seats"][0]["cards"]
        for number in range(count):
            draw_back(canvas, 2, (canvas.width - count * size.width) // 2 + number * size.width, size)
    else:
        _draw_lanes(canvas, hand, lanes, size)


def bar(weight: float, cells: int) -> str:
    """Draw a number from 0 to 1 as a bar."""
    eighths = max(round(weight * cells * 8), 1 if weight > 0.005 else 0)
    return BARS[8] * (eighths // 8) + BARS[eighths % 8].strip()


def bid_words(action: str, nil: bool) -> str:
    return said("plate.nil") if nil and action == NIL else action[4:]


# Above the hand


def _draw_choices(canvas: Canvas, hand: HandState) -> None:
    view = hand.view
    if view["phase"] == "bid" and view["your_turn"]:
        bids = [(action, bid_words(action, hand.nil)) for action in choices(view)]
        _draw_cells(canvas, hand, bids, [5] * len(bids))
    elif view["phase"] == "blind" and view["your_turn"]:
        _draw_blind(canvas, hand)
    elif view["phase"] == "pass" and view["passing"]:
        given = " ".join(map(face, view["passing"]["given"])) or "–"
        canvas.centred(0, said("terminal.given", who=called(view, view["passing"]["to"]), cards=given), "gold")


def _draw_blind(canvas: Canvas, hand: HandState) -> None:
    """Draw the look, the blind nil and the blind bids for both, with short words if the long ones do not fit."""
    view = hand.view
    labels: dict[str, str] = {"look": said("look")}
    if view["blind_nil"]:
        labels["blind"] = said("blind_nil_worth", bonus=view["blind_nil"]["bonus"])
    short = {action: said(f"action.{action}") for action in labels}
    bids = {action: action[4:] for action in choices(view) if action not in labels}
    room = 24 if not bids else GAP + 2
    for words in (labels, short):
        cells = [*words.items(), *bids.items()]
        widths = [max(room, len(text) + GAP + 2) if action in words else BLIND_CELL for action, text in cells]
        if sum(widths) <= canvas.width:
            break
    _draw_cells(canvas, hand, cells, widths)


def _draw_cells(canvas: Canvas, hand: HandState, cells: list[tuple[str, str]], widths: Sequence[int]) -> None:
    """Draw choices side by side: [ ] around the one under the cursor, the bar of the advice below each.

    A star follows the bar of the best choice.
    """
    left = (canvas.width - sum(widths)) // 2
    for number, (action, words) in enumerate(cells):
        column, width = left + sum(widths[:number]), widths[number]
        on = action == hand.cursor
        shown = f"[{words}]" if on else f" {words} "
        canvas.centred(0, shown, "cursor" if on else "strong", column, column + width)
        after = canvas.put(1, column, bar(hand.weights.get(action, 0), width - 1), "bar")
        if action == hand.best:
            canvas.put(1, after, BEST, "gold")


# The cards


def _draw_lanes(canvas: Canvas, hand: HandState, lanes: list[list[str]], size: Size) -> None:
    count = sum(map(len, lanes))
    column = (canvas.width - count * size.width - GAP * (len(lanes) - 1)) // 2
    for lane in lanes:
        for name in lane:
            _draw_held(canvas, hand, name, column, size)
            column += size.width
        column += GAP


def _draw_held(canvas: Canvas, hand: HandState, name: str, column: int, size: Size) -> None:
    """Draw one card: lifted under the cursor, dotted if refused; below it a mark or the bar of the advice."""
    lifted, refused = name == hand.cursor, name in hand.view["refused"]
    kind = DIM if refused else STRONG if lifted else PLAIN
    top = 1 if lifted else 2
    draw_card(canvas, top, column, name, size, kind)
    if name == hand.best:
        canvas.put(top, column + size.width // 2, BEST, "edge:on")
    below = 2 + size.height
    passing = hand.view["passing"] or {"given": []}
    if hand.view["phase"] == "pass" and name in passing["given"]:
        canvas.put(below, column + size.width // 2, CHOSEN, "gold")
    elif name in hand.weights:
        canvas.put(below, column, bar(hand.weights[name], size.width - 1), "bar")
    elif lifted:
        canvas.put(below, column + size.width // 2, "▲", "gold")
