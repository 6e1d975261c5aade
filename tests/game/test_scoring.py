"""The score of a hand and the end of a game: the worked examples of the rule books, and cases that they leave out."""

import random
from dataclasses import dataclass

import pytest
from support.game import reference
from support.strategies import Table, card_to_win_or_lose

from spades_env import Game, Rules
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK
from spades_env.game.engine import apply
from spades_env.game.scoring import end_hand
from spades_env.game.state import BLIND, DRAW, GAME_OVER, HAND_OVER

# In the order of the rule books: rules; bids and tricks by seat; side 0's score and bags before the hand;
# its points and bags of the hand; what its bags gave the other side. Side 1 bids what it makes.
WORKED_EXAMPLES = {
    "classic, bid 6, made 8": ("classic", (4, 4, 2, 1), (5, 4, 3, 1), 0, 0, 62, 2, 0),
    "classic, bid 6, made 4": ("classic", (4, 8, 2, 1), (3, 8, 1, 1), 0, 0, -60, 0, 0),
    "classic, bags 9, bid 5, made 8": ("classic", (3, 4, 2, 1), (5, 4, 3, 1), 0, 9, 53 - 100, 2, 0),
    "pagat, made 7": ("pagat", (3, 5, 2, 1), (4, 5, 3, 1), 337, 7, 389 - 337, 9, 0),
    "pagat, made 8": ("pagat", (3, 4, 2, 1), (4, 4, 4, 1), 337, 7, 290 - 337, 0, 0),
    "pagat, made 9": ("pagat", (3, 3, 2, 1), (4, 3, 5, 1), 337, 7, 291 - 337, 1, 0),
    "pagat, nil fails taking 2": ("pagat", (0, 6, 4, 1), (2, 6, 4, 1), 0, 0, -100 + 40 + 2, 2, 0),
    "showdown, bid 3 + 4, made 8": ("showdown", (3, 4, 4, 1), (4, 4, 4, 1), 0, 0, 71, 1, 0),
    "showdown, bid 2 + 6, made 6": ("showdown", (2, 6, 6, 1), (2, 6, 4, 1), 0, 0, -80, 0, 0),
    "showdown, bags 4, bid 6, made 9": ("showdown", (4, 3, 2, 1), (5, 3, 4, 1), 0, 4, 63, 2, 50),
    "showdown, partner nil kept": ("showdown", (3, 8, 0, 1), (4, 8, 0, 1), 0, 0, 106, 1, 0),
    "showdown, partner nil fails": ("showdown", (4, 7, 0, 1), (4, 7, 1, 1), 0, 0, 41 - 75, 1, 0),
}
SOLO_EXAMPLE = (4, 5, 2, 2), (6, 3, 2, 2), [42, -50, 20, 20]


@dataclass
class Scored:
    """A finished hand by side, and what the engine says about the game."""

    event: int
    winner: int
    points: list[int]
    overtricks: list[int]
    bags: list[int]
    scores: list[int]


def scored(rules: Rules, bids, tricks, *, blind=(), scores=(), bags=(), hand_number=0) -> Scored:
    """Score a hand with these bids and tricks, and see that the reference agrees; `blind` are the blind nils."""
    assert sum(tricks) == 13
    table = Table(rules, dealer=0, scores=scores, bags=bags, hand_number=hand_number)
    for _ in range(4):
        seat = table["turn"]
        if table["phase"] == BLIND and seat not in blind:
            apply(table.s, table.r, LOOK)
        apply(table.s, table.r, BLIND_NIL if seat in blind else BID_ZERO + bids[seat])
    table.s.tricks[:] = tricks
    event = int(end_hand(table.s, table.r))
    sides = rules.sides
    by_side = [table[field][:sides] for field in ("points", "overtricks", "bags", "scores")]
    plain = reference.Table(rules.as_dict(), [[]] * 4, 0, scores, bags, hand_number)
    plain.bids, plain.tricks, plain.blind = list(bids), list(tricks), [seat in blind for seat in range(4)]
    plain._end_hand(lambda number: [[]] * 4)
    result, winner = plain.results[-1], DRAW if plain.winner is None else plain.winner
    assert by_side == [result["points"], result["overtricks"], result["bags"], plain.scores]
    assert (event, table["winner"]) == (GAME_OVER if plain.phase == "over" else HAND_OVER, winner)
    return Scored(event, table["winner"], *by_side)


