"""The numbers of `rule`, measured in its own games: `python -m agents.fit_rule --rounds 4`.

The recipe: random deals under every trump mode, `rule` at all seats, every fourth hand with one seat made to bid nil
whatever it holds. At the start of every trick each card is noted with how it stands (higher cards out, cards of its
suit out, own cards below it), and after the hand whether it won a trick. The shares, smoothed towards those of the last
round where cards are few, are the tables of `rule_numbers`. Tricks taken are regressed on the hands for the bids, and
the fate of the nils on their risk. Each round plays by the numbers of the round before.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np

from agents import rule_numbers as numbers
from agents.files import write_text
from agents.rule_bid import hand_features, nil_risk, rule_bid
from agents.rule_play import USUAL, lane_index, rule_card
from spades_env import Rules
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import BID_ZERO, TRUMP_ORDERS
from spades_env.engine import below, bid, mix, new_game, next_random, play
from spades_env.state import BID, GOES_ON, LANE, NO_NIL, ONE, compile_rules, new_tables

NO_NILS = USUAL._replace(nil_trust=0.0)
FILE = Path(__file__).parent / "rule_numbers.py"
PRIOR = 30.0  # cards' worth of the last round's share
RIDGE = 20.0


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    if options.rounds > 1:  # kernels take the numbers in when they are compiled: each round is a process
        for i in range(options.rounds):
            subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "agents.fit_rule",
                    "--hands",
                    str(options.hands),
                    "--seed",
                    str(options.seed + i),
                ],
                check=True,
            )
        return 0
    tables, hands, nils = collect(options.hands, options.seed)
    write(tables, fit_tricks(*hands), fit_nils(*nils))
    return 0


def collect(hands: int, seed: int):
    """Play, and note: cards' fates, (features, tricks) of hands that tried, (risk, kept) of nils."""
    shapes = [getattr(numbers, name).shape for name in ("SIDE_HOPE", "TRUMP_HOPE", "NIL_RISK")]
    counts = [np.zeros((*shape, 2)) for shape in shapes]
    features, tricks, risks, kept = [], [], [], []
    modes = list(TRUMP_ORDERS)
    for i, mode in enumerate(modes):
        share = hands if mode == "normal" else hands // 8
        r = compile_rules(Rules(trumps=mode, blind_nil_deficit=None))[0]
        x = np.zeros((4 * share, numbers.NUM_FEATURES), np.float32)
        y = np.zeros(4 * share, np.float32)
        nil = np.zeros((share, 2), np.float32)
        n, m = _play(new_tables(1), r, np.uint64(seed * 1000 + i), share, *counts, x, y, nil)
        features.append(x[:n])
        tricks.append(y[:n])
        risks.append(nil[:m, 0])
        kept.append(nil[:m, 1])
    return counts, (np.concatenate(features), np.concatenate(tricks)), (np.concatenate(risks), np.concatenate(kept))


@njit
def _play(tables, r, seed, hands, side, trump, risk, x, y, nils):
    s = tables[0]
    tables_of = np.zeros(400, np.int64)
    index = np.zeros((400, 4), np.int64)
    places = np.zeros(400, np.int64)
    n, m = 0, 0
    walk = mix(seed)
    for _ in range(hands):
        walk = next_random(walk)
        new_game(s, r, mix(walk))
        dice = mix(walk ^ np.uint64(77))
        forced = below(dice & np.uint64(0xFFFFFFFF), 8)  # 0 … 3: this seat bids nil; 4, 5: nobody does
        k = USUAL if forced > 5 else NO_NILS
        nil_at = 0.0
        first = n
        won = np.uint64(0)
        notes = 0
        event = GOES_ON
        while event == GOES_ON:
            if s.phase == BID:
                if not forced - s.turn:
                    nil_at = nil_risk(s, r, np.int64(s.turn))
                    bid(s, r, BID_ZERO)
                else:
                    seat = np.int64(s.turn)
                    a = rule_bid(s, r, k)
                    if forced > 3 and a != BID_ZERO and n < len(x):
                        hand_features(s, r, seat, x[n])
                        y[n] = seat
                        n += 1
                    bid(s, r, a)
                continue
            if s.num_plays & 3 == 0:
                for seat in range(4):
                    nil = s.nils[seat] != NO_NIL
                    if nil and s.tricks[seat]:
                        continue
                    us = seat & 1
                    if not nil:
                        need = 0
                        for q in range(us, 4, 2):
                            if s.nils[q] == NO_NIL:
                                need += np.int64(s.bids[q]) - s.tricks[q]
                        if need <= 0:
                            continue
                    out = r.cards & ~(s.played | s.hands[seat])
                    for lane in range(4):
                        held = (s.hands[seat] >> np.uint64(16 * lane)) & LANE
                        guards = 0
                        while held:
                            i = trailing_zeros(held)
                            held &= held - ONE
                            t, a, b, c, d = lane_index(s.hands[seat], out, lane, i, guards, nil)
                            tables_of[notes] = t
                            index[notes, 0] = a
                            index[notes, 1] = b
                            index[notes, 2] = c
                            index[notes, 3] = d
                            places[notes] = 16 * lane + i
                            notes += 1
                            guards += 1
            event = play(s, r, rule_card(s, r, USUAL))
            if s.num_plays & 3 == 0:
                won |= ONE << np.uint64(s.best_place)
        for j in range(notes):
            table = side if tables_of[j] == 0 else trump if tables_of[j] == 1 else risk
            hit = (won >> np.uint64(places[j])) & ONE
            table[index[j, 0], index[j, 1], index[j, 2], index[j, 3], 0] += 1
            table[index[j, 0], index[j, 1], index[j, 2], index[j, 3], 1] += hit
        keep = first
        for j in range(first, n):
            seat = np.int64(y[j])
            if forced > 5:
                continue
            x[keep] = x[j]
            y[keep] = s.tricks[seat]
            keep += 1
        n = keep
        if forced < 4:
            nils[m, 0] = nil_at
            nils[m, 1] = s.tricks[forced] == 0
            m += 1
    return n, m


