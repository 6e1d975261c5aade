"""Is the shuffling fair? Ten thousand deals, counted and compared with what chance alone would give.

    counted(secret)     plain data: figures found and expected, and a sentence about the difference

The deals are those of a table: the hands of one long game with this secret. Each figure counts one thing per deal, so
its counts are independent; the expected values come from combinatorics. Chi-square measures the difference and how
often chance alone gives one as large (by the approximation of Wilson and Hilferty).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from math import comb
from typing import Any

from spades_env.game.cards import NUM_SEATS, RANKS, SEATS, SPADES, SUITS, deck
from spades_env.game.secret_deals import deal
from spades_env.play.texts import Text, grouped, text

DEALS = 10_000
HAND, DECK, SUIT = 13, 52, 13
HANDS = comb(DECK, HAND)
FEWEST = 5  # deals that must be expected in a row for chi-square to hold
RARE = 0.05
QUEEN, NINE = RANKS.index("Q"), RANKS.index("9")
MOST_LOW_SPADES = 3
NAMES = tuple(text(f"seat.{name.lower()}") for name in SEATS)
NO_YES = (text("deals.no"), text("deals.yes"))
BITS = [1 << card for card in range(DECK)]  # of the cards in a hand


def _cards(ranks: range, suits: Iterable[int] = range(len(SUITS))) -> int:
    return sum(BITS[SUIT * suit + rank] for suit in suits for rank in ranks)


EACH_SUIT = [_cards(range(SUIT), [suit]) for suit in range(len(SUITS))]
ALL_SPADES, ACE_OF_SPADES = EACH_SUIT[SPADES], _cards(range(SUIT - 1, SUIT), [SPADES])
HIGH = _cards(range(QUEEN, SUIT))
NOT_WITH_NIL = _cards(range(QUEEN + 1, SUIT)) | _cards(range(NINE + 1, SUIT), [SPADES])


def counted(secret: str, deals: int = DEALS) -> dict[str, Any]:
    """Count the figures of many deals, and compare each with what chance gives."""
    found = dealt(secret, deals)
    figures = [_places(found)]
    for seat, name in enumerate(NAMES):
        own, nil = [hands[seat] for hands in found], _nil_chance()
        spades = [(hand & ALL_SPADES).bit_count() for hand in own]
        high = [(hand & HIGH).bit_count() for hand in own]
        figures += [
            _figure(text("deals.spades", who=name), spades, [_drawn(SUIT, k) for k in range(HAND + 1)]),
            _figure(text("deals.high", who=name), high, [_drawn(12, k) for k in range(13)]),
            _figure(text("deals.voids", who=name), map(_voids, own), _void_chances()),
            _figure(text("deals.nil", who=name), map(_fits_nil, own), [1 - nil, nil], NO_YES),
        ]
    aces = [next(seat for seat, hand in enumerate(hands) if hand & ACE_OF_SPADES) for hands in found]
    figures.append(_figure(text("deals.ace"), aces, [0.25] * NUM_SEATS, NAMES))
    rare, usual = sum(figure["likelihood"] < RARE for figure in figures), round(len(figures) * RARE)
    words = text("deals.words", rare=rare, figures=len(figures), times=round(1 / RARE), usual=usual)
    return {"deals": deals, "secret": secret, "figures": figures, "words": words}


def dealt(secret: str, deals: int) -> list[list[int]]:
    """Return each deal's four hands: bit n of a hand is card n."""
    usual = deck("normal")
    return [[sum(BITS[card] for card in hand) for hand in deal(secret, number, usual)] for number in range(deals)]


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


def _voids(hand: int) -> int:
    return sum(not hand & suit for suit in EACH_SUIT)


def _fits_nil(hand: int) -> int:
    """Return 1 for a hand without ace or king and with at most three spades, none above the nine; else 0."""
    return int(not hand & NOT_WITH_NIL and (hand & ALL_SPADES).bit_count() <= MOST_LOW_SPADES)


def _places(found: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Count where each of the 52 cards lies: a quarter of the time with each seat.

    Since each seat gets 13 cards, chi-square is less by 1 part in 52: 51 cards with 3 free counts each remain.
    """
    counts = [sum(bool(hands[seat] & bit) for hands in found) for seat in range(NUM_SEATS) for bit in BITS]
    expected = len(found) / NUM_SEATS
    distance = sum((count - expected) ** 2 / expected for count in counts) * (DECK - 1) / DECK
    rows: list[tuple[str, int, float]] = [
        (text("deals.fewest"), min(counts), expected),
        (text("deals.most"), max(counts), expected),
    ]
    return _figure_of(text("deals.places"), rows, distance, 3 * (DECK - 1))


def _figure(
    words: str, values: Iterable[int], chances: Sequence[float], names: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return the figure of a small whole number in each deal; rare numbers share a row."""
    found = Counter(values)
    counts, total = [found[number] for number in range(len(chances))], found.total()
    rows = [
        [[name], count, chance * total]
        for name, count, chance in zip(names or range(99), counts, chances, strict=False)
    ]
    while len(rows) > 2 and min(rows[0][2], rows[-1][2]) < FEWEST:
        low, high = (rows[0], rows.pop(1)) if rows[0][2] < FEWEST else (rows[-2], rows.pop())
        low[:] = [left + right for left, right in zip(low, high, strict=True)]
    distance = sum((count - expected) ** 2 / expected for _, count, expected in rows)
    shown = [(_row_words(group), count, expected) for group, count, expected in rows]
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
        "words": _often(chance),
    }


def likelihood(distance: float, freedom: int) -> float:
    """Return the probability of a chi-square at least this large."""
    spread = 2 / (9 * freedom)
    z = ((distance / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return math.erfc(z / math.sqrt(2)) / 2


def _often(chance: float) -> Text:
    """Say how often chance alone is as far off: in "3 of 100" counts."""
    for of in (100, 1000, 10_000):
        if round(chance * of) >= 1:
            return text("deals.chance", count=round(chance * of), of=grouped(of))
    return text("deals.never", of=grouped(10_000))


def _row_words(group: Sequence) -> str:
    one = group[0] if isinstance(group[0], Text) else str(group[0])
    return one if len(group) == 1 else text("deals.range", low=group[0], high=group[-1])
