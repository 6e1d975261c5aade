"""The player of a level: one forward pass of its network on the observation of the seat to move.

    sights(batch)             int8[N, NUM_SIGHT]    the observations of the seats to move, with tallies
    masks(batch)              int8[N, 70]           the legal actions
    log_probs(logits, mask)   float64[N, 70]        of the legal actions

At temperature 0 it plays the action with the highest logit; else it samples from softmax(logits / temperature).
"""

import math

import numpy as np

from spades_env._jit import njit
from spades_env.agents.base import Agent, Batch, Hint
from spades_env.agents.network.forward import think
from spades_env.agents.network.level import Level, checked_temperature
from spades_env.agents.network.rows import NUM_SIGHT, write_sight
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.engine import mix, write_mask
from spades_env.game.observe import compiled_rules_features

MOST_AT_ONCE = 4096  # positions: 4 MB of sights


class NetworkAgent(Agent):
    """An agent that plays a level, by default at the level's own temperature."""

    def __init__(self, name: str, level: Level, temperature: float | None = None, seed: int = 0):
        super().__init__(name, seed)
        self.level = level
        self.temperature = level.temperature if temperature is None else checked_temperature(temperature)

    def _choose(self, batch: Batch) -> np.ndarray:
        out = np.empty(len(batch), np.int64)
        for start in range(0, len(batch), MOST_AT_ONCE):
            some = slice(start, start + MOST_AT_ONCE)
            part = batch.take(some)
            walks = part.walks(self.seed) if self.temperature else np.zeros(len(part), np.uint64)
            _pick_all(*self._think(part), self.temperature, walks, out[some])
        return out

    def _think(self, batch: Batch) -> tuple[np.ndarray, np.ndarray]:
        return think(self.level.network, sights(batch)), masks(batch)

    def _hint(self, batch: Batch) -> Hint:
        """Return its chances of the legal actions, at temperature 1 instead of 0."""
        return chances_of(*self._think(batch), self.temperature)


def sights(batch: Batch) -> np.ndarray:
    """Return what networks read: the observations of the seats to move, arranged by suit, with tallies.

    Args:
        batch: N positions.

    Returns:
        int8[N, NUM_SIGHT].

    Examples:
        >>> from spades_env import Game
        >>> from spades_env.agents import Batch
        >>> from spades_env.agents.network.player import sights
        >>> game = Game("classic", seed=7)
        >>> sights(Batch.of([game.view(game.turn)])).shape
        (1, 942)
    """
    out = np.empty((len(batch), NUM_SIGHT), np.int8)
    _write_sights(*batch.for_kernels, compiled_rules_features(batch.rules), out)
    return out


def masks(batch: Batch) -> np.ndarray:
    """Return the legal actions of the seats to move.

    Args:
        batch: N positions.

    Returns:
        int8[N, 70], 1 where an action is legal.

    Examples:
        >>> from spades_env import Game
        >>> from spades_env.agents import Batch
        >>> from spades_env.agents.network.player import masks
        >>> game = Game("classic", seed=7)
        >>> int(masks(Batch.of([game.view(game.turn)])).sum())  # bids from 0 to 13
        14
    """
    out = np.empty((len(batch), NUM_ACTIONS), np.int8)
    _write_masks(*batch.for_kernels, out)
    return out


def log_probs(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Map float[N, NUM_ACTIONS] to float64, the log-probabilities of legal actions, −inf for others."""
    masked = np.where(mask, logits.astype(np.float64), -np.inf)
    masked -= masked.max(axis=1, keepdims=True)
    return masked - np.log(np.exp(masked).sum(axis=1, keepdims=True))


def chances_of(logits: np.ndarray, mask: np.ndarray, temperature: float) -> Hint:
    """Return the chances of the legal actions of a single position (at temperature 1 instead of 0)."""
    chances = np.exp(log_probs(logits / (temperature or 1), mask))[0]
    return [(int(action), float(chances[action])) for action in np.flatnonzero(mask[0])]


@njit
def _write_sights(tables, rules, rules_of, rules_features, out):
    for i in range(len(tables)):
        write_sight(tables[i], rules[rules_of[i]], rules_features[rules_of[i]], out[i])


@njit
def _write_masks(tables, rules, rules_of, out):
    for i in range(len(tables)):
        write_mask(tables[i], rules[rules_of[i]], out[i])


@njit
def _pick_all(logits, mask, temperature, walks, out):
    for i in range(len(out)):
        best = _best(logits[i], mask[i])
        out[i] = _drawn(logits[i], mask[i], logits[i, best], temperature, walks[i]) if temperature > 0 else best


@njit
def _best(logits, mask):
    """Return the legal action with the highest logit; of equal ones the first."""
    best = -1
    for action in range(NUM_ACTIONS):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    return best


@njit
def _drawn(logits, mask, highest, temperature, walk):
    """Sample a legal action."""
    total = 0.0
    for action in range(NUM_ACTIONS):
        if mask[action]:
            total += _share(logits[action], highest, temperature)
    left = total * np.float64(mix(walk) >> np.uint64(32)) / 4294967296.0
    drawn = -1
    for action in range(NUM_ACTIONS):
        if mask[action]:
            drawn = action
            left -= _share(logits[action], highest, temperature)
            if left < 0:
                break
    return drawn


@njit
def _share(logit, highest, temperature):
    """Return the chance of an action relative to the likeliest."""
    return math.exp(np.float64(logit - highest) / temperature)
