"""Game: its arguments, its facts, illegal actions, and its repr."""

import copy
import json
import random
from typing import Any

import numpy as np
import pytest
from support.game.reference import trick_winner
from support.game.tables import (
    SOUTH_BEGINS,
    SUITS_DEALT,
    bid_all,
    finished,
    hand_start,
    moves_of_hand,
    pagat,
    play,
    play_hand,
    random_game,
    random_position,
    same,
    table_bytes,
)
from support.strategies import scaled

from spades_env import Game, IllegalActionError, Rules
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, card, cards, deck
from spades_env.game.facts import Facts

UNTYPED: Any = Game  # takes anything


def after(game: Game, *texts: str) -> Game:
    """Return the game after these cards."""
    for text in texts:
        game.apply(card(text))
    return game


# The constructor


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dealer": 4}, ["dealer", "from 0 to 3", "4"]),
        ({"dealer": -1}, ["dealer", "from 0 to 3", "-1"]),
        ({"dealer": "West"}, ["dealer", "from 0 to 3", "West"]),
        ({"dealer": True}, ["dealer", "from 0 to 3", "True"]),
        ({"seed": -1}, ["seed", "from 0 to", "-1"]),
        ({"seed": 2**64}, ["seed", str(2**64 - 1), str(2**64)]),
        ({"seed": 1.5}, ["seed", "1.5"]),
        ({"seed": "7"}, ["seed", "'7'"]),
        ({"scores": [1]}, ["scores", "2 numbers", "one a side"]),
        ({"scores": [1, 2, 3, 4]}, ["scores", "2 numbers", "one a side"]),
        ({"scores": [1, 2.5]}, ["scores", "from -100000000 to 100000000", "2.5"]),
        ({"scores": [1, 1_000_000_001]}, ["scores", "from -100000000 to 100000000", "1000000001"]),
        ({"scores": [None, 1]}, ["scores", "None"]),
        ({"scores": 5}, ["scores", "2 numbers"]),
        ({"bags": [10, 0]}, ["bags", "from 0 to 9", "10"]),
        ({"bags": [-1, 0]}, ["bags", "from 0 to 9", "-1"]),
        ({"bags": [1, 2, 3]}, ["bags", "2 numbers"]),
        ({"bags": 5}, ["bags", "2 numbers"]),
        ({"hand_number": -1}, ["hand_number", "from 0", "-1"]),
        ({"hand_number": None}, ["hand_number", "from 0", "None"]),
        ({"hand_number": 1.0}, ["hand_number", "from 0", "1.0"]),
        ({"rules": {"max_hands": 8}, "hand_number": 8}, ["hand_number", "from 0 to 7", "8"]),
        ({"rules": "solo", "bags": [0, 0, 0, 1]}, ["bags", "from 0 to 0", "1"]),
        ({"rules": "solo", "scores": [1, 2]}, ["scores", "4 numbers"]),
    ],
)
def test_bad_starts(options, words):
    with pytest.raises(ValueError, match="must") as refusal:
        Game(**options)
    for word in words:
        assert word in str(refusal.value)


def dealt(changes: dict) -> list[list]:
    """Return a deal of whole suits, with some places (seat, number) changed."""
    hands: list[list] = [list(hand) for hand in SUITS_DEALT]
    for (seat, number), value in changes.items():
        hands[seat][number] = value
    return hands


@pytest.mark.parametrize(
    ("rules", "deal", "words"),
    [
        ("classic", SUITS_DEALT[:3], ["four hands of 13", "13, 13, 13"]),
        ("classic", [*SUITS_DEALT, []], ["four hands of 13"]),
        ("classic", [SUITS_DEALT[0][:12], *SUITS_DEALT[1:]], ["four hands of 13", "12, 13, 13, 13"]),
        ("classic", [], ["four hands of 13"]),
        ("classic", dealt({(0, 0): 1}), ["3C", "twice"]),
        ("classic", dealt({(0, 0): 51}), ["AS", "twice"]),
        ("classic", dealt({(0, 0): 52}), ["BJ", "not in the deck", "normal"]),
        ({"trumps": "nyc"}, SUITS_DEALT, ["2C", "not in the deck", "nyc"]),
        ("classic", dealt({(0, 0): 54}), ["54", "not in the deck"]),
        ("classic", dealt({(0, 0): -1}), ["-1", "not in the deck"]),
        ("classic", dealt({(0, 0): None}), ["None"]),
        ("classic", dealt({(0, 0): "2C"}), ["2C"]),
        ("classic", dealt({(0, 1): 1.0}), ["1.0"]),
        ("classic", dealt({(0, 1): True}), ["True"]),
        ("classic", [1, 2, 3, 4], ["four hands of 13"]),
        ("classic", 7, ["four hands of 13"]),
    ],
)
def test_bad_deals(rules, deal, words):
    with pytest.raises(ValueError, match=r".") as refusal:
        Game(rules, deal=deal)
    for word in words:
        assert word in str(refusal.value)


