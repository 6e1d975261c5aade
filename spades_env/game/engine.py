"""The engine: deal, legal, apply. With `state`, `bidding` and `scoring`, the only code that knows how Spades is played.

    apply(state, rules, action)   lets the seat to move act; returns whether the hand, or the game, is over
    deal_next(state, rules)       deals the next hand after a finished one

Following suit is one AND of two lanes. A card takes over a trick when its place is higher and its lane is the led one
or the trumps': jokers and deuces need no code. Kernels trust their input.
"""

import numpy as np

from spades_env._jit import bit_count, inlined, njit, trailing_zeros
from spades_env.game import state
from spades_env.game.bidding import begin_bidding, call, hand_bids_itself, legal_calls, pass_card
from spades_env.game.cards import BID_ZERO, MAX_BID, NUM_ACTIONS, NUM_CARDS
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
    s.blind_contract[:] = 0
    s.turn = (s.dealer + r.begin_offset) & 3
    s.leader = s.turn
    if hand_bids_itself(s, r):
        s.looked[:] = 1
        s.phase = state.PLAY
    else:
        begin_bidding(s, r)


# What is legal


@inlined
def legal_cards(s, r):
    """Return the cards the seat to move may play or pass, as lanes; meaningless in other phases."""
    hand = s.hands[s.turn]
    if s.phase == state.PASS:
        return hand & ~s.given[s.turn]
    if r.lowest_club and s.num_plays < 4:
        return first_trick_cards(hand)
    if s.num_plays & 3:
        follow = hand & (state.LANE << np.uint64(16 * s.led_lane))
        return follow if follow else hand
    others = hand & ~state.TRUMPS
    if s.broken | r.spades_any or not others:
        return hand
    return others


@inlined
def first_trick_cards(hand):
    """Return the lowest club, else all but the trumps, else those."""
    clubs = hand & state.LANE
    if clubs:
        return clubs & (~clubs + state.ONE)
    others = hand & ~state.TRUMPS
    return others if others else hand


@inlined
def write_mask(s, r, mask):
    """Write the legal actions of the seat to move into mask: int8[70]."""
    mask[:] = 0
    if s.phase == state.PLAY or s.phase == state.PASS:
        legal = legal_cards(s, r)
        while legal:
            mask[r.card_at[trailing_zeros(legal)]] = 1
            legal &= legal - state.ONE
    elif s.phase != state.OVER:
        calls = legal_calls(s, r)
        for i in range(NUM_ACTIONS - BID_ZERO):
            mask[BID_ZERO + i] = (calls >> i) & 1


@inlined
def is_legal(s, r, action):
    """May the seat to move do this?"""
    if action < 0 or action >= NUM_ACTIONS or s.phase == state.OVER:
        return False
    if s.phase <= state.BID:
        return action >= BID_ZERO and (legal_calls(s, r) >> (action - BID_ZERO)) & 1 != 0
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
        call(s, r, action)
    return state.GOES_ON


@inlined
def play(s, r, place):
    """Play a card of the seat to move; finish the trick, and score the hand, if it was the last card."""
    seat = np.int64(s.turn)
    lane = place >> 4
    in_first_trick = s.num_plays < 4 and r.lowest_club
    if in_first_trick and lane:
        s.voids[seat] |= 7 if lane == state.TRUMP_LANE else 1
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
            if not in_first_trick:
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
        return np.int64(r.card_at[random_bit(legal_cards(s, r), bits)])
    if s.phase == state.BID and r.all_bids_open:
        return BID_ZERO + below(bits, MAX_BID + 1)
    return BID_ZERO + random_bit(np.uint64(legal_calls(s, r)), bits)


@inlined
def random_bit(mask, bits):
    """Return the place of one of the set bits, drawn by 32 random bits."""
    for _ in range(below(bits, bit_count(mask))):
        mask &= mask - state.ONE
    return np.int64(trailing_zeros(mask))
