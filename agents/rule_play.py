"""The card play of `rule`: the card that is worth most, one look ahead.

    worth of a card = Σ over seats  P(the seat wins the trick) × worth of that
                    + what the cards kept may still win          × worth of that

A trick is worth what it does to the chance of winning the game: it may make or break a bid, theirs or ours, or be a bag;
won by a living nil it breaks it. So one sum covers taking and ducking, setting, saving bags, guarding and attacking
nils. Nothing is read that the seat to move may not know.
"""

from typing import NamedTuple

import numpy as np

from agents.chances import AT_LEAST, EXACTLY, MISSES, STEPS, win_chance
from agents.rule_numbers import NIL_RISK, SIDE_HOPE, TRUMP_HOPE
from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.engine import legal_cards
from spades_env.state import LANE, NIL, NO_LANE, NO_NIL, ONE, PASS, TRUMP_LANE


class Manner(NamedTuple):
    """What `rule` believes and minds."""

    they_make: float = 0.85  # how often a side makes its bid
    willing: float = 0.9  # how often a foe takes a trick that it can
    kept: float = 0.85  # of what a card may win later, against a trick now
    bag_early: float = 0.7  # of the penalty is felt evenly, from the first bag; the rest weighs more near the limit
    trust: float = 1.0  # in the own cards, against what the bids say
    scatter: float = 1.1  # standard deviation of a side's tricks about what it hoped for
    higher: float = 0.2  # tricks above its hope that a side makes, because bids stay below hopes
    nil_trust: float = 0.8  # of the chance to keep a nil
    spread: int = 1  # of SPREADS
    retake: float = 0.5  # how well a seat beats a trick that another just took, against one that lies open
    mate: float = 0.3  # how often a foe takes its own partner's trick
    partner: float = 1.0  # how often a partner takes a foe's trick that it can
    risk: float = 1.0  # of the nil


USUAL = Manner()


@njit
def rule_card(s, r, k):
    """The place of the card to play or to pass."""
    legal = legal_cards(s, r)
    if not legal & (legal - ONE):
        return trailing_zeros(legal)
    if s.phase == PASS:
        return pass_card(s, r, legal)
    return best_card(s, r, legal, k)


@njit
def best_card(s, r, legal, k):
    """The legal card of most worth; of equals the lowest."""
    me = np.int64(s.turn)
    hand = s.hands[me]
    out = r.cards & ~(s.played | hand)
    nil = s.nils[me] != NO_NIL and s.tricks[me] == 0
    first = s.num_plays & 3 == 0
    apart = out if first else out | (ONE << np.uint64(s.best_place))
    trumps = hand >> np.uint64(48)
    voids = lanes_empty(hand)
    trumps_now = lane_hope(trumps, out, TRUMP_LANE, voids, nil)
    hope = trumps_now
    for lane in range(3):
        hope += lane_hope((hand >> np.uint64(16 * lane)) & LANE, out, lane, voids, nil)
    mine, partners, lefts, rights = stakes(s, r, me, hope, k)
    best, best_worth = np.int64(0), -1e9
    for lane in range(4):
        cards = (legal >> np.uint64(16 * lane)) & LANE
        if not cards:
            continue
        held = (hand >> np.uint64(16 * lane)) & LANE
        now = trumps_now if lane == TRUMP_LANE else lane_hope(held, out, lane, voids, nil)
        below = np.int64(-2)
        while cards:
            i = trailing_zeros(cards)
            cards &= cards - ONE
            between = ((ONE << np.uint64(i)) - ONE) & ~((ONE << np.uint64(below + 1)) - ONE) if below >= 0 else ONE
            equal = below >= 0 and not (apart >> np.uint64(16 * lane)) & between
            below = i
            if equal:
                continue
            place = 16 * lane + i
            rest = held & ~(ONE << np.uint64(i))
            kept = lane_hope(rest, out, lane, voids, nil) - now
            if not rest and lane != TRUMP_LANE:
                kept += lane_hope(trumps, out, TRUMP_LANE, voids + 1, nil) - trumps_now
            worth = (k.risk if nil else k.kept) * mine * kept + trick_worth(
                s, r, me, out, place, mine, partners, lefts, rights, k
            )
            if worth > best_worth + 1e-9:
                best, best_worth = place, worth
    return best


@njit
def lanes_empty(hand):
    """In how many side suits the hand has no card."""
    return np.int64((hand & LANE) == 0) + ((hand >> np.uint64(16)) & LANE == 0) + ((hand >> np.uint64(32)) & LANE == 0)


