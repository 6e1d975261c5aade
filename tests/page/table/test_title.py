"""The title of the tab, which says from another tab whose turn it is."""

from support.play.browsers import EAST_BIDS, SOUTH_BIDS, needs_a_browser, owner

needs_a_browser()


def title(anna, words):
    anna.until_page(f"document.title === '{words}'")


def test_the_title_says_when_it_is_your_turn(anna):
    """From the bid to the last card; then it is the page's name."""
    anna.new(SOUTH_BIDS)
    anna.on_turn()
    title(anna, "Your turn · Spades")
    anna.skip()
    title(anna, "Spades")


def test_the_title_waits_while_others_move(anna):
    anna.set(botPause=600)
    anna.new(EAST_BIDS)
    title(anna, "Spades")
    while not anna.state("state.view.your_turn"):
        anna.page.keyboard.press("Space")  # ends a bot's pause
    title(anna, "Your turn · Spades")


def test_a_lost_connection_is_nobodys_turn(browser, server):
    anna = owner(browser, server)
    anna.on_turn()
    title(anna, "Your turn · Spades")
    server.stop()
    title(anna, "Spades")
    anna.context.close()
