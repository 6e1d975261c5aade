"""The errors that people read: sentences that say why something cannot be done."""

from agents import AgentError
from play.daily.deal import DailyError
from play.store.database import StoreError
from play.store.text import SittingError
from play.table.table import TableError
from play.texts import text
from spades_env import RulesError


class RefusedError(ValueError):
    """A request that is not understood or not allowed; one sentence says why."""


REFUSALS = (RefusedError, TableError, StoreError, RulesError, AgentError, SittingError, DailyError)
OWN_FAULT = text("error.own_fault")
