"""What stands beside the table: the sides with their bids and bags, and the log.

South & North         120        East 4♣ …
  5 / 7  ●●●○○○○○○○              South wins the trick
"""

from collections.abc import Mapping, Sequence

from rich.text import Text

from play.rule_words import number
from play.terminal.pictures.canvas import Canvas, cut, wrapped

MOST_PIPS = 10  # more bags than these are shown as a number
CLOCKS = {"move": "move", "sitting": "game"}


def side_picture(
    view: dict, left: Mapping[str, float | None], log: Sequence[str], width: int, height: int, styles: Mapping[str, str]
) -> Text:
    """Draw the scores at the top, the time that is left at the bottom, between them the end of the log."""
    canvas = Canvas(width, height)
    canvas.box(0, 0, width, height)
    row = 1
    for side in view["sides"]:
        row = _draw_side(canvas, row, side, len(view["sides"]))
    canvas.put(row, 0, f"├{'─' * (width - 2)}┤", "frame")
    if facts := facts_line(view):
        canvas.put(row, 2, f" {cut(facts, width - 6)} ", "quiet")
    _draw_log(canvas, row + 1, log)
    times = [f"{name} {time_words(left[key])}" for key, name in CLOCKS.items() if left[key] is not None]
    if times:
        canvas.right(height - 1, width - 2, f" {'  '.join(times)} ", "strong")
    return canvas.text(styles)


def prompt_words(view: dict, thinking: str) -> str:
    """Say what is asked of whom; `thinking` stands for it while a bot thinks."""
    if thinking:
        return thinking
    if view["can"]["claim"]:
        return "▶ Your turn: every trick left is yours, W takes them all."
    return "▶ " * view["your_turn"] + view["prompt"]


def line_picture(words: str, style: str, width: int, styles: Mapping[str, str]) -> Text:
    """Draw one line."""
    canvas = Canvas(width, 1)
    canvas.put(0, 1, cut(words, width - 2), style)
    return canvas.text(styles)


def pips(side: dict) -> str:
    """Draw the bags of the limit as pips: ●●●○○."""
    bags, limit = side["bags"], side["bag_limit"]
    if limit is None:
        return ""
    return "●" * bags + "○" * (limit - bags) if limit <= MOST_PIPS else f"{bags} of {limit} bags"


def time_words(seconds: float | None) -> str:
    """Return minutes and seconds: 8:05."""
    return "" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def facts_line(view: dict) -> str:
    """Name the difficulty, and the help that was used."""
    counts = ((view["help"]["hints"], "hint"), (view["help"]["takebacks"], "takeback"))
    facts = [f"difficulty {view['difficulty']}"] * (view["difficulty"] is not None)
    return " · ".join([*facts, *(f"{count} {noun}{'s' * (count > 1)}" for count, noun in counts if count)])


def wrapped_lines(log: Sequence[str], width: int) -> list[str]:
    """Break lines to the width; what goes on in the next row is indented."""
    return [line for words in log for line in wrapped(words, width, "  ") or [""]]


def _draw_side(canvas: Canvas, row: int, side: dict, sides: int) -> int:
    """Draw a side in two rows, or in one where there are four without bags; return the row after it."""
    style = "gold" if side["few_bags_left"] else "quiet"
    canvas.put(row, 2, side["name"], "strong")
    canvas.right(row, canvas.width - 2, number(side["score"]), "strong")
    if sides > 2 and side["bag_limit"] is None:
        canvas.put(row, 12, side["status"])
        return row + 1
    shown = pips(side)
    room = canvas.width - 4 - len(shown)
    status = side["status"] if len(side["status"]) < room else side["status"].replace("blind nil", "blind")
    canvas.put(row + 1, 4 if len(status) < room - 2 else 2, status)
    canvas.right(row + 1, canvas.width - 2, shown, style)
    return row + 2


def _draw_log(canvas: Canvas, top: int, log: Sequence[str]) -> None:
    room = canvas.height - 1 - top
    lines = wrapped_lines(log[-room:], canvas.width - 4) if room > 0 else []
    shown = lines[-room:] if room > 0 else []
    for row, line in enumerate(shown, top):
        canvas.put(row, 2, line, "quiet")
