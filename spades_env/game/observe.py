"""What a seat may see; hidden cards reach players through this module only.

    blank(tables, i, seat, views, j)         copies tables[i] to views[j], with what is hidden from the seat set to zero
    write_features(state, rules, seat, out)  the same knowledge as int8 numbers, laid out by LAYOUT
    observe(tables, i, rules, seat, …)       features, and the mask of legal actions

Everything is seat-relative: 0 is the seat itself, then clockwise its left neighbour, its partner, its right neighbour.
Sides are relative in the same way. Numbers are plain ("three bags" is 3); points are split into hundreds and ones,
since an int8 cannot hold 500. Scaling is left to the learner. `write_hidden` adds all hands, for central critics.
"""

import hashlib
from dataclasses import dataclass
from functools import cache

import numpy as np

from spades_env._jit import inlined, njit, trailing_zeros
from spades_env.game import state
from spades_env.game.bidding import hand_bids_itself, is_to_bid, may_bid_nil
from spades_env.game.cards import NUM_CARDS, TRUMP_ORDERS
from spades_env.game.engine import write_mask
from spades_env.game.rules import CHOICES, Rules

ENV = "spades_v0"  # becomes v1 when behaviour, observation or action changes
SMALLEST, LARGEST = -128, 127  # of int8; other numbers are clipped


@dataclass(frozen=True)
class Block:
    """A block of features: its name, shape, start and meaning."""

    name: str
    shape: tuple[int, ...]
    start: int
    meaning: str

    @property
    def size(self) -> int:
        """How many features it has."""
        return int(np.prod(self.shape))

    @property
    def place(self) -> slice:
        """Its slice of an observation."""
        return slice(self.start, self.start + self.size)


def lay_out(start: int, rows: list[tuple[str, tuple[int, ...], str]]) -> dict[str, Block]:
    """Return consecutive blocks by name."""
    blocks = {}
    for name, shape, meaning in rows:
        blocks[name] = Block(name, shape, start, meaning)
        start += blocks[name].size
    return blocks