def fit_tricks(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Ridge regression of tricks on the hands' features."""
    x = x.astype(np.float64)
    gram = x.T @ x + RIDGE * np.eye(x.shape[1])
    weights = np.linalg.solve(gram, x.T @ y)
    rest = y - x @ weights
    pairs = rest[: len(rest) // 4 * 4].reshape(-1, 4)
    print(
        f"tricks: {len(y):,} hands, mean {y.mean():.3f}, standard deviation {y.std():.3f}, unexplained {rest.std():.3f}"
    )
    return weights


def fit_nils(risk: np.ndarray, kept: np.ndarray) -> tuple[float, float]:
    """Logistic regression of a nil's fate on its risk: chance = 1 / (1 + exp(b · risk − a))."""
    x = np.stack([np.ones_like(risk), -np.log(risk + 0.05)], 1).astype(np.float64)
    w = np.zeros(2)
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        w += np.linalg.solve((x.T * (p * (1 - p))) @ x + 1e-6 * np.eye(2), x.T @ (kept - p))
    p = 1 / (1 + np.exp(-x @ w))
    print(
        f"nils: {len(kept):,}, kept {kept.mean():.3f}; weights {w.round(3)}; of those above 60 %: {kept[p > 0.6].mean():.3f} ({(p > 0.6).mean():.3f} of all)"
    )
    return float(w[0]), float(w[1])


def write(counts: list[np.ndarray], tricks: np.ndarray, nil: tuple[float, float]) -> None:
    """The numbers as a module."""
    parts = [
        '"""The numbers of `rule`, printed by `fit_rule`: shares in thousandths, tricks in thousandths."""\n',
        "import numpy as np\n",
    ]
    for name, count in zip(("SIDE_HOPE", "TRUMP_HOPE", "NIL_RISK"), counts, strict=True):
        old = getattr(numbers, name)
        share = (count[..., 1] + PRIOR * old) / (count[..., 0] + PRIOR)
        parts.append(_table(name, share))
        print(name, f"{count[..., 0].sum():,.0f} cards, moved by {np.abs(share - old)[count[..., 0] > 200].mean():.4f}")
    parts.append(f"NUM_FEATURES = {numbers.NUM_FEATURES}\n")
    parts.append(_table("TRICKS", tricks))
    parts.append(f"NIL_CURVE = ({nil[0]:.4f}, {nil[1]:.4f})\n")
    write_text(FILE, "\n".join(parts))


def _table(name: str, values: np.ndarray) -> str:
    flat = np.rint(1000 * values).astype(int).reshape(-1, values.shape[-1] if values.ndim > 1 else 4)
    rows = "\n".join(" ".join(f"{v:4d}" for v in row) for row in flat)
    return f'{name} = (\n    np.array(\n        """\n{rows}\n""".split(),\n        np.float64,\n    ).reshape{values.shape}\n    / 1000\n)\n'


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m agents.fit_rule", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--hands", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    sys.exit(main())
