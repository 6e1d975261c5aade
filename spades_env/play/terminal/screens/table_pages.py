"""The pages that the table opens: keys, rules, scores, fairness, statistics, and the sheet after a hand."""

from functools import partial

from textual.screen import Screen

from spades_env.game.shuffle import new_secret
from spades_env.play.daily.deal import local_day
from spades_env.play.progress.achievements import achievements
from spades_env.play.progress.daily import daily_status
from spades_env.play.progress.ending import ending
from spades_env.play.progress.facts import facts_of
from spades_env.play.review.deals import DEALS, counted
from spades_env.play.store.sitting import Sitting
from spades_env.play.store.statistics import statistics
from spades_env.play.terminal.keys import help_lines
from spades_env.play.terminal.pictures import pages
from spades_env.play.terminal.pictures.ending import ending_lines, write_achievements, write_daily
from spades_env.play.terminal.pictures.log_lines import end_lines
from spades_env.play.terminal.screens.champion import ChampionGame
from spades_env.play.terminal.screens.dialogs import Page
from spades_env.play.terminal.screens.panels import TablePanels
from spades_env.play.texts import text
from spades_env.play.threads import in_thread


class TablePages:
    """Opens pages about a sitting over its table."""

    def __init__(self, screen: Screen[None], sitting: Sitting, panels: TablePanels, champion: ChampionGame):
        self._screen, self._sitting, self._panels, self._champion = screen, sitting, panels, champion

    async def show_sheet(self) -> None:
        """Show the points of the hand, and the result if the game is over; return once the page is closed."""
        view = self._panels.view
        if view["outcome"]:
            await self._wait_for_champion()
            sitting = self._sitting
            found = ending(sitting.store, sitting.table, sitting.seat, sitting.name)
            title, end = "The game is over", [*end_lines(view), *ending_lines(found)]
        else:
            title, end = f"Hand {view['sheet'][-1]['hand_number']}", []
        fill = partial(pages.write_scores, view=view, end=end, latest_only=not end)
        await self._screen.app.push_screen_wait(Page(title, fill, "Space: continue"))

    async def _wait_for_champion(self) -> None:
        if self._sitting.table.daily:
            self._panels.say(text("daily.waiting"))
            await self._champion.end()
            self._panels.say("")

    def help(self) -> None:
        self._open("Keys", lambda lines: pages.write_help(lines, help_lines()))

    def rules(self) -> None:
        self._open("Rules of this table", lambda lines: pages.write_rules(lines, self._panels.view["rules"]))

    def scores(self) -> None:
        self._open("Scores", lambda lines: pages.write_scores(lines, self._panels.view))

    def fairness(self) -> None:
        """Show the hashes, with the proofs of reviewed hands; after the game, of all hands."""
        table = self._sitting.table
        proofs = table.proofs()
        hands = zip(table.finished, proofs["hands"], strict=True)
        seen = [proof for hand, proof in hands if table.over or hand.number <= table.settled]
        opened = [*proofs["game"], *seen]
        self._open("Fairness", lambda lines: pages.write_fairness(lines, table.commitments, table.first_hand, opened))

    def deals(self) -> None:
        self._panels.say(f"Counting {DEALS:,} deals…")
        self._screen.run_worker(self._count_deals(), group="deals", exclusive=True)

    async def _count_deals(self) -> None:
        found = await in_thread(counted, new_secret())
        self._panels.say("")
        self._open("Is the shuffling fair?", lambda lines: pages.write_deals(lines, found))

    def statistics(self) -> None:
        store, name = self._sitting.store, self._sitting.name
        found, unaided = statistics(store, name), statistics(store, name, unaided=True)
        self._open(f"Statistics of {name}", lambda lines: pages.write_statistics(lines, found, unaided))

    def daily(self) -> None:
        status = daily_status(self._sitting.store, self._sitting.name, local_day())
        self._open(text("daily.title"), lambda lines: write_daily(lines, status))

    def achievements(self) -> None:
        found = achievements(facts_of(self._sitting.store, self._sitting.name))
        self._open(text("achievements.title"), lambda lines: write_achievements(lines, found))

    def _open(self, title: str, fill: pages.Fill) -> None:
        self._screen.app.push_screen(Page(title, fill))
