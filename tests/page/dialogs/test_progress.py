"""The end of a game, the daily deal and the achievements in the page."""

from datetime import date, timedelta

import pytest
from support.play.browsers import GERMAN, SHORT, TALL, expect, needs_a_browser, opened, violations

from spades_env import Rules
from spades_env.play.daily import champion_game, deal_of_day
from spades_env.play.daily.deal_of_day import HANDS, ChampionHand
from spades_env.play.progress import daily as daily_module
from spades_env.play.server.rooms import champion as champion_task

needs_a_browser()

QUICK = ("rule", "rb", "rule", "rb")
RATED = "match target=off max_hands=4"
SIZES = ((360, 640), TALL, (1440, 900), (1920, 1080))


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """A daily deal among bots that need no time."""
    monkeypatch.setattr(daily_module, "BOTS", QUICK)
    monkeypatch.setattr(champion_game, "BOTS", QUICK)


def begin_daily(anna):
    anna.menu("Daily deal")
    anna.button("Play today's deal").click()
    anna.until("state.view.daily && !state.dialog")


def fits(anna):
    """Nothing is cut off at the sides, and the button that goes on is in the window."""
    assert anna.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert anna.page.evaluate(
        "(() => { const b = document.querySelector('dialog .body'); return b.scrollWidth <= b.clientWidth })()"
    )


def fits_everywhere(anna):
    """Nothing is cut off, and axe finds nothing, in the window of a phone and in a wide one."""
    for size in (SIZES[0], SIZES[2]):
        anna.resize(size)
        fits(anna)
        assert violations(anna) == [], size


def test_the_end_of_a_game(anna):
    """The result, what has changed, also aloud, and one button to go on, in sight; axe finds nothing, light or dark."""
    anna.new(RATED, seed=None)
    anna.skip()
    anna.page.wait_for_selector(".change-figure")
    text = anna.page.locator("dialog.end").inner_text()
    for words in (
        "Rating",
        "Wins in a row",
        "Your record at this table",
        "With Rule book",
        "Against Rule book",
        "Best hand",
    ):
        assert words in text
    assert ("Costliest hand" in text) != ("Weakest hand" in text)  # by its points
    assert any(line.startswith("Rating: from 0 to ") for line in anna.said)
    [after] = anna.ask("statistics")["statistics"]["ratings"]
    assert anna.page.locator(".numbers-line").first.inner_text().split() == [
        "0",
        "→",
        str(after),
        f"+{after}" if after else "0",
    ]
    assert anna.page.locator("dialog.end .strong").all_inner_texts() == ["Play again"]
    for size in SIZES:
        anna.resize(size)
        check_end(anna)
    go_on_by_keyboard(anna)
    assert anna.state("state.view.rules.text") == str(Rules.parse(RATED))


def check_end(anna):
    box = anna.button("Play again").bounding_box()
    assert box["y"] + box["height"] <= anna.page.viewport_size["height"]
    fits(anna)
    for theme, only in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        anna.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert violations(anna, **only) == [], theme


def go_on_by_keyboard(anna):
    """Tab reaches the button that goes on before the others, and Enter presses it."""
    reached = []
    while not reached or reached[-1] != "Play again":
        anna.page.keyboard.press("Tab")
        reached.append(anna.page.evaluate("document.activeElement.textContent"))
        assert len(reached) < 10
    assert not {"Scores", "Review", "Other players or rules"} & set(reached)
    before = anna.state("state.key")
    anna.page.keyboard.press("Enter")
    anna.until(f"state.key !== '{before}' && !state.dialog")


def test_a_win_is_celebrated_unless_motion_is_off(anna):
    anna.skip()
    expect(anna.page.locator(".confetti")).to_have_count(0)
    anna.page.keyboard.press("Escape")
    anna.set(motion="system")
    anna._evaluate(
        "async () => { const { state, change } = await import('PAGE/state.js');"
        " const view = structuredClone(state.view); view.outcome.outcome = 'win'; change({ view });"
        " (await import('PAGE/dialogs/game/end.js')).showEnd(true); }"
    )
    anna.page.wait_for_selector(".confetti i", state="attached")