# Worked examples


@pytest.mark.parametrize("example", WORKED_EXAMPLES)
def test_worked_examples(example):
    preset, bids, tricks, score, bags, points, bags_after, gift = WORKED_EXAMPLES[example]
    hand = scored(Rules.preset(preset), bids, tricks, scores=(score, 0), bags=(bags, 0))
    theirs = 10 * (bids[1] + bids[3])
    assert hand.points == [points, theirs + gift]
    assert hand.scores == [score + points, theirs + gift]
    assert hand.bags == [bags_after, 0]


@pytest.mark.parametrize("example", WORKED_EXAMPLES)
def test_worked_examples_played_to_the_last_trick(example):
    preset, bids, tricks, score, bags, points, bags_after, gift = WORKED_EXAMPLES[example]
    game = played(preset, bids, tricks, scores=[score, 0], bags=[bags, 0])
    theirs = 10 * (bids[1] + bids[3])
    assert game.results[0].points == [points, theirs + gift]
    assert game.scores == game.results[0].scores == [score + points, theirs + gift]
    assert game.bags == game.results[0].bags == [bags_after, 0]


def test_worked_example_solo():
    bids, tricks, points = SOLO_EXAMPLE
    hand = scored(Rules.preset("solo"), bids, tricks)
    assert (hand.points, hand.scores, hand.bags) == (points, points, [0, 0, 0, 0])
    assert hand.overtricks == [2, 0, 0, 0]


def test_worked_example_solo_played_to_the_last_trick():
    bids, tricks, points = SOLO_EXAMPLE
    game = played("solo", bids, tricks, scores=[0] * 4, bags=[0] * 4)
    assert (game.results[0].points, game.scores, game.bags) == (points, points, [0, 0, 0, 0])


def played(rules: str, bids, tricks, **start) -> Game:
    """Return a game whose first hand has these bids and tricks, from the first deal that allows it."""
    for seed in range(100):
        game = Game(rules, seed, dealer=0, **start)
        while game.phase != "play":
            game.apply(LOOK if game.phase == "blind" else BID_ZERO + bids[game.turn])
        if play_to(game, tricks, random.Random(seed)):
            return game
    raise AssertionError(f"no deal was played to {tricks}")


def play_to(game: Game, tricks, rng: random.Random, patience: int = 400) -> bool:
    """Play the hand, with backtracking, until each seat has won its tricks; return False if that takes too long."""
    untried = [likely_last(game, tricks, rng)]
    for _ in range(patience):
        while not untried[-1]:
            untried.pop()
            if not untried:
                return False
            game.undo()
        game.apply(untried[-1].pop())
        if game.results:
            return tuple(game.results[0].tricks) == tuple(tricks)
        if any(won > wanted for won, wanted in zip(game.tricks, tricks, strict=True)):
            game.undo()
        else:
            untried.append(likely_last(game, tricks, rng))
    return False


def likely_last(game: Game, tricks, rng: random.Random) -> list[int]:
    """Return the legal cards, the most promising one last."""
    legal = game.legal_actions()
    best = card_to_win_or_lose(game, legal, "normal", win=game.tricks[game.turn] < tricks[game.turn])
    rng.shuffle(legal)
    return sorted(legal, key=best.__eq__)


# Bids and overtricks


@pytest.mark.parametrize("bid", range(14))
@pytest.mark.parametrize("made", range(14))
def test_a_bid_with_every_number_of_tricks(bid, made):
    hand = scored(Rules(nil=False), (bid, 0, 0, 0), (made, 13 - made, 0, 0), bags=(0, 0))
    assert hand.points[0] == (10 * bid + made - bid - 100 * (made - bid >= 10) if made >= bid else -10 * bid)
    assert hand.overtricks[0] == max(0, made - bid)


@pytest.mark.parametrize("bids", [(13, 0, 13, 0), (7, 0, 6, 0), (13, 0, 0, 0)])
def test_partners_bids_add_up_beyond_thirteen(bids):
    together = bids[0] + bids[2]
    hand = scored(Rules(nil=False), bids, (7, 0, 6, 0))
    assert hand.points == [130 if together == 13 else -10 * together, 0]


