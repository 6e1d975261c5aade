"""The layout of an observation, and each block compared with the plain facts of a game."""

import random
from dataclasses import fields

import numpy as np
import pytest
from support.game.reference import trick_winner
from support.game.tables import SUITS_DEALT, hand_start, moves_of_hand, random_position, random_rules, suit_of
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.game.cards import BID_ZERO, LOOK, NUM_CARDS, PHASES, TRUMP_ORDERS, deck, partner
from spades_env.game.observe import (
    LAYOUT,
    NOW_ROWS,
    NUM_FEATURES,
    OF_RULES,
    RULES_ROWS,
    STATE_LAYOUT,
    STATE_SIZE,
    TABLE_ROWS,
    TABLE_SIZE,
    compiled_rules_features,
    layout_table,
    rules_features,
    write_features,
    write_hidden,
)
from spades_env.game.rules import CHOICES
from spades_env.game.state import compile_rules, new_tables


def block(features: np.ndarray, name: str) -> list:
    """Return a block of the features, in its shape."""
    place = STATE_LAYOUT[name]
    return features[place.place].reshape(place.shape).tolist()


def one_hot(number: int | None, size: int) -> list[int]:
    return [int(i == number) for i in range(size)]


def marked(chosen, size: int = NUM_CARDS) -> list[int]:
    return [int(i in chosen) for i in range(size)]


# The layout


@pytest.mark.parametrize(("layout", "size"), [(LAYOUT, NUM_FEATURES), (STATE_LAYOUT, STATE_SIZE)])
def test_blocks_stand_one_behind_the_other(layout, size):
    end = 0
    for name, place in layout.items():
        assert place.name == name
        assert place.start == end
        assert place.size == np.prod(place.shape)
        assert place.place == slice(place.start, place.start + place.size)
        assert place.meaning
        end += place.size
    assert end == size


def test_the_table_ends_where_the_rules_begin():
    names = list(LAYOUT)
    assert names == [name for name, _, _ in TABLE_ROWS + RULES_ROWS + NOW_ROWS]
    assert LAYOUT["trump"].start == TABLE_SIZE == sum(LAYOUT[name].size for name, _, _ in TABLE_ROWS)
    assert rules_features(Rules()).shape == (LAYOUT["bids_missing"].start - TABLE_SIZE,)
    assert slice(TABLE_SIZE, LAYOUT["bids_missing"].start) == OF_RULES
    assert STATE_LAYOUT["hands"].start == NUM_FEATURES


def test_write_features_stays_within_the_table():
    rules = compile_rules(Rules())
    game = Game("classic", seed=1)
    out = np.full(STATE_SIZE, 77, np.int8)
    write_features(game._s, rules[0], 0, out)
    assert (out[OF_RULES] == 77).all()
    assert (out[:TABLE_SIZE] != 77).all()
    assert (out[OF_RULES.stop : NUM_FEATURES] != 77).all()
    assert (out[NUM_FEATURES:] == 77).all()
    write_hidden(game._s, rules[0], 0, out)
    assert (out[OF_RULES] == 77).all()
    assert (out[NUM_FEATURES:] != 77).all()


def test_the_printed_layout_lists_every_block():
    rows = layout_table().splitlines()[2:]
    assert [row.split("|")[3].strip(" `") for row in rows] == list(LAYOUT)
    assert rows[-1].split("|")[2].strip() == str(NUM_FEATURES - 1)


# Every block


