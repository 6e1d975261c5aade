"""The card play of `rule`: the card that is worth most, looking one trick ahead.

    worth of a card = Σ over seats  P(the seat wins the trick) × what that is worth
                    + tricks that the cards kept may still win × what a trick is worth

A trick is worth what it changes in the chance to win the game: it may make or break a bid, theirs or ours, be a bag, or
break a nil. So one sum covers taking and ducking, setting, avoiding bags, guarding nils and attacking them. Nothing is
read that the seat to move may not know.
"""

from typing import NamedTuple

import numpy as np

from spades_env._jit import inlined, njit, trailing_zeros
from spades_env.agents.lanes import unseen
from spades_env.agents.rule.chances import lane_hope, lanes_empty, seat_chances
from spades_env.agents.rule.trick_worth import side_prices, trick_worths
from spades_env.game.engine import legal_cards
from spades_env.game.scoring import living_nil
from spades_env.game.state import LANE, NO_NIL, ONE, PASS, TRUMP_LANE


class Parameters(NamedTuple):
    """The beliefs and preferences of `rule`."""

    they_make: float = 0.8  # how often a side makes its bid
    willing: float = 0.9  # how often a foe takes a trick that it can
    kept: float = 0.8  # of what a card may win later, against a trick now
    ruffs: float = 0.3  # of the tricks that a new void promises
    trust: float = 1.0  # in its own cards, against the bids
    eager: float = 1.2  # the least that a needed trick counts, of the whole bid: to wait for sure tricks is too late
    spite: float = 0.8  # the weight of breaking their bid
    scatter: float = 0.75  # standard deviation of a side's tricks about those expected
    scatter_of_tens: float = 1.05  # … where both partners need all they bid, in 200,000 hands of `rule`
    higher: float = 0.35  # tricks that a side makes above those expected
    last_resort: float = 1.5  # a blind nil must be worth this many times as much as a look
    nil_trust: float = 0.9  # of the chance to keep a nil
    retake: float = 0.5  # how well a seat beats a card that has just taken the trick, against one that had it before
    mate: float = 0.3  # how often a foe takes its own partner's trick
    partner: float = 1.0  # how often a partner takes a foe's trick that it can


USUAL = Parameters()


@njit
def rule_card(s, r, k):
    """Return the place of the card to play or to pass."""
    legal = legal_cards(s, r)
    if not legal & (legal - ONE):
        return trailing_zeros(legal)
    if s.phase == PASS:
        return pass_card(s, r, legal)
    return best_card(s, r, legal, side_prices(s, r, np.int64(s.turn) & 1, k), k)


@njit
def best_card(s, r, legal, prices, k):
    """Return the most valuable legal card at the prices of the side to move; of equals the lowest."""
    hand = s.hands[s.turn]
    context = trick_context(s, r, prices, k)
    best, best_worth = np.int64(0), -1e9
    for lane in range(4):
        cards = (legal >> np.uint64(16 * lane)) & LANE
        if not cards:
            continue
        held = (hand >> np.uint64(16 * lane)) & LANE
        now = context.hopes[lane]
        while cards:
            i = trailing_zeros(cards)
            cards = without_equals(cards, context.apart >> np.uint64(16 * lane))
            worth = card_worth(s, context, held, lane, i, now, k)
            if worth > best_worth + 1e-9:
                best, best_worth = 16 * lane + i, worth
    return best


class Context(NamedTuple):
    """What all candidate cards of a decision share."""

    me: np.int64
    out: np.uint64  # cards not seen
    apart: np.uint64  # cards that come between mine: those not seen, and the best on the table
    trumps: np.uint64
    voids: int
    nil: bool  # am I a living nil?
    mine: float  # what a trick is worth that I win,
    partners: float  # … my partner,
    lefts: float
    rights: float
    hopes: tuple[float, float, float, float]  # the tricks that my cards of each lane may still win


@inlined
def trick_context(s, r, prices, k):
    me = np.int64(s.turn)
    hand = s.hands[me]
    out = unseen(s, r)
    nil = living_nil(s, me)
    apart = out if s.num_plays & 3 == 0 else out | (ONE << np.uint64(s.best_place))
    trumps = hand >> np.uint64(48)
    voids = lanes_empty(hand)
    hopes = (
        lane_hope(hand & LANE, out, 0, voids, nil),
        lane_hope((hand >> np.uint64(16)) & LANE, out, 1, voids, nil),
        lane_hope((hand >> np.uint64(32)) & LANE, out, 2, voids, nil),
        lane_hope(trumps, out, TRUMP_LANE, voids, nil),
    )
    hope = hopes[3] + hopes[0] + hopes[1] + hopes[2]
    mine, partners, lefts, rights = trick_worths(s, r, me, hope, prices, k)
    return Context(me, out, apart, trumps, voids, nil, mine, partners, lefts, rights, hopes)


@inlined
def without_equals(cards, apart):
    """Return a lane's cards without the lowest and those as good as it: no other card comes between."""
    i = np.uint64(trailing_zeros(cards))
    cards &= cards - ONE
    while cards:
        j = np.uint64(trailing_zeros(cards))
        if apart & ((ONE << j) - (ONE << i)):
            break
        i = j
        cards &= cards - ONE
    return cards


@inlined
def card_worth(s, context, held, lane, i, now, k):
    """Return the worth of the card at place i of a lane, where my cards `held` may win `now` tricks before it."""
    rest = held & ~(ONE << np.uint64(i))
    kept = lane_hope(rest, context.out, lane, context.voids, context.nil) - now
    worth = (1.0 if context.nil else k.kept) * context.mine * kept
    if not rest and lane != TRUMP_LANE:
        with_ruffs = lane_hope(context.trumps, context.out, TRUMP_LANE, context.voids + 1, context.nil)
        worth += k.ruffs * context.mine * (with_ruffs - context.hopes[TRUMP_LANE])
    own, left, partner, right = seat_chances(s, context.me, context.out, 16 * lane + i, k)
    return worth + own * context.mine + left * context.lefts + partner * context.partners + right * context.rights


# Passing


@njit
def pass_card(s, r, legal):
    """Return a nil's riskiest card, or its partner's lowest."""
    if s.nils[s.turn] != NO_NIL:
        return riskiest(r, s.hands[s.turn] & ~s.given[s.turn], legal)
    best = np.int64(-1)
    for lane in range(4):
        cards = (legal >> np.uint64(16 * lane)) & LANE
        if cards:
            place = 16 * lane + trailing_zeros(cards)
            if best < 0 or place & 15 < best & 15:
                best = place
    return best


@njit
def riskiest(r, hand, legal):
    """Return the legal card without which a nil on this hand is safest."""
    out = r.cards & ~hand
    best, most = np.int64(0), -1.0
    for lane in range(4):
        held = (hand >> np.uint64(16 * lane)) & LANE
        now = lane_hope(held, out, lane, 0, True)
        cards = (legal >> np.uint64(16 * lane)) & LANE
        while cards:
            i = trailing_zeros(cards)
            cards &= cards - ONE
            saved = now - lane_hope(held & ~(ONE << np.uint64(i)), out, lane, 0, True)
            if saved >= most:
                best, most = 16 * lane + i, saved
    return best