def test_numpy_numbers_are_numbers():
    game = UNTYPED(
        "classic",
        np.uint64(7),
        deal=np.array(SUITS_DEALT),
        dealer=np.int8(2),
        scores=np.array([-50, 120]),
        bags=np.array([3, 0], np.int32),
        hand_number=np.int64(2),
    )
    plain = Game("classic", 7, deal=SUITS_DEALT, dealer=2, scores=[-50, 120], bags=[3, 0], hand_number=2)
    assert table_bytes(game) == table_bytes(plain)
    assert repr(game) == repr(plain)
    assert game.record() == plain.record()
    game.apply(np.int64(BID_ZERO + 3))
    assert [type(move) for move in game.moves] == [int]
    assert game.undo(np.int64(1)) == [BID_ZERO + 3]


def test_a_start_is_what_was_asked_for():
    game = Game("classic", 7, deal=SUITS_DEALT[::-1], dealer=2, scores=[-50, 120], bags=[3, 0], hand_number=2)
    assert (game.seed, game.hands, game.dealer, game.turn) == (7, SUITS_DEALT[::-1], 2, 1)
    assert (game.scores, game.bags, game.hand_number, game.phase) == ([-50, 120], [3, 0], 2, "bid")
    assert (game.results, game.moves, game.winner, game.over) == ([], [], None, False)
    assert Game("classic", 7, scores=[-50, 120], dealer=3).phase == "blind"
    assert Game("classic", 7, scores=[-50, 120], dealer=0).phase == "bid"
    assert [Game("showdown", 7, hand_number=number).dealer for number in range(5)] == [1, 2, 3, 0, 1]
    assert Game("classic", 0).seed == 0
    assert Game("classic", 2**64 - 1).seed == 2**64 - 1


def test_a_game_without_a_seed_has_one_of_its_own():
    game, other = Game(), Game()
    assert game.seed != other.seed
    assert Game(seed=game.seed).hands == game.hands


def test_a_hand_number_continues_the_deals_of_the_seed():
    whole = Game("pagat", seed=5)
    rng = random.Random(1)
    for number in range(1, 4):
        play_hand(whole, rng)
        later = Game("pagat", seed=5, hand_number=number)
        assert (later.hands, later.dealer) == (whole.hands, whole.dealer)


# What it tells


def test_a_hand_from_its_first_bid_to_its_result():
    game = Game("pagat", deal=SUITS_DEALT, seed=1, **SOUTH_BEGINS)
    assert (game.phase, game.turn, game.bids, game.table) == ("bid", 0, [None] * 4, [])
    game.apply(BID_ZERO)
    assert (game.turn, game.bids, game.nils, game.blind) == (
        1,
        [0, None, None, None],
        [True, *[False] * 3],
        [False] * 4,
    )
    bid_all(game, 1, 0, 12)
    assert (game.phase, game.turn, game.leader, game.winning) == ("play", 0, 0, None)
    after(game, "AC", "2D")
    assert (game.table, game.turn, game.winning) == ([(0, card("AC")), (1, card("2D"))], 2, 0)
    assert game.hands == [list(range(12)), list(range(14, 26)), SUITS_DEALT[2], SUITS_DEALT[3]]
    after(game, "2H")
    assert not game.spades_broken
    after(game, "2S")
    assert (game.table, game.turn, game.leader, game.tricks) == ([], 3, 3, [0, 0, 0, 1])
    assert game.tricks_played == [[(0, card("AC")), (1, card("2D")), (2, card("2H")), (3, card("2S"))]]
    assert game.spades_broken
    assert game.voids == [[], [0], [0], [0]]
    play_hand(game, random.Random(1))
    result = game.results[-1]
    assert (result["bids"], result["tricks"], result["blind"]) == ([0, 1, 0, 12], [0, 0, 0, 13], [False] * 4)
    assert (result["points"], result["overtricks"]) == ([200, 130], [0, 0])
    assert (result["bags"], result["scores"], result["dealer"], result["hand_number"]) == ([0, 0], [200, 130], 3, 0)
    assert result.as_dict()["points"] == result.points
    assert (game.hand_number, game.dealer, game.scores, game.phase) == (1, 0, [200, 130], "bid")
    assert (game.bids, game.tricks, game.tricks_played) == ([None] * 4, [0] * 4, [])