@pytest.mark.parametrize("points_each", [1, 0, -1])
def test_points_of_an_overtrick_and_bags_are_apart(points_each):
    hand = scored(Rules(overtrick_points=points_each), (2, 4, 2, 2), (4, 4, 3, 2))
    assert (hand.points, hand.overtricks, hand.bags) == ([40 + 3 * points_each, 60], [3, 0], [3, 0])


# Bags


@pytest.mark.parametrize(
    ("limit", "before", "overtricks", "after", "penalties"),
    [(10, 9, 0, 9, 0), (10, 9, 1, 0, 1), (10, 0, 10, 0, 1), (5, 4, 11, 0, 3), (5, 4, 12, 1, 3), (1, 0, 12, 0, 12)],
)
def test_every_full_tally_of_bags_costs_the_penalty(limit, before, overtricks, after, penalties):
    rules = Rules(bag_limit=limit, bag_penalty=30, nil=False)
    hand = scored(rules, (1, 0, 0, 0), (1 + overtricks, 12 - overtricks, 0, 0), bags=(before, 0))
    assert hand.bags[0] == after
    assert hand.points[0] == 10 + overtricks - 30 * penalties


@pytest.mark.parametrize("penalty_to", ["self", "opponents"])
def test_who_pays_for_bags_with_partners(penalty_to):
    rules = Rules(bag_limit=5, bag_penalty=50, bag_penalty_to=penalty_to)
    hand = scored(rules, (1, 1, 1, 2), (5, 3, 3, 2), bags=(4, 3))
    own, given = (-50, 0) if penalty_to == "self" else (0, 50)
    assert hand.bags == [0, 0]
    assert hand.points == [20 + 6 + 2 * own + given, 30 + 2 + own + 2 * given]


def test_every_full_tally_of_bags_pays_the_opponents():
    hand = scored(Rules.preset("showdown"), (1, 0, 1, 0), (7, 0, 6, 0), bags=(4, 4))
    assert (hand.bags, hand.scores) == ([0, 4], [20 + 11, 150 + 3 * 50])


def test_bags_of_one_seat_pay_every_other_seat():
    rules = Rules.preset("solo", bag_limit=2, bag_penalty=10, bag_penalty_to="opponents")
    hand = scored(rules, (1, 3, 2, 2), (5, 3, 3, 2), bags=(1, 0, 1, 1))
    assert hand.bags == [1, 0, 0, 1]
    assert hand.points == [10 + 4 + 10, 30 + 20 + 10, 20 + 1 + 20, 20 + 20 + 10]


def test_without_a_bag_limit_the_tally_stays_at_zero():
    rules = Rules(bag_limit=None, bag_penalty=100)
    hand = scored(rules, (1, 1, 1, 1), (12, 1, 0, 0))
    assert (hand.bags, hand.overtricks, hand.points) == ([0, 0], [10, 0], [30, -20])


def test_bags_are_counted_where_overtricks_score_nothing():
    rules = Rules(overtrick_points=0, bag_penalty=0)
    hand = scored(rules, (1, 1, 1, 1), (10, 2, 0, 1), bags=(5, 0))
    assert (hand.bags, hand.points) == ([3, 1], [20, 20])


def test_bags_below_zero_points():
    """Bags are counted apart from the score, which may be below zero."""
    rules = Rules()
    hand = scored(rules, (2, 4, 1, 3), (3, 4, 3, 3), scores=(-257, -101), bags=(8, 2))
    assert (hand.scores, hand.bags) == ([-257 + 33 - 100, -101 + 70], [1, 2])
    hand = scored(rules, (5, 4, 5, 3), (3, 4, 3, 3), scores=(-57, -101), bags=(8, 2))
    assert (hand.scores, hand.bags) == ([-157, -31], [8, 2])


# Nil


