"""The table on the screen: draws scenes, and turns keys into moves."""

from collections.abc import Callable
from typing import Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Resize
from textual.screen import Screen

from play.store.sitting import Sitting
from play.table.advice import advise
from play.table.table import Question
from play.terminal import cursor
from play.terminal.keys import KEYS, key_line
from play.terminal.pictures.frames import earlier_trick
from play.terminal.pictures.hand import HandState, hand_picture, hand_rows
from play.terminal.pictures.log_lines import advice_words, bids_words, trick_words, turn_words
from play.terminal.pictures.panels import line_picture, prompt_words, side_picture
from play.terminal.pictures.table import Scene, scene_of, table_picture
from play.terminal.screens.dialogs import Ask
from play.terminal.screens.drawn import Drawn, Program
from play.terminal.screens.form import Pick
from play.terminal.screens.menu import TableMenu
from play.terminal.screens.table_pages import TablePages
from play.terminal.screens.turns import Turns
from play.threads import in_thread
from spades_env.cards import MAX_BID, SEATS

LEAST = (80, 24)
WIDE, CLOCK_SECONDS = 120, 0.5
TEN = 10


class TableScreen(Screen[None]):
    """One sitting: `turns` plays it, `menu` opens what is beside it, `scene` is what of it is on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(key.keys, key.action, key.words) for key in KEYS]

    def __init__(self, sitting: Sitting, program: Program):
        super().__init__()
        self.sitting, self.program = sitting, program
        self.turns = Turns(
            sitting, program, show=self._show_new, redraw=self.redraw, say=self.say, show_sheet=self._show_sheet
        )
        self.pages = TablePages(self, self.turns, self.say)
        self.menu = TableMenu(
            self,
            program,
            sitting,
            self.pages,
            say=self.say,
            attempt=self.attempt,
            move=self.move,
            rearrange=self.rearrange,
        )
        self.scene = scene_of(self.turns.view)
        self.cursor: str | None = None
        self.message = ""
        self._tens = False  # does the next digit stand for ten more?
        self._steps_back = 0  # which earlier trick is shown; 0: none
        self._heeding = False  # is being done what the clock demands?

    def compose(self) -> ComposeResult:
        with Horizontal(id="upper"):
            yield Drawn(self._draw_table, id="table")
            yield Drawn(self._draw_side, id="side")
        yield Drawn(self._draw_prompt, id="prompt")
        yield Drawn(self._draw_hand, id="hand")
        yield Drawn(self._draw_message, id="message")
        yield Drawn(self._draw_keys, id="keys")

    def on_mount(self) -> None:
        """Start the clock's ticks, and play on from where the game stands."""
        self.set_interval(CLOCK_SECONDS, self.tick)
        self.play_on()

    def on_resize(self, event: Resize) -> None:
        """Make room for the hand, and for what stands beside the table, in a window of this size."""
        width, height = event.size
        self.set_class(width >= WIDE, "-wide")
        self.query_one("#hand").styles.height = hand_rows(width, height)

    # What is shown

    def redraw(self) -> None:
        """Draw the scene again, with what has changed around it."""
        for drawn in self.query(Drawn):
            drawn.redraw()

    def rearrange(self) -> None:
        """Show everything as the settings now say."""
        self.turns.update_view()
        self._show(scene_of(self.turns.view))

    def say(self, words: str) -> None:
        """Show a sentence under the hand, in place of the one before."""
        self.message, self._tens = words, False
        self.redraw()

    def _show(self, scene: Scene) -> None:
        self.scene = scene
        self.cursor = cursor.settled(scene.view, self.cursor)
        self.redraw()

    def _show_new(self, scene: Scene) -> None:
        self._steps_back = 0
        self._show(scene)

    async def _show_sheet(self) -> None:
        await self.pages.show_sheet()

    # Playing on

    def play_on(self) -> None:
        """Show what has happened, and let the bots move until it is the person's turn."""
        self.run_worker(self.turns.play_on(), group="table", exclusive=True)

    def attempt(self, act: Callable[[], Any]) -> bool:
        """Do something at the table; say why if it is refused."""
        self.say("")
        try:
            act()
        except ValueError as error:
            self.say(str(error))
            if self.turns.has_failed or self.turns.has_moved_on(error):
                self.play_on()
            return False
        return True

    def move(self, act: Callable[[], Any]) -> bool:
        """Do something at the table, and play on if it was not refused."""
        done = self.attempt(act)
        if done:
            self.play_on()
        return done

    def tick(self) -> None:
        """Show the time that is left, and do what the clock demands."""
        clock = self.turns.view["clock"]
        if clock["sitting"] is None and clock["move"] is None:
            return
        if self.sitting.time_is_up and not self._heeding:
            self._heeding = True
            self.run_worker(self._heed_clock(), group="clock")
        self.query_one("#side", Drawn).redraw()

    async def _heed_clock(self) -> None:
        try:
            moved = await self.turns.heed_clock()
        finally:
            self._heeding = False
        if moved:
            self.play_on()

    # The cursor

    def action_sideways(self, way: int) -> None:
        """Move the cursor to the left (way −1) or to the right (1)."""
        self._put_cursor(cursor.sideways(self.scene.view, self.cursor, way))

    def action_suitwise(self, way: int) -> None:
        """Move the cursor to the suit before (way −1) or after (1)."""
        self._put_cursor(cursor.suitwise(self.scene.view, self.cursor, way))

    def action_suit(self, letter: str) -> None:
        """Move the cursor to a suit; once there, to its next card."""
        self._put_cursor(cursor.suit(self.scene.view, self.cursor, letter))

    def action_ends(self, lowest: bool) -> None:
        """Move the cursor to the lowest or the highest card of its suit."""
        self._put_cursor(cursor.ends(self.scene.view, self.cursor, lowest, self.program.settings["rising"]))

    def _put_cursor(self, place: str | None) -> None:
        self.cursor = place
        self.say("")

    # Moves

    def action_tens(self) -> None:
        """Take the next digit as a bid of ten and that."""
        if self.scene.view["your_turn"] and self.scene.view["phase"] == "bid":
            self.say(f"10 and …: 0 to {MAX_BID - TEN}")
            self._tens = True

    def action_bid(self, bid: int) -> None:
        """Bid a digit, and ten more after the plus."""
        bid += TEN * self._tens
        self._tens = False
        if bid > MAX_BID:
            self.say(f"A bid is at most {MAX_BID}")
        else:
            self._choose(f"bid:{bid}")

    def action_choose(self) -> None:
        """Choose what is under the cursor; where there is nothing to choose, end the wait."""
        if self._steps_back:
            self.action_look_back(0)
        elif not self.scene.view["your_turn"]:
            self.action_skip()
        elif self.cursor:
            self._choose(self.cursor)

    def action_skip(self) -> None:
        """End a wait, if there is one."""
        self.turns.wait.skip()

    def _choose(self, action: str) -> None:
        """Make a move; ask first if it is a nil. A key meant for a hand that is over only ends the wait."""
        if self.turns.wait.is_on and self.scene.view["version"] != self.turns.view["version"]:
            self.action_skip()
            return
        view, rules = self.scene.view, self.sitting.table.rules
        question = ""
        if action in view["legal"] and action == "bid:0" and rules.nil:
            bonus = rules.nil_bonus
            question = f"Bid nil: no trick at all? +{bonus} if you keep it, −{bonus} if you take one."
        elif action in view["legal"] and action == "blind":
            question = f"{view['blind_nil']['words']}\n\nBid blind nil?"
        if question:
            self.app.push_screen(Ask(question), lambda yes: self._act(action) if yes else None)
        else:
            self._act(action)

    def _act(self, action: str) -> None:
        self.move(lambda: self.sitting.act(action))

    def action_takeback(self, moves: int) -> None:
        """Undo so many of the person's moves."""
        self.move(lambda: self.sitting.takeback(moves))

    def action_takebacks(self) -> None:
        """Ask how far to take back, with a list of the person's moves."""
        moves = self.sitting.own_moves()
        if not moves:
            self.action_takeback(1)
            return
        items = [(number, words, "", "") for number, words in enumerate(moves, 1)]
        self.app.push_screen(Pick("Take back to before …", items), lambda n: self.action_takeback(n) if n else None)

    def action_claim(self) -> None:
        """Take the rest, once the person has said yes; refuse where it is not certain."""
        if not self.turns.view["can"]["claim"]:
            self.say("It is not certain that every trick left is yours when you lead now")
            return
        question = "Every trick left is yours. Take the rest?"
        self.app.push_screen(Ask(question), lambda yes: self._claim() if yes else None)

    def _claim(self) -> None:
        self.move(self.sitting.claim)

    def action_advice(self) -> None:
        """Show what the adviser weighs, thought out in a thread."""
        questions: list[Question] = []
        if self.attempt(lambda: questions.append(self.sitting.ask())):
            self.turns.wait.skip()
            self.rearrange()
            self.say("The adviser thinks …")
            self.run_worker(self._advise(questions[0]), group="advice", exclusive=True)

    async def _advise(self, question: Question) -> None:
        advice = await in_thread(advise, question)
        if question.version != self.sitting.table.version:
            return
        self.turns.weights = {one["action"]: one["bar"] for one in advice["hint"]}
        words = advice_words(advice, self.sitting.table.rules.nil)
        self.turns.log.add(words, advice["words"])
        self.say(words)

    # Looking

    def action_open(self, name: str) -> None:
        """Open a page or a form over the table."""
        self.menu.by_name[name]()

    def action_look_back(self, steps: int) -> None:
        """Show an earlier trick, each time the one before; 0: the table again."""
        self._steps_back = self._steps_back + steps if steps else 0
        scene = earlier_trick(self.turns.view, self._steps_back) if self._steps_back else None
        if scene is None:
            self.say("There is no earlier trick to see" if self._steps_back else "")
            self._steps_back = 0
        else:
            self.say(f"{trick_words(scene.trick)}: {SEATS[scene.trick['winning']]} won")
        self._show(scene or scene_of(self.turns.view))

    def action_say_turn(self) -> None:
        """Say whose turn it is."""
        self._say_and_log(turn_words(self.turns.view))

    def action_say_bids(self) -> None:
        """Say the bids and tricks of all seats."""
        self._say_and_log(bids_words(self.turns.view))

    def _say_and_log(self, words: str) -> None:
        self.turns.log.add(words)
        self.say(words)

    # Drawing

    def _draw_table(self, width: int, height: int) -> Text:
        return table_picture(self.scene, width, height, self.program.look.styles)

    def _draw_side(self, width: int, height: int) -> Text:
        left, lines = self.sitting.table.clock.left(), self.turns.log.lines
        return side_picture(self.scene.view, left, lines, width, height, self.program.look.styles)

    def _draw_hand(self, width: int, height: int) -> Text:
        hand = HandState(self.scene.view, self.cursor, self.turns.weights, self.sitting.table.rules.nil)
        return hand_picture(hand, width, height, self.program.look.styles)

    def _draw_prompt(self, width: int, height: int) -> Text:
        style = "gold" if self.scene.view["your_turn"] else "quiet"
        words = prompt_words(self.scene.view, self.turns.thinking)
        return line_picture(words, style, width, self.program.look.styles)

    def _draw_message(self, width: int, height: int) -> Text:
        columns, rows = self.app.size
        small = f"This window has {columns} × {rows} characters: the table needs {LEAST[0]} × {LEAST[1]}"
        fits = columns >= LEAST[0] and rows >= LEAST[1]
        return line_picture(self.message if fits else small, "strong", width, self.program.look.styles)

    def _draw_keys(self, width: int, height: int) -> Text:
        return line_picture(key_line(self.scene.view), "quiet", width, self.program.look.styles)
