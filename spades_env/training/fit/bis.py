"""Fit the numbers of BIS: how safe each card is in a nil, and the curve that corrects their product.

The data: one hand a deal, classic rules without blind nil. The seat with the fewest expected tricks bids nil, whatever
its cards; the agent makes all other bids and plays. It must attack and cover nils, else they look easy. A row is the
nil's cards and whether it was kept. Hands whose trumps alone must lose are left out: nobody bids nil on them.

    SAFE       each card has a risk of its own (`bis.risk` gives its cell), and a nil is kept if no card breaks it:
               P(kept) = product of SAFE. Fitted by expectation maximisation: a failure is divided among the cards by
               how likely each caused it. Then made monotone in the rank
    CURVES     on fresh deals: kept against that product, as odds' = factor × odds ^ power; with partners, and solo
"""

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.agents.baselines.bis import COLUMNS, SIDE_ROWS, TRUMP_ROWS, corrected, expected_tricks, risk
from spades_env.agents.compiled import choose
from spades_env.agents.lanes import top_trump
from spades_env.game.cards import BID_ZERO, NUM_TRICKS
from spades_env.game.engine import apply, mix, new_game, next_random
from spades_env.game.rules import Rules
from spades_env.game.state import BID, GOES_ON, ONE, compile_rules, new_tables
from spades_env.training.fit import compiled_agent

CLASSIC = Rules(blind_nil_deficit=None)
SOLO = Rules.preset("solo", nil=True, nil_bonus=100)
CELLS = (SIDE_ROWS + TRUMP_ROWS) * COLUMNS
STEPS = 200  # of either fit
DIES = -1  # the cell of a card that must take a trick
OPTIONS = {  # name -> default, help
    "agent": ("rule", "who bids and plays: an agent of compiled kernels"),
    "deals": (400_000, "for each fit"),
}


def learn(agent: str, deals: int, seed: int) -> dict[str, np.ndarray]:
    """Fit both tables; print, for each tenth, the nils predicted and kept."""
    safe = np.round(fit_safe(*nil_data(agent, deals, seed, CLASSIC)), 3)
    curves = []
    for rules in (CLASSIC, SOLO):
        cells, kept = nil_data(agent, deals, seed + 1, rules)
        curves.append([round(number, 3) for number in fit_curve(product(safe, cells), kept)])
        print(rules)
        _report(product(safe, cells), kept, curves[-1])
    return {"safe": safe, "curves": np.array(curves)}


def nil_data(agent: str, deals: int, seed: int, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    """Play forced nils; return those that can be kept: cells int64[N, 13], one a card, and kept bool[N]."""
    bot = compiled_agent(agent)
    cells, kept = np.empty((deals, NUM_TRICKS), np.int64), np.empty(deals, np.bool_)
    x = np.uint64(seed)
    _play_nils(new_tables(1), compile_rules(rules), bot.bidding, bot.playing, x, cells, kept)
    possible = (cells != DIES).all(1)
    return cells[possible], kept[possible]


def product(safe: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Return the chance that each nil is kept, before the curve: float64[N]."""
    return safe.ravel()[cells].prod(1)


def fit_safe(cells: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Fit SAFE to rows of cards. A card that never occurs takes its neighbour's number."""
    seen = np.bincount(cells.ravel(), minlength=CELLS)
    safe = np.full(CELLS, 0.95)
    for _ in range(STEPS):
        fault = ~kept / np.maximum(1 - product(safe, cells), 1e-9)
        struck = (1 - safe) * np.bincount(cells.ravel(), np.repeat(fault, NUM_TRICKS), CELLS)
        safe = 1 - np.minimum(struck / np.maximum(seen, 1), 1)
    safe, seen = safe.reshape(-1, COLUMNS), seen.reshape(-1, COLUMNS)
    sides, trumps = safe[:SIDE_ROWS], safe[SIDE_ROWS:]
    trumps[seen[SIDE_ROWS:] == 0] = 0
    return np.concatenate([np.minimum.accumulate(sides, axis=1), np.maximum.accumulate(trumps, axis=1)])


def fit_curve(chance: np.ndarray, kept: np.ndarray) -> tuple[float, float]:
    """Fit factor and power of the odds: a logistic regression, held near "no change" by a weak prior."""
    chance = np.clip(chance, 0.001, 0.999)
    x = np.stack([np.ones(len(chance)), np.log(chance / (1 - chance))])
    weights = no_change = np.array([0.0, 1.0])
    steepest = x @ x.T / 4 + np.eye(2)  # bounds the curvature of any likelihood, so that no step goes too far
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-weights @ x))
        weights = weights + np.linalg.solve(steepest, x @ (kept - p) - (weights - no_change))
    return float(np.exp(weights[0])), float(weights[1])


def _report(chance: np.ndarray, kept: np.ndarray, curve: list[float]) -> None:
    """Print the nils predicted and kept, by tenths of the prediction."""
    foreseen = np.array([corrected(p, *curve) for p in chance])
    for tenth in range(10):
        rows = (foreseen * 10).astype(int) == tenth
        if rows.any():
            print(f"  {rows.sum():7} nils, foreseen {foreseen[rows].mean():.3f}, kept {kept[rows].mean():.3f}")


@njit
def _play_nils(tables, rules, bidding, playing, x, cells, kept):
    s, r = tables[0], rules[0]
    top = top_trump(r)
    for i in range(len(kept)):
        x = next_random(x)
        nil = _deal(s, r, x)
        hand = s.hands[nil]
        cards = hand
        for k in range(NUM_TRICKS):
            row, column = risk(hand, trailing_zeros(cards), top)
            cells[i, k] = row * COLUMNS + column if row >= 0 else DIES
            cards &= cards - ONE
        _play(s, r, nil, bidding, playing, x)
        kept[i] = s.tricks[nil] == 0


@njit
def _deal(s, r, x):
    """Deal a hand; return the seat with the fewest expected tricks."""
    new_game(s, r, mix(x))
    weakest = 0
    for seat in range(1, 4):
        if expected_tricks(r, s.hands[seat]) < expected_tricks(r, s.hands[weakest]):
            weakest = seat
    return weakest


@njit
def _play(s, r, nil, bidding, playing, x):
    """Play the hand to its end; one seat must bid nil."""
    event = GOES_ON
    while event == GOES_ON:
        x = mix(next_random(x))
        forced = s.phase == BID and s.turn == nil
        event = apply(s, r, BID_ZERO if forced else np.int64(choose(s, r, bidding, playing, x)))