@pytest.mark.parametrize(
    ("option", "made", "points", "overtricks"),
    [
        ("bags", 4, 40 + 2, 2),
        ("bags", 3, -40 + 2, 2),
        ("bags", 5, 40 + 3, 3),
        ("overtricks", 4, 40 + 2, 2),
        ("overtricks", 3, -40, 0),
        ("overtricks", 5, 40 + 3, 3),
        ("partner", 4, 40 + 2, 2),
        ("partner", 3, 40 + 1, 1),
        ("partner", 2, 40, 0),
        ("partner", 1, -40, 0),
        ("ignored", 5, 40 + 1, 1),
        ("ignored", 4, 40, 0),
        ("ignored", 3, -40, 0),
    ],
)
@pytest.mark.parametrize("blind", [(), (0,)])
def test_tricks_of_a_failed_nil(option, made, points, overtricks, blind):
    rules = Rules(failed_nil_tricks=option, nil_bonus=100, blind_nil_bonus=200)
    hand = scored(rules, (0, 5, 4, 1), (2, 11 - made, made, 0), blind=blind)
    assert hand.points[0] == points - (200 if blind else 100)
    assert (hand.overtricks[0], hand.bags[0]) == (overtricks, overtricks)


@pytest.mark.parametrize(("option", "overtricks"), [("bags", 5), ("overtricks", 5), ("partner", 5), ("ignored", 0)])
def test_both_partners_nil_and_both_fail(option, overtricks):
    hand = scored(Rules(failed_nil_tricks=option), (0, 7, 0, 1), (3, 7, 2, 1), bags=(8, 0))
    full = overtricks >= 2
    assert hand.points[0] == -200 + overtricks - 100 * full
    assert (hand.overtricks[0], hand.bags[0]) == (overtricks, 8 + overtricks - 10 * full)


@pytest.mark.parametrize(("option", "overtricks"), [("bags", 3), ("overtricks", 3), ("partner", 3), ("ignored", 0)])
def test_both_partners_nil_and_one_fails(option, overtricks):
    hand = scored(Rules(failed_nil_tricks=option), (0, 9, 0, 1), (3, 9, 0, 1), blind=(2,))
    assert (hand.points[0], hand.overtricks[0]) == (-100 + 200 + overtricks, overtricks)


@pytest.mark.parametrize("bonuses", [(50, 100), (100, 200), (200, 400), (0, 0), (75, 300)])
@pytest.mark.parametrize("blind", [(), (2,)])
@pytest.mark.parametrize("kept", [True, False])
def test_nil_bonuses(bonuses, blind, kept):
    rules = Rules(nil_bonus=bonuses[0], blind_nil_bonus=bonuses[1], failed_nil_tricks="ignored")
    hand = scored(rules, (4, 5, 0, 4), (4, 5, 0, 4) if kept else (4, 4, 1, 4), blind=blind)
    bonus = bonuses[1] if blind else bonuses[0]
    assert hand.points == [40 + (bonus if kept else -bonus), 90 if kept else -90]


def test_a_kept_nil_beside_a_set_partner():
    assert scored(Rules(), (0, 9, 5, 1), (0, 9, 3, 1)).points[0] == 100 - 50


def test_a_bid_of_no_tricks_without_nil():
    """It is just a bid: no bonus, and its tricks count like others. Blind nil is still a nil."""
    rules = Rules(nil=False, failed_nil_tricks="ignored")
    assert scored(rules, (0, 6, 2, 4), (1, 6, 2, 4)).points == [21, 100]
    assert scored(rules, (0, 7, 2, 4), (0, 7, 2, 4)).points == [20, 110]
    assert scored(rules, (0, 6, 2, 4), (1, 6, 2, 4), blind=(0,)).points == [20 - 200, 100]


@pytest.mark.parametrize(("option", "overtricks"), [("bags", 2), ("overtricks", 2), ("ignored", 0)])
def test_nil_without_partners(option, overtricks):
    rules = Rules.preset("solo", nil=True, nil_bonus=50, failed_nil_tricks=option, bag_limit=10)
    hand = scored(rules, (0, 5, 0, 6), (2, 5, 0, 6))
    assert hand.points == [-50 + overtricks, 50, 50, 60]
    assert hand.bags == [overtricks, 0, 0, 0]


# The end of the game

EVEN = (3, 4, 2, 4)  # tricks, and bids that are just made: +50 for side 0, +80 for side 1
SET = (6, 4, 2, 4)  # bids by which side 0 loses 80


