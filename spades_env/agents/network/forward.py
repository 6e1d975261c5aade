"""The forward pass of a level's network (the formula: agents/network/level.py), in kernels.

    network_of(tensors)        arranges the weights for the kernels, once for a level
    think(net, sights)         int8[N, NUM_SIGHT] → logits float32[N, 70]

numpy's products are no use here: their order of summation depends on the other rows of a batch, so a move could depend
on the size of the batch; and they start threads of their own, while the arena already keeps every core busy. These
kernels give the same bits whatever else is in the batch.

Few inputs are not 0: these are listed, lane by lane, and their rows of weights are added up. The outputs of a layer are
multiplied in blocks, four rows with 16 columns at a time (`add_product`). Several positions go through a layer
together, so that its weights stay in the processor's cache.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from spades_env._jit import BLOCK_COLUMNS, BLOCK_ROWS, add_product, njit
from spades_env.agents.network.rows import (
    LANES,
    NUM_CALLS,
    NUM_CARD_LOGITS,
    NUM_OTHERS,
    NUM_SIGHT,
    PLACES,
    PLACES_A_LANE,
    POLICY_LANE,
    SIGHT,
    mode_of,
)
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.state import TRUMP_LANE
from spades_env.precomputed import precomputed

TOGETHER = 16  # positions
SWEEP = 8  # listed inputs that are added up at once
OTHERS = LANES  # the number of the list after those of the lanes


class Network(NamedTuple):
    """The weights, split by where inputs come from; E and W are padded to whole blocks with units that are always 0.

    The weights of listed inputs are by row, float32[inputs, outputs]; others in panels, [outputs / 16, inputs, 16].
    """

    suits: np.ndarray  # by row: L → E
    suits_bias: np.ndarray
    table_others: np.ndarray  # by row: G → W
    table_suits: np.ndarray  # 2 E → W
    table_bias: np.ndarray
    table2: np.ndarray  # W → W
    table2_bias: np.ndarray
    cards_lane: np.ndarray  # by row: L → E
    cards_suit: np.ndarray  # E → E
    cards_table: np.ndarray  # W → E
    cards_bias: np.ndarray
    cards2: np.ndarray  # E → E
    cards2_bias: np.ndarray
    places: np.ndarray  # E → 16
    places_bias: np.ndarray
    bids: np.ndarray  # W → 16
    bids_bias: np.ndarray


class Work(NamedTuple):
    """Work space for T positions, the four suits of each in adjacent rows."""

    found: np.ndarray  # int64[NUM_SIGHT]: the inputs of one position that are not 0
    at: np.ndarray  # int64[T, 5, …]: their numbers, lane by lane, then the others
    by: np.ndarray  # float32[T, 5, …]: their values
    listed: np.ndarray  # int64[T, 5]: the lengths of the lists
    suits: np.ndarray  # [4 T, E]
    cards: np.ndarray  # [4 T, E]
    cards2: np.ndarray  # [4 T, E]
    places: np.ndarray  # [4 T, 16]
    sums: np.ndarray  # [T, 2 E]: trumps, and the sum of the other suits
    table: np.ndarray  # [T, W]
    table2: np.ndarray  # [T, W]
    from_table: np.ndarray  # [T, E]: the table's share of what every suit reads
    bids: np.ndarray  # [T, 16]


def network_of(tensors: Mapping[str, np.ndarray]) -> Network:
    """Arrange the weights of a level for the kernels."""
    suit_width, e = len(tensors["suits.bias"]), _whole_blocks(len(tensors["suits.bias"]))
    w = _whole_blocks(len(tensors["table.bias"]))
    others, trumps, sides = np.split(tensors["table.weight"], [NUM_OTHERS, NUM_OTHERS + suit_width], axis=1)
    lane, suit, table = np.split(tensors["cards.weight"], [POLICY_LANE, POLICY_LANE + suit_width], axis=1)
    return Network(
        suits=_by_row(tensors["suits.weight"], e),
        suits_bias=_filled(tensors["suits.bias"], e),
        table_others=_by_row(others, w),
        table_suits=np.concatenate([_panels(trumps, e), _panels(sides, e)], axis=1),
        table_bias=_filled(tensors["table.bias"], w),
        table2=_panels(tensors["table2.weight"], w),
        table2_bias=_filled(tensors["table2.bias"], w),
        cards_lane=_by_row(lane, e),
        cards_suit=_panels(suit, e),
        cards_table=_panels(table, w),
        cards_bias=_filled(tensors["cards.bias"], e),
        cards2=_panels(tensors["cards2.weight"], e),
        cards2_bias=_filled(tensors["cards2.bias"], e),
        places=_panels(tensors["places.weight"], e),
        places_bias=_filled(tensors["places.bias"], len(tensors["places.bias"])),
        bids=_panels(tensors["bids.weight"], w),
        bids_bias=_filled(tensors["bids.bias"], NUM_CALLS),
    )


def _whole_blocks(width: int) -> int:
    return -(-width // BLOCK_COLUMNS) * BLOCK_COLUMNS


def _filled(array: np.ndarray, *shape: int) -> np.ndarray:
    return np.pad(array, [(0, size - own) for size, own in zip(shape, array.shape, strict=True)])


def _by_row(weight: np.ndarray, outputs: int) -> np.ndarray:
    return _filled(weight, outputs, weight.shape[1]).T.copy()


def _panels(weight: np.ndarray, inputs: int) -> np.ndarray:
    filled = _filled(weight, _whole_blocks(len(weight)), inputs)
    return filled.reshape(-1, BLOCK_COLUMNS, inputs).transpose(0, 2, 1).copy()


def _lists() -> np.ndarray:
    """Return int64[2, modes, NUM_SIGHT]: each input's list, −1 for none, and its number there."""
    lists, numbers = both = np.full((2, len(SIGHT), NUM_SIGHT), -1, np.int64)
    for mode, of in enumerate(SIGHT):
        k = np.flatnonzero(of >= 0)
        lists[mode, of[k]] = np.minimum(k // POLICY_LANE, OTHERS)
        numbers[mode, of[k]] = k - POLICY_LANE * np.minimum(k // POLICY_LANE, OTHERS)
    return both


LISTS, NUMBERS = precomputed(_lists)


def think(net: Network, sights: np.ndarray) -> np.ndarray:
    logits = np.empty((len(sights), NUM_ACTIONS), np.float32)
    _think_all(sights, net, _room(net, min(len(sights), TOGETHER)), LISTS, NUMBERS, PLACES, logits)
    return logits


def read_places(net: Network, sights: np.ndarray) -> np.ndarray:
    """Return what the head of the places says of every suit, float32[N, 4, outputs]."""
    out = np.empty((len(sights), LANES, len(net.places_bias)), np.float32)
    _read_all(sights, net, _room(net, min(len(sights), TOGETHER)), LISTS, NUMBERS, out)
    return out


def _room(net: Network, positions: int) -> Work:
    t = -(-positions // BLOCK_ROWS) * BLOCK_ROWS
    e, w = len(net.suits_bias), len(net.table_bias)
    lists = t, LANES + 1, max(POLICY_LANE, NUM_OTHERS) + SWEEP
    sizes = 3 * [(LANES * t, e)] + [(LANES * t, len(net.places_bias))]
    sizes += [(t, 2 * e), (t, w), (t, w), (t, e), (t, len(net.bids_bias))]
    numbers = [np.zeros(size, np.float32) for size in sizes]
    found, at, listed = (np.empty(size, np.int64) for size in (NUM_SIGHT, lists, lists[:2]))
    return Work(found, at, np.empty(lists, np.float32), listed, *numbers)


@njit
def _think_all(sights, net, work, lists, numbers, places, logits):
    for start in range(0, len(sights), TOGETHER):
        x = sights[start : start + TOGETHER]
        _read(x, net, work, lists, numbers)
        for n in range(len(x)):
            _answer(places[mode_of(x[n])], work, n, logits[start + n])


@njit
def _read_all(sights, net, work, lists, numbers, out):
    for start in range(0, len(sights), TOGETHER):
        x = sights[start : start + TOGETHER]
        _read(x, net, work, lists, numbers)
        for n in range(len(x)):
            for lane in range(LANES):
                out[start + n, lane] = work.places[LANES * n + lane]


@njit
def _read(x, net, work, lists, numbers):
    for n in range(len(x)):
        mode = mode_of(x[n])
        _list_inputs(x[n], lists[mode], numbers[mode], work.found, work.at[n], work.by[n], work.listed[n])
    _read_suits(net, work, len(x))
    _read_table(net, work, len(x))
    _read_cards(net, work, len(x))


@njit
def _list_inputs(x, lists, numbers, found, at, by, count):
    """List the inputs of one position that are not 0; the last of a lane is 1 where trumps are."""
    num_found = 0
    for i in range(len(lists)):
        found[num_found] = i
        num_found += x[i] != 0
    count[:] = 0
    for k in range(num_found):
        i = found[k]
        to = lists[i]
        if to >= 0:
            at[to, count[to]] = numbers[i]
            by[to, count[to]] = x[i]
            count[to] += 1
    at[TRUMP_LANE, count[TRUMP_LANE]] = POLICY_LANE - 1
    by[TRUMP_LANE, count[TRUMP_LANE]] = 1
    count[TRUMP_LANE] += 1


@njit
def _read_suits(net, work, positions):
    """Compute every suit by itself."""
    for n in range(positions):
        for lane in range(LANES):
            row = work.suits[LANES * n + lane]
            row[:] = net.suits_bias
            _add_listed(work.at[n, lane], work.by[n, lane], work.listed[n, lane], net.suits, row)
    _relu(work.suits, LANES * positions)


@njit
def _read_table(net, work, positions):
    """Compute the table from the others, trumps and the sum of the other suits; then bids."""
    suits, e = work.suits, work.suits.shape[1]
    for n in range(positions):
        first = LANES * n
        for j in range(e):
            work.sums[n, j] = suits[first + TRUMP_LANE, j]
            work.sums[n, e + j] = suits[first, j] + suits[first + 1, j] + suits[first + 2, j]
        row = work.table[n]
        row[:] = net.table_bias
        _add_listed(work.at[n, OTHERS], work.by[n, OTHERS], work.listed[n, OTHERS], net.table_others, row)
    _multiply(work.sums, positions, net.table_suits, work.table)
    _relu(work.table, positions)
    work.table2[:positions] = net.table2_bias
    _multiply(work.table, positions, net.table2, work.table2)
    _relu(work.table2, positions)
    work.bids[:positions] = net.bids_bias
    _multiply(work.table2, positions, net.bids, work.bids)


@njit
def _read_cards(net, work, positions):
    """Compute every suit again, together with the table."""
    rows = LANES * positions
    work.from_table[:positions] = net.cards_bias
    _multiply(work.table2, positions, net.cards_table, work.from_table)
    for n in range(positions):
        for lane in range(LANES):
            row = work.cards[LANES * n + lane]
            row[:] = work.from_table[n]
            _add_listed(work.at[n, lane], work.by[n, lane], work.listed[n, lane], net.cards_lane, row)
    _multiply(work.suits, rows, net.cards_suit, work.cards)
    _relu(work.cards, rows)
    work.cards2[:rows] = net.cards2_bias
    _multiply(work.cards, rows, net.cards2, work.cards2)
    _relu(work.cards2, rows)
    work.places[:rows] = net.places_bias
    _multiply(work.cards2, rows, net.places, work.places)


@njit
def _answer(places, work, n, logits):
    """Write the logit of every action of a position."""
    for action in range(NUM_ACTIONS):
        place = places[action]
        if place < NUM_CARD_LOGITS:
            logits[action] = work.places[LANES * n + place // PLACES_A_LANE, place % PLACES_A_LANE]
        else:
            logits[action] = work.bids[n, place - NUM_CARD_LOGITS]


@njit
def _multiply(x, rows, panels, out):
    """Add x · weights to out, rows rounded up to whole blocks."""
    for panel in range(len(panels)):
        for row in range(0, rows, BLOCK_ROWS):
            add_product(x, row, panels, panel, out)


@njit
def _relu(x, rows):
    for i in range(rows):
        for j in range(x.shape[1]):
            x[i, j] = max(x[i, j], np.float32(0))


@njit
def _add_listed(at, by, count, weight, row):
    """Add the sum of by · weight[at] to row; zeros fill the list up to whole sweeps."""
    for k in range(count, -(-count // SWEEP) * SWEEP):
        at[k], by[k] = 0, 0
    for k in range(0, count, SWEEP):
        a, b, c, d, e, f, g, h = by[k], by[k + 1], by[k + 2], by[k + 3], by[k + 4], by[k + 5], by[k + 6], by[k + 7]
        p, q, r, s, t, u, v, w = at[k], at[k + 1], at[k + 2], at[k + 3], at[k + 4], at[k + 5], at[k + 6], at[k + 7]
        for j in range(len(row)):
            four = a * weight[p, j] + b * weight[q, j] + c * weight[r, j] + d * weight[s, j]
            row[j] += four + e * weight[t, j] + f * weight[u, j] + g * weight[v, j] + h * weight[w, j]
