"""The parts of the terminal that need no screen: cursor, settings, rules, sittings, log lines."""

import asyncio
import json
import random
from typing import Any

import pytest
from support.play.sittings import SPADES_FOR_SOUTH, by_chance, move, play_until, stand_still
from support.play.terminals import QUICK
from textual.screen import Screen

from spades_env import Rules
from spades_env.agents.measures import CHANCE, CHOICE
from spades_env.game.cards import BID_ZERO
from spades_env.game.rules import RANGES
from spades_env.play.table.advice import advice, heading
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table
from spades_env.play.terminal import cursor
from spades_env.play.terminal.client import TableClient
from spades_env.play.terminal.pictures.log_lines import advice_words, bids_words, event_lines
from spades_env.play.terminal.screens.new_game import NewGame
from spades_env.play.terminal.screens.review import ReviewScreen
from spades_env.play.terminal.screens.rules_form import STEPS, RulesForm, stepped
from spades_env.play.terminal.settings import SETTINGS, arranged, change, settings


def at_play(**options) -> dict:
    return seat_view(play_until(Table("classic", ["rule"] * 4, seed=7, now=stand_still, **options), "play"), 0)


# The cursor


def test_the_cursor_begins_where_something_may_be_done():
    view = at_play()
    assert cursor.settled(view, None) in view["legal"]
    assert cursor.settled(view, next(iter(view["refused"]))) in view["legal"]
    assert cursor.settled(view, view["legal"][1]) == view["legal"][1]
    bidding = seat_view(play_until(Table("classic", ["rule"] * 4, seed=7), "bid"), 0)
    assert cursor.settled(bidding, None) == "bid:3"


def test_sideways_goes_round_what_may_be_played():
    view = at_play()
    legal = [card for lane in view["lanes"] for card in lane["cards"] if card in view["legal"]]
    here, seen = cursor.settled(view, None), []
    for _ in legal:
        here = cursor.sideways(view, here, 1)
        seen.append(here)
    assert sorted(seen) == sorted(legal)
    assert cursor.sideways(view, cursor.sideways(view, here, 1), -1) == here


def test_suits_by_letter_reach_every_card():
    view, here, seen = at_play(), None, set()
    for lane in view["lanes"]:
        for _ in lane["cards"]:
            here = cursor.suit(view, here, lane["suit"][0].upper())
            seen.add(here)
    assert seen == {card for lane in view["lanes"] for card in lane["cards"]}
    missing = view | {"lanes": view["lanes"][:1]}
    assert cursor.suit(missing, here, "D") == here


def test_up_and_down_go_from_suit_to_suit():
    view = at_play()
    here = view["lanes"][0]["cards"][-1]
    seen = []
    for _ in view["lanes"]:
        here = cursor.suitwise(view, here, 1)
        seen.append(here)
    assert [card[1] for card in seen] == [lane["suit"][0].upper() for lane in [*view["lanes"][1:], view["lanes"][0]]]


@pytest.mark.parametrize("rising", [False, True])
def test_lowest_and_highest_of_the_suit(rising):
    view = arranged(at_play(), "CDHS", rising)
    here = cursor.suit(view, None, "D")
    assert cursor.ends(view, here, True, rising) == "2D"
    assert cursor.ends(view, here, False, rising) == "QD"


def test_the_cursor_is_always_on_something_that_is_there():
    rng = random.Random(3)
    table = Table("classic blind_nil_deficit=0 blind_nil_pass=2", ["random"] * 4, seed=5, now=stand_still)
    here = None
    moves = (
        lambda view, here: cursor.sideways(view, here, rng.choice((1, -1))),
        lambda view, here: cursor.suitwise(view, here, rng.choice((1, -1))),
        lambda view, here: cursor.suit(view, here, rng.choice("CDHS")),
        lambda view, here: cursor.ends(view, here, rng.random() < 0.5),
        cursor.settled,
    )
    for _ in range(120):
        view = seat_view(table, 0)
        for _ in range(6):
            here = rng.choice(moves)(view, here)
            assert here is None or here in cursor.choices(view) or not cursor.choices(view) or view["phase"] != "play"
        here = cursor.settled(view, here)
        assert here in cursor.choices(view) or not cursor.choices(view)
        if view["your_turn"]:
            assert here in view["legal"]
        move(table, by_chance(rng))


# Settings and rules


def fresh(**kept: Any) -> TableClient:
    """Return a client of a server that keeps these settings and does whatever it is asked."""
    client = TableClient()
    client.take(json.dumps({"hello": {"name": "Anna", "settings": kept}}))
    client.send = lambda text: client.take(json.dumps({"re": json.loads(text)["id"], "ok": True}))
    return client


