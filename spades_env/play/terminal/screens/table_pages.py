"""The pages that the table opens: keys, rules, scores, fairness, statistics, and the sheet after a hand."""

from functools import partial
from typing import Any

from textual.screen import Screen

from spades_env.play.daily.comparison import is_complete
from spades_env.play.daily.deal_of_day import local_day
from spades_env.play.terminal.keys import help_lines
from spades_env.play.terminal.pictures import pages
from spades_env.play.terminal.pictures.ending import ending_lines, write_achievements, write_daily
from spades_env.play.terminal.pictures.log_lines import end_lines
from spades_env.play.terminal.screens.dialogs import Page
from spades_env.play.terminal.screens.turns import Turns
from spades_env.play.terminal.words import said

WAIT_SECONDS = 0.1  # until the champion's hands are looked at again


class TablePages:
    """Opens pages about a table over it."""

    def __init__(self, screen: Screen[None], turns: Turns):
        self._screen, self._turns, self._panels, self._client = screen, turns, turns.panels, turns.client

    async def show_sheet(self) -> None:
        """Show the points of the hand, and the result if the game is over; return once the page is closed."""
        view = self._panels.view
        if view["outcome"]:
            await self._wait_for_champion()
            found = [] if view["watching"] else ending_lines(await self._client.ask("ending", key=view["key"]))
            title, end = said("end.over"), [*end_lines(view), *found]
        else:
            title, end = said("hand", hand=view["sheet"][-1]["hand_number"]), []
        fill = partial(pages.write_scores, view=view, end=end, latest_only=not end)
        await self._screen.app.push_screen_wait(Page(title, fill, said("terminal.keys.sheet")))

    async def _wait_for_champion(self) -> None:
        """Wait until the champion has finished a daily deal; a key ends it."""
        self._panels.say(said("daily.waiting") if self._turns.latest["daily"] else "")
        while (daily := self._turns.latest["daily"]) and not is_complete(daily):
            if await self._turns.wait.last(WAIT_SECONDS):
                break
        self._panels.say("")

    def help(self) -> None:
        self._open(said("help.title"), lambda lines: pages.write_help(lines, help_lines()))

    def rules(self) -> None:
        self._open(said("menu.rules"), lambda lines: pages.write_rules(lines, self._panels.view["rules"]))

    def scores(self) -> None:
        self._open(said("scores"), lambda lines: pages.write_scores(lines, self._panels.view))

    def fairness(self) -> None:
        """Show the hashes, with the proofs of finished hands if their moves can't be taken back any more."""
        view = self._panels.view
        if not view["sheet"] or view["unsettled"]:
            self._show_fairness(view, [])
        else:
            self._turns.do(self._open_proofs(view))

    async def _open_proofs(self, view: dict) -> None:
        found = (await self._client.ask("proofs", key=view["key"]))["proofs"]
        self._show_fairness(view, [*found["game"], *found["hands"]])

    def _show_fairness(self, view: dict, proofs: list[dict]) -> None:
        first = view["hand_number"] + 1 - len(view["fair"]["hands"])
        self._open(said("fairness"), lambda lines: pages.write_fairness(lines, view["fair"], first, proofs))

    def deals(self) -> None:
        self._turns.do(self._count_deals())
        self._panels.say(said("fairness.counting"))

    async def _count_deals(self) -> None:
        found = await self._client.ask("deals")
        self._panels.say("")
        self._open(said("fairness.deals"), lambda lines: pages.write_deals(lines, found))

    def statistics(self) -> None:
        self._turns.do(self._show_statistics())

    async def _show_statistics(self) -> None:
        found, unaided = [(await self._client.ask("statistics", unaided=only))["statistics"] for only in (False, True)]
        self._open(said("menu.statistics"), lambda lines: pages.write_statistics(lines, found, unaided))

    def daily(self) -> None:
        self._turns.do(self._show("daily.title", write_daily, "daily", "dailies", day=local_day()))

    def achievements(self) -> None:
        self._turns.do(self._show("achievements.title", write_achievements, "achievements", "achievements"))

    async def _show(self, title: str, write: Any, name: str, do: str, **fields: Any) -> None:
        """Show a part of an answer."""
        found = (await self._client.ask(do, **fields))[name]
        self._open(said(title), lambda lines: write(lines, found))

    def _open(self, title: str, fill: pages.Fill) -> None:
        self._screen.app.push_screen(Page(title, fill))