ONE_HOT_TRUMPS = tuple(TRUMP_ORDERS)[:5]
TABLE_ROWS = [  # change from decision to decision
    ("hand", (54,), "1: I hold this card (all 0 before I have looked)"),
    ("unseen", (54,), "1: this card is dealt and I don't know where it lies"),
    ("passed", (54,), "not yet played, and 1: I gave or give it to my partner; −1: my partner gave it to me"),
    ("table", (54,), "1: this card lies in the trick on the table"),
    ("played", (4, 54), "1: this seat has played this card"),
    ("order", (54,), "when this card was played, 1 to 52; 0: not yet"),
    ("bid", (4, 14), "one-hot: the seat's bid, 0 to 13; all 0: not yet bid (a nil is a bid of 0)"),
    ("nil", (4,), "1: the seat bid nil (not blind)"),
    ("blind_nil", (4,), "1: the seat bid blind nil"),
    ("looked", (4,), "1: the seat has seen its cards"),
    ("tricks", (4, 14), "one-hot: tricks the seat has won in this hand"),
    ("void", (4, 4), "1: the seat has shown that it holds nothing of clubs, diamonds, hearts, spades"),
    ("phase", (5,), "one-hot: blind, bid, pass, play, over"),
    ("turn", (4,), "one-hot: who is to move (all 0 when the game is over)"),
    ("dealer", (4,), "one-hot: who dealt"),
    ("leader", (4,), "one-hot: who led the trick on the table or will lead it; until bidding ends: who began it"),
    ("winning", (4,), "one-hot: who is winning the trick on the table"),
    ("led", (4,), "one-hot: the suit led, clubs to spades"),
    ("broken", (1,), "1: spades are broken, as `spades_lead` has it"),
    ("trick", (1,), "tricks finished, 0 to 13"),
    ("hand_number", (2,), "hands finished in this game: hundreds, ones"),
    ("score_hundreds", (4,), "per side (two with partners): the score's hundreds, rounded down"),
    ("score_ones", (4,), "per side: what that leaves, 0 to 99"),
    ("bags", (4,), "per side: bags"),
    ("side_bid", (4,), "per side: tricks bid so far, nils left out"),
    ("side_made", (4,), "per side: tricks won by those who did not bid nil"),
]
RULES_ROWS = [  # the same throughout a game
    ("trump", (54,), "the card's strength in the trump suit, 1 the lowest; 0: not a trump"),
    ("trumps", (len(ONE_HOT_TRUMPS),), "one-hot: " + ", ".join(ONE_HOT_TRUMPS)),
    ("partners", (1,), "1: partners; 0: each for itself"),
    ("limits_on", (4,), "1: there is a target, a number of hands, a floor, blind nil"),
    ("target", (2,), "target: hundreds, ones; 0: off"),
    ("max_hands", (2,), "number of hands: hundreds, ones; 0: off"),
    ("floor", (2,), "floor: hundreds, ones; 0: off"),
    ("first_lead", (len(CHOICES["first_lead"]),), "one-hot: " + ", ".join(CHOICES["first_lead"])),
    ("zero_is_nil", (1,), "1: a bid of 0 is a nil"),
    ("nil_bonus", (2,), "nil bonus: hundreds, ones; 0: no nil"),
    ("blind_nil_deficit", (2,), "points behind from which blind nil may be bid: hundreds, ones; 0 also when off"),
    ("blind_nil_bonus", (2,), "blind nil bonus: hundreds, ones; 0: off"),
    ("blind_nil_pass", (1,), "cards passed beside a blind nil"),
    ("overtrick_points", (1,), "points of an overtrick"),
    ("bag_limit", (1,), "bags that cost the penalty; 0: bags are not counted"),
    ("bag_cost", (2,), "what a full tally of bags costs the side itself: hundreds, ones"),
    ("bag_gift", (2,), "what it brings every other side: hundreds, ones"),
    ("failed_nil_tricks", (len(CHOICES["failed_nil_tricks"]),), "one-hot: " + ", ".join(CHOICES["failed_nil_tricks"])),
    ("spades_any", (1,), "1: spades may be led before they are broken"),
    ("extra_hand", (1,), "1: a tie is played out; 0: it is a draw"),
    ("big_two", (1,), "1: trumps are big_two"),
    ("bidding", (len(CHOICES["bidding"]),), "one-hot: " + ", ".join(CHOICES["bidding"])),
    ("least_bid", (1,), "what the bids of a side must add up to"),
    ("total_not", (2,), "1: the last bidder may not make all bids add up to …; this number"),
    ("bids_itself", (1,), "1: in the first hand nobody bids"),
    ("nil_pass", (1,), "cards passed beside a nil"),
    ("double_nil", (3,), "1: two kept nils score …; points: hundreds, ones"),
    ("blind_bid", (1,), "the least blind bid for both partners; 0: off"),
    ("blind_bid_deficit", (2,), "points behind from which it may be made: hundreds, ones; 0 also when off"),
    ("ten_points", (3,), "1: a bid of ten or more scores …; points: hundreds, ones"),
    ("slam_points", (2,), "what all thirteen tricks score besides: hundreds, ones"),
    ("lowest_club", (1,), "1: the lowest clubs are played to the first trick"),
    ("rules_room", (10,), "0: room for options to come"),
]
NOW_ROWS = [  # change from decision to decision, and follow from options above
    ("bids_missing", (4,), "per side: what its bids still lack for `least_bid`, while a partner is to bid"),
    ("may_bid_nil", (4,), "1: the seat is still to bid, and all that everybody knows allows a nil or blind nil"),
    ("blind_contract", (4,), "per side: 1: a partner bid for both before they saw their cards, for double"),
    ("ten_bid", (4,), "per side: 1: it bid ten or more, and `ten_points` are on"),
    ("no_bids", (1,), "1: nobody bids in this hand, and every trick scores"),
    ("room", (7,), "0: reserved for future options"),
]
HIDDEN_ROWS = [
    ("hands", (4, 54), "1: this seat holds this card"),
    ("laid_aside", (4, 54), "1: this seat holds this card, but has chosen to pass it"),
]

LAYOUT = lay_out(0, TABLE_ROWS)
TABLE_SIZE = sum(block.size for block in LAYOUT.values())
LAYOUT |= lay_out(TABLE_SIZE, RULES_ROWS)
NOW_START = sum(block.size for block in LAYOUT.values())
LAYOUT |= lay_out(NOW_START, NOW_ROWS)
OF_RULES = slice(TABLE_SIZE, NOW_START)  # the features that the rules decide
NUM_FEATURES = sum(block.size for block in LAYOUT.values())
STATE_LAYOUT = LAYOUT | lay_out(NUM_FEATURES, HIDDEN_ROWS)
STATE_SIZE = sum(block.size for block in STATE_LAYOUT.values())

