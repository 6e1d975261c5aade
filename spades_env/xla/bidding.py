"""Bidding and passing, as game/bidding.py has them: what a seat may bid, blind or not, and what a bid does.

legal_calls(t, r)          bids 0 … 13, blind nil, the look: bool[16]
call(t, r, action)         lets the seat to move make one of them
pass_card(t, r, card)      sets a card aside for the partner
"""

from dataclasses import replace

import jax.numpy as jnp

from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK
from spades_env.game.state import BID, BLIND, BLIND_NIL_BID, MIRROR, NIL, NO_BID, NO_NIL, PASS, PLAY, SUICIDE, WHIZ
from spades_env.xla.table import BIDS, CARDS, SEATS, JaxTable, at, choose, deficits, held, of_mates, seen_from


def hand_bids_itself(t: JaxTable, r):
    """Is this a hand without bids, in which every trick counts?"""
    return (r.bids_itself != 0) & (t.hand_number == 0)


def ask_for_bid(t: JaxTable, r) -> JaxTable:
    """Let the seat to move bid, or choose first whether to look, if it can bid blind."""
    bids = at(t.looked, t.turn) | ~blind_calls(t, r)[:-1].any()
    return replace(t, looked=t.looked | (bids & (t.turn == SEATS)), phase=jnp.where(bids, jnp.int32(BID), BLIND))


# What is legal


def legal_calls(t: JaxTable, r):
    """Return what the seat to move may bid, bool[16]."""
    return jnp.where(t.phase == BLIND, blind_calls(t, r), jnp.pad(open_bids(t, r), (0, 2)))


def open_bids(t: JaxTable, r):
    """Return the bids of a seat that knows its cards, bool[14]."""
    mate = (t.turn + 2) & 3
    mates_bid = at(t.bids, mate)
    second = mates_bid != NO_BID
    trumps = (held(t, t.turn) & (r.lane == 3)).sum(dtype=jnp.int32)
    own_trumps = (trumps == BIDS) | ((r.bidding == WHIZ) & (r.zero_is_nil != 0) & (BIDS == 0))
    mate_bid_nil = at(t.nils, mate) != NO_NIL
    of_second = jnp.where(mate_bid_nil, jnp.maximum(1, r.least_bid) <= BIDS, BIDS == 0)
    suicide = jnp.where(second, of_second, (r.least_bid <= BIDS) | (BIDS == 0))
    missing = jnp.where(second & (r.sides == 2), r.least_bid - mates_bid, 0)
    free = missing <= BIDS
    allowed = free & ~(is_last_bidder(t) & (forbidden_bid(t, r) == BIDS))
    free = jnp.where(allowed.any(), allowed, free)
    by_cards = (r.bidding == MIRROR) | (r.bidding == WHIZ)
    return jnp.where(by_cards, own_trumps, jnp.where(r.bidding == SUICIDE, suicide, free))


def blind_calls(t: JaxTable, r):
    """Return what a seat may bid before it sees its cards, bool[16]: for both, blind nil, or not yet."""
    behind = at(deficits(t, r), t.turn)
    mates_bid = at(t.bids, (t.turn + 2) & 3)
    forbidden = forbidden_bid(t, r)
    first = mates_bid == NO_BID
    bids = (jnp.maximum(r.blind_bid, r.least_bid) <= BIDS) & ~(is_last_bidder(t, 2) & (forbidden == BIDS))
    bids &= (behind >= r.blind_bid_deficit) & first
    makes_total = is_last_bidder(t) & (forbidden == 0)
    nil = (behind >= r.blind_nil_deficit) & (first | (mates_bid >= r.least_bid)) & ~makes_total
    return jnp.concatenate([bids, jnp.stack([nil, jnp.bool_(True)])])


def is_last_bidder(t: JaxTable, besides: int = 0):
    """Does nobody bid after the seat to move? besides: a seat that does not count, so many seats on."""
    bidding = [(4 - t.num_bids > i) & ~at(t.blind_contract, (t.turn + i) & 3) for i in (1, 2, 3) if i != besides]
    return ~jnp.stack(bidding).any()


def forbidden_bid(t: JaxTable, r):
    """Return the bid that `total_not` forbids to the last bidder; no bid of 0 to 13 if there is none."""
    return jnp.where(r.total_not >= 0, r.total_not - jnp.maximum(0, t.bids).sum(dtype=jnp.int32), -1)


def to_bid(t: JaxTable):
    """Return which seats are still to bid, bool[4]."""
    return (t.phase <= BID) & (t.bids == NO_BID) & ~t.blind_contract


