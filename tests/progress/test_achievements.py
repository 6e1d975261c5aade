"""Every achievement, earned and just missed, by facts made by hand."""

import json
from datetime import date, timedelta

import pytest

from spades_env import Rules
from spades_env.agents.roster import roster
from spades_env.game.facts import HandResult
from spades_env.play.progress import candidates
from spades_env.play.progress.achievements import DAYS, WINS, achievements, earned_by
from spades_env.play.progress.candidates import HIGH_BID
from spades_env.play.progress.history import DayFacts, GameFacts, History
from spades_env.play.table.rating import DRAW, LOSS, WIN
from spades_env.play.texts import catalogue

CLASSIC = Rules()
EVERYBODY = [one.key for one in roster()]
FIVE = [one.key for one in roster() if one.stars == 5]


def hand(bids=(3, 3, 3, 3), tricks=(4, 3, 3, 3), blind=(False,) * 4, scores=(60, 60), bags=(1, 0)) -> HandResult:
    """A finished hand; the person sits South."""
    return HandResult(0, 0, list(bids), list(blind), list(tricks), [0, 0], list(bags), list(bags), list(scores))


def game(*hands: HandResult, key: str = "1", **changes) -> GameFacts:
    given = {
        "key": key,
        "ended": f"2026-11-{int(key):02}T12:00:00.000+00:00",
        "seat": 0,
        "outcome": WIN,
        "rules": CLASSIC,
        "partner": "amara",
        "opponents": ("dara", "dara"),
        "rated": True,
        "aided": False,
        "abandoned": False,
        "load": lambda: list(hands) or [hand()] * 4,
    }
    return GameFacts(**given | changes)


def earned(*games: GameFacts, days=()) -> set[str]:
    return {one.key for one in achievements(History(games, days)) if one.earned}


def test_every_achievement_has_its_words():
    found = achievements(History([], []))
    assert 8 <= len(found) <= 12
    for one in found:
        assert {f"achievement.{one.key}", f"achievement.{one.key}.how"} <= set(catalogue())
        assert (one.earned, one.done) == (False, 0)


def test_a_plain_game_earns_nothing():
    assert earned(game()) == set()


NIL = hand(bids=(0, 3, 4, 3), tricks=(0, 4, 5, 4))
BLIND = hand(bids=(0, 3, 4, 3), tricks=(0, 4, 5, 4), blind=(True, False, False, False))
HOUSE = [hand(bids=(None,) * 4), hand(bids=(None, 3, 7, 3)), *[hand(bids=(4, 3, 3, 3))] * 3]
SET = hand(bids=(3, 5, 3, 4), tricks=(4, 3, 3, 3))
SET_BESIDE_NIL = hand(bids=(3, 0, 3, 4), tricks=(5, 0, 5, 3))


@pytest.mark.parametrize(
    ("key", "yes", "no"),
    [
        ("nil", game(NIL), game(hand(bids=(0, 3, 4, 3), tricks=(1, 4, 4, 4)))),
        ("nil", game(NIL), game(hand(bids=(3, 3, 0, 3), tricks=(6, 4, 0, 3)))),  # the partner's
        ("blind_nil", game(BLIND), game(NIL)),
        (
            "ten_bid",
            game(hand(bids=(6, 1, 4, 1), tricks=(7, 1, 3, 2))),
            game(hand(bids=(6, 1, 4, 1), tricks=(5, 2, 4, 2))),
        ),
        (
            "ten_bid",
            game(hand(bids=(6, 1, 4, 1), tricks=(7, 1, 3, 2))),
            game(hand(bids=(5, 1, 4, 1), tricks=(8, 1, 3, 1))),
        ),
        ("set_five", game(SET, opponents=(FIVE[0], "dara")), game(SET)),
        ("set_five", game(SET, opponents=(FIVE[0], "dara")), game(SET_BESIDE_NIL, opponents=(FIVE[0], "dara"))),
        ("set_five", game(SET, opponents=("dara", FIVE[1])), game(opponents=(FIVE[0], FIVE[1]))),
        ("one_star", game(partner="milly"), game(partner="milly", outcome=LOSS)),
        ("no_bags", game(*[hand(bags=(0, 2))] * 4), game(*[hand(bags=(0, 0))] * 3, hand())),
        ("no_bags", game(*[hand(bags=(0, 0))] * 4), game(*[hand(bags=(0, 0))] * 3)),
        ("no_bags", game(*[hand(bags=(0, 0))] * 4), game(*[hand(bags=(0, 0))] * 4, rules=Rules(bag_limit=None))),
        ("exact", game(*[hand(bids=(4, 3, 3, 3))] * 4), game(*[hand(bids=(4, 3, 3, 3))] * 3, hand())),
        ("exact", game(NIL, *[hand(bids=(4, 3, 3, 3))] * 3), game(*[hand(bids=(4, 3, 3, 3))] * 3)),
        ("exact", game(*HOUSE, hand(bids=(4, 3, 3, 3))), game(*HOUSE)),  # four bids of one's own
        ("ten_bid", game(hand(bids=(10, 1, None, 1), tricks=(6, 1, 5, 1))), game(hand(bids=(None,) * 4))),
        ("comeback", game(hand(scores=(-100, 70)), hand(scores=(510, 70))), game(hand(scores=(-99, 70)), hand())),
        ("comeback", game(hand(scores=(-100, 70)), hand()), game(hand(scores=(-100, 70)), hand(), outcome=DRAW)),
        ("comeback", game(hand(scores=(-100, 70)), hand()), game(hand(), hand(scores=(-110, -310)))),  # still down
    ],
)
def test_what_one_game_earns(key, yes, no):
    assert key in earned(yes)
    assert key not in earned(no)


