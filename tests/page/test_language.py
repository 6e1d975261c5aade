"""The page in German: as the browser says, until the settings say otherwise."""

from support.browsers import browser, needs_a_browser, owner, server

needs_a_browser()


def test_the_browser_decides_until_a_setting_does(browser, server):
    anna = owner(browser, server, locale="de-DE")
    anna.new()
    assert anna.page.evaluate("document.documentElement.lang") == "de"
    anna.button("Neues Spiel").wait_for()
    anna.until("state.view.your_turn")
    prompt = anna.page.locator(".prompt")
    assert prompt.inner_text().startswith("Du bist dran: ")  # the server writes "Your turn: "
    assert anna.state("state.view.sides[0].called").startswith("Du & ")
    anna.set(language="en")
    anna.page.wait_for_selector("html[lang=en]")
    anna.button("New game").wait_for()
    assert prompt.inner_text().startswith("Your turn: ")
    anna.leave()
