"""Finished hands step by step, with all cards open, and every decision of the person graded."""

from collections.abc import Coroutine
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_SEATS
from spades_env.play.coach.grade import FAULTS
from spades_env.play.terminal.client import Message, TableClient
from spades_env.play.terminal.pictures.canvas import Canvas
from spades_env.play.terminal.pictures.review import ReviewState, draw_review, grade_words, move_words, tally_words
from spades_env.play.terminal.screens.drawn import Drawn
from spades_env.play.terminal.screens.form import Pick
from spades_env.play.terminal.words import said


class ReviewScreen(ModalScreen[None]):
    """The review of a game. shown: the server's answer for one of its hands."""

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
        Binding("escape,q,Q", "leave", "back"),
    ]

    def __init__(self, client: TableClient, key: str, shown: Message):
        super().__init__()
        self._client, self._key, self._shown = client, key, shown
        self._number = 0
        self._grades: list[dict] = []
        self.is_graded = False  # are these all?
        self._refused = ""

    @property
    def _steps(self) -> list[dict]:
        return self._shown["steps"]

    def compose(self) -> ComposeResult:
        yield Drawn(self._draw, id="picture")

    def on_mount(self) -> None:
        self._ask_for_grades()

    def _ask_for_grades(self) -> None:
        about = {"key": self._key, "hand": self._shown["hand"], "seat": self._shown["seat"]}
        self._do(self._client.ask("grades", **about), "grades")

    def take_grades(self, grades: Message) -> None:
        """Take the grades found so far."""
        if (grades["key"], grades["hand"]) == (self._key, self._shown["hand"]):
            self._grades, self.is_graded = grades["found"], grades["done"]
            self._redraw()

    def _do(self, act: Coroutine[Any, Any, Any], group: str = "asking") -> None:
        self.run_worker(self._attempt(act), group=group, exclusive=True)

    async def _attempt(self, act: Coroutine[Any, Any, Any]) -> None:
        try:
            await act
        except SpadesError as error:
            self._refused = str(error)
        if self.is_mounted:
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
        numbers = [one["number"] for one in self._grades if one["grade"] in FAULTS]
        if numbers:
            self._number = next((number for number in numbers if number > self._number), numbers[0])
        self._redraw()

    def action_hand(self, way: int) -> None:
        """Go to the start of the next finished hand (way 1) or of the previous one (−1)."""
        hands = self._shown["hands"]
        place = max(0, min(hands.index(self._shown["hand"]) + way, len(hands) - 1))
        self._do(self._show_hand(hands[place]))

    async def _show_hand(self, hand: int) -> None:
        self._shown = await self._client.ask("review", key=self._key, hand=hand)
        self._number, self._grades, self.is_graded, self._refused = 0, [], False, ""
        self._ask_for_grades()

    def action_again(self) -> None:
        """Ask from which seat to play the deal again."""
        names, own = self._names, self._shown["seat"]
        places = [said(f"plate.{place}") if place else "" for place in range(NUM_SEATS)]
        note = said("review.not_counted")
        items = [(seat, names[seat], places[(seat - own) % NUM_SEATS], note) for seat in range(NUM_SEATS)]
        title = said("terminal.replay", hand=self._shown["hand"])

        def play_again(seat: int | None) -> None:
            if seat is not None:
                self._do(self._client.ask("again", key=self._key, hand=self._shown["hand"], seat=seat))

        self.app.push_screen(Pick(title, items, own), play_again)

    def action_leave(self) -> None:
        self.app.run_worker(self._client.ask("stop"), group="asking")
        self.dismiss()

    # Drawing

    @property
    def _names(self) -> list[str]:
        return [seat["called"] for seat in self._shown["seats"]]

    def _redraw(self) -> None:
        self.query_one("#picture", Drawn).redraw()

    def _draw(self, canvas: Canvas) -> None:
        step, hand = self._steps[self._number], self._shown["hand"]
        position = step if "hands" in step else self._steps[-1]
        title = said("terminal.review", hand=hand, move=self._number + 1, moves=len(self._steps) - 1)
        if step["move"] is None:
            title = said("terminal.review_end", hand=hand)
        draw_review(canvas, ReviewState(title, position, self._shown["seat"], self._names, self._notes(step)))

    def _notes(self, step: dict) -> list[tuple[str, str]]:
        """Return notes on the move and its grade, or how many moves got each grade."""
        notes = [(move_words(step), "strong")]
        if step["move"] is None:
            notes += [(side_words(line), "") for line in self._shown["sheet"]]
        return [*notes, *self._grade_notes(step["number"])]

    def _grade_notes(self, number: int) -> list[tuple[str, str]]:
        if self._refused:
            return [(self._refused, "quiet")]
        if not self.is_graded:
            return [(said("terminal.grading", who=self._client.hello["adviser"]["name"]), "quiet")]
        notes = [
            (grade_words(one), "gold" if one["grade"] in FAULTS else "quiet")
            for one in self._grades
            if one["number"] == number
        ]
        return notes or [(tally_words(self._grades), "quiet")]


def side_words(line: dict) -> str:
    """Say what a hand has brought a side."""
    return said("terminal.review_side", side=line["called"], words=line["words"], score=line["score"])
