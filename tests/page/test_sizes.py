"""In windows of every usual size, from the first hand to the list of games: each control can be clicked."""

import pytest
from support.play.browsers import SOUTH_BIDS, USUAL_SIZES, expect, needs_a_browser, owner, serving

needs_a_browser()

CLICKABLE = {"position": {"x": 12, "y": 20}, "trial": True}  # where a card in the fan is not under the next one
TARGET = 44  # pixels
CONTROLS = "nav button, .bid, .offer button, .trick button, dialog button, dialog input[type=text], dialog select"
COVERED = """(controls) => [...document.querySelectorAll(controls)].filter((node) => {
  if (document.querySelector('dialog') && !node.closest('dialog')) return false;
  if (!node.checkVisibility()) return false;
  node.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = node.getBoundingClientRect();
  const seen = (across, down) => node.contains(document.elementFromPoint(x + width * across, y + height * down));
  const inside = x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
  return !inside || ![[.5, .5], [.1, .5], [.9, .5], [.5, .1], [.5, .9]].every(([across, down]) => seen(across, down));
}).map((node) => node.id || node.ariaLabel || node.textContent)"""


@pytest.fixture(scope="module")
def played(browser, tmp_path_factory):
    """Somebody with a finished game."""
    with serving(tmp_path_factory.mktemp("sizes")) as server:
        anna = owner(browser, server)
        anna.skip()
        yield anna
        anna.leave()


@pytest.fixture(params=USUAL_SIZES, ids=lambda size: "{}x{}".format(*size))
def anna(played, request):
    """In a window of this size, at a new table, with the first bid."""
    played.resize(request.param)
    played.page.keyboard.press("Escape")
    played.new(SOUTH_BIDS)
    yield played
    played.page.keyboard.press("Escape")


def test_a_hand_is_there_when_the_page_opens(anna):
    anna.page.reload()
    anna.on_turn()
    expect(anna.page.locator(".hand [data-card]")).to_have_count(13)
    check_controls(anna)
    assert anna.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert anna.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
    targets = [button.bounding_box() for button in anna.page.locator("nav button:visible, .bid").all()]
    assert all(min(box["width"], box["height"]) >= TARGET for box in targets)


def test_rules_are_saved_by_click_and_by_enter(anna):
    """The rules are dealt, and the focus is on what the person does next."""
    anna.button("New game").click()
    anna.page.wait_for_selector(".difficulty .marks")
    check_controls(anna)
    anna.button("Rules").click()
    save(anna, "Quick", 2, lambda: anna.button("Save variant").click())
    save(anna, "Slow", 3, lambda: anna.page.keyboard.press("Enter"))
    expect(anna.page.locator("dialog")).to_have_count(1)
    check_controls(anna)
    kept = {one["name"]: one["text"] for one in anna.state("state.hello.variants")}
    assert kept == {"Quick": "classic max_hands=2", "Slow": "classic max_hands=3"}
    for name in kept:
        anna.ask("forget_variant", name=name)
    before = anna.state("state.key")
    anna.button("Deal").click()
    anna.until(f"state.key !== '{before}' && !state.dialog")
    assert anna.page.evaluate("document.activeElement.matches('#table, .bid, .offer button')")


def save(anna, name, hands, press):
    """Save rules with this many hands under a name."""
    anna.page.get_by_text("Classic", exact=True).click()
    end = anna.page.locator("details", has_text="The end of the game")
    if not end.evaluate("node => node.open"):
        end.locator("summary").click()
    anna.page.locator("#option-max_hands").fill(str(hands))
    anna.page.locator("#option-max_hands").press("Tab")
    anna.page.wait_for_selector(f".rules-in-words >> text=or when {hands} hands have been played")
    anna.page.locator("#variant").fill(name)
    press()
    anna.page.locator(".choice label", has_text=name).locator("input:checked").wait_for()
    anna.page.get_by_role("button", name=f"Delete “{name}”").click(trial=True)


def test_a_bid_and_a_card(anna):
    anna.on_turn()
    anna.button("bid 4").click()
    anna.page.wait_for_selector(".hand .legal")
    for card in anna.page.locator(".hand .legal").all():
        card.click(**CLICKABLE)
    check_controls(anna)
    played = anna.legal[0]
    anna.card(played).click(position=CLICKABLE["position"])
    anna.card(played).wait_for(state="detached")
    anna.on_turn()
    anna.button("Last trick").click()
    check_controls(anna)
    anna.page.keyboard.press("Escape")


def test_games_and_a_review(anna):
    anna.menu("My games")
    anna.page.wait_for_selector(".games li")
    check_controls(anna)
    anna.page.locator(".games li", has=anna.button("Copy text")).first.get_by_role("button", name="Review").click()
    anna.page.wait_for_selector("dialog.review")
    anna.page.keyboard.press("Home")
    check_controls(anna)
    anna.button("Forward").click()
    assert anna.page.locator(".step-words").inner_text().startswith("2 of")
    anna.button("Close").click()
    anna.page.wait_for_selector("dialog", state="detached")


def check_controls(anna):
    """Check that nothing covers a control that is shown or can be scrolled to, and that it fits the window."""
    assert anna.page.evaluate(COVERED, CONTROLS) == []
