"""The pages that the table opens: keys, rules, scores, fairness, statistics, and the sheet after a hand."""

from collections.abc import Callable
from typing import Any

from rich.text import Text
from textual.screen import Screen

from play.review.deals import DEALS, counted
from play.store.statistics import statistics
from play.terminal.keys import help_lines
from play.terminal.pictures import pages
from play.terminal.pictures.log_lines import end_lines
from play.terminal.screens.dialogs import Page
from play.terminal.screens.drawn import styles_of
from play.terminal.screens.turns import Turns
from play.threads import in_thread
from spades_env.shuffle import new_secret

Styles = dict[str, str]


class TablePages:
    """Pages about the sitting that is played, over the screen of its table."""

    def __init__(self, screen: Screen[Any], turns: Turns, say: Callable[[str], None]):
        self._screen, self._turns, self._say = screen, turns, say

    async def show_sheet(self) -> None:
        """Show what the hand brought, at the end of the game how it ended; return when it has been read."""
        view, end = self._turns.view, []
        if view["outcome"]:
            end = [*end_lines(view), self._rating_words()]

        def build(width: int) -> Text:
            return pages.scores_page(view, width, styles_of(self._screen), end, latest_only=not end)

        title = "The game is over" if end else f"Hand {view['sheet'][-1]['hand_number']}"
        await self._screen.app.push_screen_wait(Page(title, build, "Space goes on"))

    def _rating_words(self) -> str:
        sitting = self._turns.sitting
        if not sitting.table.counted:
            return "This game is not counted."
        return f"Your rating is {statistics(sitting.store, sitting.name).rating}."

    def help(self) -> None:
        """Show all keys."""
        self._open("Keys", lambda width, styles: pages.help_page(help_lines(), width, styles))

    def rules(self) -> None:
        """Show the rules in words, and the trumps."""
        self._open("The rules of this game", lambda width, styles: pages.rules_page(self._turns.view, width, styles))

    def scores(self) -> None:
        """Explain every finished hand, with the graph of scores."""
        self._open("Scores", lambda width, styles: pages.scores_page(self._turns.view, width, styles))

    def fairness(self) -> None:
        """Show the hashes, and what opens those of hands that were looked at; after the game, all."""
        table = self._turns.sitting.table
        opened = table.proofs()
        hands = zip(table.finished, opened["hands"], strict=True)
        seen = [proof for hand, proof in hands if table.over or hand.number <= table.settled]
        shown = (table.commitments, table.first_hand, [*opened["game"], *seen])
        self._open("Fairness", lambda width, styles: pages.fairness_page(*shown, width, styles))

    def deals(self) -> None:
        """Count ten thousand deals in a thread, and show the counts."""
        self._say(f"{DEALS:,} deals are counted …")
        self._screen.run_worker(self._count_deals(), group="deals", exclusive=True)

    async def _count_deals(self) -> None:
        found = await in_thread(counted, new_secret())
        self._say("")
        self._open("Is the shuffling fair?", lambda width, styles: pages.deals_page(found, width, styles))

    def statistics(self) -> None:
        """Show the person's statistics, beside those of the games without help."""
        store, name = self._turns.sitting.store, self._turns.sitting.name
        found, unaided = statistics(store, name), statistics(store, name, unaided=True)
        self._open(f"The book of {name}", lambda width, styles: pages.statistics_page(found, unaided, width, styles))

    def _open(self, title: str, build: Callable[[int, Styles], Text]) -> None:
        self._screen.app.push_screen(Page(title, lambda width: build(width, styles_of(self._screen))))
