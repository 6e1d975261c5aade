"""The engine: the only code that knows how Spades is played.

A hand of cards is one uint64 of four 16-bit lanes, one per effective suit, trumps on top:

    bit   63 ········ 48 47 ········ 32 31 ········ 16 15 ········ 0
          trumps         hearts         diamonds       clubs            higher bits are stronger cards

A rule set says once at which bit ("place") each card stands. Following suit is then one AND, and a card takes
over a trick when its lane is the led one or the trumps' and its place is higher. Jokers and deuces need no code.

A table is one STATE record, its options one RULES record; kernels take both and trust their input.

    apply(state, rules, action)   the seat to move acts; says whether the hand, or the game, is over
    deal_next(state, rules)       after a finished hand: the next one
"""

import numpy as np

from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_ACTIONS, NUM_CARDS, TRUMP_ORDERS, deck
from spades_env.rules import CHOICES, Rules

BLIND, BID, PASS, PLAY, OVER = range(5)  # phases, in the order of cards.PHASES
GOES_ON, HAND_OVER, GAME_OVER = range(3)  # what apply returns
NO_BID = -1
NO_LANE = -1
NO_NIL, NIL, BLIND_NIL_BID = range(3)  # kinds of nil
DRAW = -1  # in winner
NEVER = 1 << 30  # a limit that is off

TRUMP_LANE = 3
TRUMPS = np.uint64(0xFFFF << 48)
LANE = np.uint64(0xFFFF)
ONE = np.uint64(1)
NO_CARDS = np.uint64(0)

STATE = np.dtype(
    [
        ("seed", "u8"),
        ("hands", "u8", 4),  # cards now held
        ("given", "u8", 4),  # cards chosen to be passed, in this hand
        ("scores", "i4", 4),  # per side
        ("bags", "i4", 4),  # per side
        ("points", "i4", 4),  # per side, of the hand finished last
        ("overtricks", "i4", 4),  # per side, of the hand finished last
        ("hand_number", "i4"),
        ("plays", "u1", 52),  # places in the order played; trick t is plays[4 t : 4 t + 4]
        ("leaders", "i1", 13),  # who led each trick
        ("bids", "i1", 4),
        ("nils", "i1", 4),
        ("looked", "i1", 4),  # has the seat seen its cards?
        ("tricks", "i1", 4),
        ("voids", "u1", 4),  # bit l: the seat showed that it holds nothing of lane l
        ("passers", "i1", 4),  # who passes, in turn
        ("num_passers", "i1"),
        ("num_passed", "i1"),
        ("num_bids", "i1"),
        ("num_plays", "i1"),
        ("dealer", "i1"),
        ("leader", "i1"),  # of the trick on the table; before play: who bids first
        ("turn", "i1"),
        ("phase", "i1"),
        ("broken", "i1"),  # has a spade been played?
        ("led_lane", "i1"),
        ("best_place", "i1"),  # of the trick on the table
        ("best_seat", "i1"),
        ("winner", "i1"),  # a side, or DRAW
        ("unused", "u1", 6),  # fills the record, so that equal tables are equal bytes
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("sides", "i4"),
        ("side_mask", "i4"),  # seat & side_mask is the seat's side
        ("target", "i4"),
        ("max_hands", "i4"),
        ("floor", "i4"),
        ("begin_offset", "i4"),  # who begins, counted clockwise from the dealer
        ("highest_leads", "i4"),
        ("first_dealer", "i4"),  # -1: by the seed
        ("zero_is_nil", "i4"),
        ("nil_bonus", "i4"),
        ("blind_nil_deficit", "i4"),
        ("blind_nil_bonus", "i4"),
        ("blind_nil_pass", "i4"),
        ("overtrick_points", "i4"),
        ("bags_counted", "i4"),
        ("bag_limit", "i4"),
        ("bag_cost", "i4"),  # to the side itself
        ("bag_gift", "i4"),  # to every other side
        ("failed_as_made", "i4"),  # tricks of a failed nil count towards the bid,
        ("failed_as_bags", "i4"),  # … are overtricks whatever the bid,
        ("failed_beside_made", "i4"),  # … are overtricks beside a kept bid
        ("spades_any", "i4"),
        ("extra_hand", "i4"),
        ("deck", "u1", 52),  # places
        ("place", "u1", NUM_CARDS),  # card -> place (cards left out: 0, never asked)
        ("card_at", "u1", 64),  # place -> card
        ("dealt", "i1", NUM_CARDS),  # 1: the card is in the deck
    ],
    align=True,
)


