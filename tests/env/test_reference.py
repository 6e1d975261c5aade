"""The reference, tested with the worked examples of the rules and against itself."""

import itertools
import random

import pytest
from support.reference import BLIND_NIL, FIRST_BID, LOOK, PRESETS, Table, deck, trick_winner

TRUMPS = ("normal", "nyc", "barmore", "deuces", "jokers")
RANKS, SUITS = "23456789TJQKA", "CDHS"

# rules, bids, tricks (both by seat), score and bags of side 0 before the hand,
# points and bags of side 0 after it, points of side 1 that came from side 0's bags.
# Seats 1 and 3 win the rest of the 13 tricks; their bids are exactly what they win.
WORKED_EXAMPLES = [
    ("classic", (4, 2), (5, 3), 0, 0, +62, 2, 0),
    ("classic", (4, 2), (3, 1), 0, 0, -60, 0, 0),
    ("classic", (3, 2), (5, 3), 0, 9, +53 - 100, 2, 0),
    ("pagat", (3, 2), (4, 3), 337, 7, 389 - 337, 9, 0),
    ("pagat", (3, 2), (4, 4), 337, 7, 290 - 337, 0, 0),
    ("pagat", (3, 2), (4, 5), 337, 7, 291 - 337, 1, 0),
    ("pagat", (0, 4), (2, 4), 0, 0, -100 + 40 + 2, 2, 0),
    ("showdown", (3, 4), (4, 4), 0, 0, +71, 1, 0),
    ("showdown", (2, 6), (2, 4), 0, 0, -80, 0, 0),
    ("showdown", (4, 2), (5, 4), 0, 4, +63, 2, +50),
    ("showdown", (3, 0), (4, 0), 0, 0, +106, 1, 0),
    ("showdown", (4, 0), (4, 1), 0, 0, 41 - 75, 1, 0),
]


def rules(preset: str = "classic", **changes) -> dict:
    assert set(changes) <= set(PRESETS[preset])
    return PRESETS[preset] | changes


def deal(rng: random.Random, trumps: str = "normal") -> list[list[int]]:
    cards = deck(trumps)
    rng.shuffle(cards)
    return [cards[13 * seat : 13 * seat + 13] for seat in range(4)]


def suits_dealt() -> list[list[int]]:
    """Deal clubs to seat 0, diamonds to 1, hearts to 2, spades to 3."""
    return [list(range(13 * suit, 13 * suit + 13)) for suit in range(4)]


def card(text: str) -> int:
    if text in ("BJ", "RJ"):
        return 52 + ("BJ", "RJ").index(text)
    return 13 * SUITS.index(text[1]) + RANKS.index(text[0])


def no_deal(hand_number: int):
    raise AssertionError(f"hand {hand_number} must not be dealt")


def same_deal(hand_number: int):
    return suits_dealt()


def scored(options: dict, bids, tricks, blind=(), scores=None, bags=None) -> Table:
    table = Table(options, suits_dealt(), 0, scores, bags)
    table.bids, table.tricks = list(bids), list(tricks)
    table.blind = [seat in blind for seat in range(4)]
    table.score_hand()
    return table


def bid_all(table: Table, *bids: int, next_deal=no_deal) -> None:
    """Make bids in bidding order; seats that may bid blind nil look instead."""
    for bid in bids:
        if table.phase == "blind":
            table.apply(LOOK, next_deal)
        table.apply(FIRST_BID + bid, next_deal)


def play_hand_out(table: Table, next_deal) -> None:
    number = table.hand_number
    while table.phase == "play" and table.hand_number == number:
        table.apply(table.legal()[0], next_deal)


@pytest.mark.parametrize(
    ("preset", "bids", "tricks", "score", "bags", "points", "bags_after", "given"), WORKED_EXAMPLES
)
def test_worked_examples(preset, bids, tricks, score, bags, points, bags_after, given):
    rest = 13 - sum(tricks)
    table = scored(
        rules(preset),
        (bids[0], rest - 1, bids[1], 1),
        (tricks[0], rest - 1, tricks[1], 1),
        scores=[score, 0],
        bags=[bags, 0],
    )
    assert table.results[-1]["points"] == [points, 10 * rest + given]
    assert table.scores == [score + points, 10 * rest + given]
    assert table.bags == [bags_after, 0]


