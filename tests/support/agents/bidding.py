"""Hands for the tests of bidding."""

import random

from support.strategies import Table

from spades_env import Rules
from spades_env.game.bidding import call
from spades_env.game.cards import BID_ZERO, card, deck

CLASSIC = Rules(blind_nil_deficit=None)
SOLO = Rules.preset("solo", nil=True, nil_bonus=100)
NO_NIL = Rules(blind_nil_deficit=None, nil=False)
NIL_FOR_NOTHING = Rules(blind_nil_deficit=None, nil_bonus=0)


def cards_of(text: str) -> list[int]:
    """Parse "spades hearts diamonds clubs": `AK2 QJ T9832 764`; a void is a dash; R and B are the jokers."""
    suits = zip("SHDC", text.split(), strict=True)
    names = [rank + ("J" if rank in "RB" else suit) for suit, ranks in suits for rank in ranks.replace("-", "")]
    return [card(name) for name in names]


def table_with(cards: list[int], rules: Rules = CLASSIC, bids=()) -> Table:
    """Return a table where the seat to bid holds these cards, after these bids."""
    assert len(cards) == 13
    rest = [c for c in deck(rules.trumps) if c not in cards]
    hands = [cards if seat == len(bids) else [rest.pop() for _ in range(13)] for seat in range(4)]
    table = Table(rules, hands=hands, dealer=1 if rules.first_lead == "right_of_dealer" else 3)
    for number in bids:
        call(table.s, table.r, BID_ZERO + number)
    assert table["turn"] == len(bids)
    return table


def asked(bidder, text: str, rules: Rules = CLASSIC, bids=()) -> int:
    table = table_with(cards_of(text), rules, bids)
    return bidder(table.s, table.r)


def weighed(kernel, text: str, rules: Rules = CLASSIC) -> float:
    table = table_with(cards_of(text), rules)
    return kernel(table.r, table.s.hands[0])


def bids_of(bidder, count: int, rules: Rules = CLASSIC) -> list[list[int]]:
    """Return the bids of all seats, each by the bidder, on random deals."""
    bids = []
    for table in dealt(count, rules):
        for _ in range(4):
            call(table.s, table.r, BID_ZERO + bidder(table.s, table.r))
        bids.append(table["bids"])
    return bids


def dealt(count: int, rules: Rules = CLASSIC):
    """Return random deals before the first bid."""
    rng = random.Random(count)
    for _ in range(count):
        yield Table(rules, rng.getrandbits(64))
