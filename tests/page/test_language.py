"""The page in German: as the browser says, until the settings say otherwise."""

from support.play.browsers import GERMAN, needs_a_browser, opened

from spades_env.play.texts import catalogue

needs_a_browser()

NUMBERS = """async () => {
    const { decimal, grouped, percent } = await import("/page/texts.js");
    const { actionText } = await import("/page/art/cards.js");
    const bids = [true, false].map((nil) => actionText("bid:0", nil));
    return [grouped(10000), decimal(5.42), decimal(-0), percent(0.3618, 1), ...bids];
}"""
POINTS = """async () => {
    const { t } = await import("/page/texts.js");
    return [0, 1, 2].map((count) => t("points", { count }));
}"""


@opened(german=GERMAN)
def test_the_browser_decides_until_a_setting_does(anna):
    anna.new()
    assert anna.page.evaluate("document.documentElement.lang") == "de"
    anna.button("Neues Spiel").wait_for()
    anna.until("state.view.your_turn")
    prompt = anna.page.locator(".prompt")
    assert prompt.inner_text().startswith("Du bist dran: ")  # the server writes "Your turn: "
    assert anna.state("state.view.sides[0].called").startswith("Du & ")
    assert anna.page.evaluate(NUMBERS) == ["10.000", "5,4", "0,0", "36,2\u00a0%", "0 (Nil)", "0"]
    anna.set(language="en")
    anna.page.wait_for_selector("html[lang=en]")
    anna.button("New game").wait_for()
    assert anna.page.evaluate(NUMBERS) == ["10,000", "5.4", "0.0", "36.2%", "0 (nil)", "0"]
    assert prompt.inner_text().startswith("Your turn: ")


@opened(french={"locale": "fr-FR"})
def test_french_has_its_own_numbers(anna):
    anna.set(botPause=0.5)
    assert anna.page.evaluate(POINTS) == ["0 point", "1 point", "2 points"]
    french = catalogue("fr")
    anna.button(french["more"]).click()
    anna.button(french["menu.settings"]).click()
    pause = anna.page.get_by_role("slider", name=french["set.botPause"])
    assert pause.get_attribute("aria-valuetext") == f"0,5 {french['seconds']}"
    pause.press("ArrowRight")
    assert pause.get_attribute("aria-valuetext") == f"0,6 {french['seconds']}"
