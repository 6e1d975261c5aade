"""What is told when something cannot be done: errors that are sentences for people."""

from agents import AgentError
from play.sitting_text import SittingError
from play.store import StoreError
from play.table import TableError
from spades_env import RulesError


class RefusedError(ValueError):
    """A message that is not understood, or asks for what may not be had; one sentence says why."""


REFUSALS = (RefusedError, TableError, StoreError, RulesError, AgentError, SittingError)
OWN_FAULT = "Something went wrong on the server; nothing was changed"


def sentence(error: Exception | str) -> str:
    """An error as it is shown."""
    words = str(error)
    return words[:1].upper() + words[1:]