def test_worked_example_solo():
    table = scored(rules("solo"), (4, 5, 2, 2), (6, 3, 2, 2))
    assert table.scores == [42, -50, 20, 20]
    assert table.bags == [0, 0, 0, 0]
    assert table.results[-1]["overtricks"] == [2, 0, 0, 0]


@pytest.mark.parametrize(
    ("option", "made", "points", "overtricks"),
    [
        ("bags", 4, 40 + 2 - 100, 2),
        ("bags", 3, -40 + 2 - 100, 2),
        ("overtricks", 4, 40 + 2 - 100, 2),
        ("overtricks", 3, -40 - 100, 0),
        ("partner", 3, 40 + 1 - 100, 1),
        ("partner", 1, -40 - 100, 0),
        ("ignored", 5, 40 + 1 - 100, 1),
        ("ignored", 3, -40 - 100, 0),
    ],
)
def test_tricks_of_a_failed_nil(option, made, points, overtricks):
    options = rules(failed_nil_tricks=option)
    table = scored(options, (0, 5, 4, 5), (2, 5, made, 6 - made))
    assert table.results[-1]["points"][0] == points
    assert table.results[-1]["overtricks"][0] == overtricks


@pytest.mark.parametrize(
    ("option", "overtricks"),
    [("bags", 3), ("overtricks", 3), ("partner", 3), ("ignored", 0)],
)
def test_nil_by_both_partners(option, overtricks):
    options = rules(failed_nil_tricks=option)
    table = scored(options, (0, 5, 0, 5), (3, 5, 0, 5), blind=(2,))
    assert table.results[-1]["points"][0] == -100 + 200 + overtricks


def test_bid_of_no_tricks_is_no_nil_without_nil():
    table = scored(rules(nil=False), (0, 6, 2, 4), (1, 6, 2, 4), blind=())
    assert table.scores == [21, 100]
    table = scored(rules(nil=False), (0, 6, 2, 4), (1, 6, 2, 4), blind=(0,))
    assert table.scores == [20 + 1 - 200, 100]


@pytest.mark.parametrize("points_each", [1, 0, -1])
def test_overtrick_points_and_bags_are_apart(points_each):
    table = scored(rules(overtrick_points=points_each), (2, 5, 2, 5), (4, 3, 2, 4))
    assert table.scores == [40 + 2 * points_each, -100]
    assert table.bags == [2, 0]


def test_every_full_tally_of_bags_is_penalised():
    options = rules("showdown")
    table = scored(options, (1, 0, 1, 0), (7, 0, 6, 0), bags=[4, 4])
    assert table.bags == [0, 4]
    assert table.scores == [20 + 11, 150 + 3 * 50]


@pytest.mark.parametrize(
    ("trumps", "order"),
    [
        ("normal", "AS KS 3S 2S AD KD 2D"),
        ("nyc", "RJ BJ 2D 2S AS KS 3S AD KD 3D"),
        ("barmore", "RJ BJ 2S AS KS 3S AD KD 3D 2D"),
        ("deuces", "2S 2D 2C 2H AS KS 3S AD KD 3D"),
        ("jokers", "RJ BJ AS KS 2S AD KD 2D"),
    ],
)
def test_highest_card_of_a_diamond_trick(trumps, order):
    cards = [card(text) for text in order.split()]
    lowest = cards[-1]
    for high, low in itertools.pairwise(cards):
        assert trick_winner([(0, lowest), (2, low), (3, high)], trumps) == 3
        assert trick_winner([(0, lowest), (2, high), (3, low)], trumps) == 2


def test_a_card_of_another_suit_never_wins():
    trick = [(1, card("4D")), (2, card("AH")), (3, card("AC")), (0, card("5D"))]
    assert trick_winner(trick, "normal") == 0


