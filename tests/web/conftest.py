"""A browser, the static page and a visitor for every test of it."""

from pathlib import Path

import pytest
from support.play.browsers import browser
from support.play.sites import anna, page, site

FIRST = Path(__file__).with_name("test_site.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with a file that builds the site: by the time others need it, it is there."""
    items.sort(key=lambda item: item.path != FIRST)
