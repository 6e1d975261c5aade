"""The facts of a game, from its first bid to its results, are those of its moves and are plain Python."""

import copy
import json
import random

from support.game.reference import trick_winner
from support.game.tables import (
    SOUTH_BEGINS,
    SUITS_DEALT,
    after,
    bid_all,
    moves_of_hand,
    play,
    play_hand,
    random_game,
    random_position,
)
from support.strategies import scaled

from spades_env import Game
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, card, deck
from spades_env.game.facts import Facts


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