@pytest.mark.parametrize(("first_lead", "first"), [("left_of_dealer", 2), ("right_of_dealer", 0)])
def test_who_begins(first_lead, first):
    table = Table(rules("pagat", first_lead=first_lead), suits_dealt(), 1)
    assert (table.phase, table.turn) == ("bid", first)
    bid_all(table, 1, 5, 2, 5)
    assert (table.phase, table.turn) == ("play", first)


@pytest.mark.parametrize(("bids", "leader"), [((1, 5, 2, 5), 2), ((0, 0, 0, 0), 1), ((3, 0, 2, 4), 0)])
def test_highest_bidder_leads(bids, leader):
    table = Table(rules("solo"), suits_dealt(), 0)
    assert table.turn == 1
    bid_all(table, *bids)
    assert table.turn == leader


@pytest.mark.parametrize(
    ("preset", "scores", "entitled"),
    [
        ("classic", [0, 99], []),
        ("classic", [-1, 99], [0, 2]),
        ("solo", [0, 120, 20, 19], [0, 2, 3]),
    ],
)
def test_who_may_bid_blind(preset, scores, entitled):
    table = Table(rules(preset, blind_nil_deficit=100), suits_dealt(), 0, scores)
    asked = []
    for _ in range(4):
        seat = table.turn
        if table.phase == "blind":
            asked.append(seat)
            assert table.legal() == [BLIND_NIL, LOOK]
            table.apply(LOOK, no_deal)
        assert (table.phase, table.turn) == ("bid", seat)
        assert table.legal() == list(range(54, 68))
        table.apply(FIRST_BID + 3, no_deal)
    assert sorted(asked) == entitled


def test_level_sides_may_bid_blind_at_deficit_0():
    table = Table(rules(blind_nil_deficit=0), suits_dealt(), 0)
    for _ in range(4):
        table.apply(BLIND_NIL, no_deal)
    assert table.bids == [0, 0, 0, 0]
    assert table.blind == [True] * 4
    assert table.phase == "play"


def test_pairs_pass_in_bidding_order_and_swap_when_both_have_chosen():
    options = rules(first_lead="left_of_dealer", blind_nil_deficit=0, blind_nil_pass=2)
    table = Table(options, suits_dealt(), 3)
    for action in (LOOK, FIRST_BID + 4, BLIND_NIL, BLIND_NIL, BLIND_NIL):
        table.apply(action, no_deal)
    order = []
    for _ in range(8):
        assert table.phase == "pass"
        order.append(table.turn)
        chosen = table.legal()[-1]
        table.apply(chosen, no_deal)
        assert chosen not in table.legal()
        swapped = [len(order) >= 4, len(order) >= 8]
        assert (card("AD") in table.hands[3]) == swapped[0]
        assert (card("AC") in table.hands[2]) == swapped[1]
    assert order == [1, 1, 3, 3, 2, 2, 0, 0]
    assert sorted(table.hands[1]) == [*list(range(13, 24)), 50, 51]
    assert sorted(table.hands[0]) == [*list(range(11)), 37, 38]
    assert (table.phase, table.turn) == ("play", 0)


def test_spades_wait_until_broken():
    rng = random.Random(4)
    hands = deal(rng)
    for spades_lead, allowed in (("broken", False), ("discarded", False), ("any", True)):
        table = Table(rules("pagat", spades_lead=spades_lead), hands, 0)
        bid_all(table, 3, 3, 3, 3)
        assert any(card_held >= card("2S") for card_held in table.legal()) == allowed
    table = Table(rules("pagat"), suits_dealt(), 2)
    bid_all(table, 13, 0, 0, 0)
    assert table.legal() == list(range(card("2S"), card("AS") + 1))