@njit
def lane_hope(held, out, lane, voids, nil):
    """How many tricks the cards of one lane may still win (against the will of a nil)."""
    hope = 0.0
    others = (out >> np.uint64(16 * lane)) & LANE
    count = min(bit_count(others), 13)
    no_trumps = np.int64(not out >> np.uint64(48))
    guards = 0
    while held:
        i = trailing_zeros(held)
        held &= held - ONE
        higher = bit_count(others >> np.uint64(i))
        if nil:
            hope += NIL_RISK[np.int64(lane == TRUMP_LANE), min(higher, 7), count, min(guards, 3)]
        elif lane == TRUMP_LANE:
            hope += TRUMP_HOPE[voids, min(higher, 6), count, min(guards, 5)]
        else:
            hope += SIDE_HOPE[no_trumps, min(higher, 5), count, min(guards, 3)]
        guards += 1
    return hope


@njit
def lane_index(hand, out, lane, i, guards, nil):
    """Where `lane_hope` looks a card up: which table (0 side suits, 1 trumps, 2 nil), and the four indices."""
    others = (out >> np.uint64(16 * lane)) & LANE
    count = min(bit_count(others), 13)
    higher = bit_count(others >> np.uint64(i))
    if nil:
        return 2, np.int64(lane == TRUMP_LANE), min(higher, 7), count, min(guards, 3)
    if lane == TRUMP_LANE:
        return 1, lanes_empty(hand), min(higher, 6), count, min(guards, 5)
    return 0, np.int64(not out >> np.uint64(48)), min(higher, 5), count, min(guards, 3)


# Who wins the trick


@njit
def trick_worth(s, r, me, out, place, mine, partners, lefts, rights, k):
    """What the trick is worth once I have played this card: the worths of the seats by their chances to win it."""
    played = s.num_plays & 3
    lane = place >> 4
    led, best, holder = lane, place, 0
    if played:
        led = np.int64(s.led_lane)
        holder = (np.int64(s.best_seat) - me) & 3
        best = np.int64(s.best_place)
        if place > best and (lane == led or lane == TRUMP_LANE):
            best, holder = place, 0
    if played == 3:
        return mine if holder == 0 else partners if holder == 2 else lefts if holder == 1 else rights
    left = 0.0  # chances of the seats to hold the trick, as they play one after another
    partner = 1.0 * (holder == 2)
    right = 1.0 * (holder == 3)
    own = 1.0 * (holder == 0)
    solo = r.sides == 4
    beat = takes(s, me, 1, out, led, best)
    wish = k.willing if solo or holder != 3 else k.mate  # who wants to overtake its own partner?
    left = beat * wish if not living_nil(s, (me + 1) & 3) else forced(s, me, 1, out, led, best)
    own, partner, right = own * (1 - left), partner * (1 - left), right * (1 - left)
    if played <= 1:
        beat = takes(s, me, 2, out, led, best)
        if living_nil(s, (me + 2) & 3):
            beat = forced(s, me, 2, out, led, best)
            gain = beat * (own + right + 0.3 * left)
            own, right, left = own * (1 - beat), right * (1 - beat), left * (1 - 0.3 * beat)
        elif solo:
            gain = beat * k.willing * (own + right + k.retake * left)
            lost = 1 - beat * k.willing
            own, right, left = own * lost, right * lost, left * (1 - k.retake * beat * k.willing)
        else:  # a partner overtakes foes; after a foe took the trick, its chance is about half as good
            beat *= k.partner
            gain = beat * right + k.retake * beat * left
            right, left = right * (1 - beat), left * (1 - k.retake * beat)
        partner += gain
    if played == 0:
        beat = takes(s, me, 3, out, led, best)
        if living_nil(s, (me + 3) & 3):
            beat = forced(s, me, 3, out, led, best)
            gain = beat * own + 0.3 * beat * (partner + left)
            own, partner, left = own * (1 - beat), partner * (1 - 0.3 * beat), left * (1 - 0.3 * beat)
        else:
            gain = k.willing * beat * (own + k.retake * partner)
            own, partner = own * (1 - k.willing * beat), partner * (1 - k.retake * k.willing * beat)
            if solo:
                gain += k.retake * beat * left
                left *= 1 - k.retake * beat
        right += gain
    return own * mine + left * lefts + partner * partners + right * rights


@njit
def living_nil(s, seat):
    """Has the seat bid nil, and no trick yet?"""
    return s.nils[seat] != NO_NIL and s.tricks[seat] == 0


@njit
def holders(s, me, lane):
    """How many of the others may hold cards of a lane."""
    return 3 - ((s.voids[(me + 1) & 3] >> lane) & 1) - ((s.voids[(me + 2) & 3] >> lane) & 1) - (
        (s.voids[(me + 3) & 3] >> lane) & 1
    )  # fmt: skip


