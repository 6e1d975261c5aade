"""An empty store for the tests of all that it keeps."""

import pytest

from spades_env.play.store.database import Store


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path) as store:
        yield store
