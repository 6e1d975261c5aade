"""The card play of `rule`: the card that is worth most, one look ahead.

    worth of a card = Σ over seats  P(the seat wins the trick) × worth of that
                    + what the cards kept may still win          × worth of that

A trick is worth what it does to the chance of winning the game: it may make or break a bid, theirs or ours, or be a
bag; won by a living nil it breaks it. So one sum covers taking and ducking, setting, saving bags, guarding nils and
attacking them. Nothing is read that the seat to move may not know.
"""

from typing import NamedTuple

import numpy as np

from agents.rule.chances import lane_hope, lanes_empty, seat_chances
from agents.rule.worth import side_prices, trick_worths
from spades_env._jit import inlined, njit, trailing_zeros
from spades_env.engine import legal_cards
from spades_env.scoring import living_nil
from spades_env.state import LANE, NO_NIL, ONE, PASS, TRUMP_LANE


class Manner(NamedTuple):
    """What `rule` believes and minds."""

    they_make: float = 0.8  # how often a side makes its bid
    willing: float = 0.9  # how often a foe takes a trick that it can
    kept: float = 0.8  # of what a card may win later, against a trick now
    ruffs: float = 0.3  # of the tricks that a new void promises
    trust: float = 1.0  # in the own cards, against what the bids say
    eager: float = 1.2  # the least that a needed trick counts, of the whole bid: who waits for sure tricks is set
    spite: float = 0.8  # towards their bid
    scatter: float = 0.75  # standard deviation of a side's tricks about what it hoped for
    higher: float = 0.35  # tricks above its hope that a side makes, because bids stay below hopes
    last_resort: float = 1.5  # a blind nil must promise so many times as much as a look
    nil_trust: float = 0.9  # of the chance to keep a nil
    retake: float = 0.5  # how well a seat beats a trick that another just took, against one that lies open
    mate: float = 0.3  # how often a foe takes its own partner's trick
    partner: float = 1.0  # how often a partner takes a foe's trick that it can


USUAL = Manner()


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
    """Return the legal card of most worth, at the prices of the side to move; of equals the lowest."""
    hand = s.hands[s.turn]
    sight = look_round(s, r, prices, k)
    best, best_worth = np.int64(0), -1e9
    for lane in range(4):
        cards = (legal >> np.uint64(16 * lane)) & LANE
        if not cards:
            continue
        held = (hand >> np.uint64(16 * lane)) & LANE
        now = sight.hopes[lane]
        while cards:
            i = trailing_zeros(cards)
            cards = without_equals(cards, sight.apart >> np.uint64(16 * lane))
            worth = card_worth(s, sight, held, lane, i, now, k)
            if worth > best_worth + 1e-9:
                best, best_worth = 16 * lane + i, worth
    return best


class Sight(NamedTuple):
    """What all candidates of a decision share."""

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
    hopes: tuple[float, float, float, float]  # tricks that my cards of each lane may still win


@inlined
def look_round(s, r, prices, k):
    """Return what all candidates share."""
    me = np.int64(s.turn)
    hand = s.hands[me]
    out = r.cards & ~(s.played | hand)
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
    return Sight(me, out, apart, trumps, voids, nil, mine, partners, lefts, rights, hopes)


@inlined
def without_equals(cards, apart):
    """Return a lane's cards without the lowest and those that are as good: no card comes between."""
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
def card_worth(s, sight, held, lane, i, now, k):
    """What it is worth to play the card at place i of a lane where I hold these, and may hope for so much now."""
    rest = held & ~(ONE << np.uint64(i))
    kept = lane_hope(rest, sight.out, lane, sight.voids, sight.nil) - now
    worth = (1.0 if sight.nil else k.kept) * sight.mine * kept
    if not rest and lane != TRUMP_LANE:
        ruffs = lane_hope(sight.trumps, sight.out, TRUMP_LANE, sight.voids + 1, sight.nil) - sight.hopes[TRUMP_LANE]
        worth += k.ruffs * sight.mine * ruffs
    own, left, partner, right = seat_chances(s, sight.me, sight.out, 16 * lane + i, k)
    return worth + own * sight.mine + left * sight.lefts + partner * sight.partners + right * sight.rights


# Passing


@njit
def pass_card(s, r, legal):
    """Pass a blind nil's riskiest cards; from whoever plays beside it the lowest."""
    if s.nils[s.turn] != NO_NIL:
        return riskiest(s, r, legal)
    best = np.int64(-1)
    for lane in range(4):
        cards = (legal >> np.uint64(16 * lane)) & LANE
        if cards:
            place = 16 * lane + trailing_zeros(cards)
            if best < 0 or place & 15 < best & 15:
                best = place
    return best


@njit
def riskiest(s, r, legal):
    """Return the card without which a nil is safest."""
    hand = s.hands[s.turn] & ~s.given[s.turn]
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
