"""The page with a damaged store: each screen says which of its data is damaged."""

from support.play.browsers import needs_a_browser, owner, serving
from support.play.damaged import damaged_store

from spades_env.play.store.sitting_rows import UNREADABLE

needs_a_browser()


def test_what_is_damaged_is_shown_in_its_place(browser, tmp_path):
    damaged_store(tmp_path)
    with serving(tmp_path) as server:
        anna = owner(browser, server)
        anna.play(moves=1)
        anna.menu("My games")
        rows = anna.page.locator(".games li")
        rows.first.wait_for()
        assert [UNREADABLE in text for text in rows.all_inner_texts()].count(True) == 1
        anna.page.keyboard.press("Escape")
        anna.menu("Settings")
        assert "The setting 'page' cannot be read" in anna.page.locator("dialog .body").inner_text()
        anna.page.keyboard.press("Escape")
        anna.menu("Statistics")
        anna.page.get_by_text("The result of a game cannot be read").wait_for()
        assert "And 2 more." in anna.page.locator("dialog .body").inner_text()
        anna.leave()
