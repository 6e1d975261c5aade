"""The panel beside the table: the sides with their bids and bags, and the log.

You & Zofia           120        Dara plays the four of clubs
  5 / 7  ●●●○○○○○○○              You win the trick
"""

import re
from collections.abc import Mapping, Sequence

from spades_env.play.terminal.pictures.canvas import Canvas, cut, wrapped
from spades_env.play.terminal.pictures.table import has_begun
from spades_env.play.terminal.words import said
from spades_env.play.texts import number

MOST_PIPS = 10  # more bags than these are shown as a number
CLOCKS = ("move", "sitting")


def draw_panel(canvas: Canvas, view: dict, left: Mapping[str, float | None], log: Sequence[str]) -> None:
    """Draw the scores at the top, the end of the log below them, the time left at the bottom."""
    width, height = canvas.width, canvas.height
    canvas.box(0, 0, width, height)
    row = 1
    for side in view["sides"]:
        row = _draw_side(canvas, row, side | {"status": side_status(view, side)}, len(view["sides"]))
    canvas.put(row, 0, f"├{'─' * (width - 2)}┤", "frame")
    if facts := facts_line(view):
        canvas.put(row, 2, f" {cut(facts, width - 6)} ", "quiet")
    if (room := height - row - 2) > 0:
        lines = [line for words in log[-room:] for line in wrapped(words, width - 4, "  ") or [""]]
        for log_row, line in enumerate(lines[-room:], row + 1):
            canvas.put(log_row, 2, line, "quiet")
    times = [(said(f"terminal.clock.{name}"), left[name]) for name in CLOCKS]
    times = [f"{name} {int(time) // 60}:{int(time) % 60:02}" for name, time in times if time is not None]
    if times:
        canvas.right(height - 1, width - 2, f" {'  '.join(times)} ", "strong")


def prompt_words(view: dict, thinking: str) -> str:
    """Say who is to do what; while a bot thinks, return `thinking` instead."""
    if thinking:
        return thinking
    if view["can"]["claim"]:
        return f"▶ {said('terminal.claimable')}"
    return "▶ " * view["your_turn"] + view["prompt"]


def draw_line(canvas: Canvas, words: str, style: str) -> None:
    canvas.put(0, 1, cut(words, canvas.width - 2), style)


def pips(side: dict) -> str:
    bags, limit = side["bags"], side["bag_limit"]
    if limit is None:
        return ""
    return "●" * bags + "○" * (limit - bags) if limit <= MOST_PIPS else said("bags_of", bags=bags, count=limit)


def side_status(view: dict, side: dict) -> str:
    """Return tricks and bids; before the first trick is over the bids alone, since "0 / 8" reads as a score."""
    if has_begun(view):
        return side["status"]
    return re.sub(r"^0 / (\d+)", lambda found: said("plate.bid", bid=found[1]), side["status"])


def facts_line(view: dict) -> str:
    counts = (("hints", view["help"]["hints"]), ("taken_back", view["help"]["takebacks"]))
    facts = [said("terminal.difficulty", difficulty=view["difficulty"])] * (view["difficulty"] is not None)
    return " · ".join([*facts, *(said(key, count=count) for key, count in counts if count)])


def _draw_side(canvas: Canvas, row: int, side: dict, sides: int) -> int:
    """Draw a side in two rows, or in one if there are four without bags; return the row after it."""
    style = "gold" if side["few_bags_left"] else "quiet"
    canvas.put(row, 2, cut(side["called"], canvas.width - 12), "strong")
    canvas.right(row, canvas.width - 2, number(side["score"]), "strong")
    if sides > 2 and side["bag_limit"] is None:
        canvas.put(row, 12, side["status"])
        return row + 1
    shown = pips(side)
    room = canvas.width - 4 - len(shown)
    status = side["status"]
    if len(status) >= room:
        status = status.replace("blind nil", "blind").replace(" ✗", "✗")
    canvas.put(row + 1, 4 if len(status) < room - 2 else 2, status)
    canvas.right(row + 1, canvas.width - 2, shown, style)
    return row + 2
