"""The settings of the terminal as a form."""

from functools import partial

from spades_env.play.store.database import Store
from spades_env.play.terminal.screens.form import Form, Row
from spades_env.play.terminal.settings import PREFIX, SETTINGS, change, settings


class SettingsForm(Form):
    """Saves every change at once."""

    def __init__(self, store: Store):
        super().__init__("Settings")
        self._store = store

    def rows(self) -> list[Row]:
        now = settings(self._store)
        faults = {one.name: self._store.faults.get(("settings", PREFIX + one.name), "") for one in SETTINGS}
        return [
            Row(one.words, one.words_of(now[one.name]), faults[one.name], partial(change, self._store, one))
            for one in SETTINGS
        ]