HAND, UNSEEN, PASSED, TABLE = (LAYOUT[name].start for name in ("hand", "unseen", "passed", "table"))
PLAYED, ORDER, BIDS, NILS, BLIND_NILS = (LAYOUT[name].start for name in ("played", "order", "bid", "nil", "blind_nil"))
LOOKED, TRICKS, VOIDS, PHASE, TURN = (LAYOUT[name].start for name in ("looked", "tricks", "void", "phase", "turn"))
DEALER, LEADER, WINNING, LED, BROKEN = (LAYOUT[name].start for name in ("dealer", "leader", "winning", "led", "broken"))
TRICK, HAND_NUMBER, HUNDREDS, ONES, BAGS = (
    LAYOUT[name].start for name in ("trick", "hand_number", "score_hundreds", "score_ones", "bags")
)
SIDE_BID, SIDE_MADE = LAYOUT["side_bid"].start, LAYOUT["side_made"].start
MISSING, MAY_BID_NIL, BLIND_CONTRACT, TEN_BID, NO_BIDS = (
    LAYOUT[name].start for name in ("bids_missing", "may_bid_nil", "blind_contract", "ten_bid", "no_bids")
)
HANDS, LAID_ASIDE = STATE_LAYOUT["hands"].start, STATE_LAYOUT["laid_aside"].start


@cache
def rules_features(rules: Rules) -> np.ndarray:
    """Return what the rules add to every observation, at OF_RULES: int8[NOW_START − TABLE_SIZE], read-only."""
    return compiled_rules_features(state.compile_rules(rules))[0]


def compiled_rules_features(rules: np.recarray) -> np.ndarray:
    """Return the same for compiled rules: RULES[K] -> int8[K, NOW_START − TABLE_SIZE], read-only."""
    records = np.ascontiguousarray(rules).view(f"V{state.RULES.itemsize}").tolist()
    features = np.array([_features_of_record(record) for record in records])
    features.flags.writeable = False
    return features


@cache
def _features_of_record(record: bytes) -> np.ndarray:
    r = dict(zip(state.RULES.names or (), np.frombuffer(record, state.RULES)[0].tolist(), strict=True))
    on = {name: abs(r[name]) != state.NEVER for name in ("target", "max_hands", "floor", "blind_nil_deficit")}
    blind = on["blind_nil_deficit"]
    order = TRUMP_ORDERS[CHOICES["trumps"][r["trumps"]]]
    failed = [r["failed_as_bags"], r["failed_beside_made"], r["failed_as_made"]]
    from_right, by_bid = r["begin_offset"] == 3, r["highest_leads"]
    values = {
        "trump": [len(order) - order.index(card) if card in order else 0 for card in range(NUM_CARDS)],
        "trumps": [i == r["trumps"] for i in range(len(ONE_HOT_TRUMPS))],
        "partners": r["sides"] == 2,
        "limits_on": list(on.values()),
        "target": divmod(r["target"] * on["target"], 100),
        "max_hands": divmod(r["max_hands"] * on["max_hands"], 100),
        "floor": divmod(r["floor"] * on["floor"], 100),
        "first_lead": [not (from_right or by_bid), from_right, by_bid],
        "zero_is_nil": r["zero_is_nil"],
        "nil_bonus": divmod(r["nil_bonus"] * r["zero_is_nil"], 100),
        "blind_nil_deficit": divmod(r["blind_nil_deficit"] * blind, 100),
        "blind_nil_bonus": divmod(r["blind_nil_bonus"] * blind, 100),
        "blind_nil_pass": r["blind_nil_pass"] * blind,
        "overtrick_points": r["overtrick_points"],
        "bag_limit": r["bag_limit"] * r["bags_counted"],
        "bag_cost": divmod(r["bag_cost"] * r["bags_counted"], 100),
        "bag_gift": divmod(r["bag_gift"] * r["bags_counted"], 100),
        "failed_nil_tricks": [*failed, not any(failed)],
        "spades_any": r["spades_any"],
        "extra_hand": r["extra_hand"],
        "big_two": order is TRUMP_ORDERS["big_two"],
        "bidding": [i == r["bidding"] for i in range(len(CHOICES["bidding"]))],
        "least_bid": r["least_bid"],
        "total_not": [r["total_not"] >= 0, max(0, r["total_not"])],
        "bids_itself": r["bids_itself"],
        "nil_pass": r["nil_pass"],
        "double_nil": [r["double_nil"], *divmod(r["double_nil_points"], 100)],
        "blind_bid": r["blind_bid"],
        "blind_bid_deficit": divmod(r["blind_bid_deficit"] if r["blind_bid"] else 0, 100),
        "ten_points": [r["ten_from"] != state.NEVER, *divmod(r["ten_points"], 100)],
        "slam_points": divmod(r["slam_points"], 100),
        "lowest_club": r["lowest_club"],
        "rules_room": [0] * LAYOUT["rules_room"].size,
    }
    features = [np.ravel(values[name]) for name, _, _ in RULES_ROWS]
    return np.concatenate(features).astype(np.int64).clip(SMALLEST, LARGEST).astype(np.int8)


