"""The drawn table and hand: bids, turns, tricks, refused cards, advice, and tricks that stay."""

from support.play.drawings import drawn, faces, hand_text, new, table_text
from support.play.sittings import SPADES_FOR_SOUTH, move, play_until

from spades_env.game.cards import CARD_NAMES, card
from spades_env.play.table.seat_view import seat_view
from spades_env.play.terminal.pictures.frames import earlier_trick, frames
from spades_env.play.terminal.pictures.hand import bar
from spades_env.play.terminal.pictures.panels import draw_panel, pips
from spades_env.play.terminal.pictures.table import status
from spades_env.show.captions import card_text


def test_bids_and_tricks():
    seat = {"bid": None, "contract": "own", "tricks": 0, "nil": None}
    assert status(seat)[0] == "…"
    assert status(seat | {"bid": 4}, counts=False) == ("bid 4", "strong")
    assert status(seat | {"bid": 7, "contract": "both"}, counts=False) == ("bid 7 ×2", "strong")
    assert status(seat | {"bid": 4, "tricks": 2}) == ("2 / 4", "strong")
    assert status(seat | {"bid": 4, "tricks": 4}) == ("4 / 4", "good")
    assert status(seat | {"bid": 0, "nil": {"kind": "nil", "alive": True}}) == ("[nil]", "gold")
    assert status(seat | {"contract": "hand", "tricks": 2}) == ("2", "strong")
    assert status(seat | {"contract": "partner"}) == ("0", "strong")
    assert status(seat | {"bid": 7, "contract": "both", "tricks": 3}) == ("3 / 7 ×2", "strong")
    broken = {"bid": 0, "contract": "own", "tricks": 1, "nil": {"kind": "blind nil", "alive": False}}
    assert status(broken) == ("1 ]blind nil[ ✗", "alarm")


def test_bids_are_no_scores_before_the_first_trick():
    view = seat_view(play_until(new(), "play"), 0)
    assert not view["tricks"]
    texts = table_text(view), drawn(draw_panel, view, {"move": None, "sitting": None}, [])
    assert all(" bid " in text and "0 / " not in text for text in texts)


def test_whose_turn_who_led_and_who_wins():
    table = play_until(new(), "play")
    view = seat_view(table, 0)
    led, wins = view["trick"]["cards"][0]["seat"], view["trick"]["winning"]
    text = table_text(view)
    assert "▶ You" in text
    assert text.count("▶") == 1
    assert text.count("led") == 1
    assert text.count("┏━★━┓") == 1
    assert (led, wins) == (3, 3)
    row = next(line for line in text.splitlines() if "┏━★━┓" in line)
    assert row.index("┏━★━┓") > 25  # before East, on the right


def test_bags_as_pips():
    assert pips({"bags": 3, "bag_limit": 5}) == "●●●○○"
    assert pips({"bags": 3, "bag_limit": 50}) == "3 of 50 bags"
    assert pips({"bags": None, "bag_limit": None}) == ""


def test_the_hand_is_grouped_and_what_is_refused_is_dotted():
    table = play_until(new(), "play")
    view = seat_view(table, 0)
    rows = hand_text(view, view["legal"][0]).splitlines()
    assert rows[4].count("└┄┄┄┘") == len(view["refused"]) == 9
    assert rows[1].count("┏━━━┓") == 1  # the card under the cursor is lifted
    assert rows[4].count("╰───╯") == len(view["legal"]) - 1
    flat = hand_text(view).splitlines()
    assert [len(group) for group in flat[4].split()] == [5 * len(lane["cards"]) for lane in view["lanes"]]


def test_a_nil_is_called_nil_only_where_it_is_one():
    table = play_until(new(), "bid")
    assert " nil " in hand_text(seat_view(table, 0), "bid:3")
    assert " 0 " in hand_text(seat_view(table, 0), "bid:3", nil=False)


def test_advice_as_bars():
    assert [bar(weight, 4) for weight in (0, 0.001, 0.03, 0.5, 1)] == ["", "", "▏", "██", "████"]
    table = play_until(new(), "bid")
    rows = hand_text(seat_view(table, 0), "bid:3", weights={"bid:2": 1.0, "bid:4": 0.25}).splitlines()
    assert rows[1].index("████") < rows[1].rindex("█")
    assert rows[0].index("2") - rows[1].index("████") in (1, 2)


def test_the_best_card_of_the_advice_has_a_star():
    """It stays on the card when the cursor lifts it, and the heavy border stays the cursor's."""
    table = play_until(new(), "play")
    view = seat_view(table, 0)
    best, other = view["legal"][:2]
    weights = {best: 0.9, other: 0.9}
    plain = hand_text(view, other, weights=weights).splitlines()
    assert plain[2].count("╭─★─╮") == 1
    assert "★" not in plain[1]
    column = plain[2].index("╭─★─╮")
    assert plain[3][column : column + 5].strip("│ ") == card_text(card(best))
    lifted = hand_text(view, best, weights=weights).splitlines()
    assert lifted[1].index("┏━★━┓") == column
    assert "★" not in hand_text(view, best)


def test_the_best_bid_of_the_advice_has_a_star():
    table = play_until(new(), "bid")
    rows = hand_text(seat_view(table, 0), "bid:3", weights={"bid:2": 1.0, "bid:0": 0.25}).splitlines()
    assert rows[1].count("★") == 1
    assert "████★" in rows[1]
    assert rows[0].index("2") - rows[1].index("████★") in (1, 2)


def test_cards_are_face_down_before_the_look():
    view = seat_view(new("classic blind_nil_deficit=0", start={"dealer": 1}), 0)
    text = hand_text(view, "look")
    assert faces(text) == []
    assert text.count("│▒▒▒│") == 13
    assert "[Look at my cards]" in text
    assert "Blind nil ±200" in text


def test_a_complete_trick_stays_and_the_last_one_of_a_hand_too():
    table = new("match target=off max_hands=2")
    before, shown = seat_view(table, 0), []
    while not table.over:
        move(table)
        after = seat_view(table, 0)
        found = frames(before, after)
        assert found[-1] == frames(None, after)[0]
        shown += [frame.scene.trick for frame in found if frame.stays]
        if len(found) > 1 and after["hand_number"] > before["hand_number"]:
            scene = found[0].scene
            assert [seat["tricks"] for seat in scene.view["seats"]] == after["previous"]["taken"]
            assert not scene.view["your_turn"]
        before = after
    assert len(shown) == 26
    assert all(len(trick["cards"]) == 4 for trick in shown)
    seen = [[(one["seat"], one["card"]) for one in trick["cards"]] for trick in shown]
    played = [[(seat, CARD_NAMES[card]) for seat, card in trick] for hand in table.hands for trick in hand.tricks()]
    assert seen == played


def test_looking_back_reaches_the_hand_before():
    table = new("match target=off max_hands=2")
    while seat_view(table, 0)["hand_number"] == 1:
        move(table)
    scene = earlier_trick(seat_view(table, 0), 13)
    assert scene
    assert scene.note == "hand 1, trick 1 of 13"
    assert scene.trick == seat_view(table, 0)["previous"]["tricks"][0]
    assert earlier_trick(seat_view(table, 0), 14) is None


def test_a_claim_shows_no_trick():
    table = new("classic first_lead=left_of_dealer", start={"deal": SPADES_FOR_SOUTH, "dealer": 3})
    play_until(table, "play")
    before = seat_view(table, 0)
    table.claim(0)
    assert [frame.stays for frame in frames(before, seat_view(table, 0))] == [False]
