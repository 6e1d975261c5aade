"""Helpers for all tests: random legal rules, a simple player, and how many hands a run can afford.

`SPADES_TEST_SCALE`, 1 unless set, is the share of the hands that a run plays: three in ten in `make test`, fewer where
kernels are not compiled. Below 1, tests in a browser run only where SPADES_BROWSER_TESTS=1 asks for them.
"""

import math
import os
import random

import numpy as np
from hypothesis import strategies as st
from support.game.reference import FIRST_BID, LOOK, TRUMPS, suit_of, trick_winner

from spades_env.game.engine import begin_hand, deal, new_game
from spades_env.game.rules import Rules
from spades_env.game.state import compile_rules, new_tables

SCALE = float(os.environ.get("SPADES_TEST_SCALE", "1"))

SPADE = 3
PLAIN_SUIT_CARDS = 39

# Each option with the values to mix: those of the presets and settings screens, the smallest, and some odd ones.
OPTION_VALUES = {
    "partners": (True, True, False),
    "target": (None, 1, 60, 100, 250, 300, 500, 777),
    "max_hands": (None, None, 1, 2, 3, 8, 16),
    "floor": (None, None, -1, -100, -200, -333),
    "first_lead": ("left_of_dealer", "right_of_dealer", "highest_bidder"),
    "first_dealer": ("random", "south", "west", "north", "east"),
    "bidding": ("free", "free", "free", "free", "mirror", "whiz", "suicide"),
    "least_bid": (0, 0, 0, 2, 4, 13),
    "total_not": (None, None, 13, 9, 0, 26),
    "first_hand": ("bid", "bid", "bids_itself"),
    "nil": (True, True, False),
    "nil_bonus": (0, 50, 75, 100, 200),
    "nil_pass": (0, 0, 1, 2, 3),
    "double_nil_points": (None, None, 0, 300, 500),
    "blind_nil_deficit": (None, 0, 0, 50, 100, 200),
    "blind_nil_bonus": (0, 100, 150, 200, 400),
    "blind_nil_pass": (0, 1, 2, 3),
    "blind_bid": (None, None, 1, 6, 7, 13),
    "blind_bid_deficit": (0, 0, 50, 100),
    "ten_points": (None, None, 0, 200),
    "slam_points": (None, None, 100, 200),
    "overtrick_points": (1, 0, -1),
    "bag_limit": (None, 1, 2, 3, 5, 10),
    "bag_penalty": (0, 10, 50, 100),
    "bag_penalty_to": ("self", "opponents"),
    "failed_nil_tricks": ("bags", "overtricks", "partner", "ignored"),
    "trumps": ("normal", "nyc", "barmore", "deuces", "jokers", "big_two"),
    "spades_lead": ("broken", "discarded", "any"),
    "first_trick": ("any", "any", "lowest_club"),
    "tie": ("draw", "extra_hand"),
    "time_limit_s": (None, 600),
}
ENDINGS = ("target", "max_hands", "floor")


def scaled(count: int) -> int:
    """Scale a count to what this run can afford, at least one."""
    return max(1, math.ceil(count * SCALE))


# Rules


def random_options(rng: random.Random) -> dict:
    """Draw legal options in any combination."""
    options = {name: rng.choice(values) for name, values in OPTION_VALUES.items()}
    if all(options[name] is None for name in ENDINGS):
        name = rng.choice(ENDINGS)
        options[name] = rng.choice([value for value in OPTION_VALUES[name] if value is not None])
    return reconciled(options)


def reconciled(options: dict) -> dict:
    """Return options without the combinations that no rules have."""
    found = dict(options)
    if not found["partners"]:
        found |= {"blind_nil_pass": 0, "nil_pass": 0, "least_bid": 0, "blind_bid": None}
        if found["failed_nil_tricks"] == "partner":
            found["failed_nil_tricks"] = "ignored"
        if found["bidding"] == "suicide":
            found["bidding"] = "free"
    if found["bidding"] != "free":
        found |= {"blind_nil_deficit": None, "blind_bid": None, "total_not": None}
        if found["bidding"] == "suicide":
            found["nil"] = True
        else:
            found["least_bid"] = 0
    if not found["nil"]:
        found["double_nil_points"] = None
    return found


def _number(low: int, high: int, off: bool = False):
    """Draw a number in the range, often a common one."""
    numbers = st.integers(low, min(high, low + 12)) | st.integers(low, high)
    return st.none() | numbers if off else numbers


