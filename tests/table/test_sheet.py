"""Numbers and rules in words, difficulty, standing and rating, hands as plain data."""

import json
import random

import pytest
from support.game.tables import random_rules
from support.play.sittings import dealt, play, stand_still
from support.strategies import OPTION_VALUES, reconciled, scaled

from spades_env import Game, Rules
from spades_env.game.cards import BID_ZERO
from spades_env.game.facts import HandResult
from spades_env.game.rules import RulesSource
from spades_env.play.rule_words import rule_words
from spades_env.play.table.hands import HandStart, PlayedHand
from spades_env.play.table.rating import bot_name, difficulty, rating_after, stars, tournament_standing, weight
from spades_env.play.table.sheet import bid_is_made, items, sheet_line
from spades_env.play.table.table import Table
from spades_env.play.texts import text


def new(rules: RulesSource, **options) -> Table:
    return Table(rules, people={}, **{"seed": 7, "now": stand_still} | options)


# The score sheet


def result(bids, tricks, blind=(False,) * 4) -> HandResult:
    """A hand that brought nothing yet."""
    return HandResult(0, 0, list(bids), list(blind), list(tricks), [0, 0], [0, 0], [0, 0], [0, 0])


def words(rules: str, bids, tricks, overtricks, bags=(0, 0), side=0, blind=(False,) * 4) -> tuple[str, int]:
    found = result(bids, tricks, blind)
    found.overtricks[:] = overtricks
    told = items(Rules.parse(rules), found, bags, side)
    return "; ".join(item.words for item in told), sum(item.points for item in told)


@pytest.mark.parametrize(
    ("told", "expected", "points"),
    [
        (
            words("classic", (3, 1, 2, 1), (4, 3, 3, 3), (2, 4), (9, 0)),
            "bid 5, took 7: 50 + 2 bags; bags 9 + 2: −100",
            -48,
        ),
        (words("classic", (4, 3, 2, 3), (4, 4, 1, 4), (0, 2)), "bid 6, took 5: −60", -60),
        (
            words("classic", (4, 3, 0, 3), (5, 4, 0, 4), (1, 2)),
            "bid 4, took 5: 40 + 1 bag; North made nil: +100",
            141,
        ),
        (
            words("pagat", (4, 3, 0, 3), (4, 4, 2, 3), (2, 1)),
            "bid 4, took 4: 40; North bid nil, took 2: −100 + 2 bags",
            -58,
        ),
        (
            words("classic", (4, 3, 0, 3), (3, 4, 2, 4), (0, 2)),
            "bid 4, took 3: −40; North bid nil, took 2: −100",
            -140,
        ),
        (
            words("classic failed_nil_tricks=partner", (4, 3, 0, 3), (3, 4, 2, 4), (1, 2)),
            "bid 4, took 3 + 2 by nil: 40 + 1 bag; North bid nil, took 2: −100",
            -59,
        ),
        (
            words("classic", (4, 3, 0, 3), (4, 4, 0, 5), (0, 3), blind=(False, False, True, False)),
            "bid 4, took 4: 40; North made blind nil: +200",
            240,
        ),
        (
            words("showdown", (6, 2, 0, 2), (9, 2, 0, 2), (3, 0), (4, 0)),
            "bid 6, took 9: 60 + 3 bags; North made nil: +75",
            138,
        ),
        (
            words("showdown", (6, 2, 2, 2), (9, 2, 0, 2), (1, 0), (4, 0), 1),
            "bid 4, took 4: 40; bags 4 + 1 (South & North): +50",
            90,
        ),
        (words("classic overtrick_points=-1", (3, 1, 2, 1), (4, 3, 3, 3), (2, 4)), "bid 5, took 7: 50 − 2 bags", 48),
        (
            words("classic overtrick_points=0 bag_limit=off", (3, 1, 2, 1), (4, 3, 3, 3), (2, 4)),
            "bid 5, took 7: 50, 2 overtricks",
            50,
        ),
        (words("house", (7, 3, None, 2), (4, 3, 4, 2), (1, 0)), "bid blind 7 (double), took 8: 140 + 1 bag", 141),
        (words("house", (None, 3, 7, 2), (3, 4, 3, 3), (0, 2)), "bid blind 7 (double), took 6: −140", -140),
        (words("house", (6, 1, 4, 0), (8, 0, 4, 1), (0, 0)), "bid 10 for 200, took 12: 200", 200),
        (words("house", (6, 1, 4, 0), (5, 2, 4, 2), (0, 3)), "bid 10 for 200, took 9: −200", -200),
        (words("house", (10, 1, None, 3), (6, 1, 5, 1), (0, 0)), "bid blind 10 for 200 (double), took 11: 400", 400),
        (words("house", (None,) * 4, (5, 2, 3, 3), (0, 0)), "no bids, took 8: 80", 80),
        (words("house", (None,) * 4, (5, 2, 3, 3), (0, 0), side=1), "no bids, took 5: 50", 50),
        (
            words("classic slam_points=200", (5, 0, 4, 1), (9, 0, 4, 0), (4, 0)),
            "bid 9, took 13: 90 + 4 bags; all thirteen tricks: +200",
            294,
        ),
        (words("classic double_nil_points=500", (0, 6, 0, 5), (0, 7, 0, 6), (0, 2)), "both made nil: +500", 500),
        (
            words("classic double_nil_points=500", (0, 6, 0, 5), (0, 7, 1, 5), (1, 1)),
            "South made nil: +100; North bid nil, took 1: −100 + 1 bag",
            1,
        ),
        (
            words("classic ten_points=200", (0, 1, 10, 1), (1, 1, 10, 1), (0, 0)),
            "bid 10 for 200, took 10: 200; South bid nil, took 1: −100",
            100,
        ),
    ],
)
def test_score_lines(told, expected, points):
    assert told == (expected, points)


