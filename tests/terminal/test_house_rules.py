"""The house rules in the terminal: bids that are closed, blind, or not made at all."""

import pytest
from support.play.terminals import on_screen, seated

from spades_env.play.terminal.screens.dialogs import Ask, Page

SOUTH_BIDS = {"dealer": 1}
BLIND = "house first_hand=bid blind_bid_deficit=0 target=off max_hands=1"


@on_screen
async def test_a_blind_bid_for_both(tmp_path):
    async with seated(tmp_path, BLIND, "random", start=SOUTH_BIDS) as it:
        assert "You aren't ahead" in it.text
        assert "[Look at my cards]   6    7    8    9   10   11   12   13 " in it.text
        await it.press("5")
        assert "Your turn: bid blind for both of you, or look at your cards." in it.rows[-2]
        await it.press("right", "right", "enter")
        assert isinstance(it.screen, Ask)
        assert "+140 if you make it together" in it.text
        await it.press("enter")
        assert [seat["contract"] for seat in it.view["seats"]][::2] == ["both", "partner"]
        assert "You bid blind 7 for both" in it.text
        assert "bid 7 ×2" in it.text
        await it.press("v")
        assert it.rows[-2].startswith(" You: took 0, bid blind 7 for both partners; ")
        await it.play_hand()
        assert "bid blind 7 (double)" in " ".join(it.text.split())


@on_screen
async def test_a_hand_that_bids_itself(tmp_path):
    async with seated(tmp_path, "house target=off max_hands=1", "random", start=SOUTH_BIDS) as it:
        assert it.view["phase"] == "play"
        assert "No bids in this hand" in it.text
        await it.play_hand()
        assert "no bids, took" in it.text


@pytest.mark.parametrize(
    ("rules", "digit", "why"),
    [
        ("mirror", "9", "Your turn: you hold 3 trumps, so bid 3."),
        ("whiz", "9", "Your turn: you hold 3 trumps, so bid 3 or nil."),
    ],
)
@on_screen
async def test_what_may_not_be_bid_is_refused_with_the_reason(tmp_path, rules, digit, why):
    async with seated(tmp_path, rules, "random", start=SOUTH_BIDS) as it:
        assert why in it.text
        await it.press(digit)
        assert it.rows[-2].strip() == why
        assert it.view["seats"][0]["bid"] is None


@on_screen
async def test_suicide_to_the_end(tmp_path):
    async with seated(tmp_path, "suicide max_hands=1", "random", start=SOUTH_BIDS) as it:
        assert "Your turn: bid nil, or bid 1 or more and your partner must bid nil." in it.text
        await it.press("4")
        assert it.view["seats"][2]["nil"]["kind"] == "nil"
        while not isinstance(it.screen, Page):
            await it.press("enter")
        assert "bid nil" in it.text or "made nil" in it.text