@st.composite
def rules(draw) -> Rules:
    """Draw any legal rules."""
    partners = draw(st.booleans())
    ending = draw(st.sampled_from(ENDINGS))
    options = {name: draw(st.sampled_from(values)) for name, values in OPTION_VALUES.items()}
    options |= {
        "partners": partners,
        "target": draw(_number(1, 10_000, off=ending != "target")),
        "max_hands": draw(_number(1, 10_000, off=ending != "max_hands")),
        "floor": draw(_number(-10_000, -1, off=ending != "floor")),
        "nil_bonus": draw(_number(0, 10_000)),
        "blind_nil_deficit": draw(_number(0, 10_000, off=True)),
        "blind_nil_bonus": draw(_number(0, 10_000)),
        "blind_nil_pass": draw(st.integers(0, 3)),
        "bag_limit": draw(_number(1, 100, off=True)),
        "bag_penalty": draw(_number(0, 10_000)),
        "time_limit_s": draw(_number(1, 10_000, off=True)),
    }
    return Rules(**reconciled(options))


# Tables


class Table:
    """A table of the engine: its record `s` and rules `r` for kernels, its fields as plain Python values."""

    def __init__(self, rules: Rules, seed=0, *, hands=None, dealer=None, scores=(), bags=(), hand_number=0):
        self.rules = rules
        self.state, self.compiled = new_tables(1), compile_rules(rules)
        self.s, self.r = self.state[0], self.compiled[0]
        self.card_at = self.compiled.card_at[0].tolist()
        self.place = {self.card_at[place]: place for place in self.compiled.deck[0].tolist()}
        self._fields = self.state.view(np.ndarray)[0]
        new_game(self.s, self.r, np.uint64(seed))
        self.s.hand_number = hand_number
        deal(self.s, self.r)
        if hands is not None:
            self.s.hands[:] = [self.lanes(hand) for hand in hands]
        if dealer is not None:
            self.s.dealer = dealer
        self.s.scores[: len(scores)] = scores
        self.s.bags[: len(bags)] = bags
        begin_hand(self.s, self.r)

    def __getitem__(self, field: str):
        return self._fields[field].tolist()

    def lanes(self, cards) -> int:
        """Return a set of cards in the engine's form."""
        return sum(1 << self.place[card] for card in cards)

    def cards(self, lanes: int) -> list[int]:
        """Return the card ids of such a set."""
        return sorted(self.card_at[place] for place in range(64) if lanes >> place & 1)

    @property
    def hands(self) -> list[list[int]]:
        return [self.cards(lanes) for lanes in self["hands"]]


# A simple player


def random_action(rng: random.Random, table, legal: list[int], trumps: str) -> int:
    """Return a random legal action."""
    return rng.choice(legal)


def sensible_action(rng: random.Random, table, legal: list[int], trumps: str) -> int:
    """Return what a beginner might do at a `Game` or the reference's table, seeing all cards: keep nils, make bids."""
    hand = table.hands[table.turn]
    if table.phase == "blind":
        brave = [action for action in legal if action != LOOK and table.bids[(table.turn + 2) % 4] != 0]
        return brave[0] if brave and rng.random() < 0.15 else LOOK
    if table.phase == "bid":
        wanted = FIRST_BID + _sensible_bid(rng, hand, trumps)
        return min(legal, key=lambda action: abs(action - wanted))
    if table.phase == "pass":
        order = sorted(legal, key=lambda card: strength(card, trumps))
        return order[-1] if table.blind[table.turn] else order[0]
    bid = table.bids[table.turn]
    return card_to_win_or_lose(table, legal, trumps, win=bid is None or table.tricks[table.turn] < bid)


def strength(card: int, trumps: str) -> int:
    """Higher beats lower within a suit, and every trump is above every other card."""
    order = TRUMPS[trumps]
    return PLAIN_SUIT_CARDS + len(order) - order.index(card) if card in order else card % 13


def _sensible_bid(rng: random.Random, hand: list[int], trumps: str) -> int:
    spades = [card for card in hand if suit_of(card, trumps) == SPADE]
    others = [card % 13 for card in hand if card not in spades]
    high = sum(card in TRUMPS[trumps][:4] for card in spades)
    if high == 0 and len(spades) <= 3 and 12 not in others and others.count(11) <= 1 and rng.random() < 0.9:
        return 0
    likely = others.count(12) + others.count(11) * 0.7 + others.count(10) * 0.3
    likely += high * 0.9 + max(0, len(spades) - high - 1) * 0.7
    return max(1, min(13, round(likely)))


def card_to_win_or_lose(table, legal: list[int], trumps: str, *, win: bool) -> int:
    """Return the card most likely to win the trick, the cheapest if several surely do; or the highest that loses."""
    seat = table.turn
    low_to_high = sorted(legal, key=lambda card: (strength(card, trumps), card))
    if not table.table:
        return low_to_high[-1] if win else low_to_high[0]
    winning = [card for card in low_to_high if trick_winner([*table.table, (seat, card)], trumps) == seat]
    losing = [card for card in low_to_high if card not in winning]
    if win:
        return winning[-1] if winning and len(table.table) < 3 else (winning or low_to_high)[0]
    return losing[-1] if losing else winning[0]
