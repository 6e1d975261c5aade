"""What a seat can tell from its view, and a reason may rest on: plain facts, no estimates.

    sight = Sight(view)
    sight.is_highest(card)      is no card of its suit that is still out higher?
    sight.is_beaten(card)       does a card on the table beat it already?
    sight.need, sight.left      tricks the side still needs for its bid, and tricks not yet finished
    sight.every_trick           is this a hand without bids, in which every trick scores?

Suits are the effective ones: a joker is a spade. "Out" means in somebody else's hand, as far as the seat can tell. It
never sees hidden cards.
"""

from functools import cache, cached_property

from spades_env.game.cards import NUM_SEATS, NUM_TRICKS, SPADES, TRUMP_ORDERS, Card, Seat, Side, deck, partner
from spades_env.game.scoring import contract_of
from spades_env.game.view import View
from spades_env.play.table.sheet import is_ten

WITHIN_REACH = 3  # tricks that another side may lose and still make its bid


class Sight:
    """The facts of one view of the seat to move."""

    def __init__(self, view: View):
        self.view, self.me, self.rules = view, view.seat, view.rules
        self.hand = view.hand
        self.table = view.table
        self._voids, self._nils, self._tricks = view.voids, view.nils, view.tricks
        self.partner = partner(self.me) if view.rules.partners else None
        self.foes = [
            seat for seat in self._clockwise(range(1, NUM_SEATS)) if view.rules.side(seat) != view.rules.side(self.me)
        ]
        self.every_trick = view.bids_itself
        self._place = view.compiled_rules[0].place
        self._suits = _suits(view.rules.trumps)

    # Cards

    def suit(self, card: Card) -> int:
        return self._suits[card]

    def height(self, card: Card) -> int:
        """Return the rank of a card within its suit; higher beats lower."""
        return int(self._place[card]) & 15

    @cached_property
    def out(self) -> set[Card]:
        """The cards in the others' hands."""
        return set(self.view.unseen)

    def held(self, suit: int) -> list[Card]:
        """Return the viewer's cards of a suit, the lowest first."""
        return sorted((card for card in self.hand if self.suit(card) == suit), key=self.height)

    def higher_out(self, card: Card) -> int:
        return len(self.above(card))

    def lower_out(self, card: Card) -> int:
        return len(self.below(card))

    def above(self, card: Card) -> list[Card]:
        """Return the higher cards of the suit that are out, the highest first."""
        return [one for one in self._out_in(self.suit(card))[::-1] if self.height(one) > self.height(card)]

    def below(self, card: Card) -> list[Card]:
        """Return the lower cards of the suit that are out, the lowest first."""
        return [one for one in self._out_in(self.suit(card)) if self.height(one) < self.height(card)]

    def _out_in(self, suit: int) -> list[Card]:
        """Return the cards of the suit that are out, the lowest first."""
        return self._out_by_suit.get(suit, [])

    @cached_property
    def _out_by_suit(self) -> dict[int, list[Card]]:
        found: dict[int, list[Card]] = {}
        for card in sorted(self.out, key=self.height):
            found.setdefault(self.suit(card), []).append(card)
        return found

    def is_highest(self, card: Card) -> bool:
        return not self.higher_out(card)

    def is_lowest_held(self, card: Card) -> bool:
        return self.held(self.suit(card))[0] == card

    def is_highest_held(self, card: Card) -> bool:
        return self.held(self.suit(card))[-1] == card

    def is_single(self, card: Card) -> bool:
        return len(self.held(self.suit(card))) == 1

    def alike(self, one: Card, other: Card) -> bool:
        """Are these two cards equal: neither out nor on the table is a card between them?"""
        if self.view.phase != "play" or self.suit(one) != self.suit(other):
            return False
        low, high = sorted((self.height(one), self.height(other)))
        rivals = self.out | ({self.winning[1]} if self.winning else set())
        return not any(self.suit(card) == self.suit(one) and low < self.height(card) < high for card in rivals)

    def count_out(self, suit: int) -> int:
        return len(self._out_in(suit))

    @property
    def trumps_out(self) -> int:
        return self.count_out(SPADES)

    # The trick on the table

    @property
    def led(self) -> int | None:
        return self.suit(self.table[0][1]) if self.table else None

    @cached_property
    def winning(self) -> tuple[Seat, Card] | None:
        """The seat that is winning the trick so far, and its card."""
        return next(((seat, card) for seat, card in self.table if seat == self.view.winning), None)

    @property
    def is_last(self) -> bool:
        return len(self.table) == NUM_SEATS - 1

    def is_beaten(self, card: Card) -> bool:
        if self.winning is None:
            return False
        best = self.winning[1]
        if self.suit(card) == self.suit(best):
            return self.height(card) < self.height(best)
        return self.suit(card) != SPADES

    def beats(self, card: Card) -> bool:
        """Would this card win the trick so far?"""
        return self.winning is not None and not self.is_beaten(card)

    def still_to_play(self, seat: Seat | None) -> bool:
        """Does this seat play after mine in this trick?"""
        return seat not in (None, self.me) and seat not in [player for player, _ in self.table]

    @property
    def is_void(self) -> bool:
        """Can I not follow the suit that was led?"""
        return self.led is not None and not self.held(self.led)

    # Seats and sides

    def is_out_of(self, seat: Seat | None, suit: int) -> bool:
        """Has the seat shown that it holds no card of the suit?"""
        return seat is not None and suit in self._voids[seat]

    def holders(self, suit: int) -> list[Seat]:
        """Return the other seats that may hold a card of the suit, as far as they have shown."""
        played = [player for player, _ in self.table]
        others = self._clockwise(range(1, NUM_SEATS))
        return [seat for seat in others if self.left > (seat in played) and not self.is_out_of(seat, suit)]

    def may_ruff(self, seat: Seat, suit: int) -> bool:
        """Has the seat shown that it is out of this side suit, and not that it is out of spades?"""
        shown = suit != SPADES and self.is_out_of(seat, suit)
        return shown and not self.is_out_of(seat, SPADES) and self.trumps_out > 0

    def has_nil(self, seat: Seat | None) -> bool:
        """Has the seat bid nil, and won no trick yet?"""
        return seat is not None and self._nils[seat] and not self._tricks[seat]

    @property
    def nil_foes(self) -> list[Seat]:
        return [seat for seat in self.foes if self.has_nil(seat)]

    @cached_property
    def left(self) -> int:
        """The tricks not yet finished, the one on the table included."""
        return NUM_TRICKS - len(self.view.tricks_played)

    def need_of(self, side: Side) -> int:
        """Return the tricks a side lacks for its bid; 0 or less if it has them. Without bids it always lacks one."""
        if self.every_trick:
            return 1
        bid, made, helped = contract_of(self.rules, self.view.bids, self._nils, self._tricks, side)
        return bid - made - helped

    @property
    def side(self) -> Side:
        return self.rules.side(self.me)

    @property
    def counts(self) -> bool:
        """Do the tricks of this seat count towards the bid of its side?"""
        return self._counts(self.me)

    def _counts(self, seat: Seat) -> bool:
        return not self._nils[seat] or (self.rules.failed_nil_tricks == "partner" and self._tricks[seat] > 0)

    @property
    def is_partners(self) -> bool:
        """Is the partner winning the trick, for the bid of the side?"""
        return self.winning is not None and self.winning[0] == self.partner and self._counts(self.winning[0])

    @cached_property
    def need(self) -> int:
        return self.need_of(self.side)

    @cached_property
    def lacks(self) -> bool:
        """Does the side lack tricks for its bid, which it can still make, and may this seat win them?"""
        return self.counts and not self.every_trick and 0 < self.need <= self.left

    @cached_property
    def tight(self) -> Side | None:
        """Another side that can spare at most three of the tricks left."""
        if self.every_trick:
            return None
        others = [side for side in range(self.rules.sides) if side != self.side and self.need_of(side) > 0]
        return next((side for side in others if 0 <= self.left - self.need_of(side) <= WITHIN_REACH), None)

    @property
    def hard_pressed(self) -> Side | None:
        """The side that is `tight`, if it needs half of the tricks left or more."""
        return self.tight if self.tight is not None and 2 * self.need_of(self.tight) >= self.left else None

    @property
    def wants(self) -> bool:
        """Is a trick of this seat worth something: for the bid, by itself, or because another side can't spare it?"""
        if self.has_nil(self.me):
            return False
        return self.every_trick or self.lacks or self.another_scores or self.tight is not None

    @property
    def is_over(self) -> bool:
        """Would another trick of this seat be above the bid, and score or cost something?"""
        return not self._nils[self.me] and self.need <= 0 and not self._is_ten

    @cached_property
    def another_costs(self) -> bool:
        """Would another trick of this seat cost points, as a bag or by itself?"""
        bags = self.rules.bag_limit is not None and self.rules.bag_penalty > 0
        return self.is_over and (bags or self.rules.overtrick_points < 0)

    @property
    def another_scores(self) -> bool:
        """Does another trick of this seat score, and cost nothing?"""
        return self.is_over and self.rules.overtrick_points > 0 and not self.another_costs

    @property
    def next_bag(self) -> int:
        """The number of the bag that the next trick above the bid would be; only where `another_costs`."""
        failed = 0
        if self.rules.failed_nil_tricks in ("bags", "overtricks"):
            nils = [seat for seat in self.rules.seats(self.side) if self._nils[seat]]
            failed = sum(self._tricks[seat] for seat in nils)
        return self.view.bags[self.side] - self.need + failed + 1

    @property
    def _is_ten(self) -> bool:
        """Did the side bid ten or more, where tricks above such a bid are no bags?"""
        return is_ten(self.rules, sum(self.view.bids[seat] or 0 for seat in self.rules.seats(self.side)))

    def _clockwise(self, steps: range) -> list[Seat]:
        return [(self.me + step) % NUM_SEATS for step in steps]


@cache
def _suits(trumps: str) -> dict[Card, int]:
    """Return the effective suit of every card in the deck."""
    return {card: SPADES if card in TRUMP_ORDERS[trumps] else card // 13 for card in deck(trumps)}
