"""A view as data and as text: plain, whole, short, and true to the record of the game."""

import json
import random

import pytest
from support.game.tables import random_position
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.game.cards import SEATS, SUIT_LETTERS, action_name, card_name, parse_action
from spades_env.game.view import View

LONGEST = 600


def positions(seed: int, count: int) -> list[View]:
    """Views of random moments, of all four seats."""
    rng = random.Random(seed)
    return [random_position(rng).view(rng.randrange(4)) for _ in range(scaled(count))]


def test_the_data_is_plain_and_reads_back_the_same():
    for view in positions(1, 60):
        data = view.to_dict()
        assert json.loads(json.dumps(data)) == data


def test_the_data_says_what_the_view_says():
    for view in positions(2, 60):
        data = view.to_dict()
        assert (data["seat"], data["bids"], data["tricks"]) == (view.seat, view.bids, view.tricks)
        assert [parse_action(word) for word in data["legal_actions"]] == view.legal_actions()
        assert [parse_action(word) for word in data["hand"]] == view.hand
        assert data["turn"] == (None if view.over else view.turn)
        assert [[SUIT_LETTERS.index(suit) for suit in suits] for suits in data["voids"]] == view.voids
        assert Rules.from_dict(data["rules"]) == view.rules
        assert data["results"] == [result.as_dict() for result in view.results]
        for trick, told in zip([*view.tricks_played, view.table], [*data["tricks_played"], data["table"]], strict=True):
            assert told["cards"] == [card_name(card) for _, card in trick]
            assert [(told["leader"] + i) % 4 for i in range(len(trick))] == [seat for seat, _ in trick]
        assert data["table"]["winner"] == view.winning


def test_every_trick_names_its_winner():
    rng, game = random.Random(3), Game("classic", seed=3)
    while game.phase != "play":
        game.apply(game.legal_actions()[-1])
    told = []
    for _ in range(12):
        for _ in range(4):
            game.apply(rng.choice(game.legal_actions()))
        told = game.view(rng.randrange(4)).to_dict()["tricks_played"]
        assert told[-1]["winner"] == game.leader
    won = [trick["winner"] for trick in told]
    assert [won.count(seat) for seat in range(4)] == game.tricks
    while not game.results:
        game.apply(game.legal_actions()[0])
    assert game.view(0).to_dict()["tricks_played"] == []
    assert game.view(0).to_dict()["results"][0]["tricks"] == game.results[0].tricks


def test_a_finished_game_has_its_last_trick():
    rng, game = random.Random(4), Game("classic max_hands=1", seed=4)
    while not game.over:
        game.apply(rng.choice(game.legal_actions()))
    data = game.view(2).to_dict()
    won = [trick["winner"] for trick in data["tricks_played"]]
    assert [won.count(seat) for seat in range(4)] == game.tricks
    assert (data["turn"], data["over"], data["winner"]) == (None, True, game.winner)


@pytest.mark.parametrize("seed", range(5))
def test_the_text_is_short_and_whole(seed):
    for view in positions(10 + seed, 60):
        text = view.to_text()
        assert len(text) <= LONGEST, text
        assert text.isascii()
        lines = dict(line.split(": ", 1) for line in text.split("\n")[1:])
        assert list(lines) == ["scores", "cards", "bids", "took", "played", "may"]
        played = [card_name(card) for trick in [*view.tricks_played, view.table] for _, card in trick]
        assert [word for word in lines["played"].replace("/", "").split() if len(word) == 2] == played
        assert lines["may"].split() == ([action_name(action) for action in view.legal_actions()] or ["wait"])
        for held in view.hand:
            assert card_name(held) in lines["cards"]


def test_the_longest_hand_of_all():
    """Four seats without partners, large scores, and twelve tricks and three cards played."""
    rules = Rules.preset("solo").replace(target=10_000)
    game = Game(rules, seed=1, scores=[-9_999] * 4, bags=[(rules.bag_limit or 1) - 1] * 4, hand_number=900)
    while game.cards_played < 51:
        assert len(game.view(game.turn).to_text()) <= LONGEST
        game.apply(game.legal_actions()[0])
    assert len(game.view(game.turn).to_text()) <= LONGEST


def test_the_text_of_a_moment():
    game = Game("match", seed=7)
    for word in ["bid:2", "bid:4", "bid:0", "bid:2", "AC", "3C", "JC"]:
        action = parse_action(word)
        game.apply(action if action in game.legal_actions() else game.legal_actions()[0])
    view = game.view(game.turn)
    text = view.to_text()
    assert text.startswith(f"{SEATS[view.seat]}, partner {SEATS[(view.seat + 2) % 4]}; hand 1, play; dealer ")
    assert "nil" in text.split("\n")[3]
    assert "scores: South & North 0 (bags 0), West & East 0 (bags 0)" in text


def test_a_seat_that_has_not_looked_is_told_nothing():
    game = Game("classic blind_nil_deficit=0", seed=1)
    view = game.view(game.turn)
    assert "cards: not looked at" in view.to_text()
    assert view.to_dict()["hand"] == []
    assert view.to_dict()["legal_actions"] == ["blind", "look"]
