"""The moves of the person at the table: bids, cards, takebacks and claims; and asking for advice."""

from textual.screen import Screen

from spades_env.game.cards import MAX_BID
from spades_env.play.coach.hint import coached
from spades_env.play.table.seats import names_at
from spades_env.play.table.table import Question
from spades_env.play.terminal.pictures.log_lines import advice_words
from spades_env.play.terminal.screens.dialogs import ask
from spades_env.play.terminal.screens.form import Pick
from spades_env.play.terminal.screens.turns import Turns
from spades_env.play.texts import text
from spades_env.play.threads import in_thread

TEN = 10
ADD_TO_TEN = f"10 and …: 0 to {MAX_BID - TEN}"  # while this is shown, a digit stands for ten more


class PersonMoves:
    """One method for each key that makes a move."""

    def __init__(self, screen: Screen[None], turns: Turns):
        self._screen, self._turns, self._panels, self._sitting = screen, turns, turns.panels, turns.sitting

    def tens(self) -> None:
        """Take the next digit as a bid of ten and that many."""
        view = self._panels.scene.view
        if view["your_turn"] and view["phase"] == "bid":
            self._panels.say(ADD_TO_TEN)

    def bid(self, digit: int) -> None:
        """Bid a digit, or ten more after the plus."""
        bid = digit + TEN * (self._panels.message == ADD_TO_TEN)
        if bid > MAX_BID:
            self._panels.say(f"A bid is at most {MAX_BID}")
        else:
            self._make(f"bid:{bid}")

    def choose(self) -> None:
        """Choose what is under the cursor; if it is not the person's turn, end the wait."""
        if self._panels.steps_back:
            self._panels.look_back(0)
        elif not self._panels.scene.view["your_turn"]:
            self.skip()
        elif self._panels.cursor:
            self._make(self._panels.cursor)

    def skip(self) -> None:
        self._turns.wait.skip()

    def takeback(self, moves: int) -> None:
        self._turns.move(lambda: self._sitting.takeback(moves))

    def takebacks(self) -> None:
        """Ask how far to undo, with a list of the person's moves."""
        moves = self._sitting.own_moves()
        if not moves:
            self.takeback(1)
            return
        items = [(number, words, "", "") for number, words in enumerate(moves, 1)]
        pick = Pick("Undo back to …", items)
        self._screen.app.push_screen(pick, lambda number: self.takeback(number) if number else None)

    def claim(self) -> None:
        """Claim the rest after a question; refuse if it is not certain."""
        if self._panels.view["can"]["claim"]:
            ask(
                self._screen, "Every trick left is yours. Take the rest?", lambda: self._turns.move(self._sitting.claim)
            )
        else:
            self._panels.say(text("error.claim"))

    def advice(self) -> None:
        self._turns.attempt(self._ask_adviser)

    def _make(self, action: str) -> None:
        """Make a move; before a nil, ask. A key meant for a hand that is over only ends the wait."""
        view, rules = self._panels.scene.view, self._sitting.table.rules
        if self._turns.wait.is_on and view["version"] != self._panels.view["version"]:
            self.skip()
            return
        question = ""
        if action in view["legal"] and action == "bid:0" and rules.nil:
            bonus = rules.nil_bonus
            question = f"Bid nil? Take no tricks: +{bonus} if you make it, −{bonus} if you don't."
        elif action in view["legal"] and action == "blind":
            question = f"{view['blind_nil']['words']}\n\nBid blind nil?"
        if question:
            ask(self._screen, question, lambda: self._act(action))
        else:
            self._act(action)

    def _act(self, action: str) -> None:
        self._turns.move(lambda: self._sitting.act(action))

    def _ask_adviser(self) -> None:
        question = self._sitting.ask()
        self.skip()
        self._panels.rearrange()
        self._panels.say("Thinking about a hint…")
        self._screen.run_worker(self._show_advice(question), group="advice", exclusive=True)

    async def _show_advice(self, question: Question) -> None:
        names = names_at(self._sitting.table.seats, question.seat)
        advice = await in_thread(coached, question, names)
        if question.version == self._sitting.table.version:
            self._panels.weights = {one["action"]: one["bar"] for one in advice["hint"]}
            words = advice_words(advice, self._sitting.table.rules.nil)
            reason = [advice["reason"]] if advice["reason"] else []
            self._panels.log.add(words, advice["words"], *reason)
            self._panels.say(words)