def test_facts_of_random_games():
    rng = random.Random(30)
    for _ in range(scaled(60)):
        game = random_position(rng)
        moves = moves_of_hand(game)
        bids = {seat: action for phase, seat, action in moves if phase in ("blind", "bid") and action != LOOK}
        assert game.blind == [bids.get(seat) == BLIND_NIL for seat in range(4)]
        number = {seat: 0 if action == BLIND_NIL else action - BID_ZERO for seat, action in bids.items()}
        assert game.bids == [number.get(seat) for seat in range(4)]
        plays = [(seat, action) for phase, seat, action in moves if phase == "play"]
        assert [play for trick in [*game.tricks_played, game.table] for play in trick] == plays
        assert all(len(trick) == 4 for trick in game.tricks_played)
        assert len(game.table) < 4
        won = [trick_winner(trick, game.rules.trumps) for trick in game.tricks_played]
        assert game.tricks == [won.count(seat) for seat in range(4)]
        in_sight = sorted([c for hand in game.hands for c in hand] + [c for _, c in plays])
        assert in_sight == list(deck(game.rules.trumps))


PLAIN = [
    name for name, value in vars(Facts).items() if isinstance(value, property) and name not in ("_s", "action_mask")
]


def test_facts_are_plain():
    """Facts are Python's own ints, bools, texts and lists, as JSON takes them."""
    rng = random.Random(39)
    for _ in range(scaled(20)):
        game = random_position(rng)
        for facts in (game, game.view(1)):
            json.dumps([getattr(facts, name) for name in PLAIN])
            assert type(facts.over) is bool
            assert all(type(action) is int for action in facts.legal_actions())
        json.dumps([game.hands, game.deal, game.moves, [result.as_dict() for result in game.results]])


def test_results_add_up():
    rng = random.Random(31)
    for _ in range(scaled(15)):
        game = random_game(rng, target=None, floor=None, max_hands=3, tie="draw")
        start = copy.deepcopy(game)
        play(game, rng, 10_000)
        assert game.over
        assert [result.hand_number for result in game.results] == list(range(start.hand_number, 3))
        assert [result.dealer for result in game.results] == [(start.dealer + i) % 4 for i in range(len(game.results))]
        scores = start.scores
        for result in game.results:
            scores = [score + points for score, points in zip(scores, result["points"], strict=True)]
            assert result["scores"] == scores
            assert sum(result["tricks"]) == 13
            assert len(result["overtricks"]) == len(result["bags"]) == game.rules.sides
        assert (game.scores, game.bags) == (scores, game.results[-1]["bags"])
        best = [side for side, score in enumerate(scores) if score == max(scores)]
        assert game.winner == (best[0] if len(best) == 1 else None)
        assert game.legal_actions() == []


def test_a_given_deal_leaves_the_later_deals_to_the_seed():
    games = [Game("pagat", seed=12), Game("pagat", seed=12, deal=SUITS_DEALT)]
    for game in games:
        play_hand(game, random.Random(2))
    assert games[0].hands == games[1].hands


# Illegal actions


def mixed_hands() -> Game:
    """South has led the 2♣; West holds 3♣ and spades, East no clubs."""
    hands = [cards("2C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2S"), cards("3C"), [], []]
    rest = [c for c in deck("normal") if c not in hands[0] + hands[1]]
    hands[1] += rest[-12:]
    hands[2], hands[3] = rest[:13], rest[13:26]
    return after(bid_all(Game("pagat", deal=hands, seed=1, **SOUTH_BEGINS), 3, 3, 3, 3), "2C")


def blind_table(**options) -> Game:
    rules: dict[str, Any] = {"base": "pagat", "blind_nil_deficit": 0, "blind_nil_pass": 2} | options
    return Game(rules, deal=SUITS_DEALT, seed=1, **SOUTH_BEGINS)


