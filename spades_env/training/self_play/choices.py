"""Which calls are tried, and which cards are learned from.

sample_calls(advantage, legal, tau, rng)     softmax(advantage / τ), some flatter, rare ones by quota (or none: tried=0)
that_matter(advantage, log_prob, keep, rng)  decisions in proportion to |advantage| · (1 − probability)
"""

import numpy as np

from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK

BLIND_CALL, LOOK_CALL = BLIND_NIL - BID_ZERO, LOOK - BID_ZERO
NIL_CALL = 0
EXPLORED, EXPLORING_TAU = 0.08, 0.4  # share of the calls that are made at another temperature
QUOTA, TRIED = 0.06, 0.5  # share of the hands, those least bad for a rare call, and how many of them must make it
LEAST_KEPT = 0.15  # chance of any decision, so the least share that is kept


def sample_calls(
    advantage: np.ndarray, legal: np.ndarray, tau: float, rng: np.random.Generator, tried: float = TRIED
) -> np.ndarray:
    """Sample a legal call of every row, int64[n]. advantage: float32[n, 16]; legal: bool[n, 16]."""
    n = len(legal)
    by_row = np.where(rng.random(n) < EXPLORED, EXPLORING_TAU, tau)
    advantage = np.where(legal, advantage, -np.inf)
    drawn = (advantage / by_row[:, None] + rng.gumbel(size=legal.shape)).argmax(1)
    for rare, offered in _rare_calls(advantage, legal):
        if offered.any():
            behind = advantage.max(1) - advantage[np.arange(n), rare]
            least = behind <= np.quantile(behind[offered], QUOTA)
            drawn = np.where(offered & least & (rng.random(n) < tried), rare, drawn)
    return drawn


def favourite(advantage: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Return the legal call with the greatest advantage of every row, int64[n]."""
    return np.where(legal, advantage, -np.inf).argmax(1)


def _rare_calls(advantage: np.ndarray, legal: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return nil, blind nil and the best blind bid for both partners, each with where it is offered."""
    before_look = legal[:, LOOK_CALL]
    blind_bids = np.where(before_look[:, None], advantage[:, :BLIND_CALL], -np.inf)
    nil, blind_nil = (np.full(len(legal), call) for call in (NIL_CALL, BLIND_CALL))
    return [
        (nil, legal[:, NIL_CALL] & ~before_look),
        (blind_nil, legal[:, BLIND_CALL]),
        (blind_bids.argmax(1), blind_bids.max(1) > -np.inf),
    ]


def that_matter(
    advantage: np.ndarray, log_prob: np.ndarray, keep: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw about a share `keep` of the decisions; return which, and weights that make up for the others, float32[M]."""
    matter = np.abs(advantage) * (1 - np.exp(log_prob)) + 1e-6
    low, high = 0.0, 1 / matter.min(initial=1)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(middle * matter, LEAST_KEPT, 1).mean() < keep else (low, middle)
    chance = np.clip(high * matter, LEAST_KEPT, 1)
    kept = np.flatnonzero(rng.random(len(matter)) < chance)
    weight = np.zeros(len(matter), np.float32)
    weight[kept] = chance.mean() / chance[kept]
    return kept, weight
