"""Arrays that follow from the code alone and take time to make: `SWING = precomputed(_swings)`.

Here they are made when their module is imported. A page takes those that its build has made
(web/browser/precomputed.py in place of this module).
"""

from collections.abc import Callable

import numpy as np

MADE: dict[str, np.ndarray] = {}  # by function and arguments


def precomputed(make: Callable[..., np.ndarray], *given: str) -> np.ndarray:
    """Return what a function makes of its arguments."""
    array = MADE[" ".join([f"{make.__module__}:{make.__name__}", *given])] = make(*given)
    return array
