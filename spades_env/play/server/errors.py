"""What people read when something fails: a SpadesError in its own words, and one sentence for a fault of ours."""

import sys
import traceback
from collections.abc import Awaitable

from spades_env.errors import SpadesError
from spades_env.play.texts import Text, text

OWN_FAULT = text("error.own_fault")


class RefusedError(SpadesError):
    """A request that is not understood or not allowed; one sentence says why."""


async def failure_of(work: Awaitable[None]) -> SpadesError | Text | None:
    """Await some work, and return why it failed. A fault of ours goes to the log with its traceback."""
    try:
        await work
    except SpadesError as refusal:
        return refusal
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return OWN_FAULT
    return None
