"""The engine: deals, who bids first and leads, legal cards, who wins a trick, and symmetries."""

import copy
import itertools
import random
from collections import Counter

import numpy as np
import pytest
from support.game import reference
from support.game.tables import finish_at_random
from support.strategies import Table, random_options, scaled

from spades_env import Rules
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_ACTIONS, TRUMP_ORDERS, card, cards, deck
from spades_env.game.engine import apply, begin_hand, deal, deal_next, is_legal, new_game, write_mask
from spades_env.game.state import GOES_ON, OVER, PASS, PLAY

# the rule books, highest first: the trump suit, then each other suit.
SUITS_OF = {
    "normal": (
        "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C",
    ),
    "nyc": (
        "RJ BJ 2D 2S AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D",
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C",
    ),
    "barmore": (
        "RJ BJ 2S AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C",
    ),
    "deuces": (
        "2S 2D 2C 2H AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D",
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C",
    ),
    "jokers": (
        "RJ BJ AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C",
    ),
}
MODES = tuple(SUITS_OF)
CLUBS_DIAMONDS_HEARTS_SPADES = [list(range(13 * suit, 13 * suit + 13)) for suit in range(4)]
NUM_DEALS = max(2000, scaled(20_000))


def suits(trumps: str) -> list[list[int]]:
    """Return the suits of a trump mode, trumps first, each from its highest card."""
    return [cards(text) for text in SUITS_OF[trumps]]


def legal(table: Table) -> list[int]:
    mask = np.zeros(NUM_ACTIONS, np.int8)
    write_mask(table.s, table.r, mask)
    return np.flatnonzero(mask).tolist()


def do(table: Table, *actions: int) -> int:
    """Apply these actions, all legal, and return the event of the last one."""
    event = GOES_ON
    for action in actions:
        assert action in legal(table)
        event = apply(table.s, table.r, action)
    return int(event)


def bid_all(table: Table, *bids: int) -> None:
    """Make four bids in bidding order; a seat that may bid blind nil looks first."""
    for bid in bids:
        do(table, *([LOOK] if legal(table) == [BLIND_NIL, LOOK] else []), BID_ZERO + bid)


def play_out(table: Table, rng: random.Random) -> list[int]:
    """Play the rest of the hand at random, and return the actions."""
    actions, event = [], GOES_ON
    while event == GOES_ON:
        actions.append(rng.choice(legal(table)))
        event = do(table, actions[-1])
    return actions


# Deals


@pytest.mark.parametrize("trumps", MODES)
def test_the_deck_is_the_suits_of_the_mode(trumps):
    assert sorted(deck(trumps)) == sorted(itertools.chain(*suits(trumps)))
    assert list(TRUMP_ORDERS[trumps]) == suits(trumps)[0]
    assert len(deck(trumps)) == 52


@pytest.mark.parametrize("trumps", MODES)
def test_a_deal_is_the_deck_once_over_four_hands(trumps):
    table = Table(Rules(trumps=trumps))
    for seed in range(scaled(100)):
        new_game(table.s, table.r, np.uint64(seed))
        for _ in range(3):
            assert [len(hand) for hand in table.hands] == [13] * 4
            assert sorted(itertools.chain(*table.hands)) == sorted(deck(trumps))
            deal_next(table.s, table.r)


def test_a_deal_depends_on_seed_and_hand_number_alone():
    rng = random.Random(1)
    for seed in (0, 1, 2**63, 2**64 - 1):
        expected = [Table(Rules(), seed, hand_number=number).hands for number in range(5)]
        for _ in range(scaled(10)):
            options = {**random_options(rng), "trumps": "normal", "target": None, "max_hands": 9, "floor": None}
            table = Table(Rules(**options), seed, dealer=rng.randrange(4))
            for hands in expected:
                assert table.hands == hands
                play_out(table, rng)
                deal_next(table.s, table.r)
        assert len({str(hands) for hands in expected}) == 5


def test_other_seeds_give_other_deals():
    deals = {str(Table(Rules(), seed).hands) for seed in range(200)}
    deals |= {str(Table(Rules(), 1, hand_number=number).hands) for number in range(1, 200)}
    assert len(deals) == 399