def test_a_daily_deal_from_the_menu_to_the_copied_result(anna):
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    anna.menu("Daily deal")
    anna.page.wait_for_selector(".daily-players")
    fits_everywhere(anna)
    anna.button("Play today's deal").click()
    anna.until("state.view.daily && !state.dialog")
    anna.skip(moves=14)
    anna.until("state.view.hand_number === 2 && !state.held")
    anna.page.wait_for_selector(".beside-champion >> text=Lead: you")
    anna.page.keyboard.press("z")
    anna.page.wait_for_selector("#notice >> text=The daily deal is played without undo")
    anna.on_turn()
    anna.page.keyboard.press("a")
    anna.page.wait_for_selector("#notice >> text=The daily deal is played without hints")
    anna.menu("Daily deal")
    anna.button("Continue today's deal").click()
    anna.skip()
    anna.button("Copy result").wait_for()
    assert anna.page.locator("dialog.end .strong").all_inner_texts() == ["Next game"]
    fits_everywhere(anna)
    anna.button("Copy result").click()
    copied = anna.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"Spades daily {today(anna)} · me ")
    assert copied.endswith("· streak 1")
    anna.page.keyboard.press("Escape")
    anna.menu("Daily deal")
    anna.page.wait_for_selector(".daily-result")
    assert anna.page.locator(".daily-hands tbody tr").count() == HANDS + 1
    anna.button("Play it again").click()
    anna.until("state.view.daily && !state.view.daily.counted && !state.dialog")


def today(anna) -> str:
    return anna._evaluate("async () => (await import('PAGE/dialogs/records/daily.js')).today()")


@opened(east={"timezone_id": "Pacific/Kiritimati"})
def test_the_day_is_the_one_of_the_persons_calendar(anna):
    """Fourteen hours east of the server's clock it may be tomorrow; the server takes that, and no other day."""
    there = anna.page.evaluate("new Date().toLocaleDateString('sv')")
    assert today(anna) == there
    assert date.fromisoformat(there) - deal_of_day.today() in (timedelta(0), timedelta(1))
    begin_daily(anna)
    assert anna.state("state.view.daily.day") == there


def test_a_champion_who_finishes_late_is_shown_when_known(anna, monkeypatch):
    """The dialog about the end is open already."""
    may_end = []

    def hands(daily):
        for number in range(len(daily.champion), HANDS):
            while number == HANDS - 1 and not may_end:
                yield None
            yield ChampionHand((40 + number, 0), (0, 0))

    monkeypatch.setattr(champion_task, "champion_hands", hands)
    begin_daily(anna)
    anna.skip()
    title = anna.page.locator("dialog.end h2")
    expect(title).to_have_text("The champion is still playing…")
    expect(anna.page.get_by_role("button", name="Copy result")).to_have_count(0)
    may_end.append(True)
    anna.button("Copy result").wait_for()
    assert "+166" in anna.page.locator(".daily-result").inner_text()
    expect(title).to_contain_text("Zofia")


def test_the_daily_deal_is_offered_at_the_end_of_another_game(anna):
    anna.new(SHORT)
    anna.skip()
    anna.page.locator("dialog.end .waits", has_text="Today's daily deal is waiting.").wait_for()
    anna.page.locator(".waits button").click()
    anna.button("Play today's deal").wait_for()


def test_achievements(anna):
    """Those earned and those open, with how far they are."""
    anna.menu("Achievements")
    anna.page.wait_for_selector(".medals li")
    text = anna.page.locator("dialog.achievements").inner_text()
    assert "0 of 12 earned" in text
    assert "0 / 10" in text
    expect(anna.page.locator(".medals li")).to_have_count(12)
    for theme in ("light", "dark"):
        anna.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        fits_everywhere(anna)


def test_an_achievement_is_shown_where_it_is_earned(anna, monkeypatch):
    """The champion is beaten in the daily deal."""

    def hands(daily):
        for _ in range(len(daily.champion), HANDS):
            yield ChampionHand((-500, 500), (0, 0))  # so that a lost game beats her, too

    monkeypatch.setattr(champion_task, "champion_hands", hands)
    begin_daily(anna)
    anna.skip()
    anna.page.locator(".earned", has_text="Achievement earned: Champion for a day").wait_for()
    ahead = anna.state("state.view.daily.own") + HANDS * 1000
    expect(anna.page.locator("dialog.end h2")).to_have_text(f"You beat Zofia by {ahead} points")
    anna.page.keyboard.press("Escape")
    anna.menu("Achievements")
    anna.page.wait_for_selector(".medals li.has >> text=Champion for a day")


@opened(german=GERMAN)
def test_everything_is_german_too(anna):
    anna.button("Mehr").click()
    anna.button("Tagesspiel").click()
    anna.button("Tagesspiel beginnen").wait_for()
    text = anna.page.locator("dialog.daily").inner_text()
    assert "Für alle dieselben vier Runden." in text
    anna.page.keyboard.press("Escape")
    anna.button("Mehr").click()
    anna.button("Erfolge").click()
    anna.page.wait_for_selector(".medals li >> text=Kein Stich")
