"""The card play of `rule`: the card that is worth most, one look ahead.

    worth of a card = Σ over seats  P(the seat wins the trick) × worth of that
                    + what the cards kept may still win          × worth of that

A trick is worth what it does to the chance of winning the game: it may make or break a bid, theirs or ours, or be a
bag; won by a living nil it breaks it. So one sum covers taking and ducking, setting, saving bags, guarding nils and
attacking them. Nothing is read that the seat to move may not know.
"""

from typing import NamedTuple

import numpy as np

from agents.chances import MARGIN_STEP, MARGIN_ZERO, MARGINS, MISSES, MOST_NEED, SWING, win_chance
from agents.rule_numbers import NIL_RISK, SIDE_HOPE, TRUMP_HOPE
from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.engine import legal_cards
from spades_env.state import LANE, NIL, NO_NIL, ONE, PASS, TRUMP_LANE

LEAST_POINT = 1e-5  # of the chance to win: a point is never worth nothing


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
    hand = s.hands[s.turn]
    sight = look_round(s, r, k)
    best, best_worth = np.int64(0), -1e9
    for lane in range(4):
        cards = (legal >> np.uint64(16 * lane)) & LANE
        if not cards:
            continue
        held = (hand >> np.uint64(16 * lane)) & LANE
        now = lane_hope(held, sight.out, lane, sight.voids, sight.nil)
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
    trumps_now: float  # tricks that my trumps may still win


@njit
def look_round(s, r, k):
    """What all candidates share."""
    me = np.int64(s.turn)
    hand = s.hands[me]
    out = r.cards & ~(s.played | hand)
    nil = living_nil(s, me)
    apart = out if s.num_plays & 3 == 0 else out | (ONE << np.uint64(s.best_place))
    trumps = hand >> np.uint64(48)
    voids = lanes_empty(hand)
    trumps_now = lane_hope(trumps, out, TRUMP_LANE, voids, nil)
    hope = trumps_now
    for lane in range(3):
        hope += lane_hope((hand >> np.uint64(16 * lane)) & LANE, out, lane, voids, nil)
    mine, partners, lefts, rights = stakes(s, r, me, hope, k)
    return Sight(me, out, apart, trumps, voids, nil, mine, partners, lefts, rights, trumps_now)


@njit
def without_equals(cards, apart):
    """A lane's cards without the lowest and those that are as good: no card comes between."""
    i = np.uint64(trailing_zeros(cards))
    cards &= cards - ONE
    while cards:
        j = np.uint64(trailing_zeros(cards))
        if apart & ((ONE << j) - (ONE << i)):
            break
        i = j
        cards &= cards - ONE
    return cards


@njit
def card_worth(s, sight, held, lane, i, now, k):
    """What it is worth to play the card at place i of a lane where I hold these, and may hope for so much now."""
    rest = held & ~(ONE << np.uint64(i))
    kept = lane_hope(rest, sight.out, lane, sight.voids, sight.nil) - now
    worth = (1.0 if sight.nil else k.kept) * sight.mine * kept
    if not rest and lane != TRUMP_LANE:
        ruffs = lane_hope(sight.trumps, sight.out, TRUMP_LANE, sight.voids + 1, sight.nil) - sight.trumps_now
        worth += k.ruffs * sight.mine * ruffs
    own, left, partner, right = seat_chances(s, sight.me, sight.out, 16 * lane + i, k)
    return worth + own * sight.mine + left * sight.lefts + partner * sight.partners + right * sight.rights


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
def seat_chances(s, me, out, place, k):
    """The chances of me, the left neighbour, my partner, the right one to win the trick once I have played a card."""
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
        return 1.0 * (holder == 0), 1.0 * (holder == 1), 1.0 * (holder == 2), 1.0 * (holder == 3)
    left = 0.0
    partner = 1.0 * (holder == 2)
    right = 1.0 * (holder == 3)
    own = 1.0 * (holder == 0)
    solo = False
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
    return own, left, partner, right


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
        return solo_stakes(s, r, me, hope, k)
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
    point = max(point, LEAST_POINT)
    last = hands_left <= 0 or max(up, their_up) >= r.target
    bag, their_bag = bag_cost(s, r, us, last) * point, bag_cost(s, r, them, last) * point
    rest = 12 - (s.num_plays >> 2)
    need, their_need = max(bid - made, 0), max(their_bid - their_made, 0)
    own_share = s.bids[me] + (13 - bid - their_bid) / 4 - s.tricks[me]
    surplus = hope - own_share if s.nils[me] == NO_NIL else 0.0
    margin = our_hope(bid, made, their_bid, rest, k.trust * surplus) - need
    for_us, for_them = swing(rest, need, their_need, margin, make, break_them, bag, their_bag, k)
    trick = for_us + for_them
    idle = for_them
    nils = np.zeros(4)  # what each living nil is worth to those who bid it
    for seat in range(4):
        if living_nil(s, seat):
            points = nil_points(s, r, seat)
            if seat & 1 == us:
                nils[seat] = both - win_chance(r, hands_left, up - points, their_up)
            else:
                nils[seat] = win_chance(r, hands_left, up, their_up - points) - both
            nils[seat] = max(nils[seat], points * LEAST_POINT)
    mine = seat_worth(s, r, me, trick, idle, bag, nils[me])
    partners = seat_worth(s, r, me ^ 2, trick, idle, bag, nils[me ^ 2])
    return mine, partners, np.float64(nils[(me + 1) & 3]), np.float64(nils[(me + 3) & 3])


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
def our_hope(bid, made, their_bid, rest, surplus):
    """How many of the tricks after this one a side may hope for, by the bids and its own cards."""
    hope = bid + (13 - bid - their_bid) / 2 - made + surplus
    return min(max(hope / (rest + 1), 0.0), 1.0) * rest


