"""Bids by keys in `spades play`: digits, arrows, nil, blind nil and the cards passed with it."""

from support.play.terminals import on_screen, seated

from spades_env.play.terminal.screens.dialogs import Ask

BLIND = "classic target=off max_hands=2 blind_nil_deficit=0 blind_nil_pass=1"


@on_screen
async def test_bids_by_digit_and_by_arrows(tmp_path):
    async with seated(tmp_path, start={"dealer": 1}) as it:
        assert it.view["your_turn"]
        assert "[3]" in it.text
        await it.press("left", "left")
        assert "[1]" in it.text
        await it.press("left", "left", "enter")
        assert it.view["seats"][0]["bid"] == 13
        await it.press("z", "5")
        assert it.view["seats"][0]["bid"] == 5


@on_screen
async def test_bids_beyond_nine_by_digits(tmp_path):
    async with seated(tmp_path, start={"dealer": 1}) as it:
        await it.press("plus", "4")
        assert "A bid is at most 13" in it.text
        assert it.view["seats"][0]["bid"] is None
        await it.press("plus", "left", "1")
        assert it.view["seats"][0]["bid"] == 1
        await it.press("z", "equals_sign")
        assert "10 and …" in it.text
        await it.press("2")
        assert it.view["seats"][0]["bid"] == 12


@on_screen
async def test_nil_asks_first(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("0")
        assert isinstance(it.screen, Ask)
        assert "+100" in it.text
        await it.press("escape")
        assert it.view["phase"] == "bid"
        assert it.view["seats"][0]["bid"] is None
        await it.press("0", "enter")
        assert it.view["seats"][0]["nil"] == {"kind": "nil", "alive": True}
        assert "[nil]" in it.text


@on_screen
async def test_a_bid_of_no_tricks_that_is_no_nil_asks_nothing(tmp_path):
    async with seated(tmp_path, "solo", start={"dealer": 3}) as it:
        await it.press("0")
        assert it.view["seats"][0]["bid"] == 0
        assert not isinstance(it.screen, Ask)


@on_screen
async def test_blind_nil_before_the_cards_and_passing(tmp_path):
    async with seated(tmp_path, BLIND, start={"dealer": 1}) as it:
        assert it.view["phase"] == "blind"
        assert it.text.count("▒▒▒│") == 13
        assert "+200" in it.text
        await it.press("right", "enter")
        assert isinstance(it.screen, Ask)
        await it.press("enter")
        assert it.view["seats"][0]["nil"] == {"kind": "blind nil", "alive": True}
        assert it.view["phase"] == "pass"
        assert f"for {it.view['seats'][2]['called']}: –" in it.text
        given = it.table.panels.cursor
        await it.press("enter")
        assert it.view["passing"]["given"] == [given]
        assert given not in [card for lane in it.view["lanes"] for card in lane["cards"]]
        assert len(it.view["passing"]["received"]) == 1
        assert it.view["phase"] == "play"


@on_screen
async def test_looking_instead(tmp_path):
    async with seated(tmp_path, BLIND, start={"dealer": 1}) as it:
        await it.press("enter")
        assert it.view["phase"] == "bid"
        assert it.view["seats"][0]["looked"]
        assert "▒▒▒│" not in it.text