@pytest.fixture(scope="module")
def many_deals() -> np.ndarray:
    """Return bool[deal, seat, card]: which seat holds which card."""
    table = Table(Rules(trumps="normal"))
    lanes = np.zeros((NUM_DEALS, 4), np.uint64)
    for number in range(NUM_DEALS):
        table.s.seed, table.s.hand_number = np.uint64(number // 4), number % 4
        deal(table.s, table.r)
        lanes[number] = table.state.hands[0]
    places = np.array([table.place[c] for c in range(52)], np.uint64)
    return (lanes[:, :, None] >> places & np.uint64(1)).astype(bool)


def far_off(counts, chance: float) -> float:
    """Return by how many standard deviations the counts out of NUM_DEALS are off, at most."""
    deviation = (NUM_DEALS * chance * (1 - chance)) ** 0.5
    return float(np.abs(np.asarray(counts) - NUM_DEALS * chance).max() / deviation)


def test_every_card_goes_to_every_seat_equally_often(many_deals):
    counts = many_deals.sum(axis=0)
    assert far_off(counts, 1 / 4) < 5
    squares = ((counts - NUM_DEALS / 4) ** 2 / (NUM_DEALS / 4)).sum()
    assert 80 < squares < 240  # chi square of 51 · 3 = 153 degrees of freedom, deviation about 17


def test_any_two_cards_lie_together_equally_often(many_deals):
    held = many_deals.transpose(1, 0, 2).reshape(-1, 52).astype(np.float32)
    together = (held.T @ held)[np.triu_indices(52, 1)]
    assert far_off(together, 12 / 51) < 5.5


def test_suits_are_as_long_as_chance_makes_them(many_deals):
    lengths = many_deals[:, 0, 39:].sum(axis=1)
    for length, chance in ((0, 0.01279), (3, 0.28633), (4, 0.23861), (5, 0.12469)):
        assert far_off([(lengths == length).sum()], chance) < 4.5


def test_deals_one_after_the_other_have_nothing_in_common(many_deals):
    same = (many_deals[1:] & many_deals[:-1]).sum() / (NUM_DEALS - 1)
    assert abs(same - 13) < 0.15


def test_the_first_dealer_is_any_seat_equally_often():
    table = Table(Rules())
    dealers = Counter()
    for seed in range(NUM_DEALS):
        table.s.seed = 0
        new_game(table.s, table.r, np.uint64(seed))
        dealers[table["dealer"]] += 1
    assert far_off([dealers[seat] for seat in range(4)], 1 / 4) < 5


def test_the_first_dealer_may_be_fixed():
    for seat, name in enumerate(("south", "west", "north", "east")):
        rules = Rules(first_dealer=name)
        assert {Table(rules, seed)["dealer"] for seed in range(20)} == {seat}


def test_the_deal_turns_clockwise():
    table = Table(Rules.preset("showdown"), seed=3)
    dealers, leaders = [], []
    for number in range(6):
        dealers.append(table["dealer"])
        leaders.append(table["turn"])
        assert table["hand_number"] == number
        finish_at_random(table.s, table.r, number)
        deal_next(table.s, table.r)
    assert dealers == [1, 2, 3, 0, 1, 2]
    assert leaders == [2, 3, 0, 1, 2, 3]


# Bidding and the first lead


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(
    ("first_lead", "offset"), [("left_of_dealer", 1), ("right_of_dealer", 3), ("highest_bidder", 1)]
)
def test_who_bids_first_and_then_clockwise(first_lead, offset, dealer):
    table = Table(Rules(first_lead=first_lead), dealer=dealer)
    for turn in range(4):
        assert table["turn"] == (dealer + offset + turn) % 4
        bid_all(table, 3)
    assert table["phase"] == PLAY
    assert table["bids"] == [3] * 4


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(("first_lead", "offset"), [("left_of_dealer", 1), ("right_of_dealer", 3)])
def test_who_bids_first_leads_first(first_lead, offset, dealer):
    table = Table(Rules(first_lead=first_lead), dealer=dealer)
    bid_all(table, 1, 7, 2, 3)
    assert table["turn"] == (dealer + offset) % 4


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(
    ("bids", "highest"),
    [
        ((5, 1, 2, 3), 0),
        ((1, 5, 2, 3), 1),
        ((1, 2, 5, 3), 2),
        ((1, 2, 3, 5), 3),
        ((4, 4, 1, 4), 0),
        ((1, 4, 4, 4), 1),
        ((0, 1, 3, 3), 2),
        ((0, 0, 0, 0), 0),
        ((13, 13, 13, 13), 0),
    ],
)
def test_the_highest_bidder_leads_and_of_equals_the_first(bids, highest, dealer):
    table = Table(Rules.preset("solo"), dealer=dealer)
    bid_all(table, *bids)
    assert table["turn"] == (dealer + 1 + highest) % 4


def test_a_blind_nil_is_a_bid_of_none_for_the_lead():
    table = Table(Rules.preset("solo", blind_nil_deficit=0), dealer=3)
    do(table, BLIND_NIL, LOOK, BID_ZERO, BLIND_NIL, LOOK, BID_ZERO + 1)
    assert (table["bids"], table["turn"]) == ([0, 0, 0, 1], 3)


@pytest.mark.parametrize(
    ("preset", "deficit", "scores", "entitled"),
    [
        ("classic", 100, (0, 99), []),
        ("classic", 100, (0, 100), [0, 2]),
        ("classic", 100, (250, 149), [1, 3]),
        ("classic", 100, (-100, 0), [0, 2]),
        ("classic", 0, (0, 0), [0, 1, 2, 3]),
        ("classic", 0, (1, 0), [1, 3]),
        ("classic", None, (-9000, 9000), []),
        ("solo", 100, (0, 120, 20, 21), [0, 2]),
        ("solo", 0, (50, 50, 49, 50), [0, 1, 2, 3]),
        ("solo", 0, (51, 50, 49, 50), [1, 2, 3]),
    ],
)
def test_who_may_bid_blind_nil(preset, deficit, scores, entitled):
    table = Table(Rules.preset(preset, blind_nil_deficit=deficit), dealer=0, scores=scores)
    asked = []
    for _ in range(4):
        seat = table["turn"]
        if legal(table) == [BLIND_NIL, LOOK]:
            asked.append(seat)
            assert not table["looked"][seat]
            do(table, LOOK)
        assert table["looked"][seat]
        assert (table["turn"], legal(table)) == (seat, list(range(BID_ZERO, BLIND_NIL)))
        do(table, BID_ZERO + 2)
    assert sorted(asked) == entitled


# Passing


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("blind", "order"),
    [
        ([1], [1, 3]),
        ([3], [3, 1]),
        ([1, 3], [1, 3]),
        ([0], [0, 2]),
        ([0, 1], [1, 3, 0, 2]),
        ([2, 3], [2, 0, 3, 1]),
        ([0, 1, 2, 3], [1, 3, 2, 0]),
    ],
)
def test_blind_nil_bidders_and_partners_pass(count, blind, order):
    rules = Rules(first_lead="left_of_dealer", blind_nil_deficit=0, blind_nil_pass=count)
    table = Table(rules, hands=CLUBS_DIAMONDS_HEARTS_SPADES, dealer=0)
    for seat in (1, 2, 3, 0):
        do(table, *([BLIND_NIL] if seat in blind else [LOOK, BID_ZERO + 3]))
    held = copy.deepcopy(CLUBS_DIAMONDS_HEARTS_SPADES)
    for first, second in zip(order[::2], order[1::2], strict=True):
        for seat in (first, second):
            assert table.hands == held  # nothing has come from the other side yet
            for card_passed in CLUBS_DIAMONDS_HEARTS_SPADES[seat][:count]:
                assert (table["phase"], table["turn"]) == (PASS, seat)
                do(table, card_passed)
                assert card_passed not in legal(table) or table["turn"] != seat
        held[first], held[second] = (
            sorted(CLUBS_DIAMONDS_HEARTS_SPADES[first][count:] + CLUBS_DIAMONDS_HEARTS_SPADES[second][:count]),
            sorted(CLUBS_DIAMONDS_HEARTS_SPADES[second][count:] + CLUBS_DIAMONDS_HEARTS_SPADES[first][:count]),
        )
    assert table.hands == held
    assert (table["phase"], table["turn"]) == (PLAY, 1)


