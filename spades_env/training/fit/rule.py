"""Fit the numbers of `rule`: how often its cards win tricks in its own games, and how many tricks its hands take.

The bot plays by the numbers of the fit before, so the fit is repeated, with another seed each time, until they settle:

1. Random deals under every trump mode, mostly `normal`, with `rule` at all seats. In a quarter of them nobody bids nil;
   in half of them one seat must, if its hand is not hopeless.
2. At the start of every trick each card is recorded with its standing (higher cards out, cards of its suit out, own
   cards below it), and after the hand whether it won a trick: SIDE_HOPE, TRUMP_HOPE, NIL_RISK, smoothed towards the
   previous numbers where cards are few.
3. Tricks taken, where nobody bid nil, are regressed on the hands: TRICKS.
"""

from typing import NamedTuple

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.agents.baselines.bis import nil_chance
from spades_env.agents.rule import tables
from spades_env.agents.rule.bid import hand_features, rule_bid
from spades_env.agents.rule.chances import lane_index
from spades_env.agents.rule.play import USUAL, rule_card
from spades_env.game.bidding import call
from spades_env.game.cards import BID_ZERO, TRUMP_ORDERS
from spades_env.game.engine import below, mix, new_game, next_random, play
from spades_env.game.rules import Rules
from spades_env.game.state import BID, GOES_ON, LANE, NO_NIL, ONE, compile_rules, new_tables

OPTIONS = {"hands": (200_000, "under normal trumps; an eighth under each other mode")}  # name -> default, help
NO_NILS = USUAL._replace(nil_trust=0.0)
PRIOR = 30.0  # weight of the previous number, in cards
RIDGE = 20.0
HOPELESS = 0.1  # a chance below which no nil is tried


class Counts(NamedTuple):
    """How often cards were held and won a trick, by how they stood: float64[..., 2] for each table."""

    side: np.ndarray
    trump: np.ndarray
    risk: np.ndarray


class Samples(NamedTuple):
    """The features of dealt hands, float[N, NUM_FEATURES], and their tricks, float[N]."""

    features: np.ndarray
    tricks: np.ndarray


def learn(hands: int, seed: int) -> dict[str, np.ndarray]:
    counts, samples = collect(hands, seed)
    return hopes(counts) | {"tricks": fit_tricks(*samples)}


def collect(hands: int, seed: int) -> tuple[Counts, Samples]:
    """Play hands under every trump mode."""
    counts = Counts(*(np.zeros((*old.shape, 2)) for old in (tables.SIDE_HOPE, tables.TRUMP_HOPE, tables.NIL_RISK)))
    found = []
    for i, mode in enumerate(TRUMP_ORDERS):
        share = hands if mode == "normal" else hands // 8
        r = compile_rules(Rules(trumps=mode, blind_nil_deficit=None))[0]
        rows = Samples(np.zeros((4 * share, tables.NUM_FEATURES), np.float32), np.zeros(4 * share, np.float32))
        n = _play_hands(new_tables(1), r, np.uint64(1000 * seed + i), share, counts, rows)
        found.append([part[:n] for part in rows])
    return counts, Samples(*(np.concatenate(parts).astype(np.float64) for parts in zip(*found, strict=True)))


@njit
def _play_hands(states, r, seed, hands, counts, rows):
    """Fill the counts and, from the front, the rows; return how many rows."""
    s = states[0]
    records = np.zeros((400, 6), np.int64)
    n = 0
    walk = mix(seed)
    for _ in range(hands):
        walk = next_random(walk)
        new_game(s, r, mix(walk))
        kind = below(mix(walk ^ ONE) & np.uint64(0xFFFFFFFF), 8)  # 0 … 3: this seat bids nil; 4, 5: nobody does
        first = n
        n = _bid_all(s, r, kind, rows, first)
        count, won = _play_all(s, r, records)
        for i in range(count):
            t, a, b, c, d, place = records[i]
            table = counts.side if t == 0 else counts.trump if t == 1 else counts.risk
            table[a, b, c, d, 0] += 1
            table[a, b, c, d, 1] += (won >> np.uint64(place)) & ONE
        for i in range(first, n):
            rows.tricks[i] = s.tricks[np.int64(rows.tricks[i])]
    return n


@njit
def _bid_all(s, r, kind, rows, n):
    """Make all bids; where nobody bids nil, write each hand's features, and its seat as its tricks, from row n on."""
    no_nils = kind == 4 or kind == 5
    while s.phase == BID:
        seat = np.int64(s.turn)
        if kind == seat and nil_chance(r, s.hands[seat]) > HOPELESS:
            call(s, r, BID_ZERO)
            continue
        if no_nils:
            hand_features(s, r, seat, rows.features[n])
            rows.tricks[n] = seat
            n += 1
        call(s, r, rule_bid(s, r, NO_NILS if no_nils else USUAL))
    return n


@njit
def _play_all(s, r, records):
    """Play all cards; return how many records were made, and the places of all cards that won a trick."""
    count, won, event = 0, np.uint64(0), GOES_ON
    while event == GOES_ON:
        if s.num_plays & 3 == 0:
            count = _record_cards(s, r, records, count)
        event = play(s, r, rule_card(s, r, USUAL))
        if s.num_plays & 3 == 0:
            won |= ONE << np.uint64(s.best_place)
    return count, won


@njit
def _record_cards(s, r, records, count):
    """Record every card of seats that need tricks and of living nils; return how many records there are."""
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
                records[count, 0], records[count, 1], records[count, 2] = t, a, b
                records[count, 3], records[count, 4], records[count, 5] = c, d, 16 * lane + i
                count += 1
                guards += 1
    return count


@njit
def _needs(s, seat):
    """Return whether the seat's side still needs tricks."""
    need = 0
    for other in range(seat & 1, 4, 2):
        if s.nils[other] == NO_NIL:
            need += np.int64(s.bids[other]) - s.tricks[other]
    return need > 0


def hopes(counts: Counts) -> dict[str, np.ndarray]:
    """Return the shares of cards that won; print how far they moved."""
    shares = {}
    for name, count in zip(("side_hope", "trump_hope", "nil_risk"), counts, strict=True):
        old = getattr(tables, name.upper())
        shares[name] = (count[..., 1] + PRIOR * old) / (count[..., 0] + PRIOR)
        many = count[..., 0] > 200
        moved = np.abs(shares[name] - old)[many].mean() if many.any() else 0.0
        print(f"{name}: {count[..., 0].sum():,.0f} cards; where they are many, moved by {moved:.4f}")
    return shares


def fit_tricks(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Regress tricks on the hands' features (ridge regression)."""
    weights = np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y)
    print(f"tricks: {len(y):,} hands, standard deviation {y.std():.3f}, unexplained {(y - x @ weights).std():.3f}")
    return weights
