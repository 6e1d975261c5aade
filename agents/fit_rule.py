"""The numbers of `rule`, measured in its own games: `python -m agents.fit_rule --rounds 3`.

The recipe, one round after another, each playing by the numbers of the round before:

1. Random deals under every trump mode, mostly `normal`, `rule` at all seats. In a quarter of them nobody bids nil; in
   half of them one seat must, if its hand is not hopeless.
2. At the start of every trick each card is noted with how it stands (higher cards out, cards of its suit out, own cards
   below it), and after the hand whether it won a trick: SIDE_HOPE, TRUMP_HOPE, NIL_RISK, smoothed towards the last
   round's where cards are few.
3. Tricks taken, where nobody bid nil, are regressed on the hands: TRICKS. The fate of the nils is regressed on theirs,
   by logistic regression: NIL_WEIGHTS.
4. At random decisions the hidden cards are dealt anew WORLDS times, every candidate card is tried in each, and `rule`
   finishes the hands. The points are regressed on what speaks for each card: PLAY_WEIGHTS, near the last round's.

SWING is computed, not measured: tricks to come scatter about the side's hopes like a normal curve. (Two ways to measure
it were tried, and made the bot weaker: see LOG.md.)
"""

import argparse
import math
import os
import subprocess
import sys

import numpy as np
from safetensors.numpy import save_file

from agents import rule_numbers as numbers
from agents.rule_bid import NUM_NIL_FEATURES, hand_features, nil_chance, nil_features, rule_bid
from agents.rule_play import (
    MARGIN_STEP,
    MARGIN_ZERO,
    USUAL,
    card_features,
    lane_hope,
    lane_index,
    look_round,
    rule_card,
    without_equals,
)
from agents.worlds import deal_world, new_plan, plan_worlds
from spades_env import Rules
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import BID_ZERO, TRUMP_ORDERS
from spades_env.engine import below, bid, legal_cards, mix, new_game, next_random, play
from spades_env.observe import blank
from spades_env.state import BID, GOES_ON, LANE, NO_NIL, ONE, compile_rules, new_tables

