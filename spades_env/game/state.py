"""A table and its rules as the kernels read them: two numpy records.

A hand of cards is one uint64 of four 16-bit lanes, one per effective suit, trumps on top:

    bit   63 ········ 48 47 ········ 32 31 ········ 16 15 ········ 0
          trumps         hearts         diamonds       clubs            higher bits are stronger cards

A rule set says once at which bit ("place") each card stands. Facts are stored, not decoded; a limit that is off is a
number that is never reached. To copy, save, hash or undo a table is to copy its record.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np

from spades_env.game.cards import NUM_CARDS, TRUMP_ORDERS, deck
from spades_env.game.rules import CHOICES, Rules

BLIND, BID, PASS, PLAY, OVER = range(5)  # phases, in the order of cards.PHASES
GOES_ON, HAND_OVER, GAME_OVER = range(3)  # what apply returns
NO_BID = -1
NO_LANE = -1
NO_NIL, NIL, BLIND_NIL_BID = range(3)  # kinds of nil
FREE, MIRROR, WHIZ, SUICIDE = range(4)  # ways of bidding, in the order of CHOICES
DRAW = -1  # in winner
NEVER = 1 << 30  # a limit that is off: beyond any score, deficit or number of hands
LARGEST_SCORE = 100_000_000  # that a game may begin with, so that a deficit stays below NEVER

TRUMP_LANE = 3
TRUMPS = np.uint64(0xFFFF << 48)
LANE = np.uint64(0xFFFF)
ONE = np.uint64(1)
NO_CARDS = np.uint64(0)


def record_dtype(fields: list[tuple]) -> np.dtype:
    """Return the dtype of records whose fields are attributes.

    All arrays share the one object: numba recognises it quickly, and numpy makes no other for a view.
    """
    return np.dtype((np.record, np.dtype(fields, align=True)))


STATE = record_dtype(
    [
        ("seed", "u8"),
        ("hands", "u8", 4),  # cards now held
        ("given", "u8", 4),  # cards chosen to be passed, in this hand
        ("played", "u8"),  # cards played in this hand: `plays` as a set
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
        ("broken", "i1"),  # are spades broken?
        ("led_lane", "i1"),
        ("best_place", "i1"),  # of the trick on the table
        ("best_seat", "i1"),
        ("winner", "i1"),  # a side, or DRAW
        ("blind_contract", "i1", 2),  # per side of partners: did one of them bid for both before they saw their cards?
        ("unused", "u1", 4),  # fills the record, so that equal tables have equal bytes
    ]
)

RULES = record_dtype(
    [
        ("cards", "u8"),  # the deck as a set
        ("sides", "i4"),
        ("side_mask", "i4"),  # seat & side_mask is the seat's side
        ("target", "i4"),
        ("max_hands", "i4"),
        ("floor", "i4"),
        ("begin_offset", "i4"),  # who begins, counted clockwise from the dealer
        ("highest_leads", "i4"),
        ("first_dealer", "i4"),  # -1: by the seed
        ("bidding", "i4"),
        ("all_bids_open", "i4"),  # every seat may make every bid
        ("least_bid", "i4"),
        ("total_not", "i4"),  # -1: any total will do
        ("bids_itself", "i4"),  # the first hand
        ("zero_is_nil", "i4"),
        ("nil_bonus", "i4"),
        ("nil_pass", "i4"),
        ("double_nil", "i4"),  # do two kept nils score `double_nil_points`?
        ("double_nil_points", "i4"),
        ("double_nil_extra", "i4"),  # that two kept nils of a side score beyond their bonuses
        ("blind_nil_deficit", "i4"),
        ("blind_nil_bonus", "i4"),
        ("blind_nil_pass", "i4"),
        ("blind_bid", "i4"),
        ("blind_bid_deficit", "i4"),
        ("blind_from", "i4"),  # the lesser of both deficits
        ("ten_from", "i4"),  # from this bid up, a contract scores `ten_points`
        ("ten_points", "i4"),
        ("slam_points", "i4"),
        ("house_bids", "i4"),  # bids can be missing, blind, of ten, or not there at all
        ("tricks_score", "i4"),  # whatever was bid: in a hand that bids itself, or all thirteen
        ("overtrick_points", "i4"),
        ("bags_counted", "i4"),
        ("bag_limit", "i4"),
        ("bag_cost", "i4"),  # to the side itself
        ("bag_gift", "i4"),  # to every other side
        ("failed_as_made", "i4"),  # tricks of a failed nil count towards the bid,
        ("failed_as_bags", "i4"),  # … are overtricks whatever the bid,
        ("failed_beside_made", "i4"),  # … are overtricks beside a kept bid
        ("spades_any", "i4"),  # spades may always be led
        ("lead_breaks", "i4"),  # leading a spade breaks spades, too
        ("lowest_club", "i4"),  # in the first trick
        ("extra_hand", "i4"),
        ("trumps", "i4"),  # which of TRUMP_ORDERS
        ("deck", "u1", 52),  # places
        ("place", "u1", NUM_CARDS),  # card -> place (0 for cards left out, never read)
        ("card_at", "u1", 64),  # place -> card
        ("dealt", "i1", NUM_CARDS),  # 1: the card is in the deck
    ]
)


def compile_rules(rules: Rules) -> np.recarray:
    """Return the options as the kernels read them: RULES[1]."""
    return unpacked(packed_rules(rules), RULES).view(np.recarray)


def compile_each(each: Iterable[Rules]) -> tuple[tuple[Rules, ...], np.ndarray, np.ndarray]:
    """Return the distinct rules; the same compiled: RULES[K]; and which of them each one is: int32[N]."""
    each = list(each)
    numbers = {rules: number for number, rules in enumerate(dict.fromkeys(each))}
    records = unpacked(b"".join(map(packed_rules, numbers)), RULES)
    return tuple(numbers), records, np.array([numbers[rules] for rules in each], np.int32)


@cache
def packed_rules(rules: Rules) -> bytes:
    """Return RULES[1] as bytes."""
    compiled = np.zeros(1, RULES).view(np.recarray)
    r = compiled[0]
    r.sides, r.side_mask = rules.sides, rules.sides - 1
    r.target = NEVER if rules.target is None else rules.target
    r.max_hands = NEVER if rules.max_hands is None else rules.max_hands
    r.floor = -NEVER if rules.floor is None else rules.floor
    r.begin_offset = 3 if rules.first_lead == "right_of_dealer" else 1
    r.highest_leads = rules.first_lead == "highest_bidder"
    r.first_dealer = CHOICES["first_dealer"].index(rules.first_dealer) - 1
    r.bidding = CHOICES["bidding"].index(rules.bidding)
    r.least_bid = rules.least_bid
    r.total_not = -1 if rules.total_not is None else rules.total_not
    r.all_bids_open = rules.bidding == "free" and not rules.least_bid and rules.total_not is None
    r.bids_itself = rules.first_hand == "bids_itself"
    r.zero_is_nil, r.nil_bonus, r.nil_pass = rules.nil, rules.nil_bonus, rules.nil_pass
    if rules.double_nil_points is not None:
        r.double_nil, r.double_nil_points = 1, rules.double_nil_points
        r.double_nil_extra = rules.double_nil_points - 2 * rules.nil_bonus
    r.blind_nil_deficit = NEVER if rules.blind_nil_deficit is None else rules.blind_nil_deficit
    r.blind_nil_bonus, r.blind_nil_pass = rules.blind_nil_bonus, rules.blind_nil_pass
    r.blind_bid = rules.blind_bid or 0
    r.blind_bid_deficit = NEVER if rules.blind_bid is None else rules.blind_bid_deficit
    r.blind_from = min(r.blind_nil_deficit, r.blind_bid_deficit)
    r.ten_from = NEVER if rules.ten_points is None else 10
    r.ten_points, r.slam_points = rules.ten_points or 0, rules.slam_points or 0
    r.house_bids = r.least_bid or r.blind_bid or r.bids_itself or r.ten_from != NEVER
    r.tricks_score = r.bids_itself or r.slam_points
    r.overtrick_points = rules.overtrick_points
    r.bags_counted = rules.bag_limit is not None
    r.bag_limit = NEVER if rules.bag_limit is None else rules.bag_limit
    r.bag_cost = rules.bag_penalty if rules.bag_penalty_to == "self" else 0
    r.bag_gift = rules.bag_penalty if rules.bag_penalty_to == "opponents" else 0
    r.failed_as_made = rules.failed_nil_tricks == "partner"
    r.failed_as_bags = rules.failed_nil_tricks == "bags"
    r.failed_beside_made = rules.failed_nil_tricks == "overtricks"
    r.spades_any, r.lead_breaks = rules.spades_lead == "any", rules.spades_lead != "discarded"
    r.lowest_club = rules.first_trick == "lowest_club"
    r.extra_hand = rules.tie == "extra_hand"
    r.trumps = CHOICES["trumps"].index(rules.trumps)
    trumps = TRUMP_ORDERS[rules.trumps]
    for i, c in enumerate(deck(rules.trumps)):
        place = 16 * TRUMP_LANE + len(trumps) - 1 - trumps.index(c) if c in trumps else 16 * (c // 13) + c % 13
        r.deck[i], r.place[c], r.card_at[place], r.dealt[c] = place, place, c, 1
        r.cards |= ONE << np.uint64(place)
    return compiled.tobytes()


def plain(records: np.ndarray) -> np.ndarray:
    """Return the same memory as a plain array; numba takes two microseconds longer to recognise a recarray."""
    return records.view(np.ndarray)


def copied(records: np.ndarray) -> np.ndarray:
    """Return a copy, in a plain array; numpy's own `copy` is slower, field by field."""
    return unpacked(records.tobytes(), records.dtype)


def unpacked(packed: bytes, dtype: np.dtype) -> np.ndarray:
    """Return the records that these bytes hold, in memory of their own."""
    return np.frombuffer(bytearray(packed), dtype)


def new_tables(n: int) -> np.recarray:
    """Return STATE[n], all zero."""
    return np.zeros(n, STATE).view(np.recarray)
