"""A host and a friend at a table of the static page."""

from collections.abc import Iterator

import pytest
from support.play.browsers import TWO_HANDS
from support.play.friends import EAST, seated
from support.play.sites import Friend, Visitor


@pytest.fixture
def zoe(browser, page) -> Iterator[Visitor]:
    """Return the host, whose turn it is to bid in a game of two hands."""
    host = Visitor(browser, page)
    host.new(f"{TWO_HANDS} first_dealer=south", seed=5)
    host.ask("rename", name="Zoe")
    yield host
    host.leave()


@pytest.fixture
def anna(browser, page, zoe) -> Iterator[Friend]:
    """Return a friend who sits East."""
    friend = seated(browser, page, zoe, "Anna", EAST)
    yield friend
    friend.leave()
