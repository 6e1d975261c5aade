"""Features arranged by suit: every card at its lane and place under all trumps, nothing lost, side suits alike."""

import hashlib
import random

import numpy as np
import pytest
from support.agents.levels import random_level
from support.game.tables import random_position, random_rules, random_start
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.agents.base import Batch
from spades_env.agents.network.insight import INSIGHT, NUM_INPUTS
from spades_env.agents.network.level import MARKS
from spades_env.agents.network.player import features, logits, values
from spades_env.agents.network.rows import LANES, MODE_COLUMNS, NUM_MODES, PLACES, mode_of
from spades_env.agents.network.suits import (
    CHANNELS,
    COLUMNS,
    LANE_INPUTS,
    LEFT_OUT,
    NUM_ARRANGED,
    NUM_OTHERS,
    ONE,
    ZERO,
    arrange,
)
from spades_env.game.cards import NUM_ACTIONS, NUM_CARDS, TRUMP_ORDERS
from spades_env.game.observe import LAYOUT
from spades_env.game.rules import CHOICES
from spades_env.game.state import compile_rules

BLOCKS = LAYOUT | INSIGHT
BY_SUIT = ("led", "held", "out")
MODES = CHOICES["trumps"]
SUIT = 13  # cards of a suit in a deck


def features_under(trumps: str, count: int) -> np.ndarray:
    """Random moments under such trumps."""
    rng = random.Random(trumps)
    games = [random_position(rng, trumps=trumps) for _ in range(max(count, 6))]
    return features(Batch.of([game.view(game.turn) for game in games if not game.over]))


def noise_under(trumps: str, count: int) -> np.ndarray:
    """Any numbers, but for what says which cards are trumps."""
    x = np.random.default_rng(MODES.index(trumps)).integers(-128, 128, (count, NUM_INPUTS), np.int8)
    x[:, MODE_COLUMNS] = np.eye(NUM_MODES, dtype=np.int8)[MODES.index(trumps)]
    return x


def arranged_plainly(x: np.ndarray, trumps: str) -> list[int]:
    """One row, block by block, with what the engine says of each card."""
    card_of = {int(place): card for card, place in enumerate(compiled(trumps).place) if in_play(trumps, card)}
    blocks = {name: x[block.place].reshape(block.shape) for name, block in BLOCKS.items()}
    out = []
    for lane in range(LANES):
        cards = [card_of.get(16 * lane + place) for place in range(16)]
        for block in [blocks[name] for name in CHANNELS] + list(blocks["played"]):
            out += [0 if card is None else int(block[card]) for card in cards]
        out += blocks["void"][:, lane].tolist() + [int(blocks[name][lane]) for name in BY_SUIT] + [int(lane == 3)]
    arranged = {*BY_SUIT, "void", "played", *CHANNELS, *LEFT_OUT}
    for name, block in blocks.items():
        if name in ("legal", "advice", "worth"):
            out += block[NUM_CARDS:].tolist()
        elif name not in arranged:
            out += block.ravel().tolist()
    return out


def compiled(trumps: str) -> np.record:
    return compile_rules(Rules(trumps=trumps))[0]


def in_play(trumps: str, card: int) -> bool:
    """Is the card in the deck?"""
    r = compiled(trumps)
    place = int(r.place[card])
    return bool(int(r.cards) >> place & 1 and r.card_at[place] == card)


# Where everything stands


@pytest.mark.parametrize("trumps", MODES)
def test_as_a_plain_reference(trumps):
    for x in (features_under(trumps, scaled(60)), noise_under(trumps, scaled(20))):
        arranged = arrange(x)
        assert arranged.dtype == np.int8
        assert arranged.tolist() == [arranged_plainly(row, trumps) for row in x]


@pytest.mark.parametrize("trumps", MODES)
def test_every_card_stands_at_its_lane_and_place(trumps):
    for card in range(NUM_CARDS):
        for row, name in enumerate(CHANNELS):
            x = np.zeros((1, NUM_INPUTS), np.int8)
            x[0, MODE_COLUMNS[MODES.index(trumps)]] = 1
            blank = arrange(x)
            x[0, BLOCKS[name].start + card] = 5
            changed = np.flatnonzero(arrange(x) != blank)
            lane, place = divmod(int(compiled(trumps).place[card]), 16)
            assert changed.tolist() == [LANE_INPUTS * lane + 16 * row + place] * in_play(trumps, card)


