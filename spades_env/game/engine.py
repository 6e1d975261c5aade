"""The engine: deal, legal, apply. With `state` and `scoring`, the only code that knows how Spades is played.

    apply(state, rules, action)   lets the seat to move act; returns whether the hand, or the game, is over
    deal_next(state, rules)       deals the next hand after a finished one

Following suit is one AND of two lanes. A card takes over a trick when its place is higher and its lane is the led one
or the trumps': jokers and deuces need no code. Kernels trust their input.
"""

import numpy as np

from spades_env._jit import bit_count, inlined, njit, trailing_zeros
from spades_env.game import state
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_ACTIONS, NUM_CARDS
from spades_env.game.scoring import end_hand

# Dealing


@inlined
def mix(x):
    """Return a hash of 64 bits (the finaliser of splitmix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inlined
def next_random(x):
    """Return the state after x of the generator splitmix64; `mix` of a state is the random number."""
    return x + np.uint64(0x9E3779B97F4A7C15)


@inlined
def below(bits, n):
    """Return a number from 0 to n - 1, made of 32 random bits."""
    return np.int64((bits * np.uint64(n)) >> np.uint64(32))


@njit
def new_game(s, r, seed):
    """Begin a game at zero points, and deal its first hand."""
    s.seed = seed
    s.hand_number = 0
    s.scores[:] = 0
    s.bags[:] = 0
    s.points[:] = 0
    s.overtricks[:] = 0
    s.dealer = r.first_dealer if r.first_dealer >= 0 else np.int64(mix(seed) & np.uint64(3))
    deal(s, r)
    begin_hand(s, r)


@njit
def deal_next(s, r):
    s.hand_number += 1
    s.dealer = (s.dealer + 1) & 3
    deal(s, r)
    begin_hand(s, r)


@njit
def deal(s, r):
    """Deal thirteen cards to each seat by seed and hand number alone. `plays` is the scratch space of the shuffle."""
    s.plays[:] = r.deck
    x = mix(s.seed + mix(np.uint64(s.hand_number + 1)))
    bits = state.NO_CARDS
    for i in range(39):  # the fourth seat gets what three seats did not draw
        if i & 1:
            bits = bits >> np.uint64(32)
        else:
            x = next_random(x)
            bits = mix(x)
        j = i + below(bits & np.uint64(0xFFFFFFFF), 52 - i)
        drawn = s.plays[j]
        s.plays[j] = s.plays[i]
        s.plays[i] = drawn
    for seat in range(4):
        hand = state.NO_CARDS
        for i in range(13 * seat, 13 * seat + 13):
            hand |= state.ONE << np.uint64(s.plays[i])
        s.hands[seat] = hand


@njit
def begin_hand(s, r):
    """Reset all facts of a hand once its cards are dealt, and let the bidding begin."""
    s.plays[:] = 0
    s.leaders[:] = 0
    s.given[:] = 0
    s.played = state.NO_CARDS
    s.bids[:] = state.NO_BID
    s.nils[:] = state.NO_NIL
    s.tricks[:] = 0
    s.voids[:] = 0
    s.passers[:] = 0
    s.num_passers = 0
    s.num_passed = 0
    s.num_bids = 0
    s.num_plays = 0
    s.broken = 0
    s.led_lane = state.NO_LANE
    s.best_place = 0
    s.best_seat = 0
    s.winner = state.DRAW
    for seat in range(4):
        s.looked[seat] = deficit(s, r, seat & r.side_mask) < r.blind_nil_deficit
    s.turn = (s.dealer + r.begin_offset) & 3
    s.leader = s.turn
    s.phase = state.BID if s.looked[s.turn] else state.BLIND


@njit
def deficit(s, r, side):
    """Return how many points a side is behind the best other side."""
    best = -state.NEVER
    for other in range(r.sides):
        if other != side and s.scores[other] > best:
            best = np.int64(s.scores[other])
    return best - s.scores[side]


# What is legal


@inlined
def legal_cards(s, r):
    """Return the cards the seat to move may play or pass, as lanes; meaningless in other phases."""
    hand = s.hands[s.turn]
    if s.phase == state.PASS:
        return hand & ~s.given[s.turn]
    if s.num_plays & 3:
        follow = hand & (state.LANE << np.uint64(16 * s.led_lane))
        return follow if follow else hand
    others = hand & ~state.TRUMPS
    if s.broken | r.spades_any or not others:
        return hand
    return others


@njit
def write_mask(s, r, mask):
    """Write the legal actions of the seat to move into mask: int8[70]."""
    mask[:] = 0
    if s.phase == state.PLAY or s.phase == state.PASS:
        legal = legal_cards(s, r)
        while legal:
            mask[r.card_at[trailing_zeros(legal)]] = 1
            legal &= legal - state.ONE
    elif s.phase == state.BID:
        mask[BID_ZERO:BLIND_NIL] = 1
    elif s.phase == state.BLIND:
        mask[BLIND_NIL] = 1
        mask[LOOK] = 1


@njit
def is_legal(s, r, action):
    """May the seat to move do this?"""
    if action < 0 or action >= NUM_ACTIONS or s.phase == state.OVER:
        return False
    if s.phase == state.BLIND:
        return action == BLIND_NIL or action == LOOK
    if s.phase == state.BID:
        return BID_ZERO <= action < BLIND_NIL
    if action >= NUM_CARDS:
        return False
    place = r.place[action]
    return r.card_at[place] == action and (legal_cards(s, r) >> np.uint64(place)) & state.ONE != 0


# Acting


@njit
def apply(s, r, action):
    """Let the seat to move act, and score a finished hand; return GOES_ON, HAND_OVER or GAME_OVER."""
    if s.phase == state.PLAY:
        return play(s, r, np.int64(r.place[action]))
    if s.phase == state.PASS:
        pass_card(s, r, np.int64(r.place[action]))
    else:
        bid(s, r, action)
    return state.GOES_ON


@njit
def bid(s, r, action):
    """Look, bid blind nil, or bid."""
    seat = s.turn
    if action == LOOK:
        s.looked[seat] = 1
        s.phase = state.BID
        return
    if action == BLIND_NIL:
        s.bids[seat] = 0
        s.nils[seat] = state.BLIND_NIL_BID
    else:
        s.bids[seat] = action - BID_ZERO
        s.nils[seat] = state.NIL if action == BID_ZERO and r.zero_is_nil else state.NO_NIL
    s.num_bids += 1
    s.turn = (seat + 1) & 3
    if s.num_bids == 4:
        end_bidding(s, r)
    else:
        s.phase = state.BID if s.looked[s.turn] else state.BLIND


@njit
def end_bidding(s, r):
    """Show all seats their cards, and decide who passes and who leads."""
    first = np.int64(s.turn)
    if r.highest_leads:
        for i in range(1, 4):
            seat = (first + i) & 3
            if s.bids[seat] > s.bids[s.leader]:
                s.leader = seat
    if r.blind_nil_pass:
        for i in range(4):
            seat = (first + i) & 3
            if s.nils[seat] == state.BLIND_NIL_BID and not passes(s, seat):
                s.passers[s.num_passers] = seat
                s.passers[s.num_passers + 1] = (seat + 2) & 3
                s.num_passers += 2
    s.looked[:] = 1
    s.phase = state.PASS if s.num_passers else state.PLAY
    s.turn = s.passers[0] if s.num_passers else s.leader


@njit
def passes(s, seat):
    for i in range(s.num_passers):
        if s.passers[i] == seat:
            return True
    return False


@njit
def pass_card(s, r, place):
    """Set a card aside for the partner; once both have chosen, exchange the cards."""
    s.given[s.turn] |= state.ONE << np.uint64(place)
    s.num_passed += 1
    passer = s.num_passed // r.blind_nil_pass
    if passer & 1 == 0 and s.num_passed % r.blind_nil_pass == 0:
        a = np.int64(s.passers[passer - 2])
        b = np.int64(s.passers[passer - 1])
        s.hands[a] = (s.hands[a] & ~s.given[a]) | s.given[b]
        s.hands[b] = (s.hands[b] & ~s.given[b]) | s.given[a]
    if passer < s.num_passers:
        s.turn = s.passers[passer]
    else:
        s.phase = state.PLAY
        s.turn = s.leader


@inlined
def play(s, r, place):
    """Play a card of the seat to move; finish the trick, and score the hand, if it was the last card."""
    seat = np.int64(s.turn)
    lane = place >> 4
    s.hands[seat] ^= state.ONE << np.uint64(place)
    s.played |= state.ONE << np.uint64(place)
    s.plays[s.num_plays] = place
    if s.num_plays & 3 == 0:
        s.leaders[s.num_plays >> 2] = seat
        s.led_lane = lane
        s.best_place = place
        s.best_seat = seat
        if lane == state.TRUMP_LANE:
            if not (s.broken | r.spades_any):
                s.voids[seat] |= 7  # only a hand of nothing but spades may lead one now
            s.broken |= r.lead_breaks
    else:
        if lane != s.led_lane:
            s.voids[seat] |= 1 << s.led_lane
            if lane == state.TRUMP_LANE:
                s.broken = 1
        if place > s.best_place and (lane == s.led_lane or lane == state.TRUMP_LANE):
            s.best_place = place
            s.best_seat = seat
    s.num_plays += 1
    if s.num_plays & 3:
        s.turn = (seat + 1) & 3
        return state.GOES_ON
    s.tricks[s.best_seat] += 1
    s.turn = s.best_seat
    s.leader = s.best_seat
    if s.num_plays < 52:
        return state.GOES_ON
    return end_hand(s, r)


@njit
def random_action(s, r, bits):
    """Return a legal action, drawn uniformly."""
    bits = bits >> np.uint64(32)
    if s.phase >= state.PASS:
        legal = legal_cards(s, r)
        for _ in range(below(bits, bit_count(legal))):
            legal &= legal - state.ONE
        return np.int64(r.card_at[trailing_zeros(legal)])
    if s.phase == state.BID:
        return BID_ZERO + below(bits, 14)
    return BLIND_NIL + below(bits, 2)
