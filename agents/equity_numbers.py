"""What match equity learned from play. Written by `python -m agents.fit_equity --write`, which tells how."""

LEARNED_FROM = ("rule", 20000, 1)  # agent, games a rule set, seed

HAND = 17.4  # points: the spread of a hand, but for bags and nils
BAGS = 0.33  # … that bags to come add, of the penalty for ten
LEADER = 0.81  # … that the leader's full tally adds, of the penalty
NILS = 0.381  # … that nils add, of their bonus
TALLY = 1.14  # what a full tally of bags costs, of the penalty
STRIDE = 37.2  # points by which the leader nears the target in a hand
LAST_HANDS = 1.21  # still to play where the leader is at the target
