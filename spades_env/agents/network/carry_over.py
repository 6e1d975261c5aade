"""Carry levels over to the observation of today: python -m spades_env.agents.network.carry_over LEVEL.safetensors ...

The features that the observation gained since get weights of zero, so a level decides as it did. Its metadata say on
which layout it was trained.
"""

import sys
from pathlib import Path

import numpy as np
from safetensors import deserialize

from spades_env.agents.digest import read_sealed
from spades_env.agents.network.level import MARKS, Level, LevelError, read_metadata, read_tensor
from spades_env.agents.network.rows import LANES
from spades_env.agents.network.suits import COLUMNS, LANE_INPUTS
from spades_env.errors import SpadesError
from spades_env.game.observe import OF_HOUSE_RULES

BEFORE = {"layout": "6d44dbe54d1cb22f", "insight": "6b98a8d2d796"}  # before the house rules


def carry_over(path: Path) -> bool:
    """Rewrite a level that was trained on the layout before; return False if it is up to date."""
    content, metadata = read_sealed(path)
    if metadata.get("layout") == MARKS["layout"]:
        return False
    if {name: metadata.get(name) for name in BEFORE} != BEFORE:
        raise LevelError(f"{path}: its layout is {metadata.get('layout')!r}; only {BEFORE['layout']!r} is carried over")
    stored = dict(deserialize(content))
    tensors = {name: read_tensor(name, tensor) for name, tensor in stored.items()}
    tensors["table.weight"] = with_gained_columns(tensors["table.weight"])
    fields = read_metadata(metadata | MARKS)
    fields["trained"] |= {"layout": f"{BEFORE['layout']}, carried over"}
    Level(tensors, **fields).write(path, half=stored["table.weight"]["dtype"] == "F16")
    return True


def with_gained_columns(weight: np.ndarray) -> np.ndarray:
    """Insert columns of zeros for the inputs that were gained, which belong to no card or suit."""
    others = COLUMNS[0, LANES * LANE_INPUTS :].tolist()
    gained = OF_HOUSE_RULES.stop - OF_HOUSE_RULES.start
    return np.insert(weight, [others.index(OF_HOUSE_RULES.start)] * gained, 0, axis=1)


def main(paths: list[str]) -> int:
    for path in map(Path, paths):
        try:
            print(f"{path}: {'carried over' if carry_over(path) else 'up to date'}")
        except (SpadesError, OSError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
