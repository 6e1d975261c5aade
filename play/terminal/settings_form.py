"""What a person may set for the terminal, as a form."""

from functools import partial

from play.store import Store
from play.terminal.form import Form, Row
from play.terminal.settings import SETTINGS, change, settings


class SettingsForm(Form):
    """Every change holds at once."""

    def __init__(self, store: Store):
        super().__init__("Settings")
        self._store = store

    def rows(self) -> list[Row]:
        now = settings(self._store)
        rows = [Row(one.words, one.words_of(now[one.name]), step=partial(change, self._store, one)) for one in SETTINGS]
        return rows + [Row(words) for words in self._store.faults_of("settings")]
