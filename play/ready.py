"""The rules' kernels made ready before a table is shown.

Only one thread can compile at a time: if a bot's kernels came first, what is shown would stand still for a minute.
"""

import sys
import threading
from functools import cache

from play.table import Table
from spades_env._jit import JIT_ON
from spades_env.cards import NUM_SEATS, SEATS

PATIENT_SECONDS = 2.0  # without a word
COMPILING = "spades: the rules are being compiled, once after an installation; this takes some ten seconds"
RULES = "classic blind_nil_deficit=0 blind_nil_pass=1 time_limit_s=3600"


def make_rules_ready() -> None:
    """A moment, except after an installation: then they are compiled, and this is said."""
    said = threading.Timer(PATIENT_SECONDS, print, [COMPILING], {"file": sys.stderr, "flush": True})
    said.start()
    try:
        ready_rules()
    finally:
        said.cancel()


@cache
def ready_rules() -> None:
    """A hand among people, with all that whoever shows a table asks of it; the next one is dealt."""
    if not JIT_ON:
        return
    table = Table(RULES, ["random"] * NUM_SEATS, dict(enumerate(SEATS)), seed=1)
    while table.game.hand_number == 0:
        seat = table.game.turn
        views = [table.view(one) for one in range(NUM_SEATS)]
        table.act(seat, "blind" if "blind" in views[seat]["legal"] and seat == 0 else views[seat]["legal"][0])
        if not table.takebacks:
            table.takeback(seat)
    table.game.time_up()
