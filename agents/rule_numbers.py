"""The numbers of `rule`, as `fit_rule` measured them in its own games: tables in `rule_numbers.safetensors`.

SIDE_HOPE    [2, 6, 14, 4]      chance that a side suit's card wins a trick, by: no trumps out? higher cards out;
                                cards of the suit out; own cards below it
TRUMP_HOPE   [4, 7, 14, 6]      the same for a trump, by: side suits that I lack; higher; out; below
NIL_RISK     [2, 8, 14, 4]      the same for a card of a nil, against its will, by: trump? higher; out; below
TRICKS       [164]              tricks of a dealt hand, for each of `rule_bid.hand_features`
"""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

FILE = Path(__file__).with_suffix(".safetensors")
_tables = {name: table.astype(np.float64) for name, table in load_file(FILE).items()}

SIDE_HOPE, TRUMP_HOPE, NIL_RISK = (_tables[name] for name in ("side_hope", "trump_hope", "nil_risk"))
TRICKS = _tables["tricks"]
NUM_FEATURES = len(TRICKS)
