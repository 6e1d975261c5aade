"""The moves of the person at the table: bids, cards, takebacks and claims; and asking for advice."""

from textual.screen import Screen

from spades_env.game.cards import MAX_BID
from spades_env.play.terminal.pictures.log_lines import advice_words
from spades_env.play.terminal.screens.dialogs import ask
from spades_env.play.terminal.screens.form import Pick
from spades_env.play.terminal.screens.turns import Turns
from spades_env.play.terminal.words import said

TEN = 10


class PersonMoves:
    """One method for each key that makes a move."""

    def __init__(self, screen: Screen[None], turns: Turns):
        self._screen, self._turns, self._panels = screen, turns, turns.panels

    def tens(self) -> None:
        """Take the next digit as a bid of ten and that many."""
        view = self._panels.scene.view
        if view["your_turn"] and view["phase"] in ("blind", "bid"):
            self._panels.say(add_to_ten())

    def bid(self, digit: int) -> None:
        """Bid a digit, or ten more after the plus."""
        bid = digit + TEN * (self._panels.message == add_to_ten())
        if bid > MAX_BID:
            self._panels.say(said("terminal.most_bid", most=MAX_BID))
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
        self._turns.ask("takeback", moves=moves)

    def takebacks(self) -> None:
        """Ask how far to undo, with a list of the person's moves."""
        most = self._turns.latest["can"]["takeback"]
        if not most:
            self.takeback(1)
            return
        items = [(number, words, "", "") for number, words in enumerate(own_moves(self._turns.latest, most), 1)]
        pick = Pick(said("terminal.undo_to"), items)
        self._screen.app.push_screen(pick, lambda number: self.takeback(number) if number else None)

    def claim(self) -> None:
        """Claim the rest after a question; refuse if it is not certain."""
        if self._panels.view["can"]["claim"]:
            ask(self._screen, said("terminal.ask_claim"), lambda: self._turns.ask("claim"))
        else:
            self._panels.say(said("error.claim"))

    def advice(self) -> None:
        self.skip()
        self._turns.do(self._ask_adviser())
        self._panels.say(said("terminal.hint"))

    def _make(self, action: str) -> None:
        """Make a move; before a nil and a blind bid, ask. A key meant for what was shown before only ends the wait."""
        view = self._panels.scene.view
        if self._turns.is_behind:
            self.skip()
            return
        question = _question(view, action) if action in view["legal"] else ""
        if question:
            ask(self._screen, question, lambda: self._turns.ask("act", action=action))
        else:
            self._turns.ask("act", action=action)

    async def _ask_adviser(self) -> None:
        advice = await self._turns.client.ask("hint", version=self._turns.latest["version"])
        if advice["version"] == self._turns.latest["version"]:
            self._panels.weights = {one["action"]: one["bar"] for one in advice["hint"]}
            words = advice_words(advice, self._panels.nil, self._turns.latest["phase"] == "blind")
            why = " ".join(filter(None, [advice["best"], advice["reason"]]))
            self._panels.log.add(*filter(None, [why, words, advice["words"]]))
            self._panels.say(why or words)


def _question(view: dict, action: str) -> str:
    """Return what to ask before a move; nothing before most."""
    if action == "blind":
        return f"{view['blind_nil']['words']}\n\n{said('terminal.ask_blind')}"
    if view["phase"] == "blind":
        offered = view["blind_bid"]["bids"] if view["blind_bid"] else []
        return next((one["words"] for one in offered if action == f"bid:{one['bid']}"), "")
    is_choice = len(view["legal"]) > 1
    return view["nil"]["words"] if action == "bid:0" and view["nil"] and is_choice else ""


def add_to_ten() -> str:
    """Return a message; while it is shown, a digit stands for ten more."""
    return said("terminal.ten", most=MAX_BID - TEN)


def own_moves(view: dict, most: int) -> list[str]:
    """Describe the moves that the person can take back, the last one first."""
    hand = said("hand", hand=view["hand_number"])
    now = [f"{hand}: {event['words']}" for event in view["events"] if event["seat"] == view["seat"]]
    back = [said("moves", count=number) for number in range(len(now) + 1, most + 1)]
    before = [said("terminal.earlier_move", moves=moves) for moves in back]
    return (now[::-1] + before)[:most]