@njit
def takes(s, me, i, out, led, best):
    """The chance that the i-th seat after me can beat a place, in a trick where a lane was led."""
    voids = np.int64(s.voids[(me + i) & 3])
    follow = (out >> np.uint64(16 * led)) & LANE
    in_led = holders(s, me, led)
    void = 1.0 if (voids >> led) & 1 else MISSES[in_led, min(bit_count(follow), 19)]
    lane = best >> 4
    higher = bit_count(out >> np.uint64(best)) if lane == TRUMP_LANE else bit_count(follow >> np.uint64(best & 15))
    if lane == led:
        beats = 0.0 if (voids >> led) & 1 else 1 - MISSES[in_led, min(higher, 19)]
        if led == TRUMP_LANE:
            return beats
        higher = bit_count(out >> np.uint64(48))
    else:
        beats = 0.0
    if (voids >> TRUMP_LANE) & 1:
        return beats
    return beats + void * (1 - MISSES[holders(s, me, TRUMP_LANE), min(higher, 19)])


@njit
def forced(s, me, i, out, led, best):
    """The chance that a nil in the i-th seat after me cannot help beating a place."""
    voids = np.int64(s.voids[(me + i) & 3])
    if best >> 4 != led or (voids >> led) & 1:
        return 0.0
    follow = (out >> np.uint64(16 * led)) & LANE
    n = holders(s, me, led)
    higher = bit_count(follow >> np.uint64(best & 15))
    lower = bit_count(follow) - higher
    return (1 - MISSES[n, min(higher, 19)]) * MISSES[n, min(lower, 19)]


# What a trick is worth


@njit
def stakes(s, r, me, hope, k):
    """What it is worth that I, my partner, the left, the right foe win the trick: changes of the chance to win."""
    if r.sides == 4:
        return solo_stakes(s, r, me, k)
    us, them = me & 1, (me & 1) ^ 1
    bid, made, hope_nil = contract(s, r, us)
    their_bid, their_made, their_nil = contract(s, r, them)
    hands_left = np.int64(r.max_hands) - s.hand_number - 1
    ours = np.float64(s.scores[us]) + hope_nil
    theirs = np.float64(s.scores[them]) + their_nil
    up, down = ours + 10 * bid, ours - 10 * bid
    their_up, their_down = theirs + 10 * their_bid, theirs - 10 * their_bid
    both = win_chance(r, hands_left, up, their_up)
    only_us = win_chance(r, hands_left, up, their_down)
    only_them = win_chance(r, hands_left, down, their_up)
    nobody = win_chance(r, hands_left, down, their_down)
    make = k.they_make * (both - only_them) + (1 - k.they_make) * (only_us - nobody)
    break_them = k.they_make * (only_us - both) + (1 - k.they_make) * (nobody - only_them)
    point = (win_chance(r, hands_left, up + 10, their_up) - win_chance(r, hands_left, up - 10, their_up)) / 20
    point = max(point, 1e-5)
    bag, their_bag = bag_cost(s, r, us, k) * point, bag_cost(s, r, them, k) * point
    rest = 12 - (s.num_plays >> 2)
    need, their_need = max(bid - made, 0), max(their_bid - their_made, 0)
    own_share = s.bids[me] + (13 - bid - their_bid) / 4 - s.tricks[me]
    surplus = hope - own_share if s.nils[me] == NO_NIL else 0.0
    step = share(bid, made, their_bid, rest, k.trust * surplus)
    set_them = break_them * EXACTLY[k.spread, rest, STEPS - step, their_need - 1] if 0 < their_need <= rest + 1 else 0.0
    spare = bag * AT_LEAST[k.spread, rest, step, need] if need <= rest else 0.0
    their_spare = their_bag * AT_LEAST[k.spread, rest, STEPS - step, their_need] if their_need <= rest else 0.0
    saves = make * EXACTLY[k.spread, rest, step, need - 1] if 0 < need <= rest + 1 else 0.0
    trick = saves + set_them - spare - their_spare
    idle = set_them - their_spare  # a trick that does not count for our bid
    nil_point = 2 * (win_chance(r, hands_left, up, their_up) - win_chance(r, hands_left, up - 50, their_up)) / 100
    nil_point = max(nil_point, 1e-5)
    mine = seat_worth(s, r, me, trick, idle, spare, nil_point)
    partners = seat_worth(s, r, me ^ 2, trick, idle, spare, nil_point)
    lefts = nil_stake(s, r, (me + 1) & 3) * nil_point if living_nil(s, (me + 1) & 3) else 0.0
    rights = nil_stake(s, r, (me + 3) & 3) * nil_point if living_nil(s, (me + 3) & 3) else 0.0
    return mine, partners, lefts, rights