def test_nobody_passes_without_a_blind_nil():
    table = Table(Rules(blind_nil_deficit=0, blind_nil_pass=2), dealer=0)
    bid_all(table, 0, 3, 4, 0)
    assert table["phase"] == PLAY


# Tricks


def winner_by_hand(trick: list[tuple[int, int]], trumps: str) -> int:
    """Return the winner: the seat with the highest trump, else the highest card of the suit led."""
    led = next(suit for suit in suits(trumps) if trick[0][1] in suit)
    order = suits(trumps)[0] + led
    return min(trick, key=lambda played: order.index(played[1]) if played[1] in order else 99)[0]


def on_the_table(table: Table, leader: int, played) -> None:
    """Play cards whether or not the seats hold them: the engine does not check."""
    begin_hand(table.s, table.r)
    table.s.phase, table.s.turn = PLAY, leader
    for c in played:
        table.s.hands[table.s.turn] = table.lanes([c])
        apply(table.s, table.r, c)


@pytest.mark.parametrize("trumps", MODES)
def test_of_any_two_cards_the_right_one_wins(trumps):
    table = Table(Rules(trumps=trumps))
    for led, answer in itertools.permutations(deck(trumps), 2):
        on_the_table(table, 3, (led, answer))
        trick = [(3, led), (0, answer)]
        assert table["best_seat"] == reference.trick_winner(trick, trumps) == winner_by_hand(trick, trumps)


