"""Is the shuffling fair? Ten thousand deals, counted and compared with what chance alone would give.

    counted(secret)     plain data: figures found and expected, and a sentence about the difference

The deals are those of a table: the hands of one long game with this secret. Each figure counts one thing per deal, so
its counts are independent; the expected values come from combinatorics. Chi-square measures the difference and how
often chance alone gives one as large (by the approximation of Wilson and Hilferty).
"""

import math
from collections.abc import Sequence
from itertools import product
from math import comb
from typing import Any

import numpy as np

from spades_env.cards import NUM_SEATS, RANKS, SEATS, SPADES, SUITS, deck
from spades_env.shuffle import deal

DEALS = 10_000
HAND, DECK, SUIT = 13, 52, 13
HANDS = comb(DECK, HAND)
FEWEST = 5  # deals that must be expected in a row for chi-square to hold
RARE = 0.05
QUEEN, NINE = RANKS.index("Q"), RANKS.index("9")
MOST_LOW_SPADES = 3


def counted(secret: str, deals: int = DEALS) -> dict[str, Any]:
    """Count the figures of many deals, and compare each with what chance gives."""
    found = dealt(secret, deals)
    figures = [_places(found)]
    for seat, name in enumerate(SEATS):
        own, nil = found[:, seat], _nil_chance()
        spades, high = own[:, SPADES].sum(axis=1), own[:, :, QUEEN:].sum(axis=(1, 2))
        figures += [
            _figure(f"Spades in {name}'s hand", spades, [_drawn(SUIT, k) for k in range(HAND + 1)]),
            _figure(f"Aces, kings and queens in {name}'s hand", high, [_drawn(12, k) for k in range(13)]),
            _figure(f"Suits that {name} has no card of", (~own.any(axis=2)).sum(axis=1), _void_chances()),
            _figure(f"Hands of {name} to bid nil on", _fits_nil(own), [1 - nil, nil], ("no", "yes")),
        ]
    aces = found[:, :, SPADES, -1].argmax(axis=1)
    figures.append(_figure("Who holds the ace of spades", aces, [0.25] * NUM_SEATS, SEATS))
    rare, usual = sum(figure["likelihood"] < RARE for figure in figures), round(len(figures) * RARE)
    words = (
        f"Figures that are so far off as chance alone is once in {round(1 / RARE)} times: {rare} of {len(figures)}; "
        f"about {usual} is to be expected."
    )
    return {"deals": deals, "secret": secret, "figures": figures, "words": words}


def dealt(secret: str, deals: int) -> np.ndarray:
    """Return bool[deals, seat, suit, rank]: who holds which card."""
    found, usual = np.zeros((deals, NUM_SEATS, DECK), bool), deck("normal")
    for number in range(deals):
        for seat, hand in enumerate(deal(secret, number, usual)):
            found[number, seat, hand] = True
    return found.reshape(deals, NUM_SEATS, len(SUITS), SUIT)


# Expected counts


def _drawn(special: int, k: int) -> float:
    """Return the chance of k special cards in a hand."""
    return comb(special, k) * comb(DECK - special, HAND - k) / HANDS


def _void_chances() -> list[float]:
    """Return the chances that a hand lacks 0, 1, 2 or 3 suits."""
    chances = [0.0] * len(SUITS)
    for lengths in product(range(HAND + 1), repeat=len(SUITS)):
        if sum(lengths) == HAND:
            chances[lengths.count(0)] += math.prod(comb(SUIT, length) for length in lengths) / HANDS
    return chances


def _nil_chance() -> float:
    low_spades, others = NINE + 1, (len(SUITS) - 1) * (QUEEN + 1)
    return sum(comb(low_spades, k) * comb(others, HAND - k) for k in range(MOST_LOW_SPADES + 1)) / HANDS


# Found counts


def _fits_nil(own: np.ndarray) -> np.ndarray:
    """Return int[deals]: 1 for a hand without ace or king and with at most three spades, none above the nine."""
    low = ~own[:, :, QUEEN + 1 :].any(axis=(1, 2)) & ~own[:, SPADES, NINE + 1 :].any(axis=1)
    return (low & (own[:, SPADES].sum(axis=1) <= MOST_LOW_SPADES)).astype(int)


def _places(found: np.ndarray) -> dict[str, Any]:
    """Count where each of the 52 cards lies: a quarter of the time with each seat.

    Since each seat gets 13 cards, chi-square is less by 1 part in 52: 51 cards with 3 free counts each remain.
    """
    counts = found.sum(axis=0).reshape(NUM_SEATS, DECK)
    expected = len(found) / NUM_SEATS
    distance = float(((counts - expected) ** 2 / expected).sum()) * (DECK - 1) / DECK
    rows = [
        ("fewest deals of a card at a seat", int(counts.min()), expected),
        ("most deals of a card at a seat", int(counts.max()), expected),
    ]
    return _figure_of("Where each of the 52 cards lies", rows, distance, 3 * (DECK - 1))


def _figure(
    words: str, values: np.ndarray, chances: Sequence[float], names: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return the figure of a small whole number in each deal; rare numbers share a row."""
    counts = np.bincount(values, minlength=len(chances)).tolist()
    rows = [
        [[name], count, chance * len(values)]
        for name, count, chance in zip(names or range(99), counts, chances, strict=False)
    ]
    while len(rows) > 2 and min(rows[0][2], rows[-1][2]) < FEWEST:
        low, high = (rows[0], rows.pop(1)) if rows[0][2] < FEWEST else (rows[-2], rows.pop())
        low[:] = [left + right for left, right in zip(low, high, strict=True)]
    distance = sum((count - expected) ** 2 / expected for _, count, expected in rows)
    shown = [
        (str(group[0]) if len(group) == 1 else f"{group[0]} to {group[-1]}", count, expected)
        for group, count, expected in rows
    ]
    return _figure_of(words, shown, distance, len(rows) - 1)


def _figure_of(name: str, rows: list[tuple[str, int, float]], distance: float, freedom: int) -> dict[str, Any]:
    """Return a figure as plain data; rows: words, deals found, deals expected."""
    chance = likelihood(distance, freedom)
    return {
        "name": name,
        "rows": [{"words": words, "found": found, "expected": round(expected, 1)} for words, found, expected in rows],
        "chi_square": round(distance, 2),
        "freedom": freedom,
        "likelihood": round(chance, 5),
        "words": f"Chance alone is as far off, or further, in {_often(chance)} such counts.",
    }


def likelihood(distance: float, freedom: int) -> float:
    """Return the probability of a chi-square at least this large."""
    spread = 2 / (9 * freedom)
    z = ((distance / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return math.erfc(z / math.sqrt(2)) / 2


def _often(chance: float) -> str:
    """Write a chance as "3 of 100"."""
    for of in (100, 1000, 10_000):
        if round(chance * of) >= 1:
            return f"{round(chance * of)} of {of:,}"
    return "fewer than 1 of 10,000"
