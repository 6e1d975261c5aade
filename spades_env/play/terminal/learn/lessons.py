"""Lessons: the overview, a step of the tutorial, and the two drills. The server deals them and judges the answers."""

from textual.binding import Binding

from spades_env.play.terminal.client import Message, TableClient
from spades_env.play.terminal.learn.board import LessonBoard
from spades_env.play.terminal.pictures.learn import drill_lines, tally_words
from spades_env.play.terminal.pictures.pages import Lines
from spades_env.play.terminal.screens.dialogs import Page
from spades_env.play.terminal.screens.form import Form, FormRow
from spades_env.play.terminal.words import said

NIL, NO_NIL = "bid:0", "bid"  # the answers to a nil drill
DONE = "✓"


class Learn(Form):
    """The steps of the tutorial and the drills, with what the person has learnt."""

    def __init__(self, client: TableClient, found: Message):
        super().__init__(said("lessons.title"))
        self._client, self._found = client, found

    def rows(self) -> list[FormRow]:
        rows = [FormRow(said("lessons.tutorial"))]
        for number, step in enumerate(self._found["steps"], 1):
            label = said("lessons.to_step", step=number, title=step["title"])
            rows.append(
                FormRow(label, DONE * step["done"], said("lessons.about"), enter=lambda at=number: self._step(at))
            )
        rows.append(FormRow(said("lessons.drills")))
        by = self._client.hello["adviser"]["name"]
        for kind, tally in self._found["drills"].items():
            about = said(f"lessons.{kind}.about", by=by)
            words = tally_words(kind, tally)
            rows.append(FormRow(said(f"lessons.{kind}"), words, about, enter=lambda of=kind: self._drill(of)))
        return rows

    def _step(self, step: int) -> None:
        self.app.push_screen(Lesson(self._client, step), self._learn_more)

    def _drill(self, kind: str) -> None:
        self.app.push_screen(DrillScreen(self._client, kind), self._learn_more)

    def _learn_more(self, _: None) -> None:
        self.send(self._look_again())

    async def _look_again(self) -> None:
        self._found = await self._client.ask("lessons")


class Lesson(LessonBoard):
    """A step of the tutorial, and those after it."""

    def __init__(self, client: TableClient, step: int):
        super().__init__(client, said("lessons.tutorial"))
        self._step, self._steps, self._over = step, step, False
        self._moves: list[str] = []

    def on_mount(self) -> None:
        self.do(self._begin())

    async def _begin(self) -> None:
        self._moves, self._over, self.keys = [], False, said("terminal.keys.lesson")
        answer = await self.client.ask("lesson", step=self._step)
        self.heading, self._steps = answer["title"], answer["steps"]
        self.progress = said("lessons.step", step=self._step, steps=self._steps)
        self.notes = [(answer["words"], "strong")]
        await self.show(answer["frames"])

    async def choose(self, action: str) -> None:
        """Make a move of the step; once it is over, go on to the next."""
        if not self._over:
            await self._answer(action)
        elif self._step < self._steps:
            self._step += 1
            await self._begin()
        else:
            self.dismiss()

    async def _answer(self, action: str) -> None:
        answer = await self.client.ask("lesson", step=self._step, moves=[*self._moves, action])
        self._moves, self._over = answer["moves"], answer["over"]
        verdict = said("lessons.good" if answer["good"] else "lessons.again")
        self.notes = [(f"{verdict}. {answer['reply']}", "good" if answer["good"] else "alarm")]
        await self.show(answer["frames"])
        self.notes.append((answer["words"], "strong"))
        if self._over:
            self.keys = said("terminal.keys.lesson_over" if self._step < self._steps else "terminal.keys.lessons_over")

    def action_do(self, move: str, bid: int = 0) -> None:
        """Choose; at the end of a step, where nothing is under the cursor, any such key goes on."""
        if self._over and not self._is_busy:
            self.do(self.choose(""))
        else:
            super().action_do(move, bid)


class DrillScreen(LessonBoard):
    """One hand of a drill after the other. kind: bid or nil."""

    BINDINGS = [Binding("n,N", "no_nil", "no nil")]  # noqa: RUF012  (as Textual has it)

    def __init__(self, client: TableClient, kind: str):
        super().__init__(client, said(f"lessons.{kind}"))
        self._kind, self._number = kind, 0

    def on_mount(self) -> None:
        self.do(self._deal())

    async def _deal(self) -> None:
        self.notes = [(said("lessons.dealing"), "quiet")]
        self.redraw()
        dealt = await self.client.ask("drill", kind=self._kind)
        self._number, self.keys = dealt["number"], said(f"terminal.keys.drill_{self._kind}")
        self.notes = [(said(f"lessons.{self._kind}.ask"), "strong")]
        is_bid = self._kind == "bid"
        await self.show([dealt["scene"] if is_bid else dealt["scene"] | {"legal": [], "your_turn": False}])

    async def choose(self, action: str) -> None:
        """Answer, read what the champion says, and go on to the next hand."""
        if self._kind == "nil" and action not in (NIL, NO_NIL):
            return
        self.notes = [(said("lessons.thinking"), "quiet")]
        self.redraw()
        found = await self.client.ask("answer_drill", number=self._number, action=action)

        def fill(lines: Lines) -> None:
            drill_lines(lines, self._kind, found)

        await self.app.push_screen_wait(Page(self.heading, fill, said("terminal.keys.drill_over")))
        await self._deal()

    def action_no_nil(self) -> None:
        if self._kind == "nil" and not self._is_busy:
            self.do(self.choose(NO_NIL))