def passing() -> Game:
    """South bid blind nil and has chosen the 2♣ to give away."""
    game = blind_table()
    game.apply(BLIND_NIL)
    return after(bid_all(game, 3, 3, 3), "2C")


def looked() -> Game:
    game = blind_table()
    game.apply(LOOK)
    return game


ILLEGAL = {  # what: (game, action, words that the refusal holds)
    "follow suit": (mixed_hands, card("AS"), ["West", "play the ace of spades", "clubs"]),
    "spades not broken": (
        lambda: bid_all(Game("pagat", seed=1, **SOUTH_BEGINS), 3, 3, 3, 3),
        "a spade",
        ["South", "of spades", "not broken"],
    ),
    "not held": (lambda: bid_all(pagat(), 3, 3, 3, 3), card("AS"), ["South", "play the ace of spades", "do not hold"]),
    "played before": (lambda: after(mixed_hands(), "3C", "5D"), card("2C"), ["East", "two of clubs", "do not hold"]),
    "not in the deck": (lambda: bid_all(pagat(), 3, 3, 3, 3), card("RJ"), ["South", "red joker", "not in the deck"]),
    "deuce left out": (
        lambda: bid_all(Game({"base": "pagat", "trumps": "nyc"}, seed=1, **SOUTH_BEGINS), 3, 3, 3, 3),
        card("2C"),
        ["South", "two of clubs", "not in the deck"],
    ),
    "above the table": (pagat, 70, ["South", "70", "0 to 69"]),
    "negative": (pagat, -1, ["South", "-1", "0 to 69"]),
    "far out": (pagat, 2**80, ["South", str(2**80), "0 to 69"]),
    "far below": (pagat, -(2**80), ["South", str(-(2**80)), "0 to 69"]),
    "unsigned": (pagat, 2**63, ["South", str(2**63), "0 to 69"]),
    "None": (pagat, None, ["South", "None", "0 to 69"]),
    "a text": (pagat, "AS", ["South", "'AS'", "0 to 69"]),
    "a float": (pagat, 57.0, ["South", "57.0", "0 to 69"]),
    "a list": (pagat, [57], ["South", "[57]", "0 to 69"]),
    "a bool": (lambda: bid_all(pagat(), 3, 3, 3, 3), True, ["South", "True", "0 to 69"]),
    "a numpy bool": (lambda: bid_all(pagat(), 3, 3, 3, 3), np.True_, ["South", "True", "0 to 69"]),
    "a numpy float": (pagat, np.float64(57), ["South", "57.0", "0 to 69"]),
    "bidding in play": (mixed_hands, BID_ZERO + 3, ["West", "bid 3", "time to play"]),
    "looking in play": (mixed_hands, LOOK, ["West", "look at the cards", "time to play"]),
    "blind nil in play": (mixed_hands, BLIND_NIL, ["West", "bid blind nil", "time to play"]),
    "playing in bidding": (pagat, card("2C"), ["South", "play the two of clubs", "time to bid"]),
    "blind nil off": (pagat, BLIND_NIL, ["South", "bid blind nil", "off"]),
    "blind nil too late": (looked, BLIND_NIL, ["South", "bid blind nil", "seen your cards"]),
    "looked already": (looked, LOOK, ["South", "look at the cards", "time to bid"]),
    "bidding before looking": (blind_table, BID_ZERO + 3, ["South", "bid 3", "have not looked", "look"]),
    "playing before looking": (blind_table, card("2C"), ["South", "two of clubs", "have not looked"]),
    "pass twice": (passing, card("2C"), ["South", "pass the two of clubs", "chosen it already"]),
    "pass what is not held": (passing, card("AS"), ["South", "pass the ace of spades", "do not hold"]),
    "bidding while passing": (passing, BID_ZERO, ["South", "bid 0", "time to pass"]),
    "game over": (finished, BID_ZERO, ["the game is over"]),
    "game over, no action": (finished, None, ["the game is over"]),
}


@pytest.mark.parametrize("what", ILLEGAL)
def test_illegal_actions(what):
    begin, action, words = ILLEGAL[what]
    game = begin()
    if action == "a spade":
        action = next(c for c in game.hands[game.turn] if c >= card("2S"))
    before = table_bytes(game), game.record(), repr(game), game.moves, game.results
    with pytest.raises(IllegalActionError) as refusal:
        game.apply(action)
    for word in words:
        assert word in str(refusal.value)
    assert (table_bytes(game), game.record(), repr(game), game.moves, game.results) == before


