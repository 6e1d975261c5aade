"""A browser, the static page and a visitor for every test of it."""

from pathlib import Path

import pytest
from support.play.browsers import browser
from support.play.sites import anna, page, site

FIRST = Path(__file__).with_name("test_site.py")
FOLDER = FIRST.parent
BUILDING = 1800  # seconds that a test may take, since one of each process builds the site or waits for it


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with a file that builds the site, and give it time: when others need the site, it is there."""
    items.sort(key=lambda item: item.path != FIRST)
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.timeout(BUILDING))
