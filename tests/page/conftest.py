"""A browser, a server and people for every test of the page."""

from support.play.browsers import anna, browser, pair, server
