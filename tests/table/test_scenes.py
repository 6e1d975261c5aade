"""What a front end makes a scene of: told when it happens, once, and true of the results."""

import random

import pytest

from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK
from spades_env.play.table.company.scenes import scenes
from spades_env.play.table.company.watching import watch_view
from spades_env.play.table.hands import BOT
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table

RULES = "classic target=off floor=off max_hands=9 blind_nil_deficit=0"
NAMES = ["South", "West", "North", "East"]


@pytest.fixture(scope="module")
def told():
    """Games of random moves with low bids, some of them nil: each scene with the table as it was first told."""
    found = []
    for seed in range(12):
        rng, known = random.Random(seed), []
        table = Table(RULES, ["rule"] * 4, {}, seed=seed, load=False)
        while not table.over:
            table.apply(choose(rng, table), BOT)
            now = scenes(table, NAMES, None)
            found += [(table, one) for one in now if one not in known]
            known += [one for one in now if one not in known]
            assert all(one["hand_number"] > table.hands[-1].number - 1 for one in now)
    return found


def choose(rng, table):
    legal = table.game.legal_actions()
    if table.game.phase == "blind":
        return BLIND_NIL if BLIND_NIL in legal and rng.random() < 0.1 else LOOK
    bids = [action for action in legal if BID_ZERO <= action <= BID_ZERO + 2]
    if bids:
        return rng.choice(bids) if rng.random() < 0.85 else BID_ZERO + 6
    return max(legal, key=lambda card: card % 13) if rng.random() < 0.5 else rng.choice(legal)


def test_each_scene_is_true(told):
    kinds = {one["kind"] for _, one in told}
    assert kinds == {"nil_broken", "nil_made", "set", "bags", "bold"}
    for table, one in told:
        hand = table.hands[one["hand_number"] - 1]
        result, seat, side = hand.result, one["seat"], one["side"]
        assert hand.moves[one["moves"] - 1].phase == "play"
        match one["kind"]:
            case "nil_broken":
                assert result.bids[seat] == 0
                assert result.tricks[seat] > 0
                assert one["points"] == (-200 if result.blind[seat] else -100)
            case "nil_made":
                assert (result.bids[seat], result.tricks[seat]) == (0, 0)
                assert one["points"] == (200 if result.blind[seat] else 100)
            case "set":
                assert one["points"] < 0
                assert result.points[side] <= one["points"] + 200
            case "bags":
                assert one["points"] == -100
                assert result.bags[side] < hand.start.bags[side] + result.overtricks[side]
            case "bold":
                assert result.bids[seat] >= 6
                assert result.tricks[seat] >= result.bids[seat]


def test_a_broken_nil_is_told_with_its_trick(told):
    assert any(
        one["kind"] == "nil_broken" and one["moves"] < len(table.hands[one["hand_number"] - 1].moves)
        for table, one in told
    )


def test_everybody_is_told_in_their_words(told):
    late = ((table, one) for table, one in told if one in watch_view(table)["scenes"])
    table, one = next((table, one) for table, one in late if one["seat"] is not None)
    seat, kind = one["seat"], one["kind"]
    own = next(each for each in seat_view(table, seat)["scenes"] if (each["seat"], each["kind"]) == (seat, kind))
    assert own == one | {"words": own["words"]}
    assert NAMES[seat] not in own["words"]