@pytest.mark.parametrize("change", [{"aided": True}, {"rated": False}, {"abandoned": True}])
def test_help_and_short_and_abandoned_games_earn_nothing(change):
    """Nor do games with other people, which are not rated."""
    assert earned(game(NIL, BLIND, SET, partner="milly", opponents=(FIVE[0], FIVE[0]), **change)) == set()


def test_the_first_game_counts():
    games = [game(key="3"), game(NIL, key="5"), game(NIL, key="7")]
    [nil] = [one for one in achievements(History(games, [])) if one.key == "nil"]
    assert (nil.when, nil.done, nil.of) == (games[1].ended, 1, 1)


def runs(*outcomes: float, **changes) -> list[GameFacts]:
    return [game(key=str(i + 1), outcome=outcome, **changes) for i, outcome in enumerate(outcomes)]


def test_wins_in_a_row():
    """A loss ends a run; a short game and a win with help are left out; a loss with help is none of those."""
    assert "five_wins" in earned(*runs(*[WIN] * WINS))
    assert "five_wins" not in earned(*runs(*[WIN] * (WINS - 1), LOSS, WIN))
    between = [*runs(*[WIN] * (WINS - 1)), game(key="20", outcome=LOSS, rated=False), game(key="21", aided=True)]
    assert "five_wins" not in earned(*between)
    assert "five_wins" in earned(*between, game(key="22"))
    assert "five_wins" not in earned(*between, game(key="22", outcome=LOSS, aided=True), game(key="23"))
    [row] = [one for one in achievements(History(runs(WIN, WIN, LOSS, WIN), [])) if one.key == "five_wins"]
    assert (row.done, row.of, row.when) == (2, WINS, None)


def test_everybody_beaten():
    games = [game(key=str(i + 1), opponents=(one, "rule")) for i, one in enumerate(EVERYBODY)]
    assert "everyone" in earned(*games)
    lost = [*games[:-1], game(key="30", opponents=(EVERYBODY[-1], "rule"), outcome=LOSS)]
    [row] = [one for one in achievements(History(lost, [])) if one.key == "everyone"]
    assert (row.done, row.of, row.earned) == (17, 18, False)


def calendar(*numbers: int) -> list[DayFacts]:
    return [DayFacts(date(2026, 11, 1) + timedelta(number), 10, None) for number in numbers]


def test_ten_days_in_a_row():
    days = calendar(*range(DAYS))
    [row] = [one for one in achievements(History([], days)) if one.key == "ten_days"]
    assert row.when == days[-1].day.isoformat()
    missed = calendar(*range(7), *range(8, 17))
    [row] = [one for one in achievements(History([], missed)) if one.key == "ten_days"]
    assert (row.done, row.of, row.earned) == (9, DAYS, False)


def test_the_champion_is_beaten_on_a_day_that_both_have_finished():
    assert "champion" in earned(days=[DayFacts(date(2026, 11, 25), 12, 11)])
    assert "champion" not in earned(days=[DayFacts(date(2026, 11, 25), 12, 12), *calendar(0)])


def test_what_a_game_has_earned():
    facts = History([game(NIL, key="1"), game(NIL, BLIND, key="2")], calendar(*range(DAYS)))
    assert earned_by(facts, "1") == []  # a later game would have earned it, too
    assert earned_by(facts, "2") == ["blind_nil"]
    assert earned_by(facts, "3", date(2026, 11, 4)) == ["ten_days"]


def test_hands_are_read_only_where_they_matter():
    """Games that can't earn anything are not replayed."""

    def never():
        raise AssertionError("it was read")

    earned(game(load=never, aided=True), game(load=never, rated=False), game(load=never, abandoned=True))


@pytest.mark.parametrize(
    ("moves", "highest"),
    [("bid:6 bid:1 bid:4 bid:1 AS", 10), ("blind look bid:2 bid:3 bid:4 AS", 6), ("bid:6 bid:1", HIGH_BID)],
)
def test_the_highest_bid_of_a_hand_is_read_from_its_moves(moves, highest):
    """Where bids are missing, it may be any."""
    assert candidates._highest_bid(json.dumps({"moves": moves})) == highest
