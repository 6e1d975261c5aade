"""A finished hand before one of its moves, with all cards open: drawn from a step of `play.review.hand_review.steps`.

              Zofia  2 / 4
              ♠ A Q 9    …
Dara …              Q♦              Yusuf …
♠ 10 4        10♥        5♥         ♠ 7
                    9♦
              You  1 / 3
▶ You play the queen of diamonds.
  Mistake, −3.1 ± 1.0 points of winning chance. Better: the five of hearts. Stay under the ten of hearts: …
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from spades_env.game.cards import NUM_SEATS, SUIT_SYMBOLS, card
from spades_env.play.coach.grade import GRADES
from spades_env.play.table.seats import card_text
from spades_env.play.terminal.pictures.canvas import Canvas, cut, wrapped
from spades_env.play.terminal.pictures.cards import face, suit_letter
from spades_env.play.terminal.words import said
from spades_env.play.texts import decimal

SUITS_SHOWN = (3, 2, 1, 0)  # of the lanes, which begin with clubs
NOTE_ROWS = 5


@dataclass(frozen=True)
class ReviewState:
    """What is drawn: a step with its title, the names at the table, and notes on the move."""

    title: str
    step: dict[str, Any]
    seat: int
    names: Sequence[str]
    notes: Sequence[tuple[str, str]]  # lines with their styles


def draw_review(canvas: Canvas, state: ReviewState) -> None:
    """Draw the four hands, the trick and the notes."""
    width, height = canvas.width, canvas.height
    canvas.box(0, 0, width, height)
    canvas.put(0, 2, f" {cut(state.title, width - 6)} ", "strong")
    lines = [(line, style) for words, style in state.notes for line in wrapped(words, width - 4)]
    notes = height - max(NOTE_ROWS, len(lines)) - 2
    if "hands" in state.step:
        _draw_hands(canvas, state, notes)
    canvas.put(notes, 0, f"├{'─' * (width - 2)}┤", "frame")
    for row, (line, style) in enumerate(lines, notes + 1):
        canvas.put(row, 2, line, style)
    canvas.put(height - 1, 2, cut(f" {said('terminal.keys.review')} ", width - 4), "quiet")


def move_words(step: dict[str, Any]) -> str:
    """Say what happens in this step."""
    move = step["move"]
    if move is None:
        return said("hand_over")
    key = {"claim": "review.claimed", "late": "review.late"}.get(move["by"])
    return f"{said(key, words=move['words']) if key else move['words']}."


def grade_words(found: Mapping) -> str:
    """Say how good a move was; if it wasn't the best, what it cost, what was better, and why."""
    if found["grade"] is None:
        return _sentence(said("grade.unknown"))
    words = said(f"grade.{found['grade']}")
    if found["better"] is None:
        return _sentence(words)
    lost, doubt = (decimal(100 * found["lost"][name]) for name in ("chance", "doubt"))
    better = said("grades.better", better=_named(found["better"]))
    graded = said("terminal.grade", grade=words.capitalize(), lost=lost, doubt=doubt)
    return " ".join(filter(None, (graded, better, found["reason"])))


def tally_words(found: Sequence[Mapping]) -> str:
    """Say how many moves got each grade: "1 blunder, 2 good, 9 best"."""
    counts = {grade: sum(one["grade"] == grade for one in found) for grade in reversed(GRADES)}
    return ", ".join(said(f"tally.{grade}", count=count) for grade, count in counts.items() if count)


def _sentence(words: str) -> str:
    return f"{words.capitalize()}."


def _named(action: str) -> str:
    """Return an action as something that is better: the ten of hearts, a bid of 4."""
    if action in ("look", "blind"):
        return said(f"hint.{action}")
    if action.startswith("bid:"):
        return said("drill.bid_of", count=int(action[4:]))
    return said("hint.card", card=card_text(card(action)))


def _draw_hands(canvas: Canvas, state: ReviewState, bottom: int) -> None:
    middle = bottom // 2
    third = canvas.width // 3
    places = ((bottom - 5, third), (middle - 2, 2), (1, third), (middle - 2, canvas.width - third + 4))
    for position, (row, column) in enumerate(places):
        seat = (state.seat + position) % NUM_SEATS
        _draw_hand(canvas, state, seat, row, column)
    _draw_trick(canvas, state, middle)


def _draw_hand(canvas: Canvas, state: ReviewState, seat: int, row: int, column: int) -> None:
    step = state.step
    bid = step["bids"][seat]
    turn = step["move"] and step["turn"] == seat
    name = f"{'▶ ' * bool(turn)}{state.names[seat]}"
    end = canvas.put(row, column, cut(name, 20), "turn" if turn else "strong")
    unbid = "–" if step["phase"] in ("blind", "bid") else str(step["tricks"][seat])
    canvas.put(row, end + 1, unbid if bid is None else f"{step['tricks'][seat]} / {bid}")
    moved = step["move"]["action"] if turn else None
    for line, lane in enumerate(SUITS_SHOWN, row + 1):
        _draw_lane(canvas, line, column, lane, step["hands"][seat][lane], moved)


def _draw_lane(canvas: Canvas, row: int, column: int, lane: int, held: Sequence[str], moved: str | None) -> None:
    """Draw a suit of a hand, with [ ] around the card that is played."""
    letter = "CDHS"[lane]
    place = canvas.put(row, column, f"{SUIT_SYMBOLS[lane]} ", f"ink:{letter}")
    if not held:
        canvas.put(row, place, "–", "quiet")
    for name in held:
        text = face(name).rstrip(SUIT_SYMBOLS) if name[-1] == letter else face(name)
        on = name == moved
        place = canvas.put(row, place, f"[{text}]" if on else text, "cursor" if on else f"ink:{suit_letter(name)}") + 1


def _draw_trick(canvas: Canvas, state: ReviewState, middle: int) -> None:
    step, centre = state.step, canvas.width // 2
    places = ((middle + 1, centre), (middle, centre - 6), (middle - 1, centre), (middle, centre + 6))
    for number, play in enumerate(step["trick"]):
        row, column = places[(play["seat"] - state.seat) % NUM_SEATS]
        marks = "★" * (play["seat"] == step["winning"]) + "›" * (number == 0)
        canvas.right(row, column, marks, "gold")
        canvas.put(row, column, face(play["card"]), f"ink:{suit_letter(play['card'])}")
