"""Leading spades: when they are broken, and what a lead of spades shows."""

import random

import pytest
from support.game.engine_moves import MODES, bid_all, do, legal, play_out, suits
from support.strategies import Table

from spades_env import Rules
from spades_env.game.cards import card, cards, deck
from spades_env.game.engine import deal_next, is_legal
from spades_env.game.state import GOES_ON


def south_to_lead(trumps: str, spades_lead: str) -> Table:
    """Return a table at which South leads from all suits and West holds only clubs and spades."""
    spades, hearts, diamonds, clubs = suits(trumps)
    south = [spades[-1], spades[-2], *hearts[:4], *diamonds[:4], *clubs[-3:]]
    west = [*spades[:4], *clubs[:9]]
    rest = [c for c in deck(trumps) if c not in south + west]
    rules = Rules.preset("pagat", trumps=trumps, spades_lead=spades_lead)
    table = Table(rules, hands=[south, west, rest[:13], rest[13:]], dealer=3)
    bid_all(table, 3, 3, 3, 3)
    return table


@pytest.mark.parametrize("spades_lead", ["broken", "discarded"])
@pytest.mark.parametrize("trumps", MODES)
def test_spades_may_not_be_led_until_broken(trumps, spades_lead):
    table = south_to_lead(trumps, spades_lead)
    spades = suits(trumps)[0]
    assert legal(table) == [c for c in table.hands[0] if c not in spades]
    for spade in spades:
        assert not is_legal(table.s, table.r, spade)


@pytest.mark.parametrize("trumps", MODES)
def test_spades_may_be_led_at_any_time_where_the_rules_allow_it(trumps):
    table = south_to_lead(trumps, "any")
    assert legal(table) == table.hands[0]


@pytest.mark.parametrize("spades_lead", ["broken", "discarded"])
@pytest.mark.parametrize("trumps", MODES)
def test_a_discarded_spade_breaks_spades(trumps, spades_lead):
    table = south_to_lead(trumps, spades_lead)
    spades, hearts, *_ = suits(trumps)
    do(table, hearts[0])
    assert not table["broken"]
    do(table, spades[3])  # West has no hearts
    assert table["broken"]
    while table["num_plays"] < 4:
        do(table, legal(table)[0])
    assert table["turn"] in (1, 2, 3)
    assert set(legal(table)) & set(spades) == set(table.hands[table["turn"]]) & set(spades)


def test_a_trick_without_spades_does_not_break_them():
    table = south_to_lead("normal", "broken")
    do(table, card("2C"), card("AC"))
    while table["num_plays"] < 4:
        do(table, next(c for c in legal(table) if c < card("2S")))
    assert (table["turn"], table["broken"]) == (1, 0)
    assert legal(table) == [c for c in table.hands[1] if c < card("2S")]


@pytest.mark.parametrize("trumps", MODES)
def test_a_hand_of_nothing_but_spades_may_lead_them(trumps):
    spades, *_ = suits(trumps)
    rest = [c for c in deck(trumps) if c not in spades[:13]]
    hands = [spades[:13], rest[:13], rest[13:26], rest[26:]]
    table = Table(Rules.preset("pagat", trumps=trumps), hands=hands, dealer=3)
    bid_all(table, 13, 0, 0, 0)
    assert legal(table) == sorted(spades[:13])
    assert do(table, spades[5]) == GOES_ON
    assert table["voids"] == [0b0111, 0, 0, 0]  # everybody has now learnt it


SPADES_ONLY = "2S 3S 4S", "AS KS 2H", "QS JS 3H", "TS 9S 4C"  # South, who leads, West, North and East


def spade_led_table(spades_lead: str) -> Table:
    """Return a table with two tricks left: South has led the first spade of the hand, and West has won it."""
    table = Table(Rules.preset("pagat", spades_lead=spades_lead), dealer=3)
    bid_all(table, 3, 3, 3, 3)
    table.s.hands[:] = [table.lanes(cards(hand)) for hand in SPADES_ONLY]
    table.s.num_plays = 40
    assert legal(table) == cards("2S 3S 4S")
    do(table, *cards("2S AS JS 9S"))
    assert table["turn"] == 1
    return table


@pytest.mark.parametrize(
    ("spades_lead", "broken", "may_lead"),
    [("broken", True, "2H KS"), ("discarded", False, "2H"), ("any", True, "2H KS")],
)
def test_whether_a_led_spade_breaks_spades(spades_lead, broken, may_lead):
    table = spade_led_table(spades_lead)
    assert (bool(table["broken"]), legal(table)) == (broken, cards(may_lead))


def test_a_spade_that_follows_a_heart_breaks_spades_that_were_led():
    table = spade_led_table("discarded")
    assert table["voids"] == [0b0111, 0, 0, 0]
    do(table, *cards("2H 3H 4C 3S"))  # South ruffs, and leads its last card
    assert table["broken"]
    table = spade_led_table("discarded")
    do(table, *cards("2H 3H TS"))  # East discards a spade
    assert table["broken"]


def test_a_second_hand_of_nothing_but_spades_is_shown_by_its_lead():
    table = spade_led_table("discarded")
    table.s.hands[1] = table.lanes(cards("KS 5S"))
    do(table, *cards("KS QS TS 3S"))
    assert table["voids"] == [0b0111, 0b0111, 0, 0]
    assert not table["broken"]


def test_spades_are_unbroken_again_in_the_next_hand():
    table = Table(Rules.preset("pagat"), seed=2)
    play_out(table, random.Random(2))
    assert table["broken"]
    deal_next(table.s, table.r)
    assert not table["broken"]
    assert (table["voids"], table["tricks"], table["bids"]) == ([0] * 4, [0] * 4, [-1] * 4)