@pytest.mark.parametrize("trumps", MODES)
def test_the_winner_of_any_trick(trumps):
    rng = random.Random(trumps)
    table = Table(Rules(trumps=trumps))
    for _ in range(scaled(2000)):
        leader, played = rng.randrange(4), rng.sample(deck(trumps), 4)
        on_the_table(table, leader, played)
        seats = [(leader + i) % 4 for i in range(4)]
        winner = winner_by_hand(list(zip(seats, played, strict=True)), trumps)
        assert table["turn"] == winner
        assert table["tricks"] == [int(seat == winner) for seat in range(4)]


@pytest.mark.parametrize("trumps", MODES)
def test_only_the_effective_suit_must_be_followed(trumps):
    rng = random.Random(trumps)
    for seed in range(scaled(60)):
        table = Table(Rules.preset("pagat", trumps=trumps, spades_lead="any"), seed)
        bid_all(table, 3, 3, 3, 3)
        for _ in range(13):
            led = rng.choice(legal(table))
            do(table, led)
            suit = next(suit for suit in suits(trumps) if led in suit)
            for _ in range(3):
                hand = table.hands[table["turn"]]
                assert legal(table) == ([c for c in hand if c in suit] or hand)
                do(table, rng.choice(legal(table)))


# Leading spades


def spade_broken_table(trumps: str, spades_lead: str) -> Table:
    """South leads and holds all suits; West holds only clubs and spades."""
    spades, hearts, diamonds, clubs = suits(trumps)
    south = [spades[-1], spades[-2], *hearts[:4], *diamonds[:4], *clubs[-3:]]
    west = [*spades[:4], *clubs[:9]]
    rest = [c for c in deck(trumps) if c not in south + west]
    rules = Rules.preset("pagat", trumps=trumps, spades_lead=spades_lead)
    table = Table(rules, hands=[south, west, rest[:13], rest[13:]], dealer=3)
    bid_all(table, 3, 3, 3, 3)
    return table


@pytest.mark.parametrize("spades_lead", ["broken", "discarded"])
@pytest.mark.parametrize("trumps", MODES)
def test_spades_may_not_be_led_until_broken(trumps, spades_lead):
    table = spade_broken_table(trumps, spades_lead)
    spades = suits(trumps)[0]
    assert legal(table) == [c for c in table.hands[0] if c not in spades]
    for spade in spades:
        assert not is_legal(table.s, table.r, spade)


