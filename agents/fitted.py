"""Numbers fitted to games: float64 tables in a .safetensors file beside the module that reads them.

    tables = load_fitted(__file__)     in agents/equity.py: reads agents/equity.safetensors

`python -m train.fit NAME --write` writes these files. Kernels compile the numbers in as constants, so a change of the
file starts a new compile cache, as a change of its module does (spades_env/_jit.py).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file, save

from agents.files import write_whole


def fitted_file(module: str) -> Path:
    """Return the file of a module's numbers, given the module's own file."""
    return Path(module).with_suffix(".safetensors")


def load_fitted(module: str) -> dict[str, np.ndarray]:
    """Return a module's tables by name, float64 all of them."""
    return load_file(fitted_file(module))


def fit_options(module: str) -> dict[str, Any]:
    """Return the options of the fit that wrote a module's tables, as far as they are known."""
    with safe_open(fitted_file(module), "numpy") as file:
        return json.loads((file.metadata() or {}).get("options", "{}"))


def write_fitted(module: str, tables: Mapping[str, np.ndarray | float], options: Mapping[str, Any]) -> None:
    """Write a module's tables, and with them the options of the fit."""
    exact = {name: np.array(table, np.float64, order="C") for name, table in tables.items()}
    write_whole(fitted_file(module), save(exact, {"options": json.dumps(dict(options))}))
