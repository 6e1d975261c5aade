"""A browser, the static page and a visitor for every test of it."""

from support.play.browsers import browser
from support.play.sites import anna, page, site