def test_all_that_is_not_legal_is_refused():
    rng = random.Random(32)
    for _ in range(scaled(40)):
        game = random_position(rng)
        before, legal = table_bytes(game), game.legal_actions()
        reason = "the game is over" if game.over else r"(South|West|North|East) cannot .+: ."
        for action in range(-2, 73):
            if action in legal:
                game.apply(action)
                game.undo()
            else:
                with pytest.raises(IllegalActionError, match=reason):
                    game.apply(action)
            assert table_bytes(game) == before


def test_an_illegal_action_is_a_value_error():
    assert issubclass(IllegalActionError, ValueError)


# Text


def record_of_hand(game: Game) -> str:
    """Return the record from the present hand on."""
    record = game.record()
    return record[record.rindex(f"\nhand {game.hand_number + 1}, ") :]


def test_a_repr_is_the_code_of_the_game():
    rng = random.Random(37)
    for i in range(scaled(60)):
        game = random_position(rng, trumps=("jokers", "nyc", "normal", "deuces", "barmore")[i % 5], tie="draw")
        other = eval(repr(game))
        assert repr(other) == repr(game)
        assert record_of_hand(other) == record_of_hand(game)
        assert other.hands == game.hands
        assert [other.view(seat).features.tobytes() for seat in range(4)] == [
            game.view(seat).features.tobytes() for seat in range(4)
        ]


def test_a_repr_in_an_extra_hand():
    """A tie after the last hand is played out, so hand numbers go beyond max_hands."""
    game = Game(Rules.preset("pagat", max_hands=1), deal=SUITS_DEALT, seed=1, dealer=2, scores=[150, 0])
    bid_all(game, 12, 1, 1, 1)
    play_hand(game, random.Random(1))
    assert (game.scores, game.hand_number, game.over) == ([130, 130], 1, False)
    assert repr(eval(repr(game))) == repr(game)


def test_a_deal_round_trips():
    rng = random.Random(38)
    for trumps in ("normal", "nyc", "barmore", "deuces", "jokers"):
        game = Game(Rules(trumps=trumps, blind_nil_deficit=0, blind_nil_pass=3), seed=rng.getrandbits(64))
        dealt, deal = game.hands, game.deal
        assert [sorted(cards(hand)) for hand in deal.split("|")] == dealt
        assert Game.from_deal(deal, str(game.rules), seed=0).hands == dealt
        play(game, rng, 40)
        assert game.deal == deal
        play_hand(game, rng)
        assert game.deal == hand_start(game).deal != deal


def test_from_deal_with_moves():
    deal = " | ".join(" ".join(f"{rank}{suit}" for rank in "AKQJT98765432") for suit in "CDHS")
    game = Game.from_deal(deal, "pagat", dealer=3, moves="bid:3 bid:3 bid:0 bid:4 AC 2d", seed=2)
    same(game, after(bid_all(Game("pagat", 2, deal=SUITS_DEALT, dealer=3), 3, 3, 0, 4), "AC", "2D"))


@pytest.mark.parametrize(
    ("deal", "moves", "words"),
    [
        ("AS KS | | ", "", "four hands divided by |, South first; this has 3"),
        ("AS KS | | | ", "", "four hands of 13 cards, not of [2, 0, 0, 0]"),
        ("AS ZZ | | | ", "", "'ZZ' isn't a card"),
        (None, "bid:14", "bid:14"),
        (None, "bid:x", "bid:x"),
        (None, "bid:٣", "bid:٣"),
        (None, "XX", "'XX' isn't a card"),
        (None, "AS", "play the ace of spades: it is time to bid"),
    ],
)
def test_bad_texts_of_a_deal(deal, moves, words):
    with pytest.raises(ValueError, match=r".") as refusal:
        Game.from_deal(Game("pagat", seed=1).deal if deal is None else deal, "pagat", moves=moves)
    assert words in str(refusal.value)


def test_blind_nil_stays_off_however_far_behind():
    lead = 100_000_000
    for rules in ("pagat", "solo"):
        scores = [-lead, lead] if rules == "pagat" else [-lead, lead, 0, 0]
        game = Game(rules, seed=1, scores=scores)
        assert game.phase == "bid"
        assert all(game.looked)
