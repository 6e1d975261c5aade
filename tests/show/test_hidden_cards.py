"""Neither text nor picture shows what its seat cannot know."""

import re

import numpy as np
import pytest
from support.game.shown import played, text

from spades_env import Game
from spades_env.game.cards import LOOK
from spades_env.show.captions import card_text
from spades_env.show.render import ansi, rgb_array

CARD = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]|[BR]J")
BY_TEXT = {card_text(number): number for number in range(54)}


def other_hands(game: Game, seat: int) -> Game:
    """Return the same play with other hidden cards: two other seats swap unplayed cards of a suit."""
    deal = [game.view(i).hand + [c for trick in table(game) for player, c in trick if player == i] for i in range(4)]
    first, second = [other for other in range(4) if other != seat][:2]
    for suit in range(4):
        pairs = zip(*([c for c in game.hands[other] if c // 13 == suit] for other in (first, second)), strict=False)
        for a, b in pairs:
            deal[first][deal[first].index(a)], deal[second][deal[second].index(b)] = b, a
    twin = Game(game.rules, deal=deal, dealer=game.dealer, scores=game.scores, bags=game.bags, seed=game.seed)
    for move in game.moves:
        twin.apply(move)
    return twin


def table(game: Game) -> list:
    return [*game.tricks_played, game.table]


@pytest.mark.parametrize("moves", [0, 4, 6, 24, 43, 54])
def test_text_shows_no_card_its_seat_cannot_know(moves):
    game = played(Game("classic", seed=11), moves)
    for seat in range(4):
        known = {*game.hands[seat], *(c for trick in table(game) for _, c in trick)}
        shown = {BY_TEXT[name] for name in CARD.findall(text(game, seat))}
        assert set(game.hands[seat]) <= shown <= known


@pytest.mark.parametrize("moves", [0, 3, 4, 17, 30, 38])
def test_hidden_cards_change_nothing(moves):
    game = played(Game("classic", seed=3), moves)
    for seat in range(4):
        twin = other_hands(game, seat)
        assert twin.hands != game.hands
        assert text(twin, seat) == text(game, seat)
        assert np.array_equal(rgb_array(twin.view(seat)), rgb_array(game.view(seat)))


def test_own_cards_are_backs_until_looked_at():
    games = [Game("classic", seed=seed, dealer=1, scores=[0, 200]) for seed in (1, 2)]
    assert [game.phase for game in games] == ["blind", "blind"]
    views = [game.view(0) for game in games]
    assert ansi(views[0], colour=False) == ansi(views[1], colour=False)
    assert not CARD.search(ansi(views[0], colour=False))
    assert np.array_equal(rgb_array(views[0]), rgb_array(views[1]))
    games[0].apply(LOOK)
    assert len(CARD.findall(text(games[0]))) == 13
