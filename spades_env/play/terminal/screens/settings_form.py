"""The settings of the terminal as a form."""

from functools import partial

from spades_env.play.terminal.client import TableClient
from spades_env.play.terminal.screens.drawn import program_of
from spades_env.play.terminal.screens.form import Form, FormRow
from spades_env.play.terminal.settings import SETTINGS, Setting, change, settings
from spades_env.play.terminal.words import said


class SettingsForm(Form):
    """Saves every change at once."""

    def __init__(self, client: TableClient):
        super().__init__(said("menu.settings"))
        self._client = client

    def rows(self) -> list[FormRow]:
        now = settings(self._client)
        return [FormRow(one.words, one.words_of(now[one.name]), step=partial(self._step, one)) for one in SETTINGS]

    def _step(self, one: Setting, way: int) -> None:
        self.send(self._change(one, way))

    async def _change(self, one: Setting, way: int) -> None:
        await change(self._client, one, way)
        program_of(self).set_look()
        self.heading = said("menu.settings")
