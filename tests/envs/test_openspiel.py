"""The game for OpenSpiel: its own checks pass, hands pay as our tables do, and nothing exceeds the bounds."""

import importlib
import random
import sys

import pytest
from support.strategies import random_options

from spades_env import Game, Rules
from spades_env.extras import MissingExtraError
from spades_env.game.cards import BID_ZERO

RULES = ("classic", "pagat", "classic trumps=jokers blind_nil_deficit=0 blind_nil_pass=2")


def test_without_openspiel_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "spades_env.openspiel", raising=False)
    with pytest.raises(MissingExtraError, match=r'pip install "spades-env\[openspiel\]"'):
        importlib.import_module("spades_env.openspiel")


@pytest.fixture
def pyspiel():
    found = pytest.importorskip("pyspiel", reason='needs OpenSpiel: pip install ".[openspiel]"')
    importlib.import_module("spades_env.openspiel")
    return found


def played(game, rng: random.Random):
    """Play to the end at random, and return the state and how many actions players took."""
    state, taken = game.new_initial_state(), 0
    while not state.is_terminal():
        chance = state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
        taken += not chance
    return state, taken


@pytest.mark.parametrize("rules", RULES)
def test_openspiels_own_checks(pyspiel, rules):
    pyspiel.random_sim_test(pyspiel.load_game("python_spades_env", {"rules": rules}), 2, False, False)


@pytest.mark.parametrize("number", range(4))
def test_lengths_and_returns_stay_within_what_it_says(pyspiel, number):
    options = random_options(random.Random(number)) | {"partners": True}
    game = pyspiel.load_game("python_spades_env", {"rules": str(Rules(**options))})
    for seed in range(3):
        state, taken = played(game, random.Random(seed))
        assert taken <= game.max_game_length()
        assert sum(state.returns()) == 0
        assert max(map(abs, state.returns())) <= game.max_utility() == -game.min_utility()


def test_a_hand_is_that_of_a_game(pyspiel):
    state, _ = played(pyspiel.load_game("python_spades_env"), random.Random(7))
    actions = state.history()
    game = Game("classic", seed=0, deal=[actions[seat:52:4] for seat in range(4)], dealer=3)
    for action in actions[52:]:
        game.apply(action)
    ours, theirs = game.results[0].points
    assert state.returns() == [ours - theirs, theirs - ours] * 2


def test_its_most_points_can_be_reached(pyspiel):
    """West and East bid thirteen; North makes nil, and South, with all spades, the thirteen that it bid."""
    game = pyspiel.load_game("python_spades_env")
    state = game.new_initial_state()
    hands = [[13 * suit + rank for rank in range(13)] for suit in (3, 0, 2, 1)]
    for cards in zip(*hands, strict=True):
        for card in cards:
            state.apply_action(card)
    while not state.is_terminal():
        bid = BID_ZERO + (0 if state.current_player() == 2 else 13)
        legal = state.legal_actions()
        state.apply_action(bid if bid in legal else legal[0])
    assert max(state.returns()) == game.max_utility() == 490


def test_rules_without_partners_are_refused(pyspiel):
    with pytest.raises(ValueError, match="for partners only"):
        pyspiel.load_game("python_spades_env", {"rules": "solo"})


def test_a_learner_of_openspiels_own_plays_a_hand(pyspiel):
    """Its learners need dm-tree, which OpenSpiel forgets and our extra brings."""
    pytest.importorskip("torch")
    nfsp = importlib.import_module("open_spiel.python.pytorch.nfsp")
    tables = importlib.import_module("open_spiel.python.rl_environment").Environment("python_spades_env")
    features, actions = tables.observation_spec()["info_state"][0], tables.action_spec()["num_actions"]
    agents = [nfsp.NFSP(seat, features, actions, [8], 100, 0.5) for seat in range(4)]
    moment = tables.reset()
    while not moment.last():
        moment = tables.step([agents[moment.observations["current_player"]].step(moment).action])
    for agent in agents:
        agent.step(moment)
    assert sum(moment.rewards) == 0
    assert any(moment.rewards)
