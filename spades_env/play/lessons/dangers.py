"""What endangers a nil: the cards of a hand that may have to take a trick, each with the plain reason.

    chance = nil_chance(rules, hand)      how often a nil on this hand is kept, as the bot `bis` estimates it
    found = dangers(rules, hand)          the dangerous cards, the worst first
    found[0].words                        "king of hearts: only one lower card of its suit beside it"

It sees one hand and nothing else. The numbers are those fitted for `bis` (agents/baselines/bis.py); the reasons count
cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from spades_env.agents.baselines.bis import COLUMNS, CURVES, SAFE, SIDE_ROWS, TRUMP_ROWS
from spades_env.game.cards import TRUMP_ORDERS, Card
from spades_env.game.rules import Rules
from spades_env.play.table.seats import card_text
from spades_env.play.texts import Text, text

DANGEROUS = 0.93  # a card that is safe less often is worth naming
MOST_NAMED = 4


@dataclass(frozen=True)
class Danger:
    """A card of a nil hand. safe: how often it takes no trick; beside: own cards that protect it; out: higher ones."""

    card: Card
    safe: float
    is_trump: bool
    beside: int
    out: int

    @property
    def words(self) -> Text:
        """Name the card, and say what is wrong with it."""
        card = card_text(self.card)
        if self.is_trump and not self.out:
            return text("danger.certain", card=card)
        if self.is_trump:
            return text("danger.trump", card=card, count=self.out)
        return text("danger.side" if self.beside else "danger.alone", card=card, count=self.beside)


def weighed(rules: Rules, hand: Sequence[Card]) -> list[Danger]:
    """Return all cards of a hand, the most dangerous first."""
    trumps = TRUMP_ORDERS[rules.trumps]
    found = [_trump(trumps, hand, card) if card in trumps else _side(trumps, hand, card) for card in hand]
    return sorted(found, key=lambda one: one.safe)


def dangers(rules: Rules, hand: Sequence[Card]) -> list[Danger]:
    return [one for one in weighed(rules, hand) if one.safe < DANGEROUS][:MOST_NAMED]


def nil_chance(rules: Rules, hand: Sequence[Card]) -> float:
    """Return how often a nil is kept: the cards' chances multiplied, and corrected as `bis` does."""
    chance = 1.0
    for one in weighed(rules, hand):
        chance *= one.safe
    factor, power = (float(number) for number in CURVES[0 if rules.partners else 1])
    kept = factor * chance**power
    return kept / (kept + (1 - chance) ** power)


def _side(trumps: Sequence[Card], hand: Sequence[Card], card: Card) -> Danger:
    lower = sum(one // 13 == card // 13 and one < card and one not in trumps for one in hand)
    higher = sum(one // 13 == card // 13 and one > card and one not in trumps for one in hand)
    out = sum(one not in trumps for one in range(card + 1, 13 * (card // 13 + 1))) - higher
    return Danger(card, float(SAFE[min(lower, SIDE_ROWS - 1), card % 13]), False, lower, out)


def _trump(trumps: Sequence[Card], hand: Sequence[Card], card: Card) -> Danger:
    """Weigh a trump: each higher one in the same hand can save it from one that is out."""
    above = trumps[: trumps.index(card)]
    higher = sum(one in hand for one in above)
    out = len(above) - higher
    safe = 0.0 if out <= higher else float(SAFE[SIDE_ROWS + min(higher, TRUMP_ROWS - 1), min(out, COLUMNS - 1)])
    return Danger(card, safe, True, higher, out)