@njit
def swing(rest, need, their_need, margin, make, break_them, bag, their_bag, k):
    """What it changes to win the trick, by what it does to our bid and bags, and to theirs."""
    n, o = min(max(need, 0), MOST_NEED), min(max(their_need, 0), MOST_NEED)
    at = min(max(margin / MARGIN_STEP + MARGIN_ZERO, 0.0), MARGINS - 1.001)
    i = np.int64(at)
    one, other = 1 - (at - i), at - i
    made = one * SWING[rest, n, o, i, 0] + other * SWING[rest, n, o, i + 1, 0]
    theirs = one * SWING[rest, n, o, i, 1] + other * SWING[rest, n, o, i + 1, 1]
    bags = one * SWING[rest, n, o, i, 2] + other * SWING[rest, n, o, i + 1, 2]
    their_bags = one * SWING[rest, n, o, i, 3] + other * SWING[rest, n, o, i + 1, 3]
    if 0 < need <= rest + 1:
        made = max(made, k.eager)
    return made * make - bags * bag, their_bags * their_bag - theirs * k.spite * break_them


@njit
def bag_cost(s, r, side, last):
    """Points that one more bag costs a side; in a game's last hand only those of this very bag count."""
    if not r.bags_counted:
        return -1.0 * r.overtrick_points
    tally = np.float64(s.bags[side])
    penalty = np.float64(r.bag_cost + r.bag_gift)
    if tally + 1 >= r.bag_limit:
        full = penalty
    elif last:
        full = 0.0
    else:
        full = penalty / r.bag_limit
    return full - r.overtrick_points


@njit
def seat_worth(s, r, seat, trick, idle, bag, nil):
    """What a trick of one of our seats is worth, its nil considered."""
    if s.nils[seat] == NO_NIL:
        return trick
    if s.tricks[seat] == 0:
        return idle - nil
    if r.failed_as_made:
        return trick
    return idle - bag if r.failed_as_bags or r.failed_beside_made else idle


@njit
def nil_points(s, r, seat):
    """The points between a nil kept and broken."""
    return 2.0 * (r.nil_bonus if s.nils[seat] == NIL else r.blind_nil_bonus)


@njit
def solo_stakes(s, r, me, hope, k):
    """The same where each plays for itself: the foes' bids count for a third each."""
    bid, made, _ = contract(s, r, me)
    rest = 12 - (s.num_plays >> 2)
    need = bid - made
    margin = min(max(hope / (rest + 1), 0.0), 1.0) * rest - need
    bag = bag_cost(s, r, me, False)
    mine, _ = swing(rest, need, MOST_NEED, margin, 20.0 * bid, 0.0, bag, 0.0, k)
    if s.nils[me] != NO_NIL:
        mine = -nil_points(s, r, me) if s.tricks[me] == 0 else -bag
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
        return nil_points(s, r, seat) / 3
    need = np.int64(s.bids[seat]) - s.tricks[seat]
    if need <= 0 or need > rest + 1:
        return bag_cost(s, r, seat, False) / 3
    return -20.0 * s.bids[seat] / 3 / (rest + 2)


# Passing


@njit
def pass_card(s, r, legal):
    """A blind nil gives its riskiest cards; whoever plays beside it gives its lowest."""
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
    """The card without which a nil is safest."""
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
