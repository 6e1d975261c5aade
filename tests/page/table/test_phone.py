"""The table on a phone that is touched: nothing sticks, hides, or hangs over; what is small elsewhere is large."""

from support.play.browsers import TWO_HANDS, needs_a_browser, opened

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
