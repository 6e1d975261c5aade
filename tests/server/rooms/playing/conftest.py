"""One server and one page for all tests of a module."""

import pytest
from support.play.servers import owner, running


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("play")) as server:
        yield server


@pytest.fixture(scope="module")
def page(server):
    return owner(server)
