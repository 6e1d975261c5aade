"""A learned player: a level's network, asked about what its seat observes.

    features(batch)           int8[N, 1159]   what the seats to move observe, with insight
    masks(batch)              int8[N, 70]     what they may do
    logits(level, features)   float32[N, 70]  what the network thinks of every action
    values(level, features)   float32[N]      what it thinks of the position
    log_probs(logits, mask)   float64[N, 70]  … as chances among the legal actions

At temperature 0 it does what the network likes best; else it draws from softmax(logits / temperature).

The products are kernels of our own, not numpy's. A matrix product of numpy sums in another order when there are other
rows beside a row, so that now and then a move would depend on the size of a batch; and it takes threads of its own,
where the arena already keeps every core busy. Most features are zero and ReLU makes more, so skipping them costs
nothing: one position is twice as fast as with numpy, a thousand are as fast.
"""

import math
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from agents.base import Agent, Batch, Hint
from agents.insight import NUM_INPUTS, write_insight
from agents.level import Level, Network, checked_temperature
from agents.names import Word
from agents.suits import (
    COLUMNS,
    LANE_INPUTS,
    LANES,
    NUM_CARD_LOGITS,
    NUM_LOGITS,
    NUM_OTHERS,
    PLACES,
    PLACES_A_LANE,
    mode_of,
)
from spades_env._jit import njit
from spades_env.cards import NUM_ACTIONS
from spades_env.engine import mix, write_mask
from spades_env.observe import NUM_FEATURES, TABLE_SIZE, compiled_rules_features, write_features

MOST_AT_ONCE = 4096  # positions: 12 MB of features in float32 at most
MOST_KEPT = 16  # levels in memory
TILE = 16  # positions at once
EIGHT = 8
FOUR = 4
MOST_IN_A_LIST = max(LANE_INPUTS, NUM_OTHERS) + EIGHT