def test_what_breaks_spades():
    """South leads a spade from a hand of spades; West wins it, and holds a heart, too."""
    played = "2S AS JS 9S"
    for spades_lead, may_lead in (("broken", "2H KS"), ("discarded", "2H"), ("any", "2H KS")):
        hands = [[card(word) for word in hand.split()] for hand in ("2S 3S 4S", "AS KS 2H", "QS JS 3H", "TS 9S 4C")]
        table = Table(rules("pagat", spades_lead=spades_lead), hands, 3)
        bid_all(table, 3, 3, 3, 3)
        for word in played.split():
            table.apply(card(word), no_deal)
        assert table.legal() == [card(word) for word in may_lead.split()]
        for word in ["2H", "3H", "4C", "3S"]:  # South ruffs
            table.apply(card(word), no_deal)
        assert table.broken


def test_jokers_and_deuces_are_spades_to_lead_and_follow():
    hands = [sorted(deck("nyc"))[13 * seat :][:13] for seat in range(4)]
    table = Table(rules("pagat", trumps="nyc"), hands, 3)
    bid_all(table, 3, 3, 3, 3)
    two_of_diamonds = card("2D")
    assert two_of_diamonds in hands[0]
    assert two_of_diamonds not in table.legal()
    while table.phase == "play" and table.hand_number == 0:
        led = table.table[0][1] if table.table else None
        if led in (52, 53) and two_of_diamonds in table.hands[table.turn]:
            assert table.legal() == [two_of_diamonds]
        table.apply(table.legal()[-1], same_deal)


@pytest.mark.parametrize("thrown", ["BJ", "KS"])
def test_any_card_of_the_trump_suit_breaks_spades(thrown):
    left = [card("BJ"), card("KS"), card("AS"), *range(card("3H"), card("3H") + 10)]
    clubs = list(range(card("3C"), card("AC") + 1))
    rest = [c for c in deck("nyc") if c not in left + clubs]
    hands = [clubs + rest[:1], left, rest[1:14], rest[14:]]
    table = Table(rules("pagat", trumps="nyc"), hands, 3)
    bid_all(table, 3, 3, 3, 3)
    table.apply(card("3C"), no_deal)
    table.apply(card(thrown), no_deal)
    while table.table:
        table.apply(table.legal()[0], no_deal)
    assert table.tricks[1] == 1
    assert card("AS") in table.legal()


def test_illegal_actions_are_refused():
    table = Table(rules("pagat"), suits_dealt(), 3)
    for action in (-1, 0, 53, 68, 69, 70):
        with pytest.raises(ValueError, match="is not legal"):
            table.apply(action, no_deal)
    bid_all(table, 3, 3, 3, 4)
    for action in (13, 54):
        with pytest.raises(ValueError, match="is not legal"):
            table.apply(action, no_deal)


# With the suits dealt whole, seat 3 wins every trick: side 0 is set for 20 points and
# side 1 makes its 130.
@pytest.mark.parametrize(
    ("changes", "scores", "over", "winner"),
    [
        ({"target": 500}, [0, 369], False, None),
        ({"target": 500}, [0, 370], True, 1),
        ({"target": 500}, [570, 0], True, 0),
        ({"target": 500}, [520, 370], True, None),
        ({"target": 500, "tie": "extra_hand"}, [520, 370], False, None),
        ({"target": None, "floor": -200}, [-179, 0], False, None),
        ({"target": None, "floor": -200}, [-180, 0], True, 1),
        ({"target": None, "max_hands": 1}, [0, 0], True, 1),
        ({"target": None, "max_hands": 2}, [0, 0], False, None),
    ],
)
def test_the_end_of_the_game(changes, scores, over, winner):
    options = rules("pagat", **({"tie": "draw"} | changes))
    table = Table(options, suits_dealt(), 2, scores)
    bid_all(table, 12, 1, 1, 1)
    play_hand_out(table, no_deal if over else same_deal)
    assert table.results[-1]["tricks"] == [0, 0, 0, 13]
    assert table.results[-1]["points"] == [-20, 130]
    assert table.scores == [scores[0] - 20, scores[1] + 130]
    assert (table.phase == "over") == over
    assert table.winner == winner
    if over:
        assert (table.legal(), table.table, table.hands) == ([], [], [[], [], [], []])
        assert (table.bids, table.tricks) == ([1, 1, 1, 12], [0, 0, 0, 13])
    else:
        assert (table.hand_number, table.dealer, table.turn) == (1, 3, 0)
        assert (table.bids, table.tricks) == ([None] * 4, [0] * 4)


