"""The same work in OpenSpiel's `spades`, if `open_spiel` is installed. One core; its rules differ from ours.

The last row is our rules as a game of OpenSpiel's (`spades_env.openspiel`).
"""

import importlib
import random
from typing import Any

import numpy as np

from benchmarks.measure import Row, rate

try:
    pyspiel: Any = importlib.import_module("pyspiel")
except ImportError:
    pyspiel = None

SIMULATIONS = 1000
OURS = "spades_env.openspiel"


def measure(repeats: int, scale: float) -> list[Row]:
    """Measure Python bare, with observation, with observation and mask; C++ with and without the deal."""
    if pyspiel is None:
        return []
    return [
        rate("OpenSpiel", "Python, no observation", python_hands(scale, None, False), repeats),
        rate("OpenSpiel", "Python, observation into one buffer", python_hands(scale, "buffer", False), repeats),
        rate("OpenSpiel", "Python, observation into one buffer and mask", python_hands(scale, "buffer", True), repeats),
        rate("OpenSpiel", "Python, observation_tensor() and mask", python_hands(scale, "list", True), repeats),
        rate("OpenSpiel", "C++ random play, deals included", cpp_hands(scale), repeats),
        rate("OpenSpiel", "C++ random rollouts, no deal", cpp_rollouts(scale), repeats),
        rate("OpenSpiel", "our rules as its game, bare", python_hands(scale / 10, None, False, OURS), repeats),
    ]


def python_hands(scale: float, observation: str | None, with_mask: bool, module: str = ""):
    """Run the quickest loop we know: shuffle and apply the deal ourselves, then legal_actions and apply_action.

    module: the one that registers the game, under its NAME; without it, the game is OpenSpiel's.
    """
    game = pyspiel.load_game(importlib.import_module(module).NAME if module else "spades")
    hands = max(1, int(400 * scale))
    buffer = np.zeros(game.observation_tensor_size(), np.float32)
    mask = np.zeros(game.num_distinct_actions(), np.int8)
    draw = random.Random(0)

    def work() -> int:
        decisions = 0
        for _ in range(hands):
            state = game.new_initial_state()
            deck = list(range(52))
            draw.shuffle(deck)
            for card in deck:
                state.apply_action(card)
            while not state.is_terminal():
                if observation == "buffer":
                    state.write_observation_tensor(buffer)
                elif observation == "list":
                    np.asarray(state.observation_tensor(), np.float32)
                legal = state.legal_actions()
                if with_mask:
                    mask[:] = 0
                    mask[legal] = 1
                state.apply_action(legal[int(draw.random() * len(legal))])
                decisions += 1
        return decisions

    return work


def cpp_hands(scale: float):
    game = pyspiel.load_game("spades")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(4)]
    hands = max(1, int(4000 * scale))
    decisions = _decisions_per_hand(game)

    def work() -> int:
        for seed in range(hands):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return hands * decisions

    return work


def cpp_rollouts(scale: float):
    """Run rollouts from a dealt hand's first decision: one simulation, one node, SIMULATIONS random endings."""
    game = pyspiel.load_game("spades")
    state = game.new_initial_state()
    for card in range(52):
        state.apply_action(card)
    searches = max(1, int(8 * scale))
    decisions = _decisions_per_hand(game)

    def work() -> int:
        for seed in range(searches):
            evaluator = pyspiel.RandomRolloutEvaluator(SIMULATIONS, seed)
            pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, seed, False).mcts_search(state)
        return searches * SIMULATIONS * decisions

    return work


def _decisions_per_hand(game) -> int:
    state = game.new_initial_state()
    for card in range(52):
        state.apply_action(card)
    decisions = 0
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
        decisions += 1
    return decisions
