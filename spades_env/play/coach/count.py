"""How a bid adds up: the tricks of a hand, suit by suit, counted as players count them at a table.

    counted = count_hand(rules, hand)
    counted.lines                    one `Line` a suit, spades first: sure tricks, likely tricks, ruffs
    counted.total, counted.bid       their sum in hundredths of a trick, and the whole tricks to bid on it

The values are those of the bot `club` (agents/club/bid.py): an ace, a king, a queen by the length of their suit, high
trumps by their guards, long trumps, and ruffs of short suits, no more than there are low trumps. Lengths and cards are
those of the effective suits: a joker is a spade.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from spades_env.agents.club import bid as club
from spades_env.game.cards import BLACK_JOKER, NUM_TRICKS, RANKS, SPADES, SUIT_LETTERS, TRUMP_ORDERS, Card
from spades_env.game.rules import Rules
from spades_env.play.table.seats import card_text
from spades_env.play.texts import Text, decimal, text

SUITS_SHOWN = (SPADES, 2, 1, 0)
HIGH, LONG, RUFF = "high", "long", "ruff"  # kinds of tricks
SURE = 85  # hundredths from which a card's trick counts as sure
WORTH_NAMING = 25  # hundredths
ACE, KING, QUEEN = 12, 11, 10  # ranks
LOW_TRUMP = 80  # hundredths: the most that a low trump can ruff


@dataclass(frozen=True)
class Part:
    """What one thing adds to the count; cards: those that win, none for a ruff."""

    kind: str
    cards: tuple[Card, ...]
    hundredths: int

    @property
    def sure(self) -> bool:
        """Is it a trick that a high card wins in nearly every deal?"""
        return self.kind == HIGH and self.hundredths >= SURE


@dataclass(frozen=True)
class Line:
    """The tricks of one suit, in hundredths; ruffs: of this suit, with spades."""

    suit: int
    length: int
    parts: tuple[Part, ...]

    @property
    def sure(self) -> int:
        return sum(part.hundredths for part in self.parts if part.sure)

    @property
    def likely(self) -> int:
        return sum(part.hundredths for part in self.parts if part.kind != RUFF and not part.sure)

    @property
    def ruffs(self) -> int:
        return sum(part.hundredths for part in self.parts if part.kind == RUFF)

    @property
    def total(self) -> int:
        return self.sure + self.likely + self.ruffs

    @property
    def words(self) -> Text:
        """What counts in this suit: "ace-king of hearts", or that nothing does."""
        found = [part_words(self, part) for part in merged(self.parts)]
        return joined(found) if found else text("count.nothing")

    def as_dict(self) -> dict:
        """Return the line as plain data, in tricks."""
        numbers = {name: getattr(self, name) / 100 for name in ("sure", "likely", "ruffs", "total")}
        return {"suit": SUIT_LETTERS[self.suit], "length": self.length, **numbers, "words": self.words}


@dataclass(frozen=True)
class Count:
    """The tricks of a hand by suit."""

    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """The sum in hundredths."""
        return sum(line.total for line in self.lines)

    @property
    def bid(self) -> int:
        """The whole tricks to bid on it."""
        return min(NUM_TRICKS, (self.total + club.ROUNDING) // 100)

    @property
    def words(self) -> Text:
        """What is worth naming: "ace of spades, king-queen of hearts and a ruff in clubs"."""
        named = [(line, part) for line in self.lines for part in merged(line.parts) if part.hundredths >= WORTH_NAMING]
        return joined([part_words(line, part) for line, part in named]) if named else text("count.nothing")


def count_hand(rules: Rules, hand: Sequence[Card]) -> Count:
    """Count the tricks of thirteen cards."""
    trumps = TRUMP_ORDERS[rules.trumps]
    spades = [card for card in trumps if card in hand]
    sides = {suit: _side_cards(trumps, hand, suit) for suit in range(SPADES)}
    low = [card for card in spades if card not in trumps[:4]]
    more = int(len(trumps) > NUM_TRICKS)
    num_long = min(len(low), max(0, len(spades) - club.GUARDS - more))
    long = low[len(low) - num_long :]
    ruffs = _ruffs({suit: len(cards) for suit, cards in sides.items()}, LOW_TRUMP * (len(low) - num_long))
    parts = {suit: [*_side_suit(cards), Part(RUFF, (), ruffs[suit])] for suit, cards in sides.items()}
    parts[SPADES] = [*_high_trumps(trumps, spades), Part(LONG, tuple(long), club.LONG_TRUMP * num_long)]
    lengths = {suit: len(cards) for suit, cards in (sides | {SPADES: spades}).items()}
    return Count(tuple(Line(suit, lengths[suit], _worth_something(parts[suit])) for suit in SUITS_SHOWN))


def _worth_something(parts: Sequence[Part]) -> tuple[Part, ...]:
    return tuple(part for part in parts if part.hundredths)


def _side_cards(trumps: Sequence[Card], hand: Sequence[Card], suit: int) -> list[Card]:
    """Return the cards of a side suit, the highest first."""
    return sorted((card for card in hand if card // 13 == suit and card not in trumps), reverse=True)


def _side_suit(cards: Sequence[Card]) -> list[Part]:
    """Value an ace, a king and a queen by the length of the suit."""
    n, ranks = len(cards), {card % 13: card for card in cards}
    higher = ACE in ranks
    tables = (
        (ACE, club.ACE),
        (KING, club.KING_BESIDE_ACE if higher else club.KING),
        (QUEEN, club.QUEEN_BESIDE_HIGHER if higher or KING in ranks else club.QUEEN),
    )
    return [Part(HIGH, (ranks[rank],), int(table[n])) for rank, table in tables if rank in ranks]


def _high_trumps(trumps: Sequence[Card], held: Sequence[Card]) -> list[Part]:
    """Value the four highest trumps by how many cards protect them."""
    n, (first, second, third, fourth) = len(held), (card in held for card in trumps[:4])
    values = (
        100 * first,
        second * (100 if n >= 3 or first else 40 * n),
        third * (85 if n >= 3 else 60 if first and n == 2 else 25),
        fourth * (45 if n >= 4 else 35 if n == 3 and (first or second or third) else 10),
    )
    return [Part(HIGH, (card,), value) for card, value in zip(trumps, values, strict=False)]


def _ruffs(lengths: dict[int, int], most: int) -> dict[int, int]:
    """Return the ruffs by suit, the shortest suits first, as far as low trumps go."""
    found = {}
    for suit in sorted(lengths, key=lambda one: (lengths[one], one)):
        found[suit] = min(int(club.RUFF[lengths[suit]]), most)
        most -= found[suit]
    return found


# In words


def merged(parts: Sequence[Part]) -> list[Part]:
    """Put the high cards of a suit together."""
    high = [part for part in parts if part.kind == HIGH]
    rest = [part for part in parts if part.kind != HIGH]
    if not high:
        return rest
    return [Part(HIGH, sum((part.cards for part in high), ()), sum(part.hundredths for part in high)), *rest]


def part_words(line: Line, part: Part) -> Text:
    """Name the cards or the ruff: "king-queen of hearts", "2 long spades", "a ruff in clubs"."""
    suit = text(f"suit.{SUIT_LETTERS[line.suit]}")
    if part.kind == RUFF:
        return text("count.void" if line.length == 0 else "count.ruff", suit=suit)
    if part.kind == LONG:
        return text("count.long", count=len(part.cards))
    if len(part.cards) == 1 or any(card >= BLACK_JOKER or card // 13 != line.suit for card in part.cards):
        return joined([card_text(card) for card in part.cards])
    ranks: str = text(f"rank.{RANKS[part.cards[0] % 13]}")
    for card in part.cards[1:]:
        ranks = text("count.beside", a=ranks, b=text(f"rank.{RANKS[card % 13]}"))
    return text("count.cards", ranks=ranks, suit=suit)


def joined(words: Sequence[Text]) -> Text:
    """Join words with commas, the last with "and"."""
    found = words[0]
    for word in words[1:-1]:
        found = text("count.then", a=found, b=word)
    return text("and", a=found, b=words[-1]) if len(words) > 1 else found


def tricks_text(hundredths: int) -> Text:
    return decimal(hundredths / 100)