class Naive:
    """The facts of a hand, derived from its moves alone."""

    def __init__(self, game: Game):
        rules, start = game.rules, hand_start(game)
        moves = moves_of_hand(game)
        self.dealt = start.hands
        self.passes = [(seat, card) for phase, seat, card in moves if phase == "pass"]
        self.plays = [(seat, card) for phase, seat, card in moves if phase == "play"]
        self.tricks = [self.plays[i : i + 4] for i in range(0, len(self.plays) // 4 * 4, 4)]
        self.on_table = self.plays[4 * len(self.tricks) :]
        self.won = [trick_winner(trick, rules.trumps) for trick in self.tricks]
        self.exchanged = [seat for seat in range(4) if self.has_exchanged(seat, cards_passed(game, seat))]
        self.breaking = [self.breaks(place, rules) for place in range(len(self.plays))]

    def breaks(self, place: int, rules: Rules) -> bool:
        """Is this play, counted from 0, one that breaks spades?"""
        led, own = (suit_of(self.plays[i][1], rules.trumps) for i in (place // 4 * 4, place))
        return own == 3 and (led != 3 or rules.spades_lead != "discarded")

    def has_exchanged(self, seat: int, count: int) -> bool:
        done = [sum(giver == who for giver, _ in self.passes) == count for who in (seat, partner(seat))]
        return count > 0 and all(done)

    def given(self, seat: int) -> list[int]:
        return [card for giver, card in self.passes if giver == seat]

    def received(self, seat: int) -> list[int]:
        return self.given(partner(seat)) if seat in self.exchanged else []

    def lacks(self, seat: int, suit: int, rules: Rules) -> bool:
        """Has the seat shown that it holds nothing of the suit?"""
        for number, trick in enumerate([*self.tricks, self.on_table]):
            suits = [suit_of(card, rules.trumps) for _, card in trick]
            for place, (player, _) in enumerate(trick):
                if player != seat:
                    continue
                if number == 0 and rules.first_trick == "lowest_club":
                    if suits[place] == 3 != suit or 0 == suit != suits[place]:
                        return True
                    continue
                if place and suit == suits[0] != suits[place]:
                    return True
                broken = any(self.breaking[: 4 * number])
                if not place and suits[0] == 3 != suit and not broken and rules.spades_lead != "any":
                    return True
        return False


def cards_passed(game: Game, seat: int) -> int:
    """Return how many cards the nils of a seat and its partner make each of them pass."""
    by_nil = {True: game.rules.blind_nil_pass, False: game.rules.nil_pass}
    return max(by_nil[game.blind[who]] if game.nils[who] else 0 for who in (seat, partner(seat)))


def first_leader(game: Game) -> int:
    """Return who began bidding; once bidding is over, who leads the first trick."""
    first = (game.dealer + (3 if game.rules.first_lead == "right_of_dealer" else 1)) % 4
    if (
        game.rules.first_lead != "highest_bidder"
        or game.phase in ("blind", "bid")
        or not bids_are_made(game.rules, game)
    ):
        return first
    bids = [bid or 0 for bid in game.bids]
    return max(((first + i) % 4 for i in range(4)), key=bids.__getitem__)


def expected(game: Game, naive: Naive, me: int) -> dict:
    """Return every block of the table, in the order and from the seat of the observation."""
    rules = game.rules
    seats = [(me + i) % 4 for i in range(4)]
    sides = [(me + i) % rules.sides for i in range(rules.sides)]
    side_padding = [0] * (4 - rules.sides)
    gone = [card for _, card in naive.plays]
    hand = game.hands[me] if game.looked[me] else []
    whereabouts = {*hand, *gone, *naive.given(me)}
    passed = [0] * NUM_CARDS
    for card in naive.given(me):
        passed[card] = int(card not in gone)
    for card in naive.received(me):
        passed[card] = -int(card not in gone)
    order = [gone.index(card) + 1 if card in gone else 0 for card in range(NUM_CARDS)]
    trick = naive.on_table
    won = naive.won
    bids, blind = game.bids, game.blind
    nil = [rules.nil and bids[seat] == 0 and not blind[seat] for seat in range(4)]
    bidders = [seat for seat in range(4) if not nil[seat] and not blind[seat]]
    bidding = game.phase in ("blind", "bid")
    to_bid = [
        seat for seat in range(4) if bidding and bids[seat] is None and not game.blind_contracts[rules.side(seat)]
    ]
    made = [sum(bids[seat] or 0 for seat in rules.seats(side)) for side in sides]
    asked = [any(seat in to_bid for seat in rules.seats(side)) for side in sides]
    leads = trick[0][0] if trick else won[-1] if won else first_leader(game)
    return {
        "hand": marked(hand),
        "unseen": marked(set(deck(rules.trumps)) - whereabouts),
        "passed": passed,
        "table": marked([card for _, card in trick]),
        "played": [marked([card for player, card in naive.plays if player == seat]) for seat in seats],
        "order": order,
        "bid": [one_hot(bids[seat], 14) for seat in seats],
        "nil": [int(nil[seat]) for seat in seats],
        "blind_nil": [int(blind[seat]) for seat in seats],
        "looked": [int(game.looked[seat]) for seat in seats],
        "tricks": [one_hot(won.count(seat), 14) for seat in seats],
        "void": [[int(naive.lacks(seat, suit, rules)) for suit in range(4)] for seat in seats],
        "phase": one_hot(PHASES.index(game.phase), 5),
        "turn": [int(seat == game.turn and not game.over) for seat in seats],
        "dealer": [int(seat == game.dealer) for seat in seats],
        "leader": [int(seat == leads) for seat in seats],
        "winning": [int(bool(trick) and seat == trick_winner(trick, rules.trumps)) for seat in seats],
        "led": one_hot(suit_of(trick[0][1], rules.trumps), 4) if trick else [0] * 4,
        "broken": [int(any(naive.breaking))],
        "trick": [len(naive.tricks)],
        "hand_number": list(divmod(game.hand_number, 100)),
        "score_hundreds": [max(-128, min(127, game.scores[side] // 100)) for side in sides] + side_padding,
        "score_ones": [game.scores[side] % 100 for side in sides] + side_padding,
        "bags": [game.bags[side] for side in sides] + side_padding,
        "side_bid": [sum(bids[seat] or 0 for seat in rules.seats(side)) for side in sides] + side_padding,
        "side_made": [sum(won.count(seat) for seat in rules.seats(side) if seat in bidders) for side in sides]
        + side_padding,
        "bids_missing": [max(0, rules.least_bid - n) * waits for n, waits in zip(made, asked, strict=True)]
        + side_padding,
        "may_bid_nil": [int(seat in to_bid and nil_is_open(game, seat)) for seat in seats],
        "blind_contract": [int(game.blind_contracts[side]) for side in sides] + side_padding,
        "ten_bid": [int(rules.ten_points is not None and number >= 10) for number in made] + side_padding,
        "no_bids": [int(not bids_are_made(rules, game))],
        "room": [0] * 7,
    }


def bids_are_made(rules: Rules, game: Game) -> bool:
    """Does anybody bid in this hand?"""
    return rules.first_hand == "bid" or game.hand_number > 0


def nil_is_open(game: Game, seat: int) -> bool:
    """May a seat that is still to bid bid nil, blind or not, by what everybody knows?"""
    rules, own = game.rules, game.rules.side(seat)
    behind = max(score for side, score in enumerate(game.scores) if side != own) - game.scores[own]
    blind_nil = not game.looked[seat] and rules.blind_nil_deficit is not None and behind >= rules.blind_nil_deficit
    if not (rules.nil or blind_nil):
        return False
    is_last = seat == game.turn and [bid for other, bid in enumerate(game.bids) if other != seat].count(None) == 0
    if is_last and rules.total_not == sum(bid for bid in game.bids if bid is not None):
        return False
    mates = game.bids[partner(seat)] if rules.partners else None
    if mates is None:
        return True
    return mates > 0 if rules.bidding == "suicide" else mates >= rules.least_bid


def all_expected(game: Game) -> list[dict]:
    naive = Naive(game)
    return [expected(game, naive, seat) for seat in range(4)]


def own_may_bid_nil(game: Game) -> int:
    return block(game.view(game.turn).observation()[0], "may_bid_nil")[0]


def test_no_nil_is_seen_where_it_would_make_the_forbidden_total():
    for bids, expected in (((3, 3, 3), 0), ((3, 3, 2), 1)):
        game = Game("match total_not=9", seed=1)
        for bid in bids:
            assert own_may_bid_nil(game) == 1
            game.apply(BID_ZERO + bid)
        assert own_may_bid_nil(game) == expected


def test_no_blind_nil_is_seen_after_the_look():
    game = Game("classic nil=false blind_nil_deficit=100", seed=1, scores=[0, 200], dealer=3)
    assert own_may_bid_nil(game) == 1
    game.apply(LOOK)
    assert own_may_bid_nil(game) == 0


@pytest.mark.parametrize("name", [name for name, _, _ in TABLE_ROWS + NOW_ROWS])
def test_blocks_of_the_table(name, positions):
    for game, facts, features in positions:
        for seat in range(4):
            assert block(features[seat], name) == facts[seat][name], f"{name} of seat {seat} in {game!r}"


def test_the_positions_cover_every_phase(positions):
    assert {game.phase for game, _, _ in positions} == set(PHASES)


@pytest.fixture(scope="module")
def positions() -> list[tuple[Game, list[dict], list[np.ndarray]]]:
    """Return random positions, with what each seat should and does observe."""
    rng = random.Random(20)
    games = [random_position(rng) for _ in range(max(40, scaled(300)))]
    games += [
        random_position(rng, blind_nil_deficit=0, blind_nil_pass=3, partners=True) for _ in range(max(15, scaled(30)))
    ]
    return [(game, all_expected(game), [game.view(seat).features for seat in range(4)]) for game in games]


def test_hidden_block_of_the_full_state(positions):
    for game, _, _ in positions:
        for seat in range(4):
            out = np.full(STATE_SIZE, 77, np.int8)
            write_hidden(game._s, game._compiled[0], seat, out)
            assert block(out, "hands") == [marked(game.hands[(seat + i) % 4]) for i in range(4)]


# Seats against each other


BY_SEAT = (
    "played",
    "bid",
    "nil",
    "blind_nil",
    "looked",
    "tricks",
    "void",
    "turn",
    "dealer",
    "leader",
    "winning",
    "may_bid_nil",
)
BY_SIDE = ("score_hundreds", "score_ones", "bags", "side_bid", "side_made", "bids_missing", "blind_contract", "ten_bid")
SHARED = ("table", "order", "phase", "led", "broken", "trick", "hand_number", "no_bids", "room")


def test_four_seats_see_one_table(positions):
    for game, _, features in positions:
        sides = game.rules.sides
        for seat in range(4):
            for name in SHARED:
                assert block(features[seat], name) == block(features[0], name)
            for name in BY_SEAT:
                assert block(features[seat], name) == rolled(block(features[0], name), -seat)
            for name in BY_SIDE:
                theirs = block(features[0], name)
                assert block(features[seat], name) == rolled(theirs[:sides], -seat) + theirs[sides:]
            assert (features[seat][OF_RULES] == rules_features(game.rules)).all()
        hands = np.array([block(features[seat], "hand") for seat in range(4)])
        unseen = np.array([block(features[seat], "unseen") for seat in range(4)])
        assert hands.sum(axis=0).max() <= 1
        assert not (hands & unseen).any()
        passed = np.array([block(features[seat], "passed") for seat in range(4)])
        assert (passed.sum(axis=0) * (game.phase == "play") == 0).all(), "each card was given and received"


def rolled(values: list, k: int) -> list:
    """Rotate: what was at i moves to i + k."""
    k %= len(values)
    return values[-k:] + values[:-k]


def test_rotating_the_seats_rotates_the_features():
    rng = random.Random(21)
    for _ in range(scaled(60)):
        game = random_position(rng, tie="draw")
        start, k = hand_start(game), rng.randrange(1, 4)
        turned = Game(
            game.rules,
            deal=rolled(start.hands, k),
            dealer=(start.dealer + k) % 4,
            scores=rolled(start.scores, k),
            bags=rolled(start.bags, k),
            hand_number=start.hand_number,
        )
        for _, _, action in moves_of_hand(game):
            turned.apply(action)
        for seat in range(4):
            view, theirs = game.view(seat), turned.view((seat + k) % 4)
            for mine, yours in zip(view.observation(), theirs.observation(), strict=True):
                assert mine.tobytes() == yours.tobytes()


# Numbers at their ends


def observed(game: Game, seat: int = 0) -> np.ndarray:
    return game.view(seat).features


def test_thirteen_tricks_and_a_bid_of_thirteen_fit():
    game = Game(Rules.preset("pagat", max_hands=1), deal=SUITS_DEALT, dealer=2)  # East bids and leads first
    for bid in (13, 0, 13, 0):
        game.apply(BID_ZERO + bid)
    assert block(observed(game), "bid") == [one_hot(bid, 14) for bid in (0, 13, 0, 13)]
    assert block(observed(game), "side_bid") == [0, 26, 0, 0]
    while not game.over:
        game.apply(game.legal_actions()[0])
    assert game.tricks == [0, 0, 0, 13]
    assert block(observed(game), "tricks") == [one_hot(tricks, 14) for tricks in (0, 0, 0, 13)]
    assert block(observed(game), "trick") == [13]
    assert block(observed(game), "side_made") == [0, 13, 0, 0]
    assert max(block(observed(game), "order")) == 52
    assert not any(block(observed(game), "table"))


def test_scores_are_exact_from_minus_12800_to_12799():
    table, compiled = new_tables(1), compile_rules(Rules())
    s, out = table[0], np.zeros(NUM_FEATURES, np.int8)
    for score in range(-12_800, 12_800, 7):
        s.scores[:2] = score, -score - 1
        write_features(s, compiled[0], 1, out)
        hundreds, ones = block(out, "score_hundreds"), block(out, "score_ones")
        assert [100 * hundreds[i] + ones[i] for i in range(4)] == [-score - 1, score, 0, 0]
        assert all(0 <= number <= 99 for number in ones)


@pytest.mark.parametrize(
    ("score", "hundreds", "ones"),
    [
        *[(0, 0, 0), (99, 0, 99), (-1, -1, 99), (-100, -1, 0), (12_699, 126, 99), (-12_799, -128, 1)],
        *[(12_800, 127, 0), (50_007, 127, 7), (1_000_000, 127, 0), (-12_801, -128, 99), (-50_003, -128, 97)],
    ],
)
def test_scores_in_hundreds_and_ones(score, hundreds, ones):
    features = observed(Game("classic", seed=1, scores=[score, 0]))
    assert block(features, "score_hundreds") == [hundreds, 0, 0, 0]
    assert block(features, "score_ones") == [ones, 0, 0, 0]


def test_the_greatest_rules_are_told_exactly():
    game = Game(Rules(bag_limit=100, target=None, max_hands=10_000), bags=[99, 0], hand_number=9_999)
    assert block(observed(game), "bags") == [99, 0, 0, 0]
    assert block(observed(game), "hand_number") == [99, 99]
    greatest = Rules(
        target=10_000, max_hands=10_000, floor=-10_000, nil_bonus=10_000, blind_nil_deficit=10_000,
        blind_nil_bonus=10_000, bag_limit=100, bag_penalty=10_000,
    )  # fmt: skip
    values = rules_block(greatest)
    for name in ("target", "max_hands", "nil_bonus", "blind_nil_deficit", "blind_nil_bonus", "bag_cost"):
        assert values[name] == [100, 0]
    assert (values["bag_limit"], values["floor"]) == ([100], [-100, 0])


# Rules


def rules_block(rules: Rules) -> dict:
    features = np.concatenate([np.zeros(TABLE_SIZE, np.int8), rules_features(rules)])
    return {name: block(features, name) for name, _, _ in RULES_ROWS}


PRESET_BLOCKS = {  # of each preset, in the order of the names
    "trumps": ([1, 0, 0, 0, 0],) * 4,
    "partners": ([1], [1], [1], [0]),
    "limits_on": ([1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]),
    "target": ([5, 0], [5, 0], [2, 50], [2, 50]),
    "max_hands": ([0, 0],) * 4,
    "floor": ([0, 0],) * 4,
    "first_lead": ([0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1]),
    "zero_is_nil": ([1], [1], [1], [0]),
    "nil_bonus": ([1, 0], [1, 0], [0, 75], [0, 0]),
    "blind_nil_deficit": ([1, 0], [0, 0], [0, 0], [0, 0]),
    "blind_nil_bonus": ([2, 0], [0, 0], [0, 0], [0, 0]),
    "blind_nil_pass": ([0],) * 4,
    "overtrick_points": ([1],) * 4,
    "bag_limit": ([10], [10], [5], [0]),
    "bag_cost": ([1, 0], [1, 0], [0, 0], [0, 0]),
    "bag_gift": ([0, 0], [0, 0], [0, 50], [0, 0]),
    "failed_nil_tricks": ([0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]),
    "spades_any": ([0],) * 4,
    "extra_hand": ([0], [1], [0], [0]),
}


@pytest.mark.parametrize("name", PRESET_BLOCKS)
def test_rules_blocks_of_the_presets(name):
    blocks = [rules_block(Rules.preset(preset))[name] for preset in ("classic", "pagat", "showdown", "solo")]
    assert blocks == list(PRESET_BLOCKS[name])


def test_rules_blocks_of_other_rules():
    values = rules_block(
        Rules(
            target=None, max_hands=16, floor=-205, blind_nil_deficit=0, blind_nil_pass=3, overtrick_points=-1,
            trumps="jokers", failed_nil_tricks="partner", spades_lead="any", tie="extra_hand", bag_limit=None,
        )
    )  # fmt: skip
    assert values["limits_on"] == [0, 1, 1, 1]
    assert (values["target"], values["max_hands"], values["floor"]) == ([0, 0], [0, 16], [-3, 95])
    assert (values["blind_nil_deficit"], values["blind_nil_pass"], values["overtrick_points"]) == ([0, 0], [3], [-1])
    assert values["trumps"] == [0, 0, 0, 0, 1]
    assert (values["failed_nil_tricks"], values["spades_any"], values["extra_hand"]) == ([0, 0, 1, 0], [1], [1])
    assert (values["bag_limit"], values["bag_cost"], values["bag_gift"]) == ([0], [0, 0], [0, 0])


@pytest.mark.parametrize("trumps", TRUMP_ORDERS)
def test_strength_of_trumps(trumps):
    strength = rules_block(Rules(trumps=trumps))["trump"]
    spades = [card for card in range(NUM_CARDS) if strength[card]]
    assert sorted(spades, key=strength.__getitem__, reverse=True) == list(TRUMP_ORDERS[trumps])
    assert sorted(strength[card] for card in spades) == list(range(1, len(spades) + 1))


def test_compiled_rules_tell_the_same():
    rng = random.Random(5)
    rules = [random_rules(rng) for _ in range(scaled(200))]
    features_of_all = compiled_rules_features(np.concatenate([compile_rules(one) for one in rules]).view(np.recarray))
    assert features_of_all.dtype == np.int8
    assert (features_of_all == [rules_features(one) for one in rules]).all()
    for features in (features_of_all, rules_features(rules[0])):
        assert not features.flags.writeable


ALL_ON = {"max_hands": 8, "floor": -200, "blind_nil_deficit": 100, "bag_penalty": 50, "blind_bid": 6}
ALONE = {  # with what an option can be on that ALL_ON leaves no room for
    "partners": {"blind_bid": None},
    "bidding": {"blind_nil_deficit": None, "blind_bid": None},
}
DIFFERENT = {  # values of which each should look different from every other, beside ALL_ON
    "partners": (True, False),
    "target": (None, 1, 10, 300, 305, 500),
    "max_hands": (None, 1, 8, 16),
    "floor": (None, -1, -10, -200, -205),
    "first_lead": CHOICES["first_lead"],
    "bidding": CHOICES["bidding"],
    "least_bid": (0, 1, 4, 13),
    "total_not": (None, 0, 13, 26),
    "first_hand": CHOICES["first_hand"],
    "nil": (True, False),
    "nil_bonus": (0, 50, 70, 75, 100),
    "nil_pass": (0, 1, 2, 3),
    "double_nil_points": (None, 0, 200, 500, 505),
    "blind_bid": (None, 1, 6, 13),
    "blind_bid_deficit": (0, 1, 100, 101),
    "ten_points": (None, 0, 200, 205),
    "slam_points": (0, 200, 205),
    "blind_nil_deficit": (None, 0, 1, 100, 101),
    "blind_nil_bonus": (0, 100, 150, 155, 400),
    "blind_nil_pass": (0, 1, 2, 3),
    "overtrick_points": (-1, 0, 1),
    "bag_limit": (None, 1, 5, 10, 100),
    "bag_penalty": (0, 5, 50, 100),
    "bag_penalty_to": CHOICES["bag_penalty_to"],
    "failed_nil_tricks": CHOICES["failed_nil_tricks"],
    "trumps": CHOICES["trumps"],
    "spades_lead": ("broken", "any"),  # under "discarded" the flag "broken" is set by less: no rule says so
    "first_trick": CHOICES["first_trick"],
    "tie": CHOICES["tie"],
}
WITHOUT_FEATURES = {"first_dealer", "time_limit_s"}  # who deals shows on the table; the clock stands beside it


@pytest.mark.parametrize("option", DIFFERENT)
def test_rules_that_differ_look_different(option):
    variants = [Rules(**ALL_ON | ALONE.get(option, {}) | {option: value}) for value in DIFFERENT[option]]
    assert len({rules_features(rules).tobytes() for rules in variants}) == len(variants)


def test_what_breaks_spades_shows_in_the_flag_alone():
    """Levels trained before there was `discarded` read it as they read `broken`."""
    either = [rules_features(Rules(spades_lead=value)).tobytes() for value in ("broken", "discarded")]
    assert either[0] == either[1]


def test_every_option_was_looked_at():
    assert set(DIFFERENT) | WITHOUT_FEATURES == {field.name for field in fields(Rules)}


CANNOT_MATTER = [  # an option behind another that is off
    ({"nil": False}, "nil_bonus", (50, 100)),
    ({"blind_nil_deficit": None}, "blind_nil_bonus", (100, 200)),
    ({"blind_nil_deficit": None}, "blind_nil_pass", (0, 3)),
    ({"blind_bid": None}, "blind_bid_deficit", (0, 100)),
    ({}, "slam_points", (None, 0)),
    ({"bag_limit": None}, "bag_penalty", (50, 100)),
    ({"bag_limit": None}, "bag_penalty_to", ("self", "opponents")),
    ({"bag_penalty": 0}, "bag_penalty_to", ("self", "opponents")),
    ({}, "first_dealer", ("random", "west")),
    ({}, "time_limit_s", (None, 600)),
]


@pytest.mark.parametrize(("fixed", "option", "values"), CANNOT_MATTER)
def test_options_without_effect_do_not_show(fixed, option, values):
    features = [rules_features(Rules(**fixed | {option: value})).tobytes() for value in values]
    assert features[0] == features[1]
