"""What the table's screen opens: pages, forms, other games, files."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rich.text import Text
from textual.screen import Screen

from agents.files import write_whole
from play import sitting_text
from play.deal_statistics import DEALS, counted
from play.listed import listed, rule_names
from play.seats import TableError
from play.statistics import statistics
from play.store import OPEN, UNREADABLE, ElsewhereError, Saved
from play.table import Table
from play.terminal.dialogs import Ask, Page, Write
from play.terminal.drawn import styles_of
from play.terminal.form import Pick
from play.terminal.new_game import NewGame
from play.terminal.pages import deals_page, fairness_page, help_page, rules_page, scores_page, statistics_page
from play.terminal.review_screen import ReviewScreen
from play.terminal.settings_form import SettingsForm
from play.terminal.sitting import NOBODY, Sitting, person, rename, replayed, resumed, when
from play.terminal.told import end_words
from play.threads import in_thread
from spades_env.shuffle import new_secret

if TYPE_CHECKING:
    from play.terminal.app import SpadesApp


LOOK = "Look at finished hands with all cards open? Then nothing up to their end can be taken back any more."


class Desk(Screen[None]):
    """Beside the game itself. What inherits it has a sitting, its view, and says things."""

    sitting: Sitting
    view: dict
    halted: bool

    def say(self, words: str) -> None:
        """Tell the person a sentence, in place of the one before."""
        raise NotImplementedError

    def go_on(self) -> None:
        """Show what has happened since, and play on."""
        raise NotImplementedError

    def rearrange(self) -> None:
        """Show everything as the settings now say."""
        raise NotImplementedError

    @property
    def program(self) -> "SpadesApp":
        """The app with what is its own beyond Textual's."""
        return cast("SpadesApp", self.app)

    @property
    def settings(self) -> dict[str, Any]:
        """What the person has set for the terminal, as it is now."""
        return self.program.settings

    @property
    def look(self) -> dict[str, str]:
        """What the names of styles mean now."""
        return styles_of(self)

    @property
    def nil(self) -> bool:
        """Is a bid of 0 a nil here?"""
        return self.sitting.table.rules.nil

    def done(self, deed: Callable[[], Any]) -> bool:
        """Do something at the table; what refuses it is said."""
        self.say("")
        try:
            deed()
        except ValueError as error:
            self.say(str(error))
            if self.halted or self.has_moved_on(error):
                self.go_on()
            return False
        return True

    def has_moved_on(self, error: ValueError) -> bool:
        """Was something refused since the game is no longer where the screen shows it?"""
        late = isinstance(error, TableError) and self.sitting.table.version != self.view["version"]
        return late or isinstance(error, ElsewhereError)

    def write_log(self, lines: Sequence[str]) -> None:
        """Into the file that takes the log, if there is one."""
        if self.program.log_file:
            self.program.log_file.writelines(f"{line}\n" for line in lines)

    # Pages

    async def show_sheet(self) -> None:
        """What the hand brought; at the end of the game, how it ended."""
        view, end = self.view, []
        if view["outcome"]:
            end = [*end_words(view), self._rating_words()]

        def build(width: int) -> Text:
            return scores_page(view, width, self.look, end, latest_only=not end)

        title = "The game is over" if end else f"Hand {view['sheet'][-1]['hand_number']}"
        await self.app.push_screen_wait(Page(title, build, "Space goes on"))

    def _rating_words(self) -> str:
        if not self.sitting.table.counted:
            return "This game is not counted."
        return f"Your rating is {statistics(self.sitting.store, self.sitting.name).rating}."

    def action_help(self) -> None:
        """All keys with what they do."""
        self._page("Keys", lambda width: help_page(width, self.look))

    def action_rules(self) -> None:
        """The rules in words, and the trumps."""
        self._page("The rules of this game", lambda width: rules_page(self.view, width, self.look))

    def action_scores(self) -> None:
        """Every finished hand explained, and the graph."""
        self._page("Scores", lambda width: scores_page(self.view, width, self.look))

    def action_fairness(self) -> None:
        """The hashes, and what opens those of hands that were looked at; after the game, all."""
        table, opened = self.sitting.table, self.sitting.table.proofs()
        hands = zip(table.finished, opened["hands"], strict=True)
        seen = [proof for hand, proof in hands if table.over or hand.number <= table.settled]
        told = (table.commitments, table.first_hand, [*opened["game"], *seen])
        self._page("Fairness", lambda width: fairness_page(*told, width, self.look))

    def action_deals(self) -> None:
        """Ten thousand deals counted, in a thread."""
        self.say(f"{DEALS:,} deals are counted …")
        self.run_worker(self._count_deals(), group="deals", exclusive=True)

    async def _count_deals(self) -> None:
        found = await in_thread(counted, new_secret())
        self.say("")
        self._page("Is the shuffling fair?", lambda width: deals_page(found, width, self.look))

    def action_statistics(self) -> None:
        """The person's book, and what it would be without games with help."""
        store, name = self.sitting.store, self.sitting.name
        found, unaided = statistics(store, name), statistics(store, name, unaided=True)
        self._page(f"The book of {name}", lambda width: statistics_page(found, unaided, width, self.look))

    def _page(self, title: str, build: Callable[[int], Text]) -> None:
        self.app.push_screen(Page(title, build))

    # Games

    def action_leave(self) -> None:
        """Leave the program; the game is kept."""
        self.program.action_leave()

    def action_new_game(self) -> None:
        """Set up another game; this one stays until that begins."""
        self.app.push_screen(NewGame(self.sitting.store), self._open)

    def action_review(self) -> None:
        """Finished hands of this game; who looks at them cannot take them back."""
        table = self.sitting.table
        if table.unsettled:
            self.app.push_screen(Ask(LOOK), lambda yes: self._settle() if yes else None)
        else:
            self._review(table)

    def _settle(self) -> None:
        number = self.sitting.table.finished[-1].number
        if self.done(lambda: self.sitting.look_at(number)):
            self.go_on()
            self._review(self.sitting.table)

    def _review(self, table: Table) -> None:
        if not table.finished:
            self.say("No hand of this game is finished yet: there is nothing to look at")
            return
        self.app.push_screen(ReviewScreen(table, self._seat_of(table)), lambda chosen: self._again(table, chosen))

    def _again(self, table: Table, chosen: tuple[int, int] | None) -> None:
        """The same deal once more, as the review was asked to."""
        if chosen:
            hand, seat = chosen
            self.done(lambda: self._open(replayed(self.sitting.store, table, hand, seat, self.sitting.name)))

    def _seat_of(self, table: Table) -> int:
        people = [seat for seat, one in enumerate(table.seats.people) if one]
        return people[0] if people else 0

    def _open(self, sitting: Sitting | None) -> None:
        if sitting:
            self.program.show_table(sitting)

    # The menu

    def action_menu(self) -> None:
        """A list of what can be done beside the game."""
        entries = {
            "Games that were kept": self._sittings,
            "Settings": self._settings,
            "Your name": self._ask_name,
            "Write this game to a file": self._export,
            "Read a game from a file": self._import,
            "Give this game up": self._give_up,
            "The rules of this game": self.action_rules,
            "Fairness: the hashes": self.action_fairness,
            "Fairness: ten thousand deals counted": self.action_deals,
            "All keys": self.action_help,
            "Leave; the game is kept": self.action_leave,
        }
        items = [(deed, words, "", "") for words, deed in entries.items()]
        self.app.push_screen(Pick("Menu", items), lambda deed: deed() if deed else None)

    def _settings(self) -> None:
        self.app.push_screen(SettingsForm(self.sitting.store), lambda _: self._set())

    def _set(self) -> None:
        self.program.set_look()
        self.rearrange()

    def _ask_name(self) -> None:
        words = "Your name in games to come; statistics are kept under it"
        self.app.push_screen(Write(words, person(self.sitting.store)), self._rename)

    def _rename(self, name: str | None) -> None:
        nameless = self.sitting.name == NOBODY and not self.sitting.table.over
        if name and self.done(lambda: rename(self.sitting.store, name)):
            if nameless and self.done(lambda: self.sitting.rename(name)):
                self.go_on()
            self.say(f"You are {name}" if nameless else f"From the next game on you are {name}")

    def _sittings(self) -> None:
        store, items = self.sitting.store, []
        names = rule_names(store)
        for saved in store.sittings():
            shown = listed(store, saved, self.sitting.name, names)
            items.append((saved, sitting_words(saved), shown.result, shown.title))
        self.app.push_screen(Pick("Games that were kept", items), self._chosen)

    def _chosen(self, saved: Saved | None) -> None:
        """An unfinished game is gone on with, another one looked at."""
        if saved is None:
            return
        store = self.sitting.store
        if saved.state == OPEN and (len(saved.people) == 1 or saved.rules == UNREADABLE):
            self.done(lambda: self._open(resumed(store, saved.key)))
        elif saved.state == OPEN:
            self.say("Several people sit there: go on with spades table, in a browser")
        else:
            self.done(lambda: self._review(store.load(saved.key)))

    def _give_up(self) -> None:
        words = "Give this game up? It will be in no statistics; finished hands can still be looked at."
        self.app.push_screen(Ask(words), lambda yes: self._given_up() if yes else None)

    def _given_up(self) -> None:
        if self.done(lambda: self.sitting.store.give_up(self.sitting.table.key)):
            self.done(lambda: self._open(self.program.new_sitting()))

    def _export(self) -> None:
        """A finished game as text; before, the text would tell hidden cards."""
        if not self.sitting.table.over:
            self.say("The record tells all cards: it can be had when the game is over")
            return
        name = f"spades-{self.sitting.table.key}.txt"
        self.app.push_screen(Write("Write the game to which file?", name), self._write)

    def _write(self, name: str | None) -> None:
        if name and self._filed(lambda: write_new(name, sitting_text.write(self.sitting.table))):
            self.say(f"Written to {name}")

    def _import(self) -> None:
        self.app.push_screen(Write("Read a game from which file?"), self._read)

    def _read(self, name: str | None) -> None:
        found: list[Table] = []

        def take_in() -> None:
            found.append(read_sitting(name or ""))
            self.sitting.store.save(found[0])

        if name and self._filed(take_in):
            self._review(found[0])

    def _filed(self, deed: Callable[[], Any]) -> bool:
        try:
            return self.done(deed)
        except OSError as error:
            self.say(f"{error.strerror}: {error.filename or 'the file'}")
        except RuntimeError as error:  # ~somebody, whom this system does not know
            self.say(str(error))
        return False


def write_new(name: str, text: str) -> None:
    """A file that was not there before."""
    path = Path(name).expanduser()
    if path.exists():
        raise TableError(f"There is a file {path} already: choose another name")
    write_whole(path, text)


def read_sitting(name: str) -> Table:
    """The finished game that a file tells."""
    path = Path(name).expanduser()
    try:
        return sitting_text.read_finished(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise TableError(f"{path} is no text") from None


def sitting_words(saved: Saved) -> str:
    """A kept game in a line."""
    return f"{when(saved)}  {', '.join(saved.people) or (UNREADABLE if saved.rules == UNREADABLE else 'bots alone')}"
