"""The belief network: it predicts from a seat's view who holds each unseen card.

    chances(net, batch)     float64[N, 4, 64]    by seat and place; 0 where a seat is void, and for the seat to move

A search deals worlds by these chances (`worlds.odds`). `train/beliefs.py` trains the network.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import deserialize

from spades_env._jit import njit
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.base import Batch
from spades_env.agents.digest import DamagedError, read_sealed, sealed
from spades_env.agents.network.forward import Network, network_of, read_places
from spades_env.agents.network.level import MARKS as LEVEL_MARKS
from spades_env.agents.network.level import LevelError, check_marks, read_tensor
from spades_env.agents.network.player import MOST_AT_ONCE, sights
from spades_env.agents.network.rows import PLACES_A_LANE
from spades_env.shipped import shipped_folder

FILE = shipped_folder("agents") / "beliefs" / "beliefs.safetensors"
MARKS = LEVEL_MARKS | {"format": "spades-beliefs/1"}
OTHERS = 3  # the left neighbour, the partner, the right one
FLOOR = 0.02  # of a card's chances is shared equally among all seats that may hold it: the network is never certain


def chances(net: Network, batch: Batch) -> np.ndarray:
    out = np.zeros((len(batch), 4, 64))
    for start in range(0, len(batch), MOST_AT_ONCE):
        some = slice(start, start + MOST_AT_ONCE)
        part = batch.take(some)
        _write_chances(part.tables, read_places(net, sights(part)), out[some])
    return out


@njit
def _write_chances(tables, logits, out):
    for n in range(len(tables)):
        s = tables[n]
        for place in range(64):
            lane, first = place // PLACES_A_LANE, OTHERS * (place % PLACES_A_LANE)
            total, count = 0.0, 0
            for i in range(OTHERS):
                seat = (np.int64(s.turn) + 1 + i) & 3
                if not np.int64(s.voids[seat]) >> lane & 1:
                    out[n, seat, place] = np.exp(np.float64(logits[n, lane, first + i]))
                    total += out[n, seat, place]
                    count += 1
            for i in range(OTHERS):
                seat = (np.int64(s.turn) + 1 + i) & 3
                if not np.int64(s.voids[seat]) >> lane & 1:
                    out[n, seat, place] = (1 - FLOOR) * out[n, seat, place] / total + FLOOR / count


@cache
def shipped_beliefs() -> Network:
    return read_beliefs(FILE)


def read_beliefs(path: Path) -> Network:
    """Read a network; raise LevelError if the file is not as it was written, or made for other inputs."""
    try:
        content, metadata = read_sealed(path)
        check_marks(metadata, MARKS)
        tensors = {name: read_tensor(name, stored).astype(np.float32) for name, stored in deserialize(content)}
    except (DamagedError, LevelError, OSError) as error:
        raise LevelError(f"{path} cannot be read: {error}") from None
    return network_of(tensors)


def write_beliefs(path: Path, tensors: Mapping[str, np.ndarray], options: Mapping[str, Any]) -> None:
    from safetensors.numpy import save

    path.parent.mkdir(parents=True, exist_ok=True)
    halves = {name: np.array(one, np.float16, order="C") for name, one in tensors.items()}
    write_whole(path, sealed(save(halves, MARKS | {"options": json.dumps(dict(options))})))