@pytest.mark.parametrize("trumps", MODES)
def test_spades_may_be_led_any_time_where_the_rules_say_so(trumps):
    table = spade_broken_table(trumps, "any")
    assert legal(table) == table.hands[0]


@pytest.mark.parametrize("spades_lead", ["broken", "discarded"])
@pytest.mark.parametrize("trumps", MODES)
def test_a_spade_thrown_breaks_spades(trumps, spades_lead):
    table = spade_broken_table(trumps, spades_lead)
    spades, hearts, *_ = suits(trumps)
    do(table, hearts[0])
    assert not table["broken"]
    do(table, spades[3])  # West has no hearts
    assert table["broken"]
    while table["num_plays"] < 4:
        do(table, legal(table)[0])
    assert table["turn"] in (1, 2, 3)
    assert set(legal(table)) & set(spades) == set(table.hands[table["turn"]]) & set(spades)


def test_a_trick_without_spades_does_not_break_them():
    table = spade_broken_table("normal", "broken")
    do(table, card("2C"), card("AC"))
    while table["num_plays"] < 4:
        do(table, next(c for c in legal(table) if c < card("2S")))
    assert (table["turn"], table["broken"]) == (1, 0)
    assert legal(table) == [c for c in table.hands[1] if c < card("2S")]


@pytest.mark.parametrize("trumps", MODES)
def test_a_hand_of_nothing_but_spades_may_lead_them(trumps):
    spades, *_ = suits(trumps)
    rest = [c for c in deck(trumps) if c not in spades[:13]]
    hands = [spades[:13], rest[:13], rest[13:26], rest[26:]]
    table = Table(Rules.preset("pagat", trumps=trumps), hands=hands, dealer=3)
    bid_all(table, 13, 0, 0, 0)
    assert legal(table) == sorted(spades[:13])
    assert do(table, spades[5]) == GOES_ON
    assert table["voids"] == [0b0111, 0, 0, 0]  # everybody has now learnt it


SPADES_ONLY = "2S 3S 4S", "AS KS 2H", "QS JS 3H", "TS 9S 4C"  # South, who leads, West, North and East


def spade_led_table(spades_lead: str) -> Table:
    """Three tricks are left and no spade was played; South has led a spade, and West has won it."""
    table = Table(Rules.preset("pagat", spades_lead=spades_lead), dealer=3)
    bid_all(table, 3, 3, 3, 3)
    table.s.hands[:] = [table.lanes(cards(hand)) for hand in SPADES_ONLY]
    table.s.num_plays = 40
    assert legal(table) == cards("2S 3S 4S")
    do(table, *cards("2S AS JS 9S"))
    assert table["turn"] == 1
    return table


@pytest.mark.parametrize(
    ("spades_lead", "broken", "may_lead"),
    [("broken", True, "2H KS"), ("discarded", False, "2H"), ("any", True, "2H KS")],
)
def test_whether_a_led_spade_breaks_spades(spades_lead, broken, may_lead):
    table = spade_led_table(spades_lead)
    assert (bool(table["broken"]), legal(table)) == (broken, cards(may_lead))


def test_a_spade_that_follows_a_heart_breaks_spades_that_were_led():
    table = spade_led_table("discarded")
    assert table["voids"] == [0b0111, 0, 0, 0]
    do(table, *cards("2H 3H 4C 3S"))  # South ruffs, and leads its last card
    assert table["broken"]
    table = spade_led_table("discarded")
    do(table, *cards("2H 3H TS"))  # East discards a spade
    assert table["broken"]


def test_a_second_hand_of_nothing_but_spades_is_shown_by_its_lead():
    table = spade_led_table("discarded")
    table.s.hands[1] = table.lanes(cards("KS 5S"))
    do(table, *cards("KS QS TS 3S"))
    assert table["voids"] == [0b0111, 0b0111, 0, 0]
    assert not table["broken"]


def test_spades_are_whole_again_in_the_next_hand():
    table = Table(Rules.preset("pagat"), seed=2)
    play_out(table, random.Random(2))
    assert table["broken"]
    deal_next(table.s, table.r)
    assert not table["broken"]
    assert (table["voids"], table["tricks"], table["bids"]) == ([0] * 4, [0] * 4, [-1] * 4)


