"""How much each clue to a world counts. Written by `python -m agents.fit_likely --write`, which tells how."""

import numpy as np

LEARNED_FROM = (3072, 256, 1)  # hands, worlds in a pool, seed
FACTORS = np.array([0.91, 0.88, 1.09, 0.54, 2.89, 0.59, 1.4])  # in the order of agents.likely_hands