def test_only_your_own_nil_is_yours():
    """Names of plain bots are words of the language, as "You" is."""
    found, names = result((0, 1, 0, 1), (0, 3, 0, 10)), [text("you"), *map(bot_name, ("rb", "standard", "rb"))]
    told = [item.words for item in items(Rules(), found, (0, 0), 0, names, viewer=0)]
    assert told == ["you made nil: +100", "Standard made nil: +100"]


def test_every_score_is_explained():
    """Under random rules and with any players, the items add up to what the hand brought."""
    rng = random.Random(12)
    for _ in range(scaled(60)):
        rules = random_rules(rng, max_hands=3, time_limit_s=None, tie="draw")
        table = new(rules, bots=[rng.choice(["random", "rule"])] * 4, seed=rng.getrandbits(60))
        for hand in play(table).finished:
            for side in range(rules.sides):
                line = sheet_line(rules, hand, side)
                assert sum(item["points"] for item in line["items"]) == line["points"], (str(rules), line)


def test_a_bid_is_made_or_not():
    rules = Rules()
    assert bid_is_made(rules, result((3, 1, 2, 1), (4, 3, 1, 5)), 0)
    assert not bid_is_made(rules, result((3, 5, 2, 1), (4, 3, 1, 2)), 1)


# The rules in words


def test_every_option_is_told():
    """Wherever an option makes a difference to the game, it makes one to the words."""
    base = Rules(max_hands=40, blind_nil_deficit=100, blind_nil_pass=1, blind_bid=6, time_limit_s=600).as_dict()
    for option, values in OPTION_VALUES.items():
        if option == "partners":
            continue
        told = [rule_words(Rules(**reconciled(base | {option: value}))) for value in set(values)]
        assert len({"\n".join(words) for words in told}) == len(told), option
    assert rule_words(Rules.preset("solo")) != rule_words(Rules.preset("solo", partners=True))


def test_the_rules_of_classic():
    assert rule_words(Rules()) == [
        "Partners sit across from each other.",
        "The first dealer is chosen at random.",
        "The player to the dealer's right bids first and leads the first trick.",
        "The game ends when a side has 500 points; most points win. A tie is a draw.",
        "Make your bid: 10 points per trick bid. Miss it: lose as much.",
        "A bid of 0 is a nil: +100 if you take no trick, −100 if you do.",
        "The tricks of a failed nil are overtricks for its side if the partner's bid is made.",
        "A side that is 100 points behind may bid nil before seeing its cards: +200 or −200.",
        "A trick above the bid is a bag and scores 1 point; 10 bags cost 100 points.",
        "Spades are trumps: A♠ and so on down to 2♠.",
        "Follow suit if you can. Spades may be led once one has been played.",
    ]


@pytest.mark.parametrize(
    ("preset", "when"),
    [("classic", "once one has been played"), ("pagat", "once one has been played on another suit")],
)
def test_what_breaks_spades_is_told(preset, when):
    assert rule_words(Rules.preset(preset))[-1] == f"Follow suit if you can. Spades may be led {when}."


# Around the game


