"""The title of the tab, which says from another tab whose turn it is."""

from support.browsers import SHORT, browser, needs_a_browser, owner, server

needs_a_browser()

SOUTH_BIDS, EAST_BIDS = f"{SHORT} first_dealer=west", f"{SHORT} first_dealer=south"


def title(anna, words):
    anna.until_page(f"document.title === '{words}'")


def test_the_title_says_when_it_is_your_turn(browser, server):
    """From the bid to the last card; then it is the page's name."""
    anna = owner(browser, server)
    anna.new(SOUTH_BIDS)
    anna.on_turn()
    title(anna, "Your turn · Spades")
    anna.play()
    title(anna, "Spades")
    anna.leave()


def test_the_title_waits_while_others_move(browser, server):
    anna = owner(browser, server)
    anna.set(botPause=1.5)
    anna.new(EAST_BIDS)
    title(anna, "Spades")
    assert not anna.state("state.view.your_turn")
    anna.on_turn()
    title(anna, "Your turn · Spades")
    anna.leave()


def test_a_lost_connection_is_nobodys_turn(browser, server):
    anna = owner(browser, server)
    anna.on_turn()
    title(anna, "Your turn · Spades")
    server.stop()
    title(anna, "Spades")
    anna.context.close()
