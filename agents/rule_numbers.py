"""The numbers of `rule`, as `fit_rule` measured them in its own games: tables in `rule_numbers.safetensors`.

    SIDE_HOPE    [2, 6, 14, 4]      chance that a side suit's card wins a trick, by: no trumps out? higher cards out;
                                    cards of the suit out; own cards below it
    TRUMP_HOPE   [4, 7, 14, 6]      the same for a trump, by: side suits that I lack; higher; out; below
    NIL_RISK     [2, 8, 14, 4]      the same for a card of a nil, against its will, by: trump? higher; out; below
    SWING        [13, 8, 8, 8, 4]   what winning a trick changes: the chance that we make our bid, that they make theirs,
                                    our overtricks, theirs; by: tricks to come; tricks we need; they need; how far our
                                    hopes exceed our need
    TRICKS       [164]              tricks of a dealt hand, for each of `rule_bid.hand_features`
    NIL_WEIGHTS  [113]              log odds of a nil, for each of `rule_bid.nil_features`
    PLAY_WEIGHTS [16, 13]           what each of `rule_play.FEATURES` counts, by place in the trick and living nils
"""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

FILE = Path(__file__).with_suffix(".safetensors")
_tables = {name: table.astype(np.float64) for name, table in load_file(FILE).items()}

SIDE_HOPE, TRUMP_HOPE, NIL_RISK = (_tables[name] for name in ("side_hope", "trump_hope", "nil_risk"))
SWING = _tables["swing"]
TRICKS, NIL_WEIGHTS, PLAY_WEIGHTS = (_tables[name] for name in ("tricks", "nil_weights", "play_weights"))
NUM_FEATURES = len(TRICKS)