def compile_rules(rules: Rules) -> np.recarray:
    """The options as the kernels read them: RULES[1]."""
    compiled = np.zeros(1, RULES).view(np.recarray)
    r = compiled[0]
    r.sides, r.side_mask = rules.sides, rules.sides - 1
    r.target = NEVER if rules.target is None else rules.target
    r.max_hands = NEVER if rules.max_hands is None else rules.max_hands
    r.floor = -NEVER if rules.floor is None else rules.floor
    r.begin_offset = 3 if rules.first_lead == "right_of_dealer" else 1
    r.highest_leads = rules.first_lead == "highest_bidder"
    r.first_dealer = CHOICES["first_dealer"].index(rules.first_dealer) - 1
    r.zero_is_nil, r.nil_bonus, r.blind_nil_bonus = rules.nil, rules.nil_bonus, rules.blind_nil_bonus
    r.blind_nil_deficit = NEVER if rules.blind_nil_deficit is None else rules.blind_nil_deficit
    r.blind_nil_pass, r.overtrick_points = rules.blind_nil_pass, rules.overtrick_points
    r.bags_counted = rules.bag_limit is not None
    r.bag_limit = NEVER if rules.bag_limit is None else rules.bag_limit
    r.bag_cost = rules.bag_penalty if rules.bag_penalty_to == "self" else 0
    r.bag_gift = rules.bag_penalty if rules.bag_penalty_to == "opponents" else 0
    r.failed_as_made = rules.failed_nil_tricks == "partner"
    r.failed_as_bags = rules.failed_nil_tricks == "bags"
    r.failed_beside_made = rules.failed_nil_tricks == "overtricks"
    r.spades_any, r.extra_hand = rules.spades_lead == "any", rules.tie == "extra_hand"
    trumps = TRUMP_ORDERS[rules.trumps]
    for i, c in enumerate(deck(rules.trumps)):
        place = 16 * TRUMP_LANE + len(trumps) - 1 - trumps.index(c) if c in trumps else 16 * (c // 13) + c % 13
        r.deck[i], r.place[c], r.card_at[place], r.dealt[c] = place, place, c, 1
    return compiled


def new_tables(n: int) -> np.recarray:
    """STATE[n], all zero."""
    return np.zeros(n, STATE).view(np.recarray)


# Dealing -------------------------------------------------------------------------------------------------------------


@njit
def mix(x):
    """A hash of 64 bits (the finaliser of splitmix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit
def next_random(x):
    """The random number after x: a walk of splitmix64."""
    return x + np.uint64(0x9E3779B97F4A7C15)


@njit
def below(bits, n):
    """A number from 0 to n - 1 out of 32 random bits."""
    return np.int64((bits * np.uint64(n)) >> np.uint64(32))


@njit
def new_game(s, r, seed):
    """Nobody has a point; the first hand is dealt."""
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
    """The next hand, the deal having moved one seat clockwise."""
    s.hand_number += 1
    s.dealer = (s.dealer + 1) & 3
    deal(s, r)
    begin_hand(s, r)


@njit
def deal(s, r):
    """Thirteen cards to each seat: a function of seed and hand number alone. `plays` is the table we shuffle on."""
    s.plays[:] = r.deck
    x = mix(s.seed + mix(np.uint64(s.hand_number + 1)))
    bits = NO_CARDS
    for i in range(39):  # what three seats did not draw is the fourth's
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
        hand = NO_CARDS
        for i in range(13 * seat, 13 * seat + 13):
            hand |= ONE << np.uint64(s.plays[i])
        s.hands[seat] = hand


@njit
def begin_hand(s, r):
    """The cards are dealt: all is ready for the first bid."""
    s.plays[:] = 0
    s.leaders[:] = 0
    s.given[:] = 0
    s.bids[:] = NO_BID
    s.nils[:] = NO_NIL
    s.tricks[:] = 0
    s.voids[:] = 0
    s.passers[:] = 0
    s.num_passers = 0
    s.num_passed = 0
    s.num_bids = 0
    s.num_plays = 0
    s.broken = 0
    s.led_lane = NO_LANE
    s.best_place = 0
    s.best_seat = 0
    s.winner = DRAW
    for seat in range(4):
        s.looked[seat] = deficit(s, r, seat & r.side_mask) < r.blind_nil_deficit
    s.turn = (s.dealer + r.begin_offset) & 3
    s.leader = s.turn
    s.phase = BID if s.looked[s.turn] else BLIND


@njit
def deficit(s, r, side):
    """How far a side stands behind the best other side."""
    best = -NEVER
    for other in range(r.sides):
        if other != side and s.scores[other] > best:
            best = np.int64(s.scores[other])
    return best - s.scores[side]


# What is legal -------------------------------------------------------------------------------------------------------


@njit
def legal_cards(s, r):
    """The cards the seat to move may play or pass, as lanes; in other phases meaningless."""
    hand = s.hands[s.turn]
    if s.phase == PASS:
        return hand & ~s.given[s.turn]
    if s.num_plays & 3:
        follow = hand & (LANE << np.uint64(16 * s.led_lane))
        return follow if follow else hand
    others = hand & ~TRUMPS
    if s.broken | r.spades_any or not others:
        return hand
    return others


@njit
def write_mask(s, r, mask):
    """The legal actions of the seat to move into mask: int8[70]."""
    mask[:] = 0
    if s.phase == PLAY or s.phase == PASS:
        legal = legal_cards(s, r)
        while legal:
            mask[r.card_at[trailing_zeros(legal)]] = 1
            legal &= legal - ONE
    elif s.phase == BID:
        mask[BID_ZERO:BLIND_NIL] = 1
    elif s.phase == BLIND:
        mask[BLIND_NIL] = 1
        mask[LOOK] = 1


@njit
def is_legal(s, r, action):
    """May the seat to move do this?"""
    if action < 0 or action >= NUM_ACTIONS or s.phase == OVER:
        return False
    if s.phase == BLIND:
        return action == BLIND_NIL or action == LOOK
    if s.phase == BID:
        return BID_ZERO <= action < BLIND_NIL
    if action >= NUM_CARDS:
        return False
    place = r.place[action]
    return r.card_at[place] == action and (legal_cards(s, r) >> np.uint64(place)) & ONE != 0


# Acting --------------------------------------------------------------------------------------------------------------


@njit
def apply(s, r, action):
    """The seat to move acts; a finished hand is scored. Returns GOES_ON, HAND_OVER or GAME_OVER."""
    if s.phase == PLAY:
        return play(s, r, np.int64(r.place[action]))
    if s.phase == PASS:
        pass_card(s, r, np.int64(r.place[action]))
    else:
        bid(s, r, action)
    return GOES_ON


@njit
def bid(s, r, action):
    """Look, bid blind nil, or bid."""
    seat = s.turn
    if action == LOOK:
        s.looked[seat] = 1
        s.phase = BID
        return
    if action == BLIND_NIL:
        s.bids[seat] = 0
        s.nils[seat] = BLIND_NIL_BID
    else:
        s.bids[seat] = action - BID_ZERO
        s.nils[seat] = NIL if action == BID_ZERO and r.zero_is_nil else NO_NIL
    s.num_bids += 1
    s.turn = (seat + 1) & 3
    if s.num_bids == 4:
        end_bidding(s, r)
    else:
        s.phase = BID if s.looked[s.turn] else BLIND


@njit
def end_bidding(s, r):
    """All cards are seen; who passes is settled, and who leads."""
    first = np.int64(s.turn)
    if r.highest_leads:
        for i in range(1, 4):
            seat = (first + i) & 3
            if s.bids[seat] > s.bids[s.leader]:
                s.leader = seat
    if r.blind_nil_pass:
        for i in range(4):
            seat = (first + i) & 3
            if s.nils[seat] == BLIND_NIL_BID and not passes(s, seat):
                s.passers[s.num_passers] = seat
                s.passers[s.num_passers + 1] = (seat + 2) & 3
                s.num_passers += 2
    s.looked[:] = 1
    s.phase = PASS if s.num_passers else PLAY
    s.turn = s.passers[0] if s.num_passers else s.leader


@njit
def passes(s, seat):
    """Is the seat among those who pass?"""
    for i in range(s.num_passers):
        if s.passers[i] == seat:
            return True
    return False


@njit
def pass_card(s, r, place):
    """One card is laid aside for the partner; when both have chosen, the cards change hands."""
    s.given[s.turn] |= ONE << np.uint64(place)
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
        s.phase = PLAY
        s.turn = s.leader


@njit
def play(s, r, place):
    """A card from the seat to move onto the table, and what follows from it."""
    seat = np.int64(s.turn)
    lane = place >> 4
    s.hands[seat] ^= ONE << np.uint64(place)
    s.plays[s.num_plays] = place
    if s.num_plays & 3 == 0:
        s.leaders[s.num_plays >> 2] = seat
        s.led_lane = lane
        s.best_place = place
        s.best_seat = seat
        if lane == TRUMP_LANE and not (s.broken | r.spades_any):
            s.voids[seat] |= 7  # only a hand of nothing but spades may do so
    else:
        if lane != s.led_lane:
            s.voids[seat] |= 1 << s.led_lane
        if place > s.best_place and (lane == s.led_lane or lane == TRUMP_LANE):
            s.best_place = place
            s.best_seat = seat
    if lane == TRUMP_LANE:
        s.broken = 1
    s.num_plays += 1
    if s.num_plays & 3:
        s.turn = (seat + 1) & 3
        return GOES_ON
    s.tricks[s.best_seat] += 1
    s.turn = s.best_seat
    s.leader = s.best_seat
    if s.num_plays < 52:
        return GOES_ON
    return end_hand(s, r)


@njit
def finish_at_random(s, r, x):
    """Every seat plays on at random until the hand is over: (the last apply's answer, the walk's next number)."""
    event = GOES_ON
    while event == GOES_ON:
        x = next_random(x)
        event = apply(s, r, random_action(s, r, mix(x)))
    return event, x


@njit
def random_action(s, r, bits):
    """One of the legal actions, each as likely as another."""
    bits = bits >> np.uint64(32)
    if s.phase >= PASS:
        legal = legal_cards(s, r)
        for _ in range(below(bits, bit_count(legal))):
            legal &= legal - ONE
        return np.int64(r.card_at[trailing_zeros(legal)])
    if s.phase == BID:
        return BID_ZERO + below(bits, 14)
    return BLIND_NIL + below(bits, 2)


# Scoring -------------------------------------------------------------------------------------------------------------


@njit
def end_hand(s, r):
    """The thirteenth trick is taken: score, and see whether the game is over."""
    s.points[:] = 0
    for side in range(r.sides):
        score_side(s, r, side)
    for side in range(r.sides):
        s.scores[side] += s.points[side]
    if not game_ends(s, r):
        return HAND_OVER
    s.winner = leading_side(s, r)
    if s.winner == DRAW and r.extra_hand:
        return HAND_OVER
    s.phase = OVER
    return GAME_OVER


@njit
def score_side(s, r, side):
    """The points of one side, and what its bags do to all sides."""
    bid = 0
    made = 0
    failed = 0
    points = 0
    for seat in range(side, 4, r.sides):
        if s.nils[seat] == NO_NIL:
            bid += np.int64(s.bids[seat])
            made += np.int64(s.tricks[seat])
        else:
            bonus = r.nil_bonus if s.nils[seat] == NIL else r.blind_nil_bonus
            points += -bonus if s.tricks[seat] else bonus
            failed += np.int64(s.tricks[seat])
    made += failed * r.failed_as_made
    overtricks = failed * r.failed_as_bags
    if made >= bid:
        points += 10 * bid
        overtricks += made - bid + failed * r.failed_beside_made
    else:
        points -= 10 * bid
    s.overtricks[side] = overtricks
    s.points[side] += points + overtricks * r.overtrick_points
    s.bags[side] += overtricks * r.bags_counted
    while s.bags[side] >= r.bag_limit:
        s.bags[side] -= r.bag_limit
        s.points[side] -= r.bag_cost
        for other in range(r.sides):
            if other != side:
                s.points[other] += r.bag_gift


@njit
def game_ends(s, r):
    """Has a side reached the target or the floor, or is the last hand played?"""
    over = s.hand_number + 1 >= r.max_hands
    for side in range(r.sides):
        over = over or s.scores[side] >= r.target or s.scores[side] <= r.floor
    return over


@njit
def leading_side(s, r):
    """The side with the most points, or DRAW."""
    best = 0
    tied = False
    for side in range(1, r.sides):
        if s.scores[side] > s.scores[best]:
            best = side
            tied = False
        elif s.scores[side] == s.scores[best]:
            tied = True
    return DRAW if tied else best