@njit
def blank(tables, i, seat, views, j):
    """Copy tables[i] to views[j] as the seat may know it; all other facts of a table are public."""
    views[j] = tables[i]
    s = tables[i]
    view = views[j]
    view.seed = 0
    for other in range(4):
        if other != seat:
            view.hands[other] = 0
            view.given[other] = 0
    view.given[(seat + 2) & 3] = received(s, seat)
    view.hands[seat] = own_hand(s, seat)


@njit
def own_hand(s, seat):
    return s.hands[seat] if s.looked[seat] else state.NO_CARDS


@njit
def received(s, seat):
    """Return the cards the seat's partner gave it, which it knows once both have passed."""
    partner = (seat + 2) & 3
    return s.given[partner] & ~s.hands[partner] if s.num_passed else state.NO_CARDS


@njit
def write_features(s, r, seat, out):
    """Write all that the seat may know of the table, but not the features of the rules: int8[≥ NUM_FEATURES]."""
    out[:TABLE_SIZE] = 0
    for i in range(NOW_START, NUM_FEATURES):  # much faster than a short slice
        out[i] = 0
    write_cards(s, r, seat, out)
    write_plays(s, r, seat, out)
    for i in range(4):
        write_seat(s, (seat + i) & 3, i, i & r.side_mask, out)
    for i in range(r.sides):
        write_score(s, (seat + i) & r.side_mask, i, out)
    if s.phase <= state.BID or r.house_bids:
        write_now(s, r, seat, out)
    out[PHASE + np.int64(s.phase)] = 1
    out[DEALER + (np.int64(s.dealer - seat) & 3)] = 1
    out[LEADER + (np.int64(s.leader - seat) & 3)] = 1
    if s.phase != state.OVER:
        out[TURN + (np.int64(s.turn - seat) & 3)] = 1
    if s.num_plays & 3:
        out[WINNING + (np.int64(s.best_seat - seat) & 3)] = 1
        out[LED + np.int64(s.led_lane)] = 1
    out[BROKEN] = s.broken
    out[TRICK] = s.num_plays >> 2
    hundreds = s.hand_number // 100
    out[HAND_NUMBER] = min(hundreds, LARGEST)
    out[HAND_NUMBER + 1] = s.hand_number - 100 * hundreds
    write_unseen(r, out)


@njit
def write_cards(s, r, seat, out):
    """Mark the seat's hand, the cards it gave (1) and those it received (−1); played ones are unmarked later."""
    mark_cards(r, own_hand(s, seat), HAND, 1, out)
    if s.num_passed:
        mark_cards(r, s.given[seat], PASSED, 1, out)
        mark_cards(r, received(s, seat), PASSED, -1, out)


@inlined
def mark_cards(r, lanes, start, mark, out):
    while lanes:
        out[start + np.int64(r.card_at[trailing_zeros(lanes)])] = mark
        lanes &= lanes - state.ONE


@njit
def write_unseen(r, out):
    """Mark the cards of the deck that no other block places; must be written last."""
    for card in range(NUM_CARDS):
        known = out[HAND + card] | out[ORDER + card] | out[PASSED + card]
        out[UNSEEN + card] = 0 if known else r.dealt[card]


