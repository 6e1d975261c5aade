"""How much a correction for the luck of the deals would save, beside what duplicates save.

    python benchmarks/agents/deal_luck.py            # some minutes; prints a line for each match
    python benchmarks/agents/deal_luck.py --write    # … and writes docs/deal_luck.json

Every hand is dealt by chance, whatever came before. So a deal's value, less the mean value of other deals at the same
scores, has the mean 0, and a win rate may be corrected by any multiple of it, as AIVAT does. The value is shipped: the
match equity once four `rule` have played the hand. The multiple is fitted to the other half of the deals.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.measure import write_record
from spades_env._jit import njit
from spades_env.agents import arena
from spades_env.agents.arena.lockstep import derived_seed
from spades_env.agents.compiled import RULE
from spades_env.agents.equity import equity
from spades_env.agents.search.playouts import finish_hand
from spades_env.game.engine import begin_hand, deal, mix
from spades_env.game.rules import Rules
from spades_env.game.state import compile_rules, new_tables

RECORD = Path(__file__).parents[2] / "docs" / "deal_luck.json"
ZOFIA = "agents/levels/zofia.safetensors"
PAIRS = (("rule", "rb"), ("rule", "bis"), ("rule", "club"), ("standard", ZOFIA))
START = np.dtype([("game", "i8"), ("hand_number", "i4"), ("dealer", "i4"), ("scores", "i4", 4), ("bags", "i4", 4)])
OTHERS = 32  # deals at the same scores
SEED = 82


@njit
def value_of(s, r, start, seed, side):
    """Return a side's match equity after four `rule` have played the hand that this seed deals."""
    s.seed, s.hand_number, s.dealer = seed, start.hand_number, start.dealer
    s.scores[:], s.bags[:] = start.scores, start.bags
    deal(s, r)
    begin_hand(s, r)
    finish_hand(s, r, RULE, mix(seed))
    return equity(s, r, side)


@njit
def lucks(tables, r, starts, seed, out):
    """Write how lucky A was with each hand's deal, in both games of each deal, to out[deal]."""
    s = tables[0]
    for i in range(len(starts)):
        start = starts[i]
        side = start.game & 1  # A's
        usual = 0.0
        for other in range(OTHERS):
            usual += value_of(s, r, start, mix(np.uint64(i * OTHERS + other + 1)), side)
        out[start.game >> 1] += value_of(s, r, start, derived_seed(seed, start.game >> 1), side) - usual / OTHERS


def measure(a: str, b: str, games: int) -> dict:
    """Play a match; return the share of the variance between its deals that the correction leaves."""
    starts: list[np.ndarray] = []

    def watch(who, batch, actions, numbers):
        first = np.flatnonzero((batch.tables.num_bids == 0) & (batch.tables.num_plays == 0))
        rows = np.zeros(len(first), START)
        rows["game"] = numbers[first]
        for name in ("hand_number", "dealer", "scores", "bags"):
            rows[name] = batch.tables[name][first]
        starts.append(rows)

    rules = Rules.of("match")
    result = arena.play(a, b, rules, games, seed=SEED, jobs=1, watch=watch)
    found = np.concatenate(starts)
    found.sort(order=["game", "hand_number"])
    assert len(found) == result.hands
    luck = np.zeros(games // 2)
    lucks(new_tables(1), compile_rules(rules)[0], found.view(np.recarray), np.uint64(SEED), luck)
    rng, both = np.random.default_rng(0), np.stack([result.deal_wins, luck])
    draws = [left(*both[:, rng.integers(0, len(luck), len(luck))]) for _ in range(1000)]
    low, high = np.quantile(draws, (0.025, 0.975))
    figures = {"left": left(result.deal_wins, luck), "left_ci": [low, high]}
    return {"a": a, "b": b, "games": games, "pairs": result.pairs.tolist()} | figures


def left(wins: np.ndarray, luck: np.ndarray) -> float:
    """Return the variance of the corrected wins as a share of that of the wins."""
    corrected = np.zeros(len(wins))
    for mine, other in ((slice(0, None, 2), slice(1, None, 2)), (slice(1, None, 2), slice(0, None, 2))):
        covariance = np.cov(wins[other], luck[other])
        corrected[mine] = wins[mine] - covariance[0, 1] / covariance[1, 1] * luck[mine]
    return float(corrected.var() / wins.var())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    matches = []
    for a, b in PAIRS:
        matches.append(measure(a, b, given.games))
        one = matches[-1]
        print(f"{a} against {b}: {one['left']:.3f} [{one['left_ci'][0]:.3f}, {one['left_ci'][1]:.3f}]", flush=True)
    if given.write:
        measured = {"rules": "match", "seed": SEED, "others": OTHERS, "matches": matches}
        write_record(RECORD, measured)


if __name__ == "__main__":
    main()
