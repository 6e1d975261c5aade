"""Symmetry: a game with all seats rotated is the same game."""

import random

import pytest
from support.game.engine_moves import legal
from support.game.tables import rotated
from support.strategies import Table, random_options, scaled

from spades_env import Rules
from spades_env.game.engine import apply
from spades_env.game.state import GOES_ON, OVER


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_rotating_the_seats_rotates_the_state(seats):
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
