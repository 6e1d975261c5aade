"""A browser, the static page and a visitor for every test of it."""

from support.browsers import browser
from support.sites import anna, page, site