@inlined
def write_plays(s, r, seat, out):
    """Write who played which card, and when."""
    for k in range(s.num_plays):
        i = np.int64(s.leaders[k >> 2] + (k & 3) - seat) & 3
        card = np.int64(r.card_at[s.plays[k]])
        out[PLAYED + NUM_CARDS * i + card] = 1
        out[ORDER + card] = k + 1
    for k in range(s.num_plays & ~3, s.num_plays):
        out[TABLE + np.int64(r.card_at[s.plays[k]])] = 1
    if s.num_passed:
        for k in range(s.num_plays):
            out[PASSED + np.int64(r.card_at[s.plays[k]])] = 0


@njit
def write_seat(s, seat, i, side, out):
    """Write bid, tricks and voids of a seat, the i-th from mine, and add them to its side, counted from mine."""
    bid = np.int64(s.bids[seat])
    tricks = np.int64(s.tricks[seat])
    nil = s.nils[seat]
    if bid != state.NO_BID:
        out[BIDS + 14 * i + bid] = 1
    out[NILS + i] = nil == state.NIL
    out[BLIND_NILS + i] = nil == state.BLIND_NIL_BID
    out[LOOKED + i] = s.looked[seat]
    out[TRICKS + 14 * i + tricks] = 1
    for lane in range(4):
        out[VOIDS + 4 * i + lane] = (s.voids[seat] >> lane) & 1
    in_contract = nil == state.NO_NIL
    out[SIDE_BID + side] += in_contract * max(0, bid)
    out[SIDE_MADE + side] += in_contract * tricks


@njit
def write_score(s, side, i, out):
    """Write the score and bags of a side, the i-th from mine."""
    hundreds = np.int64(s.scores[side]) // 100
    out[HUNDREDS + i] = max(SMALLEST, min(LARGEST, hundreds))
    out[ONES + i] = s.scores[side] - 100 * hundreds
    out[BAGS + i] = min(LARGEST, s.bags[side])


@inlined
def write_now(s, r, seat, out):
    """Write the features that house rules decide; without house bids all are 0 once bidding is over."""
    for i in range(r.sides):
        write_contract(s, r, (seat + i) & r.side_mask, i, out)
    if s.phase <= state.BID:
        for i in range(4):
            out[MAY_BID_NIL + i] = may_bid_nil(s, r, (seat + i) & 3)
    out[NO_BIDS] = hand_bids_itself(s, r)


@inlined
def write_contract(s, r, side, i, out):
    """Write what a side's bids lack and what they are worth, the i-th side from mine."""
    bid, to_bid = np.int64(0), False
    for seat in range(side, 4, r.sides):
        bid += max(0, np.int64(s.bids[seat]))
        to_bid |= is_to_bid(s, seat)
    if to_bid:
        out[MISSING + i] = max(0, r.least_bid - bid)
    out[BLIND_CONTRACT + i] = r.sides == 2 and s.blind_contract[side & 1]
    out[TEN_BID + i] = bid >= r.ten_from


@njit
def write_hidden(s, r, seat, out):
    """Write all hands and the cards set aside, seat-relative, to the end of a state: int8[STATE_SIZE]."""
    out[HANDS:] = 0
    for i in range(4):
        hand = s.hands[(seat + i) & 3]
        mark_cards(r, hand, HANDS + NUM_CARDS * i, 1, out)
        mark_cards(r, hand & s.given[(seat + i) & 3], LAID_ASIDE + NUM_CARDS * i, 1, out)


@njit
def observe(tables, i, rules, seat, features, mask):
    """Write a seat's features and legal actions, int8[≥ NUM_FEATURES] and int8[70]; none unless it is to move."""
    s = tables[i]
    write_features(s, rules[0], seat, features)
    if s.turn == seat and s.phase != state.OVER:
        write_mask(s, rules[0], mask)
    else:
        mask[:] = 0


def layout_mark() -> str:
    """Return a short hash of the layout of observations and states; learned weights fit only one."""
    places = [(block.name, block.shape, block.start) for block in STATE_LAYOUT.values()]
    return hashlib.sha256(repr(places).encode()).hexdigest()[:16]
