"""A server for each test file, and its owner's page."""

import pytest
from support.play.servers import Running, owner


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Running(tmp_path_factory.mktemp("door"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def page(server):
    return owner(server)
