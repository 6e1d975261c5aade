"""What a network reads, arranged by suit: every card at its place under all trumps, nothing lost, side suits alike."""

import hashlib
import random

import numpy as np
import pytest
from support.agents.levels import random_level
from support.game.tables import moments, random_rules, random_start
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.agents.base import Batch
from spades_env.agents.network.forward import think
from spades_env.agents.network.level import MARKS
from spades_env.agents.network.player import sights
from spades_env.agents.network.rows import LANES, NUM_SIGHT, ONE, PLACES, POLICY_LANE, SIGHT, mode_of
from spades_env.game.cards import NUM_ACTIONS, NUM_CARDS, TRUMP_ORDERS
from spades_env.game.observe import LAYOUT, NUM_FEATURES
from spades_env.game.rules import CHOICES
from spades_env.game.state import compile_rules

MODES = CHOICES["trumps"]
SUIT = 13  # cards of a suit in a deck
CHANNELS = [
    start
    for name in ("hand", "unseen", "passed", "table", "played")
    for start in range(LAYOUT[name].start, LAYOUT[name].place.stop, NUM_CARDS)
]
LEFT_OUT = ("order", "trump")  # when a card was played; its strength, which is its place in the lane


def compiled(trumps: str) -> np.record:
    return compile_rules(Rules(trumps=trumps))[0]


def in_play(trumps: str, card: int) -> bool:
    """Is the card in the deck?"""
    r = compiled(trumps)
    place = int(r.place[card])
    return bool(int(r.cards) >> place & 1 and r.card_at[place] == card)


@pytest.mark.parametrize("trumps", MODES)
def test_every_card_stands_at_its_lane_and_place(trumps):
    for card in range(NUM_CARDS):
        lane, place = divmod(int(compiled(trumps).place[card]), 16)
        for channel, start in enumerate(CHANNELS):
            found = np.flatnonzero(SIGHT[MODES.index(trumps)] == start + card)
            assert found.tolist() == [POLICY_LANE * lane + 16 * channel + place] * in_play(trumps, card)


@pytest.mark.parametrize("trumps", MODES)
def test_nothing_is_lost_but_what_is_left_out(trumps):
    columns = SIGHT[MODES.index(trumps)]
    used = columns[columns >= 0].tolist()
    lost = {start + card for start in CHANNELS for card in range(NUM_CARDS) if not in_play(trumps, card)}
    lost |= {i for name in LEFT_OUT for i in range(LAYOUT[name].start, LAYOUT[name].place.stop)}
    assert sorted([*used, *lost]) == list(range(NUM_SIGHT))
    assert np.flatnonzero(columns == ONE).tolist() == [LANES * POLICY_LANE - 1]


@pytest.mark.parametrize("trumps", MODES)
def test_every_action_has_a_place_of_its_own(trumps):
    places = PLACES[MODES.index(trumps)].tolist()
    assert places[:NUM_CARDS] == compiled(trumps).place.tolist()
    assert places[NUM_CARDS:] == list(range(64, 80))
    assert len({place for card, place in enumerate(places[:NUM_CARDS]) if in_play(trumps, card)}) == 52
    of_trumps = [places[card] for card in reversed(TRUMP_ORDERS[trumps])]
    assert of_trumps == sorted(of_trumps)
    assert {place // 16 for place in of_trumps} == {LANES - 1}


@pytest.mark.parametrize("trumps", MODES)
def test_the_mode_is_that_of_the_rules(trumps):
    batch = Batch.of([game.view(game.turn) for game in moments("mode", scaled(30), trumps=trumps)])
    assert {mode_of(x) for x in sights(batch)} == {MODES.index(trumps)}
    assert mode_of(np.zeros(NUM_FEATURES, np.int8)) == 0


def test_another_arrangement_needs_another_mark():
    """The weights of a level belong to the inputs in this order."""
    text = hashlib.sha256(SIGHT.astype("<i4").tobytes() + PLACES.astype("<i4").tobytes()).hexdigest()
    assert {MARKS["rows"]: text[:12]} == {"4fea0f184cda": "bc4cfc7ad90b"}


# Side suits are alike


def renamed(suits: tuple[int, int, int], action: int) -> int:
    """The action where clubs, diamonds and hearts are these instead."""
    return action if action >= 3 * SUIT else suits[action // SUIT] * SUIT + action % SUIT


def twin_games(rng: random.Random, suits: tuple[int, int, int]) -> tuple[Game, Game]:
    """The same first hand twice, in the second with other names for the suits."""
    rules = random_rules(rng, trumps="normal", first_trick="any")
    start = random_start(rng, rules)
    start["deal"] = Game(rules, **start).hands
    game = Game(rules, **start)
    start["deal"] = [[renamed(suits, card) for card in hand] for hand in start["deal"]]
    twin = Game(rules, **start)
    for _ in range(rng.randrange(60)):
        if game.cards_played < 51:
            action = rng.choice(game.legal_actions())
            game.apply(action)
            twin.apply(renamed(suits, action))
    return game, twin


@pytest.mark.parametrize("suits", [(1, 0, 2), (0, 2, 1), (1, 2, 0)])
def test_other_names_for_side_suits_change_the_names_of_actions_only(suits):
    rng, level = random.Random(str(suits)), random_level(6, 48, 32)
    names = [renamed(suits, action) for action in range(NUM_ACTIONS)]
    actions = [action for action in range(NUM_ACTIONS) if action >= NUM_CARDS or in_play("normal", action)]
    for _ in range(scaled(60)):
        views = [game.view(game.turn) for game in twin_games(rng, suits)]
        by_names, by_other_names = think(level.network, sights(Batch.of(views)))
        close = 1e-5 * max(1, np.abs(by_names).max())
        assert np.abs(by_other_names[names] - by_names)[actions].max() <= close
