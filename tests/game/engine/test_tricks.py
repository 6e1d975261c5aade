"""Tricks: which cards must follow, who wins, and what a seat shows when it cannot follow."""

import itertools
import random

import pytest
from support.game import reference
from support.game.engine_moves import MODES, bid_all, do, legal, suits
from support.game.tables import finish_at_random
from support.strategies import Table, random_options, scaled

from spades_env import Rules
from spades_env.game.cards import deck
from spades_env.game.engine import apply, begin_hand
from spades_env.game.state import GOES_ON, PLAY


def winner_by_hand(trick: list[tuple[int, int]], trumps: str) -> int:
    """Return the winner: the seat with the highest trump, else the highest card of the suit led."""
    led = next(suit for suit in suits(trumps) if trick[0][1] in suit)
    order = suits(trumps)[0] + led
    return min(trick, key=lambda played: order.index(played[1]) if played[1] in order else 99)[0]


def on_the_table(table: Table, leader: int, played) -> None:
    """Play cards whether or not the seats hold them: the engine does not check."""
    begin_hand(table.s, table.r)
    table.s.phase, table.s.turn = PLAY, leader
    for c in played:
        table.s.hands[table.s.turn] = table.lanes([c])
        apply(table.s, table.r, c)


@pytest.mark.parametrize("trumps", MODES)
def test_the_right_card_of_any_two_wins(trumps):
    table = Table(Rules(trumps=trumps))
    for led, answer in itertools.permutations(deck(trumps), 2):
        on_the_table(table, 3, (led, answer))
        trick = [(3, led), (0, answer)]
        assert table["best_seat"] == reference.trick_winner(trick, trumps) == winner_by_hand(trick, trumps)


@pytest.mark.parametrize("trumps", MODES)
def test_the_winner_of_any_trick(trumps):
    rng = random.Random(trumps)
    table = Table(Rules(trumps=trumps))
    for _ in range(scaled(2000)):
        leader, played = rng.randrange(4), rng.sample(deck(trumps), 4)
        on_the_table(table, leader, played)
        seats = [(leader + i) % 4 for i in range(4)]
        winner = winner_by_hand(list(zip(seats, played, strict=True)), trumps)
        assert table["turn"] == winner
        assert table["tricks"] == [int(seat == winner) for seat in range(4)]


@pytest.mark.parametrize("trumps", MODES)
def test_only_the_effective_suit_must_be_followed(trumps):
    rng = random.Random(trumps)
    for seed in range(scaled(60)):
        table = Table(Rules.preset("pagat", trumps=trumps, spades_lead="any"), seed)
        bid_all(table, 3, 3, 3, 3)
        for _ in range(13):
            led = rng.choice(legal(table))
            do(table, led)
            suit = next(suit for suit in suits(trumps) if led in suit)
            for _ in range(3):
                hand = table.hands[table["turn"]]
                assert legal(table) == ([c for c in hand if c in suit] or hand)
                do(table, rng.choice(legal(table)))


def test_voids_are_true():
    """A seat marked void in a suit holds none of it for the rest of the hand; a seat that does not follow is marked.

    If the first trick takes the lowest clubs, a seat that plays another suit is out of clubs, whatever was led.
    """
    rng = random.Random(3)
    marked = 0
    for _ in range(scaled(300)):
        table = Table(Rules(**random_options(rng)), rng.getrandbits(64))
        event = GOES_ON
        while event == GOES_ON:
            seat, phase, led = table["turn"], table["phase"], table["led_lane"]
            to_lowest_club = table.r["lowest_club"] and table["num_plays"] < 4
            following = phase == PLAY and (to_lowest_club or table["num_plays"] % 4 > 0)
            action = rng.choice(legal(table))
            event = apply(table.s, table.r, action)
            wanted = 0 if to_lowest_club else led
            if following and table.place[action] // 16 != wanted:
                assert table["voids"][seat] >> wanted & 1
            for hand, void in zip(table["hands"], table["voids"], strict=True):
                assert not any(hand >> 16 * lane & 0xFFFF for lane in range(4) if void >> lane & 1)
                marked += void > 0
    assert marked


def test_random_hands_of_the_kernel_are_legal():
    """`random_action` ends every hand with thirteen tricks and all cards played once."""
    rng = random.Random(5)
    for _ in range(scaled(200)):
        table = Table(Rules(**random_options(rng)), rng.getrandbits(64))
        dealt = sorted(table.place[c] for c in deck(table.rules.trumps))
        finish_at_random(table.s, table.r, rng.getrandbits(64))
        assert sum(table["tricks"]) == 13
        assert table["hands"] == [0] * 4
        assert sorted(table["plays"]) == dealt
