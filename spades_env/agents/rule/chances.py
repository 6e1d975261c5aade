"""What `rule` expects of cards: the tricks they may still win, and who wins the trick on the table.

lane_hope(held, out, lane, voids, nil)    the tricks that cards of a suit may win, from tables fitted to its own games
seat_chances(s, me, out, place, k)        each seat's chance to win the trick once I have played a card
"""

import numpy as np

from spades_env._jit import bit_count, inlined, njit, trailing_zeros
from spades_env.agents.rule.tables import NIL_RISK, SIDE_HOPE, TRUMP_HOPE
from spades_env.game.scoring import living_nil
from spades_env.game.state import LANE, ONE, TRUMP_LANE

FORCED_AGAIN = 0.3  # how often a nil that must beat the best card must also beat one that has just overtaken it

# [n, k]: the chance that none of k cards lies in one particular hand of n
MISSES = np.array([[1.0] + [0.0 if n < 2 else (1 - 1 / n) ** k for k in range(1, 20)] for n in range(4)])


@inlined
def lanes_empty(hand):
    """Count the side suits in which the hand has no card."""
    return np.int64((hand & LANE) == 0) + ((hand >> np.uint64(16)) & LANE == 0) + ((hand >> np.uint64(32)) & LANE == 0)


@inlined
def lane_hope(held, out, lane, voids, nil):
    """Return how many tricks the cards of one lane may still win; for a nil, how many it may be forced to win."""
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
    """Return the table (0 side suits, 1 trumps, 2 nil) and the four indices where `lane_hope` looks a card up."""
    others = (out >> np.uint64(16 * lane)) & LANE
    count = min(bit_count(others), 13)
    higher = bit_count(others >> np.uint64(i))
    if nil:
        return 2, np.int64(lane == TRUMP_LANE), min(higher, 7), count, min(guards, 3)
    if lane == TRUMP_LANE:
        return 1, lanes_empty(hand), min(higher, 6), count, min(guards, 5)
    return 0, np.int64(not out >> np.uint64(48)), min(higher, 5), count, min(guards, 3)


# Who wins the trick


@inlined
def seat_chances(s, me, out, place, k):
    """Return the chances that I, the left neighbour, my partner and the right one win the trick if I play this card."""
    played = s.num_plays & 3
    led, best, holder = place >> 4, place, 0
    if played:
        lane, led = led, np.int64(s.led_lane)
        holder = (np.int64(s.best_seat) - me) & 3
        best = np.int64(s.best_place)
        if place > best and (lane == led or lane == TRUMP_LANE):
            best, holder = place, 0
    chances = 1.0 * (holder == 0), 1.0 * (holder == 1), 1.0 * (holder == 2), 1.0 * (holder == 3)
    if played < 3:
        chances = after_left(s, me, out, led, best, chances, k)
    if played < 2:
        chances = after_partner(s, me, out, led, best, chances, k)
    if played < 1:
        chances = after_right(s, me, out, led, best, chances, k)
    return chances


@inlined
def after_left(s, me, out, led, best, chances, k):
    """Return the chances after the left neighbour's card, which seldom beats its own partner's."""
    own, _, partner, right = chances
    if living_nil(s, (me + 1) & 3):
        left = forced(s, me, 1, out, led, best)
    else:
        left = takes(s, me, 1, out, led, best) * (k.mate if right == 1 else k.willing)
    return own * (1 - left), left, partner * (1 - left), right * (1 - left)


@inlined
def after_partner(s, me, out, led, best, chances, k):
    """Return the chances after my partner's card: it overtakes foes, one that has overtaken me less often."""
    own, left, partner, right = chances
    if living_nil(s, (me + 2) & 3):
        beat = forced(s, me, 2, out, led, best)
        gain = beat * (own + right + FORCED_AGAIN * left)
        return own * (1 - beat), left * (1 - FORCED_AGAIN * beat), partner + gain, right * (1 - beat)
    beat = takes(s, me, 2, out, led, best) * k.partner
    gain = beat * right + k.retake * beat * left
    return own, left * (1 - k.retake * beat), partner + gain, right * (1 - beat)


@inlined
def after_right(s, me, out, led, best, chances, k):
    """Return the chances after the right neighbour's card, the last: it overtakes my side."""
    own, left, partner, right = chances
    if living_nil(s, (me + 3) & 3):
        beat = forced(s, me, 3, out, led, best)
        gain = beat * own + FORCED_AGAIN * beat * (partner + left)
        again = 1 - FORCED_AGAIN * beat
        return own * (1 - beat), left * again, partner * again, right + gain
    beat = takes(s, me, 3, out, led, best)
    gain = k.willing * beat * (own + k.retake * partner)
    return own * (1 - k.willing * beat), left, partner * (1 - k.retake * k.willing * beat), right + gain


@inlined
def holders(s, me, lane):
    """Count the other seats that may hold cards of a lane."""
    count = 3
    for i in range(1, 4):
        count -= (np.int64(s.voids[(me + i) & 3]) >> lane) & 1
    return count


@inlined
def takes(s, me, i, out, led, best):
    """Return the chance that the i-th seat after me can beat the best card of a trick where a lane was led."""
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


@inlined
def forced(s, me, i, out, led, best):
    """Return the chance that a nil in the i-th seat after me must beat the best card."""
    voids = np.int64(s.voids[(me + i) & 3])
    if best >> 4 != led or (voids >> led) & 1:
        return 0.0
    follow = (out >> np.uint64(16 * led)) & LANE
    n = holders(s, me, led)
    higher = bit_count(follow >> np.uint64(best & 15))
    lower = bit_count(follow) - higher
    return (1 - MISSES[n, min(higher, 19)]) * MISSES[n, min(lower, 19)]
