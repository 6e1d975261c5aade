"""The layout of an observation: its blocks, in order and without gaps."""

import numpy as np
import pytest

from spades_env import Game, Rules
from spades_env.game.observe import (
    LAYOUT,
    NOW_ROWS,
    NUM_FEATURES,
    OF_RULES,
    RULES_ROWS,
    STATE_LAYOUT,
    STATE_SIZE,
    TABLE_ROWS,
    TABLE_SIZE,
    rules_features,
    write_features,
    write_hidden,
)
from spades_env.game.state import compile_rules


@pytest.mark.parametrize(("layout", "size"), [(LAYOUT, NUM_FEATURES), (STATE_LAYOUT, STATE_SIZE)])
def test_blocks_follow_one_another_without_gaps(layout, size):
    end = 0
    for name, place in layout.items():
        assert place.name == name
        assert place.start == end
        assert place.size == np.prod(place.shape)
        assert place.place == slice(place.start, place.start + place.size)
        assert place.meaning
        end += place.size
    assert end == size


def test_the_table_ends_where_the_rules_begin():
    names = list(LAYOUT)
    assert names == [name for name, _, _ in TABLE_ROWS + RULES_ROWS + NOW_ROWS]
    assert LAYOUT["trump"].start == TABLE_SIZE == sum(LAYOUT[name].size for name, _, _ in TABLE_ROWS)
    assert rules_features(Rules()).shape == (LAYOUT["bids_missing"].start - TABLE_SIZE,)
    assert slice(TABLE_SIZE, LAYOUT["bids_missing"].start) == OF_RULES
    assert STATE_LAYOUT["hands"].start == NUM_FEATURES


def test_write_features_stays_within_the_table():
    rules = compile_rules(Rules())
    game = Game("classic", seed=1)
    out = np.full(STATE_SIZE, 77, np.int8)
    write_features(game._s, rules[0], 0, out)
    assert (out[OF_RULES] == 77).all()
    assert (out[:TABLE_SIZE] != 77).all()
    assert (out[OF_RULES.stop : NUM_FEATURES] != 77).all()
    assert (out[NUM_FEATURES:] == 77).all()
    write_hidden(game._s, rules[0], 0, out)
    assert (out[OF_RULES] == 77).all()
    assert (out[NUM_FEATURES:] != 77).all()
