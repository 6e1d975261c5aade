"""Scenes at the table: each has its banner, its motion and its sound; no motion and no sound where none is wanted."""

import pytest
from support.play.browsers import (
    SHORT,
    TWO_HANDS,
    USUAL_SIZES,
    expect,
    needs_a_browser,
    opened,
    overlaps,
    owner,
    violations,
)
from support.play.sittings import SPADES_FOR_SOUTH
from support.play.sounds import STUB

from spades_env.play.texts import catalogue

needs_a_browser()

KINDS = {"nil_broken": (1, -100), "nil_made": (2, 100), "set": (None, -60), "bags": (None, -100), "bold": (0, 71)}
# Notes each banner, and what moved at seats and sides with it. `hold`: a banner stays; otherwise it goes soon.
WATCH = """
window.banners = [];
const later = window.setTimeout;
window.setTimeout = (f, wait, ...more) => (wait === 2200 ? (window.hold ? 0 : later(f, 20)) : later(f, wait, ...more));
new MutationObserver((changes) => {
  for (const one of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (one.classList?.contains('scene')) later(() => window.banners.push([
      one.className.match(/is-(\\w+)/)[1], one.innerText,
    ]));
  }
}).observe(document, { childList: true, subtree: true });
"""
# As if the server had sent the view again, with these scenes in it
RESHOW = """async (scenes) => {
  const { newest, receive } = await import('/page/queue.js');
  receive({ ...newest(), scenes });
}"""
# As if it was taken back: the banner goes, and the remark of this seat is made.
REMARK = """async ([seat, words]) => {
  const { newest, receive } = await import('/page/queue.js');
  const { help } = newest();
  const remark = { hand_number: 1, moves: 1, seat, moment: 'set', mood: 'sad', words };
  receive({ ...newest(), scenes: [], remarks: [remark], help: { ...help, takebacks: help.takebacks + 1 } });
}"""
SEEN = ".plate, .bid-bubble:not([hidden]), .bubble, .seat .face, .bid"
LONGEST = max((words for key, words in catalogue("de").items() if key.startswith("says.")), key=len)


def scene(kind: str, hand: int = 1) -> dict:
    seat, points = KINDS[kind]
    about = {"hand_number": hand, "moves": 40, "kind": kind, "side": 0 if seat in (0, None) else seat % 2}
    return about | {"seat": seat, "points": points, "words": f"this is {kind}"}


@pytest.fixture
def anna(browser, server, request):
    """A person at a new table, whose page notes scenes and sounds."""
    anna = owner(browser, server, script=STUB + WATCH, **getattr(request, "param", {}))
    anna.new(TWO_HANDS)
    anna.on_turn()
    anna.page.keyboard.press("v")  # before a gesture a browser allows no sound
    anna.page.keyboard.press("Escape")
    yield anna
    anna.leave()


def banners(anna) -> list[str]:
    return anna.page.evaluate("window.banners.map(([kind]) => kind)")


def test_each_scene_has_a_banner_and_a_sound_of_its_own(anna):
    anna.set(sound=True)
    sounds = []
    for number, kind in enumerate(KINDS, 1):
        anna.page.evaluate("window.played = []")
        anna.page.evaluate(RESHOW, [scene(kind)])
        anna.until_page(f"window.banners.length === {number}")
        anna.page.wait_for_selector(".scene", state="detached")
        sounds.append(tuple(anna.page.evaluate("window.played")))
    assert banners(anna) == list(KINDS)
    assert all(sounds)
    assert len(set(sounds)) == len(KINDS)
    anna.page.evaluate(RESHOW, [scene("bold")])
    anna.set(sound=False)
    anna.page.evaluate("window.played = []")
    anna.page.evaluate(RESHOW, [scene("set", hand=2), scene("bags", hand=2)])
    anna.until_page("window.banners.length === 7")  # none twice, several one after the other
    assert banners(anna)[5:] == ["set", "bags"]
    assert anna.page.evaluate("window.played") == []


def test_scenes_stand_still_with_reduced_motion(anna):
    anna.page.evaluate("window.hold = true")
    moves = []
    for still in (False, True):
        anna.page.emulate_media(reduced_motion="reduce" if still else "no-preference")
        anna.set(motion="system")
        anna.new(TWO_HANDS)
        anna.on_turn()
        anna.page.evaluate(RESHOW, [scene("nil_made")])
        anna.page.locator(".scene").wait_for()
        assert "Nil made" in anna.page.locator(".scene").inner_text()
        assert anna.page.locator(".seat.north").get_attribute("data-scene") == "nil_made"
        moves.append(anna.page.evaluate("document.getAnimations().some((one) => one.effect.target.closest('.scene'))"))
        for size in ((360, 640), (1280, 800)):
            anna.resize(size)
            assert violations(anna) == [], size
    assert moves == [True, False]


def test_a_broken_nil_is_shown_and_said_once(anna):
    anna.new(f"{SHORT} spades_lead=any first_dealer=east", seed=None, deal=SPADES_FOR_SOUTH)
    anna.on_turn()
    anna.button("bid nil").click()
    anna.button("Yes, nil").click()
    anna.on_turn()
    anna.play(moves=1)
    anna.until_page("window.banners.length === 1")
    words = anna.page.evaluate("window.banners[0][1]")
    assert [one for one in words.splitlines() if one] == ["Nil broken", "−100", "Your nil is broken"]
    assert anna.said.count("Your nil is broken.") == 1
    anna.page.reload()
    anna.on_turn()
    assert banners(anna) == []


@opened(phone={"viewport": {"width": 390, "height": 844}}, low={"viewport": {"width": 1080, "height": 680}})
def test_the_result_of_a_hand_waits_for_its_scenes(anna):
    """It has its place where a banner is, with a line for each of four sides."""
    anna.new("solo target=off max_hands=2 first_dealer=west")
    anna.skip(moves=14)
    anna.on_turn()
    expect(anna.page.locator(".result")).to_be_visible()
    anna.page.evaluate("window.hold = true")
    anna.page.evaluate(RESHOW, [scene("set")])
    anna.page.locator(".scene").wait_for()
    expect(anna.page.locator(".result")).to_be_hidden()
    anna.page.evaluate("document.querySelector('.scene').remove()")
    expect(anna.page.locator(".result")).to_be_visible()


def test_scenes_leave_seats_bids_and_words_in_sight(anna):
    """In windows of every usual size, with a remark at each seat: among bids, and over a trick."""
    anna.let_words_stay()
    anna.page.evaluate("window.hold = true")
    anna.new(f"{TWO_HANDS} first_dealer=west")  # the next dealer is the North: all bid before the South
    anna.skip(moves=14)
    anna.on_turn()
    check_banners(anna, "set")
    assert anna.page.locator(".bid-bubble:visible").count() == 3
    anna.play(moves=1)
    anna.on_turn()
    assert anna.page.locator(".laid").count()
    check_banners(anna, "nil_broken")


def check_banners(anna, kind):
    for size in USUAL_SIZES:
        anna.resize(size)
        for seat in (1, 2, 3):
            said = f"{LONGEST}{' ' * seat}"
            anna.page.evaluate(REMARK, [seat, said])
            anna.page.locator(".scene").wait_for(state="detached")
            anna.page.evaluate(RESHOW, [scene(kind)])
            anna.page.locator(".scene").wait_for()
            expect(anna.page.locator(".bubble")).to_have_text(LONGEST)
            assert overlaps(anna, ".scene", SEEN) == [], (size, seat)
