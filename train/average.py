"""Average the weights of levels that have learned on from one another: often stronger than each, and no slower.

    python train/average.py standard runs/more/level.safetensors --shares 0.5 0.5 --out runs/average.safetensors

A run that begins with a level and learns other rules ends near it, and networks between the two can do both.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from spades_env.agents.agent_name import AgentName
from spades_env.agents.network.level import Level
from spades_env.agents.network.model_card import recipe_of
from spades_env.agents.roster import SUFFIX
from spades_env.errors import SpadesError

ROUNDING = 1e-6
SUMMED = "decisions", "seconds"


def average(levels: Sequence[Level], shares: Sequence[float]) -> Level:
    """Return the level whose weights are the mean of these by their shares.

    It counts the training of all, and keeps the first one's fit of the chance of winning for further training.
    """
    if len(shares) != len(levels) or min(shares) < 0 or abs(sum(shares) - 1) > ROUNDING:
        raise SpadesError(f"shares must be {len(levels)} numbers from 0 on that add up to 1, not {list(shares)}")
    first = {name: tensor.shape for name, tensor in levels[0].tensors.items()}
    if any({name: tensor.shape for name, tensor in one.tensors.items()} != first for one in levels):
        raise SpadesError("only levels of the same widths have an average")
    tensors = {
        name: sum(share * one.tensors[name].astype(np.float64) for share, one in zip(shares, levels, strict=True))
        for name in first
    }
    trained: dict[str, Any] = {name: sum(one.trained.get(name, 0) for one in levels) for name in SUMMED}
    if "winning" in levels[0].trained:
        trained["winning"] = levels[0].trained["winning"]
    most = levels[int(np.argmax(shares))]
    recipe = {"script": "train/average.py", "shares": list(shares), "levels": list(map(recipe_of, levels))}
    return replace(
        most,
        tensors={name: np.asarray(tensor, np.float32) for name, tensor in tensors.items()},
        recipe=json.dumps(recipe),
        ratings={},
        trained=trained,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="+", metavar="LEVEL", help="a level's file, or the name of a shipped one")
    parser.add_argument("--shares", nargs="+", type=float, required=True, help="of each level, adding up to 1")
    parser.add_argument("--out", type=Path, required=True, help=f"the file to write, NAME{SUFFIX}")
    options = parser.parse_args()
    if options.out.suffix != SUFFIX:
        parser.error(f"--out takes a file that ends with {SUFFIX}, not {options.out}")
    try:
        levels = [Level.read(AgentName.parse(name).level or name) for name in options.levels]
        found = average(levels, options.shares)
        replace(found, name=options.out.stem).write(options.out, half=True)
    except SpadesError as error:
        raise SystemExit(f"average.py: {error}") from None
