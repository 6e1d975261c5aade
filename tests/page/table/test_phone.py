"""The table on a phone that is touched: nothing sticks, hides, or hangs over; what is small elsewhere is large."""

import pytest
from support.play.browsers import TWO_HANDS, needs_a_browser, opened, overlaps

needs_a_browser()

WINDOWS = {"upright": (390, 844), "lying": (740, 360)}
PHONES = {
    name: {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}
    for name, (width, height) in WINDOWS.items()
}
UPRIGHT = opened(upright=PHONES["upright"])


@UPRIGHT
def test_a_bid_that_was_tapped_does_not_look_chosen(anna):
    """The pointer of a phone stays where the last tap was."""
    anna.new(TWO_HANDS)
    anna.on_turn()
    bids = anna.page.locator(".bid")
    bids.nth(4).hover()
    assert len({bid.evaluate("(node) => getComputedStyle(node).border") for bid in bids.all()}) == 1


def test_faces_and_the_trick_are_large(anna):
    """Nothing lies over a face, and the cards of the trick are larger than those of the hand."""
    for width, height, face, card in ((390, 844, 60, 95), (360, 740, 48, 75), (740, 360, 50, 60)):
        anna.page.set_viewport_size({"width": width, "height": height})
        anna.new(TWO_HANDS)
        anna.play(moves=3)
        anna.on_turn()
        faces = anna.page.locator(".seat:is(.west, .east) .face")
        assert all(min(box["width"], box["height"]) >= face for box in map(box_of, faces.all()))
        assert overlaps(anna, ".seat:is(.west, .east) .face", ".plate, .slot") == []
        slots = list(map(box_of, anna.page.locator(".slot").all()))
        assert all(box["width"] >= card for box in slots)
        assert all(box["x"] >= 8 and box["x"] + box["width"] <= width - 8 for box in slots)


def box_of(node):
    return node.bounding_box()


@pytest.mark.parametrize("size", [*WINDOWS.values(), (820, 1180), (1080, 680), (1440, 900)], ids=str)
def test_a_hint_covers_nothing(anna, size):
    """Not even a long one: neither a card nor a plate, and all of it is in the window."""
    anna.page.set_viewport_size({"width": size[0], "height": size[1]})
    anna.new(TWO_HANDS)
    anna.play(moves=3)
    anna.on_turn()
    anna.page.evaluate(HINT)
    anna.page.wait_for_selector(".advice:not([hidden])")
    assert overlaps(anna, ".advice, .prompt", ".slot, .hand .card, .seat .face, .plate, .side") == []
    box = box_of(anna.page.locator(".advice"))
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]


HINT = """async () => {
  const { state, change, positionOf } = await import('/page/state.js');
  change({ hint: {
    stamp: positionOf(state.view), best: 'Play the seven of diamonds.', heading: 'How likely Zofia is to choose each',
    reason: 'You need all of the tricks that are left, and a lower card would give the lead away: take this one.',
    words: 'Zofia would choose: the seven of diamonds.', weighed: {},
  } });
}"""


def test_a_large_window_is_filled(anna):
    """The felt takes most of the width, and cards, faces and words grow with it."""
    sizes = []
    for width, height in ((1920, 1080), (2560, 1440)):
        anna.page.set_viewport_size({"width": width, "height": height})
        anna.new(TWO_HANDS)
        anna.play(moves=3)
        anna.on_turn()
        assert box_of(anna.page.locator(".felt"))["width"] >= 0.62 * width
        parts = (".hand .card", ".slot", ".seat .face", ".seat .status")
        sizes.append([box_of(anna.page.locator(part).first)["height"] for part in parts])
    assert all(large >= 1.25 * usual for usual, large in zip(*sizes, strict=True))