def may_bid_nil(t: JaxTable, r):
    """Return which seats may still bid nil or blind nil, as far as everybody knows, bool[4]."""
    blind_nil = ~t.looked & (deficits(t, r) >= r.blind_nil_deficit)
    makes_total = (t.turn == SEATS) & is_last_bidder(t) & (forbidden_bid(t, r) == 0)
    mates = of_mates(t.bids)
    partner_lets = jnp.where(r.bidding == SUICIDE, mates > 0, mates >= r.least_bid)
    open_to_it = (r.sides == 4) | (mates == NO_BID) | partner_lets
    return to_bid(t) & ((r.zero_is_nil != 0) | blind_nil) & ~makes_total & open_to_it


# Acting


def call(t: JaxTable, r, action) -> JaxTable:
    """Look, bid blind nil, or bid; a bid before the look is for both partners."""
    mine = t.turn == SEATS
    looking = replace(t, looked=t.looked | mine, phase=jnp.int32(BID))
    blind_nil = action == BLIND_NIL
    nil = jnp.where((action == BID_ZERO) & (r.zero_is_nil != 0), jnp.int32(NIL), NO_NIL)
    for_both = (t.phase == BLIND) & ~blind_nil
    t = replace(
        t,
        bids=jnp.where(mine, jnp.where(blind_nil, 0, action - BID_ZERO), t.bids),
        nils=jnp.where(mine, jnp.where(blind_nil, BLIND_NIL_BID, nil), t.nils),
        blind_contract=t.blind_contract | (for_both & (t.turn & 1 == SEATS & 1)),
        num_bids=t.num_bids + 1,
        turn=(t.turn + 1) & 3,
    )
    for _ in range(2):  # the partner of a blind bidder does not bid
        skips = ((t.num_bids < 4) & at(t.blind_contract, t.turn)).astype(jnp.int32)
        t = replace(t, num_bids=t.num_bids + skips, turn=(t.turn + skips) & 3)
    return choose(action == LOOK, looking, choose(t.num_bids == 4, end_bidding(t, r), ask_for_bid(t, r)))


def end_bidding(t: JaxTable, r) -> JaxTable:
    """Show all seats their cards, and decide who passes and who leads."""
    first = t.turn
    rank = (seen_from(t.bids, first) << 2) | (3 - SEATS)  # the first of the highest bids is the greatest
    leader = jnp.where(r.highest_leads != 0, (first + 3 - (rank.max() & 3)) & 3, t.leader)
    number, passers = passing(t, r, first)
    passes = number > 0
    return replace(
        t,
        leader=leader,
        looked=jnp.ones(4, bool),
        num_passers=number,
        passers=passers,
        phase=jnp.where(passes, jnp.int32(PASS), PLAY),
        turn=jnp.where(passes, passers[0], leader),
    )


# Passing


def cards_for_nil(t: JaxTable, r):
    """Return by seat how many cards are passed because it bid nil, int32[4]."""
    return jnp.where(t.nils == NIL, r.nil_pass, jnp.where(t.nils == BLIND_NIL_BID, r.blind_nil_pass, 0))


def passing(t: JaxTable, r, first):
    """Return how many seats pass, and which, in turn, int32[4]: of each pair that does, first who bid nil first."""
    a, b, c, d = seen_from(cards_for_nil(t, r) > 0, first)
    one, other = jnp.where(a, 0, 2), jnp.where(b, jnp.int32(1), 3)  # who begins in each pair, if it passes
    some, others = a | c, b | d
    swapped = ~some | (others & (other < one))
    begins = jnp.where(swapped, other, one), jnp.where(swapped, one, other)
    number = 2 * (some.astype(jnp.int32) + others.astype(jnp.int32))
    seats = (first + jnp.stack([begins[0], begins[0] + 2, begins[1], begins[1] + 2])) & 3
    return number, jnp.where(number > SEATS, seats, 0)


def pass_card(t: JaxTable, r, card) -> JaxTable:
    """Set a card aside for the partner; once both have chosen, exchange the cards."""
    seat = t.turn.astype(jnp.int8)
    giver = jnp.where(card.astype(jnp.int8) == CARDS, seat, t.giver)
    wanted = cards_for_nil(t, r)
    full = (giver == seat).sum(dtype=jnp.int32) >= at(jnp.maximum(wanted, of_mates(wanted)), t.turn)
    place = jnp.where((t.passers == t.turn) & (t.num_passers > SEATS), SEATS, 0).sum(dtype=jnp.int32)
    exchanges = full & (place & 1 == 1) & (giver >= 0) & (giver & 1 == seat & 1)
    more = place + 1 < t.num_passers
    following = jnp.where(more, at(t.passers, place + 1), t.leader)
    return replace(
        t,
        giver=giver,
        owner=jnp.where(exchanges, giver ^ 2, t.owner),
        num_passed=t.num_passed + 1,
        turn=jnp.where(full, following, t.turn),
        phase=jnp.where(full & ~more, jnp.int32(PLAY), t.phase),
    )
