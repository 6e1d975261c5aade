"""The table on the screen: draws scenes, and turns keys into moves."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Resize

from play.advice import advise
from play.table import Question
from play.terminal import cursor
from play.terminal.dialogs import Ask
from play.terminal.drawn import Drawn
from play.terminal.flow import Flow
from play.terminal.form import Pick
from play.terminal.frames import looked_back
from play.terminal.hand_picture import Hand, hand_picture, hand_rows
from play.terminal.keys import KEYS, key_line
from play.terminal.panels import line_picture, prompt_words, side_picture
from play.terminal.sitting import Sitting
from play.terminal.table_picture import Scene, scene_of, table_picture
from play.terminal.told import advice_words, bids_words, trick_words, turn_words
from play.threads import in_thread
from spades_env.cards import MAX_BID, SEATS

LEAST = (80, 24)
WIDE, CLOCK_SECONDS = 120, 0.5
TEN = 10


class TableScreen(Flow):
    """One sitting; `scene` is what of it is on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(key.keys, key.action, key.words) for key in KEYS]

    def __init__(self, sitting: Sitting):
        super().__init__()
        self.begin(sitting)
        self.scene = scene_of(self.view)
        self.cursor: str | None = None
        self.tens = False  # does the next digit stand for ten more?
        self.message = ""

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
        self.go_on()

    def on_resize(self, event: Resize) -> None:
        """Make room for the hand, and for what stands beside the table, in a window of this size."""
        width, height = event.size
        self.set_class(width >= WIDE, "-wide")
        self.query_one("#hand").styles.height = hand_rows(width, height)

    # What is shown

    def show(self, scene: Scene) -> None:
        """This on the screen."""
        self.scene = scene
        self.cursor = cursor.settled(scene.view, self.cursor)
        self.redraw()

    def redraw(self) -> None:
        for drawn in self.query(Drawn):
            drawn.redraw()

    def rearrange(self) -> None:
        """After a change of settings."""
        self.view = self.view_now()
        self.show(scene_of(self.view))

    def say(self, words: str) -> None:
        """A sentence under the hand, until something else is to be said."""
        self.message, self.tens = words, False
        self.redraw()

    # Moving

    def action_sideways(self, way: int) -> None:
        """The cursor to the left (way −1) or to the right (1)."""
        self._move_cursor(cursor.sideways(self.scene.view, self.cursor, way))

    def action_suitwise(self, way: int) -> None:
        """The cursor to the suit before (way −1) or after (1)."""
        self._move_cursor(cursor.suitwise(self.scene.view, self.cursor, way))

    def action_suit(self, letter: str) -> None:
        """The cursor to a suit; once there, to its next card."""
        self._move_cursor(cursor.suit(self.scene.view, self.cursor, letter))

    def action_ends(self, lowest: bool) -> None:
        """The cursor to the lowest or the highest card of its suit."""
        self._move_cursor(cursor.ends(self.scene.view, self.cursor, lowest, self.settings["rising"]))

    def _move_cursor(self, place: str | None) -> None:
        self.cursor = place
        self.say("")

    def action_tens(self) -> None:
        """The next digit is a bid of ten and that."""
        if self.scene.view["your_turn"] and self.scene.view["phase"] == "bid":
            self.say(f"10 and …: 0 to {MAX_BID - TEN}")
            self.tens = True

    def action_bid(self, bid: int) -> None:
        """A digit was pressed: bid so many, and ten more after the plus."""
        bid += TEN * self.tens
        self.tens = False
        if bid > MAX_BID:
            self.say(f"A bid is at most {MAX_BID}")
        else:
            self._choose(f"bid:{bid}")

    def action_choose(self) -> None:
        """What is under the cursor; where there is nothing to choose, the wait ends."""
        if self.steps_back:
            self.action_look_back(0)
        elif not self.scene.view["your_turn"]:
            self.action_skip()
        elif self.cursor:
            self._choose(self.cursor)

    def action_skip(self) -> None:
        """End a wait, if there is one."""
        self.pace.skip()

    def _choose(self, action: str) -> None:
        """Do it; a nil asks first. A key that is meant for a hand that is over only ends the wait."""
        if self.pace.waiting and self.scene.view["version"] != self.view["version"]:
            self.action_skip()
            return
        view, bonus = self.scene.view, self.sitting.table.rules.nil_bonus
        asked = ""
        if action in view["legal"] and action == "bid:0" and self.nil:
            asked = f"Bid nil: no trick at all? +{bonus} if you keep it, −{bonus} if you take one."
        elif action in view["legal"] and action == "blind":
            asked = f"{view['blind_nil']['words']}\n\nBid blind nil?"
        if asked:
            self.app.push_screen(Ask(asked), lambda yes: self._act(action) if yes else None)
        else:
            self._act(action)

    def _act(self, action: str) -> None:
        if self.done(lambda: self.sitting.act(action)):
            self.go_on()

    def action_takeback(self, moves: int) -> None:
        """Undo so many of the own moves."""
        if self.done(lambda: self.sitting.takeback(moves)):
            self.go_on()

    def action_takebacks(self) -> None:
        """How far back, chosen from the own moves."""
        moves = self.sitting.own_moves()
        if not moves:
            self.action_takeback(1)
            return
        items = [(number, words, "", "") for number, words in enumerate(moves, 1)]
        self.app.push_screen(Pick("Take back to before …", items), lambda n: self.action_takeback(n) if n else None)

    def action_claim(self) -> None:
        """Take the rest, once the person has said yes; refused where it is not certain."""
        if not self.view["can"]["claim"]:
            self.say("It is not certain that every trick left is yours when you lead now")
            return
        asked = "Every trick left is yours. Take the rest?"
        self.app.push_screen(Ask(asked), lambda yes: self._claim() if yes else None)

    def _claim(self) -> None:
        if self.done(self.sitting.claim):
            self.go_on()

    def action_advice(self) -> None:
        """What the adviser weighs, thought out in a thread."""
        questions: list[Question] = []
        if self.done(lambda: questions.append(self.sitting.ask())):
            self.pace.skip()
            self.rearrange()
            self.say("The adviser thinks …")
            self.run_worker(self._advise(questions[0]), group="advice", exclusive=True)

    async def _advise(self, question: Question) -> None:
        told = await in_thread(advise, question)
        if question.version != self.sitting.table.version:
            return
        self.weights = {one["action"]: one["bar"] for one in told["hint"]}
        words = advice_words(told, self.nil)
        self.note([words, told["words"]])
        self.say(words)

    # Looking

    def action_look_back(self, steps: int) -> None:
        """An earlier trick; each time the one before. 0: back to the table."""
        self.steps_back = self.steps_back + steps if steps else 0
        scene = looked_back(self.view, self.steps_back) if self.steps_back else None
        if scene is None:
            self.say("There is no earlier trick to see" if self.steps_back else "")
            self.steps_back = 0
        else:
            self.say(f"{trick_words(scene.trick)}: {SEATS[scene.trick['winning']]} won")
        self.show(scene or scene_of(self.view))

    def action_say_turn(self) -> None:
        """Whose turn it is, said and put into the log."""
        self._tell(turn_words(self.view))

    def action_say_bids(self) -> None:
        """Bids and tricks of all seats, said and put into the log."""
        self._tell(bids_words(self.view))

    def _tell(self, words: str) -> None:
        self.note([words])
        self.say(words)

    # Drawing

    def _draw_table(self, width: int, height: int) -> Text:
        return table_picture(self.scene, width, height, self.look)

    def _draw_side(self, width: int, height: int) -> Text:
        left = self.sitting.table.clock.left()
        return side_picture(self.scene.view, left, self.lines, width, height, self.look)

    def _draw_hand(self, width: int, height: int) -> Text:
        hand = Hand(self.scene.view, self.cursor, self.weights, self.nil)
        return hand_picture(hand, width, height, self.look)

    def _draw_prompt(self, width: int, height: int) -> Text:
        style = "gold" if self.scene.view["your_turn"] else "quiet"
        return line_picture(prompt_words(self.scene.view, self.thinking), style, width, self.look)

    def _draw_message(self, width: int, height: int) -> Text:
        columns, rows = self.app.size
        small = f"This window has {columns} × {rows} characters: the table needs {LEAST[0]} × {LEAST[1]}"
        fits = columns >= LEAST[0] and rows >= LEAST[1]
        return line_picture(self.message if fits else small, "strong", width, self.look)

    def _draw_keys(self, width: int, height: int) -> Text:
        return line_picture(key_line(self.scene.view), "quiet", width, self.look)