def test_settings_step_round_and_bad_ones_are_the_usual_ones():
    client, usual = fresh(), {one.name: one.usual for one in SETTINGS}
    assert settings(client) == usual
    for one in SETTINGS:
        assert one.words_of(one.usual)
        for _ in one.values:
            asyncio.run(change(client, one, 1))
            assert settings(client)[one.name] in one.values
    assert settings(client) == usual
    assert settings(fresh(terminal={"pause": "for ever", "deck": "seven"}, page={"language": "tlh"})) == usual
    assert set(QUICK) <= set(usual)


@pytest.mark.parametrize("name", STEPS)
def test_numbers_of_the_rules_step_within_their_range(name):
    start, _ = STEPS[name]
    low, high = RANGES[name]
    value = start
    for way in (1, -1):
        for _ in range(300):
            value = stepped(name, value, way)
            assert value is None or low <= value <= high
            Rules(**{"max_hands": 4, name: value})


def test_every_row_of_the_rules_can_be_stepped():
    form = RulesForm(fresh(), Rules())
    count = len(form.rows())
    assert count > 30
    for number in range(count):
        row = form.rows()[number]
        if row.step:
            seen = {row.value}
            for _ in range(6):
                step = form.rows()[number].step
                assert step
                step(1)
                seen.add(form.rows()[number].value)
            assert len(seen) > 1
            form._chosen = Rules()


# The lines of the log


def test_every_event_has_one_line():
    table = Table("classic target=off max_hands=2", ["rule"] * 4, seed=3, now=stand_still)
    before, lines = None, []
    while not table.over:
        after = seat_view(table, 0)
        lines += event_lines(before, after)
        before = after
        move(table, by_chance(random.Random(len(lines))))
    after = seat_view(table, 0)
    lines += event_lines(before, after)
    assert sum(" plays the " in line or "You play the " in line for line in lines) == 104
    assert sum(" bids " in line or "You bid " in line for line in lines) == 8
    assert sum(line.endswith((" wins the trick", "You win the trick")) for line in lines) == 26
    assert sum(line.startswith("Hand ") and line.endswith("dealt") for line in lines) == 2
    assert sum("now" in line for line in lines) == 4
    assert event_lines(after, after) == []


def test_lines_stand_in_the_order_of_events():
    table = play_until(Table("classic", ["rule"] * 4, seed=7, now=stand_still), "play")
    before = seat_view(table, 0)
    table.act(0, before["legal"][0])
    [line] = event_lines(before, seat_view(table, 0))
    assert line.startswith("You play the ")
    before = seat_view(table, 0)
    table.takeback(0)
    [line] = event_lines(before, seat_view(table, 0))
    assert line.startswith("Move undone. Your turn: ")


@pytest.mark.parametrize("hands", [1, 2])
def test_a_claim_has_one_line(hands):
    rules = f"classic target=off max_hands={hands} first_lead=left_of_dealer"
    table = Table(rules, ["rule"] * 4, seed=1, start={"deal": SPADES_FOR_SOUTH, "dealer": 3}, now=stand_still)
    play_until(table, "play")
    before = seat_view(table, 0)
    table.claim(0)
    lines = event_lines(before, seat_view(table, 0))
    assert "You claim the rest" in lines
    assert sum(" plays " in line for line in lines) <= 1


def test_bids_in_words():
    view = at_play()
    assert bids_words(view).startswith("You: 0 of ")
    seats = [seat | {"bid": 0, "tricks": 2, "nil": {"kind": "nil", "alive": False}} for seat in view["seats"]]
    assert ": nil broken, 2" in bids_words(view | {"seats": seats})


def test_advice_in_words():
    bids = [(BID_ZERO, 0.5), (BID_ZERO + 3, 0.494), (BID_ZERO + 4, 0.004)]
    found = {"by": "Noor", "heading": heading(CHOICE, "Noor"), "hint": advice(bids, CHOICE)}
    assert advice_words(found, True) == "How likely Noor is to choose each: nil 50%, bid 3 49%"
    found = {"by": "Noor", "heading": heading(CHANCE, "Noor"), "hint": advice([(51, 0.5), (50, 0.4)], CHANCE)}
    assert advice_words(found, True) == "Chance to win the game (Noor): A♠ 50.0%, K♠ 40.0%"


def test_no_method_of_ours_hides_one_of_the_library():
    from textual.widget import Widget

    from spades_env.play.terminal.screens import form
    from spades_env.play.terminal.screens import table as table_screen

    ours = (form.Form, form.Pick, table_screen.TableScreen, ReviewScreen, NewGame)
    theirs = set(dir(Screen())) | set(dir(Widget()))
    meant = {"compose", "rows"}
    for kind in ours:
        own = {name for name in vars(kind) if not name.startswith("__") and callable(getattr(kind, name))}
        assert own & theirs <= meant, kind
