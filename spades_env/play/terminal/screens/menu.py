"""Everything beside the game at the table: other games, reviews, settings, the name, files; and the menu of it."""

from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from spades_env.play.daily.deal_of_day import local_day
from spades_env.play.store.settings import DEFAULT_NAME
from spades_env.play.store.sitting_rows import OPEN, UNREADABLE
from spades_env.play.terminal.learn.lessons import Learn
from spades_env.play.terminal.screens.dialogs import ask, ask_line
from spades_env.play.terminal.screens.drawn import program_of
from spades_env.play.terminal.screens.files import GameFiles
from spades_env.play.terminal.screens.form import Pick
from spades_env.play.terminal.screens.new_game import NewGame
from spades_env.play.terminal.screens.people import Guests, found_people, phrases
from spades_env.play.terminal.screens.review import ReviewScreen
from spades_env.play.terminal.screens.settings_form import SettingsForm
from spades_env.play.terminal.screens.table_pages import TablePages
from spades_env.play.terminal.screens.turns import Turns
from spades_env.play.terminal.words import said, when


class TableMenu:
    """Opens screens over a table."""

    def __init__(self, screen: Screen[None], turns: Turns, pages: TablePages):
        self._screen, self._app, self._program = screen, screen.app, program_of(screen)
        self._turns, self._panels, self._client = turns, turns.panels, turns.client
        files = GameFiles(screen, turns, self._review)
        self.by_name: dict[str, Callable[[], None]] = {  # what a key opens
            "help": pages.help,
            "rules": pages.rules,
            "scores": pages.scores,
            "fairness": pages.fairness,
            "statistics": pages.statistics,
            "review": self.review,
            "new_game": self.new_game,
            "menu": self.show,
        }
        self._entries = {
            "menu.games": lambda: turns.do(self._pick_game()),
            "menu.settings": self._set,
            "your_name": lambda: ask_line(screen, said("terminal.name"), self._rename, self._client.name or ""),
            "terminal.menu.write": files.ask_to_write,
            "terminal.menu.read": files.ask_to_read,
            "terminal.menu.abandon": lambda: turns.do(self._ask_to_give_up()),
            "menu.rules": pages.rules,
            "terminal.menu.hashes": pages.fairness,
            "terminal.menu.deals": pages.deals,
            "terminal.menu.daily": lambda: turns.do(self._client.ask("daily", day=local_day())),
            "terminal.menu.dailies": pages.daily,
            "achievements.title": pages.achievements,
            "invite.title": lambda: turns.do(self._open_guests()),
            "say": self._say,
            "lessons.menu": lambda: turns.do(self._open_lessons()),
            "help.title": pages.help,
            "terminal.menu.quit": self._program.action_leave,
        }

    def show(self) -> None:
        items = [(entry, said(key), "", "") for key, entry in self._entries.items()]
        self._app.push_screen(Pick(said("terminal.menu"), items), lambda entry: entry() if entry else None)

    # Games

    def new_game(self) -> None:
        """Set up another game; this one stays until the other begins."""
        self._turns.do(self._open_new_game())

    async def _open_new_game(self) -> None:
        book = (await self._client.ask("statistics"))["statistics"]
        self._app.push_screen(NewGame(self._client, book))

    def review(self) -> None:
        """Review the finished hands of this game, which can then no longer be taken back."""
        view = self._panels.view
        if not view["sheet"]:
            self._panels.say(said("terminal.no_review"))
        elif view["unsettled"]:
            ask(self._screen, said("review.warning"), lambda: self._review(view["key"]))
        else:
            self._review(view["key"])

    def _review(self, key: str) -> None:
        self._turns.do(self._open_review(key))

    async def _open_review(self, key: str) -> None:
        found = await self._client.ask("review", key=key)
        self._app.push_screen(ReviewScreen(self._client, key, found))

    async def _pick_game(self) -> None:
        games = (await self._client.ask("sittings"))["sittings"]
        items = []
        for saved in games:
            people = ", ".join(saved["people"]) or (
                UNREADABLE if saved["rules"] == UNREADABLE else said("terminal.bots")
            )
            items.append((saved, f"{when(saved)}  {people}", saved["result"], saved["title"]))
        self._app.push_screen(Pick(said("menu.games"), items), self._open_saved)

    def _open_saved(self, saved: dict[str, Any] | None) -> None:
        """Resume an unfinished game, review any other."""
        if saved and saved["state"] == OPEN:
            self._turns.do(self._client.ask("open", key=saved["key"]))
        elif saved:
            self._review(saved["key"])

    async def _ask_to_give_up(self) -> None:
        games = (await self._client.ask("sittings"))["sittings"]
        lost = any(saved["forfeit"] for saved in games if saved["key"] == self._panels.view["key"])
        words = said("terminal.forfeit" if lost else "terminal.abandon")
        ask(self._screen, words, lambda: self._turns.do(self._give_up()))

    async def _give_up(self) -> None:
        await self._client.ask("give_up", key=self._panels.view["key"])
        await self._program.begin_usual()

    async def _open_lessons(self) -> None:
        self._app.push_screen(Learn(self._client, await self._client.ask("lessons")))

    # Other people

    async def _open_guests(self) -> None:
        self._app.push_screen(Guests(self._client, await found_people(self._client)))

    def _say(self) -> None:
        self._app.push_screen(
            phrases(self._client), lambda one: self._turns.do(self._client.ask("say", phrase=one)) if one else None
        )

    # Settings and the name

    def _set(self) -> None:
        def show_again(_: Any) -> None:  # in the language that is chosen now
            self._turns.do(self._client.ask("open", key=self._panels.view["key"]))

        self._app.push_screen(SettingsForm(self._client), show_again)

    def _rename(self, name: str) -> None:
        if name:
            self._turns.do(self._change_name(name))

    async def _change_name(self, name: str) -> None:
        is_nameless = self._client.name == DEFAULT_NAME and not self._panels.view["outcome"]
        await self._client.rename(name)
        self._panels.say(said("terminal.named" if is_nameless else "terminal.named_later", name=name))