def _ways() -> tuple[np.ndarray, np.ndarray]:
    """int64[modes, NUM_INPUTS] twice: the lane of a feature, LANES for the others, −1 if left out; its place there."""
    groups, rows = np.full((2, len(COLUMNS), NUM_INPUTS), -1, np.int64)
    for mode, columns in enumerate(COLUMNS):
        told = np.flatnonzero(columns < NUM_INPUTS)
        groups[mode, columns[told]] = np.minimum(told // LANE_INPUTS, LANES)
        rows[mode, columns[told]] = told - np.minimum(told // LANE_INPUTS, LANES) * LANE_INPUTS
    return groups, rows


GROUPS, ROWS = _ways()


class NetworkAgent(Agent):
    """It plays a level; `temperature` None: at the level's own."""

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
            _pick_all(logits(self.level, features(part)), masks(part), self.temperature, walks, out[some])
        return out

    def _weigh(self, batch: Batch) -> Hint:
        """The chances it gives the legal actions (at temperature 1 where it plays its best)."""
        mask = masks(batch)
        chances = np.exp(log_probs(logits(self.level, features(batch)) / (self.temperature or 1), mask))[0]
        return [(int(action), float(chances[action])) for action in np.flatnonzero(mask[0])]


def make(word: Word, seed: int) -> Agent:
    """The agent that plays the level of this name or in this file."""
    if word.level is None or word.setting:
        raise word.refuse("it takes no setting")
    if any(option.partition(":")[0] == "search" for option in word.options):
        from agents import level_search

        return level_search.make(word, _read(word.level), seed)
    temperature = None
    for option in word.options:
        name, _, value = option.partition(":")
        if name != "temperature" or len(word.options) > 1:
            raise word.refuse(f"+{option} is no option of it, +temperature:T or +search:K is (once)")
        temperature = checked_temperature(value)
    return NetworkAgent(word.text, _read(word.level), temperature, seed)


def _read(path: Path) -> Level:
    """The level in a file, read again only when the file has changed: environments load their agents at every reset."""
    if not path.is_file():
        return Level.read(path)  # which says so
    found = path.stat()
    return _read_once(path.absolute(), (found.st_mtime_ns, found.st_size, found.st_ino))


@lru_cache(maxsize=MOST_KEPT)
def _read_once(path: Path, version: tuple[int, ...]) -> Level:
    return Level.read(path)


def features(batch: Batch) -> np.ndarray:
    """int8[N, NUM_INPUTS]: what each seat to move observes, and what follows from it."""
    out = np.empty((len(batch), NUM_INPUTS), np.int8)
    _write_features(batch.tables, batch.rules, batch.rules_of, compiled_rules_features(batch.rules), out)
    return out


def masks(batch: Batch) -> np.ndarray:
    """int8[N, NUM_ACTIONS]: what each seat to move may do."""
    out = np.empty((len(batch), NUM_ACTIONS), np.int8)
    _write_masks(batch.tables, batch.rules, batch.rules_of, out)
    return out


def logits(level: Level, features: np.ndarray) -> np.ndarray:
    """int8 or float32[N, NUM_INPUTS] -> float32[N, NUM_ACTIONS]: what the network thinks of every action."""
    return _run(level, features)[0]


def values(level: Level, features: np.ndarray) -> np.ndarray:
    """int8 or float32[N, NUM_INPUTS] -> float32[N]: what the network thinks the positions are worth."""
    return _run(level, features)[1]


def log_probs(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """float[N, NUM_ACTIONS] and its mask -> float64: logarithms of the chances of legal actions, −inf for others."""
    masked = np.where(mask, logits.astype(np.float64), -np.inf)
    masked -= masked.max(axis=1, keepdims=True)
    return masked - np.log(np.exp(masked).sum(axis=1, keepdims=True))


def _run(level: Level, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logits and values."""
    out = np.empty((len(features), NUM_ACTIONS), np.float32), np.empty(len(features), np.float32)
    _think(features, level.network, _work(level.network, min(len(features), TILE)), GROUPS, ROWS, PLACES, *out)
    return out


class Work(NamedTuple):
    """Room for the numbers of some positions: T of them, and four suits for each."""

    at: np.ndarray  # int64[T, 5, …]: rows of weights that a position's features call for, by lane; behind, the others'
    by: np.ndarray  # float32, likewise: … and what is in those features
    count: np.ndarray  # int64[T, 5]: how many
    suits: np.ndarray  # [4 T, E]
    cards: np.ndarray  # [4 T, E]
    cards2: np.ndarray  # [4 T, E]
    places: np.ndarray  # [4 T, 16]
    sums: np.ndarray  # [T, 2 E]
    table: np.ndarray  # [T, W]
    table2: np.ndarray  # [T, W]
    told: np.ndarray  # [T, E]: the suits' part of the table
    heads: np.ndarray  # [T, 17]


def _work(net: Network, tile: int) -> Work:
    lists, suit, table = (tile, LANES + 1, MOST_IN_A_LIST), len(net.suits_bias), len(net.table_bias)
    sizes = [(LANES * tile, suit)] * 3 + [(LANES * tile, net.places.shape[1])]
    sizes += [(tile, 2 * suit), (tile, table), (tile, table), (tile, suit), (tile, len(net.heads_bias))]
    numbers = [np.empty(size, np.float32) for size in sizes]
    return Work(np.empty(lists, np.int64), np.empty(lists, np.float32), np.empty(lists[:2], np.int64), *numbers)


@njit
def _think(features, net, work, groups, rows, places, logits, values):
    """Some positions at a time; all of them go through a layer before the next, whose weights then are at hand."""
    for start in range(0, len(features), TILE):
        end = min(start + TILE, len(features))
        _think_some(features[start:end], net, work, groups, rows, places, logits[start:end], values[start:end])


@njit
def _think_some(features, net, work, groups, rows, places, logits, values):
    count = len(features)
    suits, cards, cards2 = work.suits[: LANES * count], work.cards[: LANES * count], work.cards2[: LANES * count]
    sums, table, table2, told = work.sums[:count], work.table[:count], work.table2[:count], work.told[:count]
    cards_out, heads = work.places[: LANES * count], work.heads[:count]
    for n in range(count):
        mode = mode_of(features[n])
        _list(features[n], groups[mode], rows[mode], work.at[n], work.by[n], work.count[n])
    for n in range(count):
        for lane in range(LANES):
            row = suits[LANES * n + lane]
            row[:] = net.suits_bias
            _add_listed(work.at[n, lane], work.by[n, lane], work.count[n, lane], net.suits, row)
    _relu(suits)
    _sum_suits(suits, sums)
    for n in range(count):
        table[n] = net.table_bias
        _add_listed(work.at[n, LANES], work.by[n, LANES], work.count[n, LANES], net.table_others, table[n])
    _add_product(sums, net.table_suits, table)
    _relu(table)
    table2[:] = net.table2_bias
    _add_product(table, net.table2, table2)
    _relu(table2)
    told[:] = net.cards_bias
    _add_product(table2, net.cards_table, told)
    for n in range(count):
        for lane in range(LANES):
            row = cards[LANES * n + lane]
            row[:] = told[n]
            _add_listed(work.at[n, lane], work.by[n, lane], work.count[n, lane], net.cards_lane, row)
    _add_product(suits, net.cards_suit, cards)
    _relu(cards)
    cards2[:] = net.cards2_bias
    _add_product(cards, net.cards2, cards2)
    _relu(cards2)
    cards_out[:] = net.places_bias
    _add_product(cards2, net.places, cards_out)
    heads[:] = net.heads_bias
    _add_product(table2, net.heads, heads)
    for n in range(count):
        mode = mode_of(features[n])
        for action in range(NUM_ACTIONS):
            place = places[mode, action]
            if place < NUM_CARD_LOGITS:
                logits[n, action] = cards_out[LANES * n + place // PLACES_A_LANE, place % PLACES_A_LANE]
            else:
                logits[n, action] = heads[n, place - NUM_CARD_LOGITS]
        values[n] = heads[n, NUM_LOGITS - NUM_CARD_LOGITS]


@njit
def _list(x, groups, rows, at, by, count):
    """The features that are not zero, each in the list of its lane or in that of the others."""
    used = np.empty(NUM_INPUTS, np.int64)
    found = 0
    for i in range(NUM_INPUTS):
        used[found] = i
        found += x[i] != 0
    count[:] = 0
    for k in range(found):
        i = used[k]
        group = groups[i]
        if group >= 0:
            at[group, count[group]] = rows[i]
            by[group, count[group]] = x[i]
            count[group] += 1
    trumps = LANES - 1
    at[trumps, count[trumps]] = LANE_INPUTS - 1
    by[trumps, count[trumps]] = 1
    count[trumps] += 1


@njit
def _sum_suits(suits, sums):
    """Trumps, and behind them the sum of the others."""
    width = suits.shape[1]
    for n in range(len(sums)):
        for j in range(width):
            sums[n, j] = suits[LANES * n + LANES - 1, j]
            sums[n, width + j] = suits[LANES * n, j] + suits[LANES * n + 1, j] + suits[LANES * n + 2, j]


@njit
def _relu(x):
    for n in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[n, j] = max(x[n, j], np.float32(0))


@njit
def _add_listed(at, by, count, weight, row):
    """row += Σ by · weight[at]"""
    for k in range(count, -(-count // EIGHT) * EIGHT):
        at[k], by[k] = 0, 0
    for k in range(0, count, EIGHT):
        a, b, c, d, e, f, g, h = by[k], by[k + 1], by[k + 2], by[k + 3], by[k + 4], by[k + 5], by[k + 6], by[k + 7]
        p, q, r, s, t, u, v, w = at[k], at[k + 1], at[k + 2], at[k + 3], at[k + 4], at[k + 5], at[k + 6], at[k + 7]
        for j in range(len(row)):
            row[j] += (
                a * weight[p, j]
                + b * weight[q, j]
                + c * weight[r, j]
                + d * weight[s, j]
                + e * weight[t, j]
                + f * weight[u, j]
                + g * weight[v, j]
                + h * weight[w, j]
            )


@njit
def _add_product(x, weight, out):
    """out += x @ weight, every row by itself but four of them in one sweep: [N, 4 K], [4 K, M], [N, M]"""
    four = len(x) // FOUR * FOUR
    for n in range(0, four, FOUR):
        for k in range(0, x.shape[1], FOUR):
            _add_four(x, weight, out, n, k)
    for n in range(four, len(x)):
        for k in range(0, x.shape[1], FOUR):
            _add_one(x, weight, out, n, k)


@njit
def _add_four(x, weight, out, n, k):
    """Four rows from n on, four inputs from k on."""
    n, k = np.uint64(n), np.uint64(k)
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    a, b, c, d = x[n, k], x[n, k + one], x[n, k + two], x[n, k + three]
    e, f, g, h = x[n + one, k], x[n + one, k + one], x[n + one, k + two], x[n + one, k + three]
    p, q, r, s = x[n + two, k], x[n + two, k + one], x[n + two, k + two], x[n + two, k + three]
    t, u, v, w = x[n + three, k], x[n + three, k + one], x[n + three, k + two], x[n + three, k + three]
    for j in range(out.shape[1]):
        first, second, third, fourth = weight[k, j], weight[k + one, j], weight[k + two, j], weight[k + three, j]
        out[n, j] += a * first + b * second + c * third + d * fourth
        out[n + one, j] += e * first + f * second + g * third + h * fourth
        out[n + two, j] += p * first + q * second + r * third + s * fourth
        out[n + three, j] += t * first + u * second + v * third + w * fourth


@njit
def _add_one(x, weight, out, n, k):
    """One row, four inputs from k on."""
    n, k = np.uint64(n), np.uint64(k)
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    a, b, c, d = x[n, k], x[n, k + one], x[n, k + two], x[n, k + three]
    for j in range(out.shape[1]):
        out[n, j] += a * weight[k, j] + b * weight[k + one, j] + c * weight[k + two, j] + d * weight[k + three, j]


@njit
def _write_features(tables, rules, rules_of, told, out):
    """told: int8[K, …], the features that each of the rules decides."""
    for i in range(len(tables)):
        write_features(tables[i], rules[rules_of[i]], tables[i].turn, out[i])
        out[i, TABLE_SIZE:NUM_FEATURES] = told[rules_of[i]]
        write_insight(tables[i], rules[rules_of[i]], tables[i].turn, out[i, NUM_FEATURES:])


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
    """The legal action with the highest logit, the lowest of equals."""
    best = -1
    for action in range(NUM_ACTIONS):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    return best


@njit
def _drawn(logits, mask, highest, temperature, walk):
    """A legal action, by chance."""
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
    """How likely an action is, the likeliest being 1."""
    return math.exp(np.float64(logit - highest) / temperature)
