"""Finished hands step by step, with all cards open, and every decision of the person graded.

The adviser is the default one, not the table's: a game read from a text may name any agent, and none is loaded.
"""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_SEATS
from spades_env.play.coach.grade import FAULTS, WORLDS, Judge
from spades_env.play.review.grades import Graded, grades
from spades_env.play.review.steps import steps
from spades_env.play.table.choices import default_adviser
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.seats import names_at
from spades_env.play.table.sheet import sheet_line
from spades_env.play.table.standing import bot_name
from spades_env.play.table.table import Table
from spades_env.play.terminal.pictures.canvas import Canvas
from spades_env.play.terminal.pictures.review import ReviewState, draw_review, grade_words, move_words, tally_words
from spades_env.play.terminal.screens.drawn import Drawn
from spades_env.play.terminal.screens.form import Pick
from spades_env.play.texts import text
from spades_env.play.threads import in_thread

DONE = object()


class ReviewScreen(ModalScreen[tuple[int, int] | None]):
    """The answer is a hand's number and a seat, to play that deal again; None if the review is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,j,J", "step(-1)", "step back"),
        Binding("right,l,L,space,enter", "step(1)", "step"),
        Binding("up,i,I", "trick(-1)", "trick back"),
        Binding("down,k,K", "trick(1)", "trick"),
        Binding("home", "step(-999)", "start"),
        Binding("end", "step(999)", "end"),
        Binding("d,D", "fault", "next mistake"),
        Binding("pageup", "hand(-1)", "previous hand"),
        Binding("pagedown", "hand(1)", "next hand"),
        Binding("g,G", "again", "play again"),
        Binding("escape,q,Q", "dismiss", "back"),
    ]

    def __init__(self, table: Table, seat: int):
        super().__init__()
        self._table, self._seat = table, seat
        self._own = seat if table.seats.people[seat] else None  # the reader's
        self._names = names_at(table.seats, self._own)
        self._adviser, self._refused = default_adviser(), ""
        self._found: dict[int, list[Graded]] = {}  # by the index of the hand
        self._place = len(table.finished) - 1
        self._number = 0
        self._steps = steps(table.rules, self._hand, self._names, self._own)

    @property
    def _hand(self) -> PlayedHand:
        return self._table.finished[self._place]

    def compose(self) -> ComposeResult:
        yield Drawn(self._draw, id="picture")

    def on_mount(self) -> None:
        self._search()

    def _search(self) -> None:
        if self._place not in self._found:
            self.run_worker(self._find(self._place), group="grades", exclusive=True)

    async def _find(self, place: int) -> None:
        """Grade one move after the other, each in a thread, so that leaving never waits."""
        hand, found, names = self._table.finished[place], [], names_at(self._table.seats, self._seat)
        try:
            judge = await in_thread(Judge, self._adviser, WORLDS)
            by = bot_name(self._adviser)
            graded = grades(self._table.rules, hand, self._seat, judge, names, by)
            while isinstance(one := await in_thread(next, graded, DONE), Graded):
                found.append(one)
        except SpadesError as error:
            self._refused = str(error)
        self._found[place] = found
        self._redraw()

    # Keys

    def action_step(self, way: int) -> None:
        """Go this many moves on; back if negative."""
        self._number = max(0, min(self._number + way, len(self._steps) - 1))
        self._redraw()

    def action_trick(self, way: int) -> None:
        """Go to the next lead (way 1) or the previous one (−1)."""
        leads = [
            step["number"] for step in self._steps if step["move"] and step["phase"] == "play" and not step["trick"]
        ]
        beyond = [number for number in [0, *leads, len(self._steps) - 1] if (number - self._number) * way > 0]
        self._number = (min(beyond) if way > 0 else max(beyond)) if beyond else self._number
        self._redraw()

    def action_fault(self) -> None:
        """Go to the next inaccuracy, mistake or blunder; after the last one, to the first."""
        numbers = [one.number for one in self._found.get(self._place, []) if one.grade in FAULTS]
        if numbers:
            self._number = next((number for number in numbers if number > self._number), numbers[0])
        self._redraw()

    def action_hand(self, way: int) -> None:
        """Go to the start of the next finished hand (way 1) or of the previous one (−1)."""
        self._place = max(0, min(self._place + way, len(self._table.finished) - 1))
        self._number, self._steps = 0, steps(self._table.rules, self._hand, self._names, self._own)
        self._search()
        self._redraw()

    def action_again(self) -> None:
        """Ask from which seat to play the deal again."""
        items = [
            (seat, self._names[seat], self._place_words(seat), text("review.not_counted")) for seat in range(NUM_SEATS)
        ]
        title = f"Replay hand {self._hand.number + 1} as …"

        def play_again(seat: int | None) -> None:
            if seat is not None:
                self.dismiss((self._hand.number, seat))

        self.app.push_screen(Pick(title, items, self._seat), play_again)

    def _place_words(self, seat: int) -> str:
        """Say where a seat is, since two players may have one name."""
        place = (seat - self._seat) % NUM_SEATS
        return text(f"plate.{place}") if place else ""

    # Drawing

    def _redraw(self) -> None:
        self.query_one("#picture", Drawn).redraw()

    def _draw(self, canvas: Canvas) -> None:
        step = self._steps[self._number]
        position = step if "hands" in step else self._steps[-1]
        title = f"Hand {self._hand.number + 1}, move {self._number + 1} of {len(self._steps) - 1}"
        if step["move"] is None:
            title = f"Hand {self._hand.number + 1}, the end"
        draw_review(canvas, ReviewState(title, position, self._seat, self._names, self._notes(step)))

    def _notes(self, step: dict) -> list[tuple[str, str]]:
        """Return notes on the move and its grade, or how many moves got each grade."""
        notes = [(move_words(step), "strong")]
        if step["move"] is None:
            rules = self._table.rules
            lines = [sheet_line(rules, self._hand, side, self._names, self._own) for side in range(rules.sides)]
            notes += [(f"{line['called']}: {line['words']}, now {line['score']}", "") for line in lines]
        return [*notes, *self._grade_notes(step["number"])]

    def _grade_notes(self, number: int) -> list[tuple[str, str]]:
        found = self._found.get(self._place)
        if self._refused:
            return [(self._refused, "quiet")]
        if found is None:
            return [(f"{bot_name(self._adviser)} is grading your moves…", "quiet")]
        notes = [
            (grade_words(one), "gold" if one.grade in FAULTS else "quiet") for one in found if one.number == number
        ]
        return notes or [(tally_words(found), "quiet")]
