"""A server for each test, and on it a host called Zoe whose table others can join by a link."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.play.servers import Page, Running, hosted, running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path) as server:
        yield server


@pytest.fixture
def host(server: Running) -> Page:
    return hosted(server)


@pytest.fixture
def link(host: Page) -> str:
    return host.done("invite")["path"]