@njit
def contract(s, r, side):
    """A side's bid, what it made of it, and the points its nils stand to bring."""
    bid, made, nils = 0, 0, 0.0
    for seat in range(side, 4, r.sides):
        if s.nils[seat] == NO_NIL:
            bid += np.int64(s.bids[seat])
            made += np.int64(s.tricks[seat])
        else:
            bonus = r.nil_bonus if s.nils[seat] == NIL else r.blind_nil_bonus
            nils += -bonus if s.tricks[seat] else bonus
            made += np.int64(s.tricks[seat]) * r.failed_as_made
    return bid, made, nils


@njit
def share(bid, made, their_bid, rest, surplus):
    """Of the tricks after this one, in STEPS, what a side may hope for by the bids and its own cards."""
    hope = bid + (13 - bid - their_bid) / 2 - made + surplus
    return min(max(np.int64(np.round(STEPS * hope / (rest + 1))), 1), STEPS - 1)


@njit
def bag_cost(s, r, side, k):
    """Points that one more bag costs a side."""
    if not r.bags_counted:
        return -1.0 * r.overtrick_points
    tally = np.float64(s.bags[side])
    penalty = np.float64(r.bag_cost + r.bag_gift)
    if tally + 1 >= r.bag_limit:
        full = penalty
    else:
        full = penalty / r.bag_limit * (k.bag_early + (1 - k.bag_early) * (tally + 0.5) / r.bag_limit)
    return full - r.overtrick_points


@njit
def seat_worth(s, r, seat, trick, idle, spare, point):
    """What a trick of one of our seats is worth, its nil considered."""
    if s.nils[seat] == NO_NIL:
        return trick
    if s.tricks[seat] == 0:
        return idle - nil_stake(s, r, seat) * point
    if r.failed_as_made:
        return trick
    return idle - spare if r.failed_as_bags or r.failed_beside_made else idle


@njit
def nil_stake(s, r, seat):
    """The points between a nil kept and broken."""
    return 2.0 * (r.nil_bonus if s.nils[seat] == NIL else r.blind_nil_bonus)


@njit
def solo_stakes(s, r, me, k):
    """The same where each plays for itself: the foes' bids count for a third each."""
    bid, made, _ = contract(s, r, me)
    rest = 12 - (s.num_plays >> 2)
    others = 0
    for i in range(1, 4):
        if s.nils[(me + i) & 3] == NO_NIL:
            others += np.int64(s.bids[(me + i) & 3])
    total = max(bid + others, 1)
    hope = 13.0 * bid / total - made
    step = min(max(np.int64(np.round(STEPS * hope / (rest + 1))), 1), STEPS - 1)
    need = max(bid - made, 0)
    spare = bag_cost(s, r, me, k) * AT_LEAST[k.spread, rest, step, need] if need <= rest else 0.0
    saves = 20.0 * bid * EXACTLY[k.spread, rest, step, need - 1] if 0 < need <= rest + 1 else 0.0
    mine = saves - spare
    if s.nils[me] != NO_NIL:
        mine = -nil_stake(s, r, me) if s.tricks[me] == 0 else -spare
    return (
        mine / 100,
        foe_worth(s, r, (me + 2) & 3, rest, k) / 100,
        foe_worth(s, r, (me + 1) & 3, rest, k) / 100,
        foe_worth(s, r, (me + 3) & 3, rest, k) / 100,
    )


@njit
def foe_worth(s, r, seat, rest, k):
    """What a foe's trick is worth to me when each plays for itself: a third of what it loses by it."""
    if living_nil(s, seat):
        return nil_stake(s, r, seat) / 3
    need = np.int64(s.bids[seat]) - s.tricks[seat]
    if need <= 0 or need > rest + 1:
        return bag_cost(s, r, seat, k) / 3
    return -20.0 * s.bids[seat] / 3 / (rest + 2)


# Passing


@njit
def pass_card(s, r, legal):
    """A blind nil gives its highest cards, trumps first; whoever plays beside it gives its lowest."""
    if s.nils[s.turn] != NO_NIL:
        trumps = legal >> np.uint64(48)
        if trumps:
            return highest(legal, TRUMP_LANE)
        best = np.int64(-1)
        for lane in range(3):
            place = highest(legal, lane)
            if place >= 0 and (best < 0 or place & 15 > best & 15):
                best = place
        return best
    best = np.int64(-1)
    for lane in range(4):
        cards = (legal >> np.uint64(16 * lane)) & LANE
        if cards:
            place = 16 * lane + trailing_zeros(cards)
            if best < 0 or place & 15 < best & 15:
                best = place
    return best


@njit
def highest(cards, lane):
    """The highest place of a lane, or −1."""
    held = (cards >> np.uint64(16 * lane)) & LANE
    top = np.int64(NO_LANE)
    while held:
        top = 16 * lane + trailing_zeros(held)
        held &= held - ONE
    return top