@pytest.mark.parametrize(
    ("changes", "scores", "bids", "ends", "winner"),
    [
        ({"target": 500}, (449, 0), EVEN, False, None),
        ({"target": 500}, (450, 0), EVEN, True, 0),
        ({"target": 500}, (600, 0), EVEN, True, 0),
        ({"target": 500}, (450, 430), EVEN, True, 1),
        ({"target": 500}, (450, 420), EVEN, True, DRAW),
        ({"target": 500}, (520, 400), SET, False, None),
        ({"target": 1}, (-50, -80), EVEN, False, None),
        ({"target": 1}, (-50, -79), EVEN, True, 1),
        ({"target": 500}, (-9000, 0), SET, False, None),
        ({"floor": -200}, (-119, 0), SET, False, None),
        ({"floor": -200}, (-120, 0), SET, True, 1),
        ({"floor": -200}, (-249, 0), EVEN, False, None),
        ({"floor": -200}, (0, -280), EVEN, True, 0),
        ({"floor": -200}, (-120, -280), SET, True, DRAW),
        ({"floor": -200, "target": 500}, (-120, 420), SET, True, 1),
        ({"floor": -200, "target": 500}, (-119, 419), SET, False, None),
        ({"max_hands": 1}, (0, 0), EVEN, True, 1),
        ({"max_hands": 1}, (30, 0), EVEN, True, DRAW),
        ({"max_hands": 1}, (-500, -700), SET, True, 0),
        ({"max_hands": 2}, (0, 0), EVEN, False, None),
        ({"max_hands": 2, "target": 500}, (450, 0), EVEN, True, 0),
    ],
)
@pytest.mark.parametrize("tie", ["draw", "extra_hand"])
def test_the_end_of_a_game(changes, scores, bids, ends, winner, tie):
    hand = scored(Rules(**({"target": None} | changes), tie=tie), bids, EVEN, scores=scores)
    gain = 50 if bids is EVEN else -80
    ends = ends and not (winner == DRAW and tie == "extra_hand")
    assert hand.scores == [scores[0] + gain, scores[1] + 80]
    assert hand.event == (GAME_OVER if ends else HAND_OVER)
    assert hand.winner == (winner if ends else DRAW)


@pytest.mark.parametrize(("hand_number", "ends"), [(0, False), (6, False), (7, True)])
def test_the_last_of_eight_hands(hand_number, ends):
    rules = Rules(target=None, max_hands=8)
    hand = scored(rules, EVEN, EVEN, hand_number=hand_number)
    assert hand.event == (GAME_OVER if ends else HAND_OVER)


@pytest.mark.parametrize(("scores", "event", "winner"), [((0, 0), GAME_OVER, 1), ((30, 0), HAND_OVER, DRAW)])
def test_extra_hands_go_on_until_somebody_leads(scores, event, winner):
    rules = Rules(target=None, max_hands=8, tie="extra_hand")
    for hand_number in (7, 8, 20):
        hand = scored(rules, EVEN, EVEN, scores=scores, hand_number=hand_number)
        assert (hand.event, hand.winner) == (event, winner)


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ((220, 0, 0, 0), 0),
        ((0, 0, 300, 0), 2),
        ((220, 210, 230, 210), DRAW),
        ((240, 209, 0, 229), 0),
        ((0, 220, 0, 220), DRAW),
        ((0, 220, 10, 0), 1),
        ((220, 210, 240, 0), 2),
        ((0, 210, 230, 220), 3),
    ],
)
def test_the_highest_of_four_scores_wins(scores, winner):
    """Gains are 30, 40, 20, 40."""
    hand = scored(Rules.preset("solo"), EVEN, EVEN, scores=scores)
    assert (hand.event, hand.winner) == (GAME_OVER, winner)


def test_a_tie_below_the_top_is_no_draw():
    hand = scored(Rules.preset("solo"), EVEN, EVEN, scores=(260, 20, 40, 20))
    assert (hand.event, hand.winner) == (GAME_OVER, 0)


def test_bags_given_away_can_end_the_game():
    """Side 0's bags lift side 1 over the target: 173 + 30 + 50 points."""
    hand = scored(Rules.preset("showdown"), (4, 2, 2, 1), (6, 2, 4, 1), scores=(100, 173), bags=(4, 0))
    assert (hand.event, hand.winner, hand.scores) == (GAME_OVER, 1, [164, 253])


def test_a_bag_penalty_can_keep_the_game_open():
    hand = scored(Rules(), (4, 3, 2, 1), (5, 3, 4, 1), scores=(450, 0), bags=(8, 0))
    assert (hand.event, hand.scores) == (HAND_OVER, [450 + 63 - 100, 40])