NO_NILS = USUAL._replace(nil_trust=0.0)
PRIOR = 30.0  # cards' worth of the last round's share
RIDGE = 20.0
HOPELESS = 0.1  # a chance below which no nil is tried
WORLDS = 40
POINT = 1 / 1100  # of the chance to win, near the start of a game
BAG = 11.0  # points: its own and what it costs
NEAR = 300.0  # how strongly the weights are held to the last round's
SCATTER = 0.8  # how far tricks scatter, against the toss of a coin for each: players steer towards their bids


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    if options.rounds > 1:  # kernels take the numbers in when they are compiled: each round is a process
        for i in range(options.rounds):
            command = [sys.executable, "-m", "agents.fit_rule", "--hands", str(options.hands)]
            subprocess.run([*command, "--seed", str(options.seed + i)], check=True)
        return 0
    counts, hands, nils = collect(options.hands, options.seed)
    tables = hopes(counts)
    tables["tricks"] = fit_tricks(*hands)
    tables["nil_weights"] = fit_nils(*nils)
    tables["play_weights"] = fit_play(*try_cards(options.hands // 40, options.seed))
    tables["swing"] = swing_table()
    part = numbers.FILE.with_suffix(".part")
    save_file({name: np.ascontiguousarray(table, np.float32) for name, table in tables.items()}, part)
    os.replace(part, numbers.FILE)
    return 0


# Cards, tricks, nils


def collect(hands: int, seed: int):
    """Play, and note: the fates of cards, (features, tricks) of hands, (features, kept) of nils."""
    counts = [np.zeros((*table.shape, 2)) for table in (numbers.SIDE_HOPE, numbers.TRUMP_HOPE, numbers.NIL_RISK)]
    found: list[list[np.ndarray]] = [[], [], [], []]
    for i, mode in enumerate(TRUMP_ORDERS):
        share = hands if mode == "normal" else hands // 8
        r = compile_rules(Rules(trumps=mode, blind_nil_deficit=None))[0]
        x, y = np.zeros((4 * share, numbers.NUM_FEATURES), np.float32), np.zeros(4 * share, np.float32)
        nils, kept = np.zeros((share, NUM_NIL_FEATURES), np.float32), np.zeros(share, np.float32)
        n, m = _play_hands(new_tables(1), r, np.uint64(1000 * seed + i), share, *counts, x, y, nils, kept)
        for whole, part in zip(found, (x[:n], y[:n], nils[:m], kept[:m]), strict=True):
            whole.append(part)
    x, y, nils, kept = (np.concatenate(parts).astype(np.float64) for parts in found)
    return counts, (x, y), (nils, kept)


@njit
def _play_hands(tables, r, seed, hands, side, trump, risk, x, y, nils, kept):
    """Fills the counts and, from the front, the rows; returns how many rows of hands and of nils."""
    s = tables[0]
    notes = np.zeros((400, 6), np.int64)
    n, m = 0, 0
    walk = mix(seed)
    for _ in range(hands):
        walk = next_random(walk)
        new_game(s, r, mix(walk))
        kind = below(mix(walk ^ ONE) & np.uint64(0xFFFFFFFF), 8)  # 0 … 3: this seat bids nil; 4, 5: nobody does
        first, forced = n, False
        while s.phase == BID:
            seat = np.int64(s.turn)
            if kind == seat and nil_chance(s, r, seat) > HOPELESS:
                nil_features(s, r, seat, nils[m])
                forced = True
                bid(s, r, BID_ZERO)
                continue
            if kind == 4 or kind == 5:
                hand_features(s, r, seat, x[n])
                y[n] = seat
                n += 1
            bid(s, r, rule_bid(s, r, NO_NILS if kind == 4 or kind == 5 else USUAL))
        count, won, event = 0, np.uint64(0), GOES_ON
        while event == GOES_ON:
            if s.num_plays & 3 == 0:
                count = _note_cards(s, r, notes, count)
            event = play(s, r, rule_card(s, r, USUAL))
            if s.num_plays & 3 == 0:
                won |= ONE << np.uint64(s.best_place)
        for i in range(count):
            t, a, b, c, d, place = notes[i]
            table = side if t == 0 else trump if t == 1 else risk
            table[a, b, c, d, 0] += 1
            table[a, b, c, d, 1] += (won >> np.uint64(place)) & ONE
        for i in range(first, n):
            y[i] = s.tricks[np.int64(y[i])]
        if forced:
            kept[m] = s.tricks[kind] == 0
            m += 1
    return n, m


@njit
def _note_cards(s, r, notes, count):
    """How every card stands of those who need tricks, and of living nils."""
    for seat in range(4):
        nil = s.nils[seat] != NO_NIL
        if (nil and s.tricks[seat]) or (not nil and not _needs(s, seat)):
            continue
        out = r.cards & ~(s.played | s.hands[seat])
        for lane in range(4):
            held = (s.hands[seat] >> np.uint64(16 * lane)) & LANE
            guards = 0
            while held:
                i = trailing_zeros(held)
                held &= held - ONE
                t, a, b, c, d = lane_index(s.hands[seat], out, lane, i, guards, nil)
                notes[count, 0], notes[count, 1], notes[count, 2] = t, a, b
                notes[count, 3], notes[count, 4], notes[count, 5] = c, d, 16 * lane + i
                count += 1
                guards += 1
    return count


@njit
def _needs(s, seat):
    """Does the seat's side still need tricks?"""
    need = 0
    for other in range(seat & 1, 4, 2):
        if s.nils[other] == NO_NIL:
            need += np.int64(s.bids[other]) - s.tricks[other]
    return need > 0


def hopes(counts: list[np.ndarray]) -> dict[str, np.ndarray]:
    """The shares of cards that won."""
    tables = {}
    for name, count in zip(("side_hope", "trump_hope", "nil_risk"), counts, strict=True):
        old = getattr(numbers, name.upper())
        tables[name] = (count[..., 1] + PRIOR * old) / (count[..., 0] + PRIOR)
        moved = np.abs(tables[name] - old)[count[..., 0] > 200].mean()
        print(f"{name}: {count[..., 0].sum():,.0f} cards; where they are many, moved by {moved:.4f}")
    return tables


def fit_tricks(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Ridge regression of tricks on the hands' features."""
    weights = np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y)
    print(f"tricks: {len(y):,} hands, standard deviation {y.std():.3f}, unexplained {(y - x @ weights).std():.3f}")
    return weights


def fit_nils(x: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Logistic regression of a nil's fate, by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(15):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (kept - p) - weights
        weights += np.linalg.solve((x.T * (p * (1 - p))) @ x + np.eye(x.shape[1]), slope)
    p = 1 / (1 + np.exp(-x @ weights))
    sure = p > 0.7
    print(f"nils: {len(kept):,} tried, {kept.mean():.3f} kept; {sure.sum():,} above 70 %: {kept[sure].mean():.3f} kept")
    return weights


# Cards tried


def try_cards(hands: int, seed: int):
    """Candidates of random decisions: features[n], points[n], kind of decision[n], its number[n]."""
    r = compile_rules(Rules(blind_nil_deficit=None))[0]
    most = 200 * hands
    x, y = np.zeros((most, len(numbers.PLAY_WEIGHTS[0])), np.float32), np.zeros(most, np.float32)
    group, number = np.zeros(most, np.int64), np.zeros(most, np.int64)
    tables = [new_tables(1) for _ in range(4)]
    n = _try_hands(*tables, r, new_plan(), np.uint64(seed), hands, x, y, group, number)
    return x[:n].astype(np.float64) / POINT, y[:n].astype(np.float64), group[:n], number[:n]


@njit
def _try_hands(tables, views, worlds, trial, r, plan, seed, hands, x, y, group, number):
    s = tables[0]
    walk = mix(seed ^ np.uint64(0x5EED))
    values = np.zeros(64)
    n, decisions = 0, 0
    for _ in range(hands):
        walk = next_random(walk)
        new_game(s, r, mix(walk))
        event = GOES_ON
        while event == GOES_ON:
            if s.phase == BID:
                bid(s, r, rule_bid(s, r, USUAL))
                continue
            walk = next_random(walk)
            legal = legal_cards(s, r)
            if legal & (legal - ONE) and mix(walk) & np.uint64(3) == 0 and n + 13 <= len(x):
                walk = _try_all(tables, views, worlds, trial, r, plan, legal, walk, values)
                n = _note_candidates(s, r, legal, values, decisions, x, y, group, number, n)
                decisions += 1
            event = play(s, r, rule_card(s, r, USUAL))
    return n


@njit
def _try_all(tables, views, worlds, trial, r, plan, legal, walk, values):
    """values[place]: the side's points in the mean over worlds, a bag's cost counted."""
    us = tables[0].turn & 1
    blank(tables, 0, tables[0].turn, views, 0)
    plan_worlds(views[0], r, plan[0])
    values[:] = 0
    for _ in range(WORLDS):
        walk = deal_world(views, 0, r, plan[0], worlds, 0, walk)
        rest = legal
        while rest:
            place = trailing_zeros(rest)
            rest &= rest - ONE
            trial[0] = worlds[0]
            event = play(trial[0], r, place)
            while event == GOES_ON:
                event = play(trial[0], r, rule_card(trial[0], r, USUAL))
            points = trial[0].points[us] - trial[0].points[us ^ 1]
            values[place] += (points - BAG * (trial[0].overtricks[us] - trial[0].overtricks[us ^ 1])) / WORLDS
    return walk


@njit
def _note_candidates(s, r, legal, values, decision, x, y, group, number, n):
    sight = look_round(s, r, USUAL)
    for lane in range(4):
        cards = (legal >> np.uint64(16 * lane)) & LANE
        held = (s.hands[s.turn] >> np.uint64(16 * lane)) & LANE
        now = lane_hope(held, sight.out, lane, sight.voids, sight.nil)
        while cards:
            i = trailing_zeros(cards)
            cards = without_equals(cards, sight.apart >> np.uint64(16 * lane))
            features = card_features(s, sight, held, lane, i, now, USUAL)
            for j in range(len(features)):
                x[n, j] = features[j]
            y[n], group[n], number[n] = values[16 * lane + i], sight.group, decision
            n += 1
    return n


def fit_play(x: np.ndarray, y: np.ndarray, group: np.ndarray, number: np.ndarray) -> np.ndarray:
    """For each kind of decision, ridge regression about the last weights; a decision's mean does not matter."""
    size = np.bincount(number)
    x = x - np.stack([(np.bincount(number, column) / size)[number] for column in x.T], 1)
    y = y - (np.bincount(number, y) / size)[number]
    even = 1 / (np.sqrt(np.bincount(number, y**2) / size)[number] + 10)  # decisions of large swings count less
    weights = numbers.PLAY_WEIGHTS.copy()
    for g in range(len(weights)):
        mine = group == g
        if mine.sum() < 300:
            continue
        a, b = x[mine] * even[mine, None], y[mine] * even[mine]
        ridge = NEAR * np.diag((a**2).mean(0) + 1e-4)
        weights[g] += np.linalg.solve(a.T @ a + ridge, a.T @ (b - a @ weights[g]))
    print(f"play: {number[-1] + 1:,} decisions, weights moved by {np.abs(weights - numbers.PLAY_WEIGHTS).mean():.3f}")
    return weights


def swing_table() -> np.ndarray:
    """float64[13, 8, 8, 8, 4]: from the normal curve, what winning a trick changes."""
    out = np.zeros((13, 8, 8, 8, 4))
    for rest, need, theirs, step in np.ndindex(13, 8, 8, 8):
        hope = min(max(need + (step - MARGIN_ZERO) * MARGIN_STEP, 0), rest)
        share = hope / rest if rest else 0
        deviation = max(0.25, SCATTER * math.sqrt(rest * max(share * (1 - share), 0.05)))
        out[rest, need, theirs, step] = (
            _between(need - 1, need - 1, hope, deviation) * (0 < need <= rest + 1),
            -_between(theirs - 1, theirs - 1, rest - hope, deviation) * (0 < theirs <= rest + 1),
            _between(need, 99, hope, deviation) * (need <= rest),
            -_between(theirs, 99, rest - hope, deviation) * (theirs <= rest),
        )
        if rest == 0:
            out[rest, need, theirs, step] = need == 1, -(theirs == 1), need == 0, -(theirs == 0)
    return out


def _between(low: int, high: int, mean: float, deviation: float) -> float:
    """The chance of a whole number from low to high."""
    above, under = ((edge - mean) / deviation / math.sqrt(2) for edge in (high + 0.5, low - 0.5))
    return (math.erf(above) - math.erf(under)) / 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m agents.fit_rule", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    sys.exit(main())
