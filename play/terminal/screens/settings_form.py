"""The settings of the terminal as a form."""

from functools import partial
from typing import Any

from play.store.database import Store
from play.terminal.screens.form import Form, Row
from play.terminal.settings import PREFIX, SETTINGS, Setting, change, settings


class SettingsForm(Form):
    """Every change is saved at once."""

    def __init__(self, store: Store):
        super().__init__("Settings")
        self._store = store

    def rows(self) -> list[Row]:
        now = settings(self._store)
        return [self._setting_row(one, now[one.name]) for one in SETTINGS]

    def _setting_row(self, one: Setting, value: Any) -> Row:
        """Make the row of a setting; its note says if it is damaged in the store."""
        damage = self._store.faults.get(("settings", PREFIX + one.name), "")
        return Row(one.words, one.words_of(value), damage, partial(change, self._store, one))
