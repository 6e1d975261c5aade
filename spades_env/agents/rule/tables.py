"""The tables of `rule`, fitted to its own games (training/fit/rule.py).

SIDE_HOPE    [2, 6, 14, 4]      chance that a side suit's card wins a trick, by: no trumps out? higher cards out;
                                cards of the suit out; own cards below it
TRUMP_HOPE   [4, 7, 14, 6]      the same for a trump, by: side suits that I lack; higher; out; below
NIL_RISK     [2, 8, 14, 4]      the same for a card of a nil, against its will, by: trump? higher; out; below
TRICKS       [164]              tricks of a dealt hand, for each of `rule.bid.hand_features`
"""

from spades_env.agents.fitted import load_fitted

_FITTED = load_fitted("rule")
SIDE_HOPE, TRUMP_HOPE, NIL_RISK = (_FITTED[name] for name in ("side_hope", "trump_hope", "nil_risk"))
TRICKS = _FITTED["tricks"]
NUM_FEATURES = len(TRICKS)