def test_voids_are_true():
    """A seat marked void in a suit holds none of it for the rest of the hand; a seat that does not follow is marked.

    In a first trick of the lowest clubs, all who play something else are out of clubs, whatever was led.
    """
    rng = random.Random(3)
    marked = 0
    for _ in range(scaled(300)):
        table = Table(Rules(**random_options(rng)), rng.getrandbits(64))
        event = GOES_ON
        while event == GOES_ON:
            seat, phase, led = table["turn"], table["phase"], table["led_lane"]
            to_lowest_club = table.r["lowest_club"] and table["num_plays"] < 4
            following = phase == PLAY and (to_lowest_club or table["num_plays"] % 4 > 0)
            action = rng.choice(legal(table))
            event = apply(table.s, table.r, action)
            wanted = 0 if to_lowest_club else led
            if following and table.place[action] // 16 != wanted:
                assert table["voids"][seat] >> wanted & 1
            for hand, void in zip(table["hands"], table["voids"], strict=True):
                assert not any(hand >> 16 * lane & 0xFFFF for lane in range(4) if void >> lane & 1)
                marked += void > 0
    assert marked


# Symmetry


def rotated(by_seat: list, seats: int) -> list:
    """Rotate values around the table, clockwise."""
    return [by_seat[(i - seats) % len(by_seat)] for i in range(len(by_seat))]


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_all_seats_rotated_rotate_everything(seats):
    rng = random.Random(seats)
    for _ in range(scaled(120)):
        rules = Rules(**random_options(rng))
        most_bags = rules.bag_limit or 1
        dealer, seed = rng.randrange(4), rng.getrandbits(64)
        scores = [rng.randrange(-200, 200) for _ in range(rules.sides)]
        bags = [rng.randrange(most_bags) for _ in range(rules.sides)]
        here = Table(rules, seed, dealer=dealer, scores=scores, bags=bags)
        there = Table(
            rules,
            hands=rotated(here.hands, seats),
            dealer=(dealer + seats) % 4,
            scores=rotated(scores, seats),
            bags=rotated(bags, seats),
        )
        event = GOES_ON
        while event == GOES_ON:
            action = rng.choice(legal(here))
            assert legal(there) == legal(here)
            event = apply(here.s, here.r, action)
            assert apply(there.s, there.r, action) == event
            assert_rotated(here, there, seats)


def assert_rotated(here: Table, there: Table, seats: int) -> None:
    for field in ("hands", "given", "bids", "nils", "looked", "tricks", "voids"):
        assert there[field] == rotated(here[field], seats)
    for field in ("scores", "bags", "points", "overtricks"):
        sides = here.rules.sides
        assert there[field][:sides] == rotated(here[field][:sides], seats)
    for field in ("turn", "dealer", "leader"):
        assert there[field] == (here[field] + seats) % 4
    for field in ("phase", "broken", "plays", "num_plays", "led_lane", "best_place"):
        assert there[field] == here[field]
    if here["phase"] == OVER and here["winner"] >= 0:
        assert there["winner"] == (here["winner"] + seats) % here.rules.sides
    else:
        assert there["winner"] == here["winner"]


def test_random_hands_of_the_kernel_are_legal():
    """`random_action` ends every hand with thirteen tricks and all cards played once."""
    rng = random.Random(5)
    for _ in range(scaled(200)):
        table = Table(Rules(**random_options(rng)), rng.getrandbits(64))
        dealt = sorted(table.place[c] for c in deck(table.rules.trumps))
        finish_at_random(table.s, table.r, rng.getrandbits(64))
        assert sum(table["tricks"]) == 13
        assert table["hands"] == [0] * 4
        assert sorted(table["plays"]) == dealt


# Whole trees of endings