def test_a_tie_in_the_last_hand_asks_for_extra_hands_until_one_side_leads():
    options = rules("pagat", target=None, max_hands=1, tie="extra_hand")
    table = Table(options, suits_dealt(), 2, [150, 0])
    bid_all(table, 12, 1, 1, 1)
    play_hand_out(table, same_deal)
    assert (table.phase, table.scores) == ("bid", [130, 130])
    bid_all(table, 1, 1, 1, 12)
    play_hand_out(table, no_deal)
    assert (table.phase, table.winner, table.hand_number) == ("over", 1, 1)


PLAYOUTS = [
    rules("classic"),
    rules("pagat", trumps="deuces", target=200),
    rules("showdown", trumps="jokers"),
    rules("solo", max_hands=20),
    rules("classic", trumps="nyc", blind_nil_deficit=0, blind_nil_pass=1),
    rules("classic", trumps="barmore", blind_nil_deficit=0, blind_nil_pass=3),
    rules("classic", target=None, max_hands=8, failed_nil_tricks="partner"),
    rules("classic", nil=False, failed_nil_tricks="ignored", bag_limit=None),
    rules("solo", nil=True, nil_bonus=50, spades_lead="any", max_hands=8),
]


@pytest.mark.parametrize("number", range(len(PLAYOUTS)))
@pytest.mark.parametrize("seed", range(3))
def test_random_playouts(number, seed):
    options = PLAYOUTS[number] | {"floor": -2000}
    rng = random.Random(100 * number + seed)
    table = Table(options, deal(rng, options["trumps"]), rng.randrange(4))
    dealt, first_dealer = [0], table.dealer

    def next_deal(hand_number: int) -> list[list[int]]:
        dealt.append(hand_number)
        return deal(rng, options["trumps"])

    while table.phase != "over":
        cards_before = cards_in_sight(table)
        action = rng.choice(likely(table.legal()))
        seat, phase, hands_before = table.turn, table.phase, len(dealt)
        table.apply(action, next_deal)
        if phase != "play":
            assert cards_in_sight(table) == cards_before
        elif len(dealt) == hands_before and table.table:
            assert table.table[-1] == (seat, action)
        assert cards_in_sight(table) + 4 * sum(table.tricks) == 52
    check_results(table, options)
    assert dealt == list(range(len(table.results)))
    assert table.hand_number == len(table.results) - 1
    assert table.dealer == (first_dealer + table.hand_number) % 4


def likely(legal: list[int]) -> list[int]:
    """Return an action with bids of 0 to 5 only, so that games reach target or floor."""
    return [action for action in legal if not FIRST_BID + 5 < action < BLIND_NIL]


def cards_in_sight(table: Table) -> int:
    held = [card_held for hand in table.hands for card_held in hand]
    held += [card_played for _, card_played in table.table]
    assert len(set(held)) == len(held)
    assert set(held) <= set(deck(table.options["trumps"]))
    return len(held)


def check_results(table: Table, options: dict) -> None:
    totals = [0] * table.side_count
    for result in table.results:
        assert sum(result["tricks"]) == 13
        assert all(0 <= bid <= 13 for bid in result["bids"])
        assert all(bid == 0 or not blind for bid, blind in zip(result["bids"], result["blind"], strict=True))
        assert 0 <= sum(result["overtricks"]) <= 13
        limit = options["bag_limit"]
        assert all(0 <= bags < (limit or 1) for bags in result["bags"])
        points = zip(totals, result["points"], strict=True)
        totals = [total + gained for total, gained in points]
    assert totals == table.scores
    assert table.bags == table.results[-1]["bags"]
    best = max(totals)
    leaders = [side for side, total in enumerate(totals) if total == best]
    assert table.winner == (leaders[0] if len(leaders) == 1 else None)