@pytest.mark.parametrize("trumps", MODES)
def test_trumps_stand_in_the_last_lane_lowest_first(trumps):
    places = [int(PLACES[MODES.index(trumps), card]) for card in reversed(TRUMP_ORDERS[trumps])]
    assert places == sorted(places)
    assert {place // 16 for place in places} == {LANES - 1}


@pytest.mark.parametrize("trumps", MODES)
def test_every_action_has_a_place_of_its_own(trumps):
    places = PLACES[MODES.index(trumps)].tolist()
    assert places[:NUM_CARDS] == compiled(trumps).place.tolist()
    assert places[NUM_CARDS:] == list(range(64, 80))
    of_cards = [place for card, place in enumerate(places[:NUM_CARDS]) if in_play(trumps, card)]
    assert len(set(of_cards)) == 52


@pytest.mark.parametrize("trumps", MODES)
def test_nothing_is_lost_but_what_is_left_out(trumps):
    columns = COLUMNS[MODES.index(trumps)]
    used = columns[columns < ZERO].tolist()
    assert len(used) == len(set(used))
    lost = set(range(NUM_INPUTS)) - set(used)
    for name in LEFT_OUT:
        lost -= set(range(BLOCKS[name].start, BLOCKS[name].start + BLOCKS[name].size))
    starts = [BLOCKS[name].start for name in CHANNELS] + [BLOCKS["played"].start + NUM_CARDS * i for i in range(4)]
    assert lost == {start + card for start in starts for card in range(NUM_CARDS) if not in_play(trumps, card)}
    assert np.count_nonzero(columns == ONE) == 1
    assert columns[LANES * LANE_INPUTS - 1] == ONE


def test_sizes():
    assert COLUMNS.shape == (NUM_MODES, NUM_ARRANGED) == (6, 1604)
    assert (LANE_INPUTS, NUM_OTHERS) == (312, 356)
    assert PLACES.shape == (NUM_MODES, NUM_ACTIONS)


def test_what_stands_behind_the_inputs_is_not_looked_at():
    x = features_under("normal", scaled(10))
    longer = np.concatenate([x, np.full((len(x), 432), 7, np.int8)], axis=1)
    assert (arrange(longer) == arrange(x)).all()


@pytest.mark.parametrize("trumps", MODES)
def test_the_mode_is_that_of_the_rules(trumps):
    assert {mode_of(x) for x in features_under(trumps, scaled(30))} == {MODES.index(trumps)}


def test_the_mode_of_nothing():
    assert mode_of(np.zeros(NUM_INPUTS, np.int8)) == 0


def test_another_arrangement_needs_another_format_of_levels():
    """The weights of a level belong to the inputs in this order."""
    text = hashlib.sha256(COLUMNS.astype("<i4").tobytes() + PLACES.astype("<i4").tobytes()).hexdigest()
    assert {MARKS["format"]: text[:12]} == {"spades-level/3": "331aadd7ef16"}


# Side suits are alike


def renamed(suits: tuple[int, int, int], action: int) -> int:
    """The action where clubs, diamonds and hearts are these instead."""
    return action if action >= 3 * SUIT else suits[action // SUIT] * SUIT + action % SUIT


def renamed_features(suits: tuple[int, int, int], x: np.ndarray) -> np.ndarray:
    """The features likewise; none of a suit or a card stays."""
    out = x.copy()
    for block in BLOCKS.values():
        size, places = block.shape[-1], list(range(block.shape[-1]))
        if block.name in BY_SUIT or block.name == "void":
            places = [*suits, 3]
        elif size in (NUM_CARDS, NUM_ACTIONS):
            places = [renamed(suits, i) for i in range(size)]
        out[block.place].reshape(block.shape)[..., places] = x[block.place].reshape(block.shape)
    return out


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
    played = [card for card in range(NUM_CARDS) if in_play("normal", card)]
    actions = np.array(played + list(range(NUM_CARDS, NUM_ACTIONS)))
    for _ in range(scaled(60)):
        x, twin = (features(Batch.of([game.view(game.turn)]))[0] for game in twin_games(rng, suits))
        moved = renamed_features(suits, x)
        same = np.ones(NUM_INPUTS, bool)
        same[BLOCKS["advice"].place] = False  # the rule bot takes the first of equal suits
        assert (twin[same] == moved[same]).all()
        by_names, by_other_names = logits(level, np.stack([x, moved]))
        close = 1e-5 * max(1, np.abs(by_names).max())
        assert np.abs(by_other_names[names] - by_names)[actions].max() <= close
        assert np.abs(np.diff(values(level, np.stack([x, moved])))) <= 1e-5
