"""Learns the numbers of BIS from play: how safe each card is in a nil, and the curve that corrects their product.

    python -m agents.fit_bis             prints agents/bis_numbers.py and, per tenth, nils foreseen and nils kept
    python -m agents.fit_bis --write     writes it
    python -m agents.fit_bis --agent rule --deals 400000 --seed 1

The data: one hand a deal, classic rules without blind nil. The seat whose cards promise the fewest tricks bids nil,
whatever its cards; the others bid, and all play, as the agent says. It must attack and cover nils, else they look easy.
A row is the nil's cards and whether it was kept. Hands whose trumps alone must lose are left out: nobody bids nil on
them.

    SAFE       each card of a nil has a danger of its own (where it stands: `bis.risk`), and a nil is kept when none of
               them strikes: P(kept) = product of SAFE. Fitted by expectation maximisation: a failure is shared out
               among the cards by how likely each of them was at fault. Then made monotone in the rank
    CURVES     on fresh deals: kept against that product, as odds' = factor × odds ^ power; with partners, and solo
"""

import argparse
from pathlib import Path

import numpy as np

import agents
from agents.bis import COLUMNS, SIDE_ROWS, TRUMP_ROWS, corrected, expected_tricks, risk
from agents.compiled import Compiled, choose
from agents.files import write_whole
from agents.simple import top_trump
from spades_env import Rules
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import BID_ZERO, NUM_TRICKS
from spades_env.engine import apply, mix, new_game, next_random
from spades_env.state import BID, GOES_ON, ONE, compile_rules, new_tables

CLASSIC = Rules(blind_nil_deficit=None)
SOLO = Rules.preset("solo", nil=True, nil_bonus=100)
CELLS = (SIDE_ROWS + TRUMP_ROWS) * COLUMNS
STEPS = 200  # of either fit
DIES = -1  # the cell of a card that must take a trick
FILE = Path(__file__).with_name("bis_numbers.py")
TEXT = '''"""What BIS has learned from play. Written by `python -m agents.fit_bis --write`, which tells how."""

import numpy as np

LEARNED_FROM = {source}  # agent, deals, seed

THOUSANDTHS = (  # how safe a card is in a nil; `bis.risk` tells where it stands
{rows}
)
SAFE = np.array(THOUSANDTHS) / 1000
CURVES = np.array({curves})  # factor and power of the odds; with partners, solo
'''


def learn(agent: str, deals: int, seed: int) -> str:
    """The text of bis_numbers.py."""
    safe = np.round(fit_safe(*nil_data(agent, deals, seed, CLASSIC)), 3)
    curves = []
    for rules in (CLASSIC, SOLO):
        cells, kept = nil_data(agent, deals, seed + 1, rules)
        curves.append([round(number, 3) for number in fit_curve(product(safe, cells), kept)])
        print(f"# {rules}")
        _report(product(safe, cells), kept, curves[-1])
    rows = "\n".join(f"    ({', '.join(f'{1000 * p:.0f}' for p in row)})," for row in safe)
    return TEXT.format(source=f'("{agent}", {deals}, {seed})', rows=rows, curves=curves)


def nil_data(agent: str, deals: int, seed: int, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    """Forced nils that are not lost from the start: cells int64[N, 13], one for each card, and kept bool[N]."""
    bot = agents.load(agent)
    if not isinstance(bot, Compiled):
        raise SystemExit(f"{agent} is too slow to learn from: it is not compiled throughout")
    cells, kept = np.empty((deals, NUM_TRICKS), np.int64), np.empty(deals, np.bool_)
    x = np.uint64(seed)
    _play_nils(new_tables(1), compile_rules(rules), bot.bidding, bot.playing, x, cells, kept)
    possible = (cells != DIES).all(1)
    return cells[possible], kept[possible]


def product(safe: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """float64[N]: how likely each nil is kept, before the curve."""
    return safe.ravel()[cells].prod(1)


def fit_safe(cells: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """SAFE from rows of cards. Where no hand shows a card, a neighbour's number stands."""
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
    """Factor and power of the odds: a logistic regression, held near "no change" by a weak prior."""
    chance = np.clip(chance, 0.001, 0.999)
    x = np.stack([np.ones(len(chance)), np.log(chance / (1 - chance))])
    weights = no_change = np.array([0.0, 1.0])
    steepest = x @ x.T / 4 + np.eye(2)  # no likelihood bends more, so that no step goes too far
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-weights @ x))
        weights = weights + np.linalg.solve(steepest, x @ (kept - p) - (weights - no_change))
    return float(np.exp(weights[0])), float(weights[1])


def main() -> None:
    """Fit, and print or write the numbers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--agent", default="rule", help="who bids and plays: an agent of compiled kernels")
    parser.add_argument("--deals", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    options = parser.parse_args()
    text = learn(options.agent, options.deals, options.seed)
    print(text)
    if options.write:
        write_whole(FILE, text)


def _report(chance: np.ndarray, kept: np.ndarray, curve: list[float]) -> None:
    """Foreseen and kept, for each tenth of what is foreseen."""
    foreseen = np.array([corrected(p, *curve) for p in chance])
    for tenth in range(10):
        rows = (foreseen * 10).astype(int) == tenth
        if rows.any():
            print(f"# {rows.sum():7} nils, foreseen {foreseen[rows].mean():.3f}, kept {kept[rows].mean():.3f}")


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
    """A hand dealt, and the seat whose cards promise the fewest tricks."""
    new_game(s, r, mix(x))
    weakest = 0
    for seat in range(1, 4):
        if expected_tricks(r, s.hands[seat]) < expected_tricks(r, s.hands[weakest]):
            weakest = seat
    return weakest


@njit
def _play(s, r, nil, bidding, playing, x):
    """The hand to its end, one seat having to bid nil."""
    event = GOES_ON
    while event == GOES_ON:
        x = mix(next_random(x))
        forced = s.phase == BID and s.turn == nil
        event = apply(s, r, BID_ZERO if forced else np.int64(choose(s, r, bidding, playing, x)))


if __name__ == "__main__":
    main()
