"""The JAX game and the compiled engine in lock-step: random rules and standings, everything compared at every step."""

import numpy as np
import pytest
from support.game.twins import GAMES, HANDS, LAST_SEEN, Twins
from support.strategies import scaled

from spades_env.game.cards import NUM_CARDS
from spades_env.xla.rules import NUMBERS, TABLES

HANDS_PER_MODE = 1000
ALL_SEEN_FROM = 250  # hands: enough for every phase and ending
DERIVED = {  # numbers of the record that only say what other numbers say
    *("all_bids_open", "house_bids", "tricks_score", "double_nil", "double_nil_points", "trumps"),
}
RARE = ("double_nil_extra", "slam_points")  # score so rarely that test_scoring.py deals with them


@pytest.mark.parametrize("options", [GAMES, HANDS | LAST_SEEN], ids=["games", "hands"])
def test_both_play_the_same(options):
    twins, hands = Twins(seed=1, options=options), scaled(HANDS_PER_MODE)
    while twins.hands < hands and not twins.differences:
        twins.play(20)
    assert not twins.differences, twins.first
    if hands >= ALL_SEEN_FROM:
        endings = {"terminated"} | ({"truncated"} if options is GAMES else set())
        assert {*(f"phase {phase}" for phase in range(4)), *endings} <= {name for name, n in twins.seen.items() if n}


def changed(name: str):
    """Return a function that changes one number of the rules everywhere."""

    def change(rules):
        number = getattr(rules, name)
        other = (1 - number if set(np.unique(number)) <= {0, 1} else number + 1).astype(number.dtype)
        if name == "sides":
            other = np.where(number == 2, 4, 2).astype(number.dtype)
        return rules._replace(**{name: other})

    return change


@pytest.mark.parametrize("name", [name for name in NUMBERS + TABLES[:3] if name not in {*DERIVED, *RARE}])
def test_a_changed_rule_is_noticed(name):
    """Every number of the rules is read, and the comparison would find a game by others."""
    for seed in range(1, 9):
        twins = Twins(seed, GAMES, change=changed(name))
        for _ in range(30):
            if twins.differences:
                return
            twins.play(8)
    pytest.fail(f"nobody noticed another {name}")


def test_a_wrong_card_is_noticed():
    def change(rules):
        lane = rules.lane.copy()
        lane[:, NUM_CARDS - 3] = 0  # the ace of spades follows clubs
        return rules._replace(lane=lane)

    twins = Twins(1, GAMES, change=change)
    twins.play(40)
    assert twins.differences["legal_action_mask"]
