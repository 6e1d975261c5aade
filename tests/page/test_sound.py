"""Sound: none until it is chosen, none before a gesture; a card, a trick, your turn, a hand won."""

import pytest
from support.play.browsers import PACE, TWO_HANDS, Person, needs_a_browser, owner
from support.play.sounds import STUB

needs_a_browser()


@pytest.fixture
def anna(browser, server):
    """A person whose page notes each sound instead of making it."""
    person = owner(browser, server, script=STUB)
    yield person
    person.leave()


def played(anna: Person) -> list[str]:
    return anna.page.evaluate("window.played")


def test_there_is_no_sound_until_it_is_chosen(anna):
    anna.new(TWO_HANDS)
    anna.play(moves=3)
    assert played(anna) == []
    assert anna.page.evaluate("window.contexts") is None
    anna.menu("Settings")
    anna.page.get_by_text("Sounds for cards, tricks and your turn").click()
    anna.page.keyboard.press("Escape")
    before = len(played(anna))
    assert before > 0  # what it sounds like
    anna.play(moves=1)
    anna.on_turn()
    told = played(anna)[before:]
    assert "noise" in told
    assert anna.page.evaluate("window.loudest") <= 0.15


def test_a_key_turns_it_on_and_off(anna):
    for on in (True, False):
        anna.page.keyboard.press("m")
        assert anna.state("state.settings.sound") is on
        assert anna.page.locator("#notice").inner_text() == ("Sound is on" if on else "Sound is off")
    count = len(played(anna))
    anna.play(moves=2)
    assert len(played(anna)) == count
    anna.page.keyboard.press("?")
    assert "sound on or off" in anna.page.locator("dialog.help").inner_text()


def test_nothing_sounds_before_a_gesture(anna):
    """Sound is on from last time, but nobody has touched the page yet."""
    anna.ask("set", name="page", value={**PACE, "sound": True})
    anna.page.reload()
    anna.on_turn()
    assert anna.state("state.settings.sound") is True
    view = anna.state("({ version: state.view.version, action: state.view.legal[3] })")
    anna.ask("act", **view)
    anna.on_turn()
    assert played(anna) == []
    anna.page.keyboard.press("v")
    anna.play(moves=1)
    anna.until_page("window.played.length > 0")


def test_a_hidden_page_only_calls_for_your_turn(anna):
    anna.set(sound=True)
    anna.new(TWO_HANDS)
    anna.play(moves=2)
    anna.on_turn()
    anna.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true }); window.played = []")
    anna.play(moves=2)
    anna.on_turn()
    assert set(played(anna)) == {"note"}
    assert len(played(anna)) % 2 == 0  # two notes each time


def test_a_hand_that_was_won_sounds(anna):
    anna.set(sound=True)
    anna.bid_all_tricks(f"{TWO_HANDS} partners=false")
    anna.page.evaluate("window.played = []")
    anna.button("Take the rest").click()
    anna.until("state.view.sheet.length === 1 && !state.held")
    anna.until_page("window.played.filter((one) => one === 'note').length >= 4")


def test_the_volume_decides_how_loud_and_nothing_sounds_at_none(anna):
    anna.set(sound=True, volume=100)
    anna.new(TWO_HANDS)
    anna.play(moves=2)
    anna.until_page("window.loudest > 0.15")
    anna.set(sound=True, volume=0)
    anna.page.evaluate("window.played = []")
    anna.play(moves=1)
    anna.on_turn()
    assert played(anna) == []


def test_your_turn_is_not_called_in_the_midst_of_a_trick(anna):
    """Where cards follow each other; a bid and a lead are called for."""
    anna.set(sound=True)
    anna.page.keyboard.press("Shift")  # before a gesture a browser allows no sound
    anna.new(f"{TWO_HANDS} first_dealer=south")
    anna.on_turn()
    anna.until_page("window.played.filter((one) => one === 'note').length === 2")
    anna.play(moves=1)
    anna.on_turn()
    assert anna.state("state.view.trick.cards.length") > 0
    assert played(anna).count("note") == 2


def test_sound_is_offered_once(anna):
    """After the first trick of the first game; it takes no focus, and an answer or a hand without one ends it."""
    offer = anna.page.locator(".sound-offer")
    anna.set(soundOffered=False)
    anna.new(TWO_HANDS)
    anna.on_turn()
    assert not offer.is_visible()
    anna.play(moves=2)
    anna.on_turn()
    assert offer.is_visible()
    assert not anna.page.evaluate("document.querySelector('.sound-offer').contains(document.activeElement)")
    offer.get_by_role("button", name="No").click()
    assert not offer.is_visible()
    assert anna.state("[state.settings.sound, state.settings.soundOffered]") == [False, True]
    anna.set(soundOffered=False)
    anna.play(moves=1)
    assert offer.is_visible()
    while anna.state("state.view.hand_number") == 1:
        anna.play(moves=1)
    anna.until("!state.held")
    assert not offer.is_visible()
    assert anna.state("state.settings.soundOffered") is True
