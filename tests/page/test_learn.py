"""Learning on the page: the offer of a first visit, ten steps played in a browser, the drills, by mouse and keys."""

from support.play.browsers import Person, expect, needs_a_browser, serving, violations

from spades_env.play.lessons.tutorial_steps import steps
from spades_env.play.store.database import Store

needs_a_browser()

WINDOWS = ((820, 1180), (360, 640), (1280, 800))  # a tablet's, a phone's, and the usual one, in which it goes on


def press(anna, action):
    """Play a card or bid in the open lesson."""
    kind, _, number = action.partition(":")
    selector = f'[data-bid="{number}"]' if number else f'[data-card="{kind}"]'
    anna.page.locator(f".lesson-board {selector}").click(force=True)


def replies(anna, good):
    anna.page.wait_for_selector(f".lesson-reply.{'is-right' if good else 'is-wrong'}:not([hidden])")


def check(anna, screen):
    """Nothing sticks out in any window, and axe finds nothing in a phone's or the usual one, there in both themes."""
    anna.page.evaluate("document.documentElement.dataset.theme = 'light'")
    for window in WINDOWS:
        anna.resize(window)
        assert anna.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), (screen, window)
        fits = anna.page.locator("dialog .body").evaluate("node => node.scrollWidth <= node.clientWidth + 1")
        assert fits, (screen, window)
        assert window == WINDOWS[0] or violations(anna) == [], (screen, window)
    anna.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert violations(anna, runOnly=["color-contrast"]) == [], f"{screen}, dark"


def test_ten_steps_are_played_in_the_browser(anna):
    """Each with a wrong answer first, then the right ones, and on to the next step."""
    anna.menu("Learn")
    anna.button("Start").click()
    for number, step in enumerate(steps(), start=1):
        anna.page.wait_for_selector(f".dot[aria-current]:text-is('{number}')")
        for asked in step.asked:
            wrong = next((action for action in asked.wrong if action != "*"), None)
            if wrong:
                press(anna, wrong)
                replies(anna, False)
            press(anna, next(iter(asked.right)))
            replies(anna, True)
            anna.page.wait_for_selector(".lesson-board:not(.resting)")
        anna.page.wait_for_selector(f".dots li:nth-child({number}) .done")
        anna.button("Next step" if number < 10 else "Overview").click()
    anna.page.wait_for_selector("dialog.learn")
    expect(anna.page.locator(".step-entry.done")).to_have_count(10)
    expect(anna.page.get_by_text("You've finished all ten steps.")).to_have_count(1)


def test_axe_finds_nothing_on_the_screens(anna):
    anna.menu("Learn")
    anna.page.wait_for_selector("dialog.learn")
    check(anna, "overview")
    anna.button("Start").click()
    anna.page.wait_for_selector("dialog.lesson")
    press(anna, "QD")
    replies(anna, False)
    check(anna, "a wrong card")
    press(anna, "KH")
    anna.button("Next step").wait_for()
    check(anna, "a step done")
    for number in (5, 10):
        anna.page.locator(".dot").nth(number - 1).click()
        anna.page.wait_for_selector(f".dot[aria-current]:text-is('{number}')")
        check(anna, f"step {number}")
    anna.page.keyboard.press("Escape")
    for kind, answer in (("How many tricks?", "bid 3"), ("Nil or not?", "No nil")):
        anna.menu("Learn")
        anna.page.locator(f'section[aria-label="{kind}"] button').click()
        anna.page.wait_for_selector("dialog.drill .lesson-hand .card")
        check(anna, kind)
        anna.page.locator("dialog.drill").get_by_role("button", name=answer, exact=True).click()
        anna.button("Next hand").wait_for()
        check(anna, f"{kind}, answered")
        anna.page.keyboard.press("Escape")


def test_a_step_is_played_by_keys_and_said(anna):
    anna.menu("Learn")
    anna.button("Start").click()
    anna.page.wait_for_selector("dialog.lesson .lesson-hand .card")
    assert any("following suit" in words for words in anna.said)
    anna.page.locator('.lesson-hand [tabindex="0"]').focus()
    first = anna.page.evaluate("document.activeElement.dataset.card")
    anna.page.keyboard.press("ArrowRight")
    assert anna.page.evaluate("document.activeElement.dataset.card") != first
    anna.page.locator('.lesson-hand [data-card="KH"]').focus()
    anna.page.keyboard.press("Enter")
    anna.button("Next step").wait_for()
    assert anna.page.evaluate("document.activeElement.textContent") == "Next step"
    assert any(words.startswith("Right. You followed suit") for words in anna.said)
    for _ in range(3):
        anna.page.locator(".dot").nth(4).click()
    anna.page.wait_for_load_state("networkidle")
    anna.page.wait_for_selector(".lesson-bids .bid")
    for _ in range(40):  # a key that comes while a step is still being fetched belongs to no step
        anna.page.keyboard.press("4")
        anna.page.wait_for_timeout(250)
        if anna.button("Next step").is_visible():
            break
    anna.button("Next step").wait_for()
    expect(anna.page.locator(".dot.done")).to_have_count(2)


def test_the_drills_show_how_it_comes_about(anna):
    anna.menu("Learn")
    anna.page.locator('section[aria-label="How many tricks?"] button').click()
    for hands in (1, 2):
        anna.page.wait_for_selector(".lesson-board:not(.resting) .bid")  # those of the last hand rest until the next
        expect(anna.page.locator(".count-table")).to_have_count(0)
        anna.page.keyboard.press("3")
        anna.button("Next hand").wait_for()
        expect(anna.page.locator(".count-table tbody tr")).to_have_count(5)
        assert anna.page.locator(".tally p").inner_text().startswith(f"{hands} hand")
        assert anna.page.locator(".tally-bars circle, .tally-bars rect").count() == hands
        anna.button("Next hand").click()
    anna.button("Overview").click()
    anna.page.wait_for_selector("dialog.learn")
    assert "2 hands" in anna.page.locator('section[aria-label="How many tricks?"]').inner_text()


def test_a_first_visit_is_offered_the_tutorial_once(browser, tmp_path):
    with serving(tmp_path) as server:
        server.services.settings.pop("last")
        anna = Person(browser, server.port, f"/?key={server.key}")
        anna.page.wait_for_selector(".offer-bar:not([hidden])")
        assert anna.page.evaluate("document.querySelector('.offer-bar').contains(document.activeElement)") is False
        anna.until("state.view.your_turn")
        anna.button("bid 3").click()
        anna.until("state.view.phase === 'play'")
        expect(anna.page.locator(".offer-bar:not([hidden])")).to_have_count(1)
        anna.button("No, thanks").click()
        anna.page.wait_for_selector(".offer-bar", state="hidden")
        anna.page.reload()
        anna.page.wait_for_selector(".table.lively")
        anna.until("Boolean(state.hello && state.view)")
        expect(anna.page.locator(".offer-bar:not([hidden])")).to_have_count(0)
        anna.leave()
    with Store(tmp_path) as store:
        assert store.settings.all()["offered"] is True


def test_the_tutorial_is_not_offered_after_a_game(anna):
    anna.until("Boolean(state.hello && state.view)")
    expect(anna.page.locator(".offer-bar:not([hidden])")).to_have_count(0)
    anna.button("New game").click()
    anna.page.locator("dialog.new-game").get_by_role("button", name="Learn").click()
    anna.page.wait_for_selector("dialog.learn")
