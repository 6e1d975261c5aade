"""What runs on a node: check that it is like the machine that asks, then do one piece of work.

A piece depends only on what it is given, so a node that repeats it finds the same. Its errors come back as values, and
not as exceptions, whose classes the other side may not have.
"""

import socket
from collections.abc import Callable
from typing import Any

from spades_env._jit import wrap_around
from spades_env.agents.cluster.shipment import Shipment, unpacked
from spades_env.agents.cluster.versions import differences, versions
from spades_env.errors import SpadesError

DONE, DIFFERS, FAILED = "done", "differs", "failed"

Work = Callable[..., Any]  # called with `Load` and the values of a piece


def run(expected: dict[str, str], shipment: Shipment, work: Work, piece: tuple) -> tuple[str, Any]:
    """Return DONE and the result, or what is wrong and a sentence about it."""
    if different := differences(expected, versions()):
        return DIFFERS, f"the node {socket.gethostname()} has {different}"
    wrap_around()
    try:
        with unpacked(Shipment(*shipment)) as load:
            return DONE, work(load, *piece)
    except (SpadesError, OSError) as error:
        return FAILED, str(error)
