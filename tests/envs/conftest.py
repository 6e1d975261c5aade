"""A seeded generator for the tests of all environments."""

import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(0)