# Trumps; the last cards of South, West, North, East; who leads; are spades broken?
# In how many ways it can be played to the end, by the tricks that South & North win.
ENDINGS = {
    "a suit each, South leads": ("normal", "2C 3C 4C | 2D 3D 4D | 2H 3H 4H | 5H 6H 7H", 0, False, {3: 6**4}),
    "a suit each, the trumps lead": ("normal", "2S 3S 4S | 2D 3D 4D | 2H 3H 4H | 2C 3C 4C", 0, False, {3: 6**4}),
    "a suit each, the trumps answer": ("normal", "2C 3C 4C | 2S 3S 4S | 2H 3H 4H | 2D 3D 4D", 0, False, {0: 6**4}),
    "one trick": ("normal", "2C | 3C | AC | 2S", 0, False, {0: 1}),
    "all hearts": ("normal", "2H 6H TH | 3H 7H JH | 4H 8H QH | 5H 9H KH", 0, False, {0: 150, 1: 804, 2: 342}),
    "spades not broken": ("normal", "AS KC 2D | QS 3D 4C | KS 5C 6H | 2S 7H 8D", 1, False, {1: 9, 2: 17, 3: 4}),
    "spades broken": ("normal", "AS KC 2D | QS 3D 4C | KS 5C 6H | 2S 7H 8D", 1, True, {1: 11, 2: 23, 3: 4}),
    "2D is a spade": ("nyc", "2D KD 3C | RJ AD 4C | 3S QD 5H | BJ JD 6H", 2, False, {0: 16, 1: 27, 2: 5}),
    "2D is a diamond": ("barmore", "2D KD 3C | RJ AD 4C | 3S QD 5H | BJ JD 6H", 2, False, {0: 26, 1: 14}),
    "deuces": ("deuces", "2C KC 5D | 2H AC 6D | 2D QC 7H | AS JC 8H", 3, False, {1: 14, 2: 32, 3: 2}),
    "jokers": ("jokers", "RJ AS 9C | BJ KS 8C | 2S TH 7C | 3S JH 6D", 0, True, {1: 6, 2: 22, 3: 16}),
    "four tricks": (
        "normal",
        "AS 9H 4D 3C | KH QH 2D 5S | 7S JD TD 8C | QC 6C 2H 5D",
        0,
        False,
        {1: 192, 2: 968, 3: 708, 4: 168},
    ),
}


def ending(name: str) -> tuple[Table, reference.Table]:
    """Return the same ending for engine and reference: earlier tricks are played, every seat has bid 3."""
    trumps, text, leader, broken, _ = ENDINGS[name]
    hands = [cards(hand) for hand in text.split("|")]
    options = Rules.preset("pagat", trumps=trumps).as_dict()
    engine = Table(Rules(**options), dealer=(leader - 1) % 4)
    bid_all(engine, 3, 3, 3, 3)
    engine.s.hands[:] = [engine.lanes(hand) for hand in hands]
    engine.s.num_plays, engine.s.broken = 52 - 4 * len(hands[0]), broken
    plain = reference.Table(options, hands, (leader - 1) % 4)
    plain.bids, plain.phase, plain.turn, plain.broken = [3] * 4, "play", leader, broken
    return engine, plain


def engine_tree(table: Table) -> Counter:
    """Count the ways to play to the end, by the tricks of South & North."""
    ways = Counter()
    before = table.state.copy()
    for action in legal(table):
        if apply(table.s, table.r, action) == GOES_ON:
            ways += engine_tree(table)
        else:
            ways[table["tricks"][0] + table["tricks"][2]] += 1
        table.state[0] = before[0]
    return ways


def reference_tree(table: reference.Table) -> Counter:
    """Count the same with the reference."""
    ways = Counter()
    for action in table.legal():
        after = copy.deepcopy(table)
        after.apply(action, lambda hand_number: CLUBS_DIAMONDS_HEARTS_SPADES)
        if not after.results:
            ways += reference_tree(after)
        else:
            won = after.results[-1]["tricks"]
            ways[won[0] + won[2]] += 1
    return ways


@pytest.mark.parametrize("name", ENDINGS)
def test_the_whole_tree_of_an_ending(name):
    engine, plain = ending(name)
    ways = engine_tree(engine)
    assert ways == reference_tree(plain)
    assert ways == ENDINGS[name][-1]
