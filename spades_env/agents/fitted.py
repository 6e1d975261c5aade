"""Numbers fitted to games: float64 tables in .safetensors files, agents/fitted/NAME.safetensors.

    tables = load_fitted("equity")     in agents/equity.py

`python -m spades_env.training.fit NAME --write` writes these files, each with a digest; a damaged one is refused. The
numbers are constants in compiled kernels, so a change of a file starts a new compile cache, like a change of the
modules that read it (spades_env/_jit.py).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import deserialize

from spades_env.agents.atomic_files import write_whole
from spades_env.agents.digest import DamagedError, read_sealed, sealed
from spades_env.shipped import shipped_folder

FOLDER = shipped_folder("agents") / "fitted"


def fitted_file(name: str) -> Path:
    return FOLDER / f"{name}.safetensors"


def load_fitted(name: str) -> dict[str, np.ndarray]:
    """Return the tables of a file by name, all float64."""
    tensors = deserialize(_read(name)[0])
    return {table: np.frombuffer(bytearray(one["data"])).reshape(one["shape"]) for table, one in tensors}


def fit_options(name: str) -> dict[str, Any]:
    return json.loads(_read(name)[1].get("options", "{}"))


def write_fitted(name: str, tables: Mapping[str, np.ndarray | float], options: Mapping[str, Any]) -> None:
    from safetensors.numpy import save

    exact = {table: np.array(numbers, np.float64, order="C") for table, numbers in tables.items()}
    write_whole(fitted_file(name), sealed(save(exact, {"options": json.dumps(dict(options))})))


def _read(name: str) -> tuple[bytes, dict[str, str]]:
    """Return the bytes and metadata of a file; raise DamagedError if it is not as it was written."""
    path = fitted_file(name)
    try:
        return read_sealed(path)
    except DamagedError as error:
        raise DamagedError(f"{path}: {error}") from None
