"""The errors that people read: sentences that say why something cannot be done."""

from spades_env.agents import AgentError
from spades_env.errors import SpadesError
from spades_env.game.rules import RulesError
from spades_env.play.daily.deal import DailyError
from spades_env.play.store.database import StoreError
from spades_env.play.store.text import SittingError
from spades_env.play.table.table import TableError
from spades_env.play.texts import text


class RefusedError(SpadesError):
    """A request that is not understood or not allowed; one sentence says why."""


REFUSALS = (RefusedError, TableError, StoreError, RulesError, AgentError, SittingError, DailyError)
OWN_FAULT = text("error.own_fault")
