"""What networks read at a table.

ROWS, OPEN_ROWS          by suit, for ours: the policy's, and the critic's with all four hands
OBSERVATIONS, STATES     as they are, for networks of your own
"""

from typing import NamedTuple

import numpy as np

from spades_env.agents.network.rows import CRITIC, CRITIC_ROW, POLICY, POLICY_ROW, write_rows
from spades_env.game.observe import NUM_FEATURES, STATE_SIZE


class Inputs(NamedTuple):
    """How many numbers a network reads, and their columns if they are arranged by suit."""

    size: int
    columns: np.ndarray | None = None

    def write(self, source: np.ndarray, which: np.ndarray, out: np.ndarray) -> None:
        """Write the inputs of source[which], observations or states: int8[n, size]."""
        if self.columns is None:
            out[:] = source[which, : self.size]
        else:
            write_rows(source, which, self.columns, out)


ROWS, OPEN_ROWS = Inputs(POLICY_ROW, POLICY), Inputs(CRITIC_ROW, CRITIC)
OBSERVATIONS, STATES = Inputs(NUM_FEATURES), Inputs(STATE_SIZE)
