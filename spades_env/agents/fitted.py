"""Numbers fitted to games: float64 tables in a .safetensors file beside the module that reads them.

    tables = load_fitted(__file__)     in agents/equity.py: reads agents/equity.safetensors

`python -m spades_env.training.fit NAME --write` writes these files, each with a digest; a damaged one is refused. The
numbers are constants in compiled kernels, so a change of the file starts a new compile cache, like a change of its
module (spades_env/_jit.py).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import deserialize

from spades_env.agents.digest import DamagedError, read_sealed, sealed
from spades_env.agents.files import write_whole


def fitted_file(module: str) -> Path:
    """Return the file with the numbers of a module, given the module's `__file__`."""
    return Path(module).with_suffix(".safetensors")


def load_fitted(module: str) -> dict[str, np.ndarray]:
    """Return the tables of a module by name, all float64."""
    tensors = deserialize(_read(module)[0])
    return {name: np.frombuffer(bytearray(one["data"])).reshape(one["shape"]) for name, one in tensors}


def fit_options(module: str) -> dict[str, Any]:
    return json.loads(_read(module)[1].get("options", "{}"))


def write_fitted(module: str, tables: Mapping[str, np.ndarray | float], options: Mapping[str, Any]) -> None:
    from safetensors.numpy import save

    exact = {name: np.array(table, np.float64, order="C") for name, table in tables.items()}
    write_whole(fitted_file(module), sealed(save(exact, {"options": json.dumps(dict(options))})))


def _read(module: str) -> tuple[bytes, dict[str, str]]:
    """Return the bytes and metadata of a module's file; raise DamagedError if it is not as it was written."""
    path = fitted_file(module)
    try:
        return read_sealed(path, expected=True)
    except DamagedError as error:
        raise DamagedError(f"{path}: {error}") from None