def test_difficulty():
    rules = Rules()
    assert [stars(bot) for bot in ("milly", "Zofia", "zofia+trial:8", "standard", "x.safetensors")] == [
        1,
        5,
        5,
        4,
        3,
    ]
    assert stars("bis/mc:3x3") == 4
    assert difficulty(rules, 0, ["random", "milly", "zofia", "milly"]) == 2
    assert difficulty(rules, 0, ["random", "zofia", "milly", "tomas"]) == 14
    assert difficulty(rules, 1, ["rule", "rule", "rule", "rule"]) == 8
    assert difficulty(rules, 0, ["rule", "rule", None, "rule"]) is None
    solo = Rules.preset("solo")
    assert difficulty(solo, 2, ["milly", "milly", "zofia", "milly"]) == 2
    assert difficulty(solo, 2, ["zofia", "tomas", "milly", "noor"]) == 14


def test_tournament_standings_in_order():
    best_first = [
        (1.0, 3, 5),
        (1.0, 4, 400),
        (1.0, 4, -1),
        (0.5, 9, 0),
        (0.5, 2, 0),
        (0.0, 9, -300),
        (0.0, 9, -301),
        (0.0, 2, -1),
    ]
    found = [tournament_standing(*game) for game in best_first]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == len(found)
    assert tournament_standing(1.0, 10**6, -(10**6)) > tournament_standing(0.5, 10**6, 10**6)


def test_rating():
    assert [rating_after(100, outcome, 8) for outcome in (1.0, 0.5, 0.0)] == [180, 140, 60]
    assert [rating_after(100, outcome, 2) for outcome in (1.0, 0.5, 0.0)] == [120, 110, 30]
    assert [rating_after(100, outcome, 14) for outcome in (1.0, 0.5, 0.0)] == [240, 170, 90]
    assert rating_after(20, 0.0, 2) == 0
    assert [rating_after(100, outcome, 8, 0.125) for outcome in (1.0, 0.5, 0.0)] == [110, 105, 95]


@pytest.mark.parametrize(
    ("rules", "outcome", "hands", "counts"),
    [
        ("classic", 1.0, 9, 1),
        ("solo", 1.0, 4, 1),
        ("classic target=200", 1.0, 5, 200 / 250),
        ("classic target=125", 0.0, 3, 1 / 2),
        ("classic target=120", 1.0, 3, 0),  # too short
        ("classic target=40", 1.0, 1, 0),
        ("classic target=40", 0.0, 1, 0),
        ("classic target=off max_hands=4", 1.0, 4, 1 / 2),
        ("classic target=off max_hands=3", 0.0, 3, 0),
        ("classic target=off max_hands=1", 1.0, 1, 0),
        ("classic max_hands=8", 0.5, 8, 1),
        ("classic target=250 nil_bonus=250", 1.0, 1, 1 / 4),  # a dear nil makes a quick win
        ("classic target=250 nil_bonus=250", 0.0, 1, 1),
        ("classic floor=-10", 0.0, 1, 1),  # losing early does not make it cheap
        ("classic time_limit_s=60", 1.0, 0, 0),
        ("classic time_limit_s=60", 0.0, 0, 0),
    ],
)
def test_how_much_of_a_full_game_a_game_counts(rules, outcome, hands, counts):
    assert weight(Rules.parse(rules), outcome, hands) == counts


@pytest.mark.parametrize("preset", Rules.presets())
def test_games_by_the_presets_count_in_full(preset):
    assert weight(Rules.preset(preset), 0.0, 1) == weight(Rules.preset(preset), 1.0, 4) == 1


# Hands


def test_a_hand_tells_itself():
    table = play(new("classic target=off max_hands=2"))
    for hand in table.hands:
        assert PlayedHand.from_dict(table.rules, json.loads(json.dumps(hand.as_dict()))) == hand
    hand = table.hands[0]
    assert hand.game(table.rules, 4).bids == [
        deed.action - BID_ZERO for deed in sorted(hand.moves[:4], key=lambda d: d.seat)
    ]
    assert HandStart.of(Game(table.rules, 7)) == hand.start
    assert [len(set(held)) for held in dealt(hand)] == [13] * 4
    with pytest.raises(ValueError, match="ends before its moves do"):
        PlayedHand.replayed(table.rules, hand.start, [deed.action for deed in hand.moves] * 2, ["bot"] * 112)
    with pytest.raises(ValueError, match="does not say who made"):
        PlayedHand.from_dict(table.rules, hand.as_dict() | {"by": "x" * 56})
