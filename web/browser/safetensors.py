"""As much of safetensors as a page needs: to read a file."""

import json
from itertools import pairwise
from typing import Any

import numpy as np

TYPES = {"F16": np.float16, "F32": np.float32, "F64": np.float64, "I64": np.int64}


class SafetensorError(Exception):
    """Content that is not a safetensors file."""


def deserialize(content: bytes) -> list[tuple[str, dict[str, Any]]]:
    """Return the tensors by name: dtype, shape and data."""
    end = 8 + int.from_bytes(content[:8], "little")
    try:
        header = json.loads(content[8:end])
        tensors = {name: one for name, one in header.items() if name != "__metadata__"}
        found = [(name, _tensor(content, end, **one)) for name, one in tensors.items()]
    except (ValueError, TypeError, AttributeError) as error:
        raise SafetensorError(f"invalid header: {error}") from None
    ends = [[0, 0], *sorted(one["data_offsets"] for one in tensors.values())]
    joined = all(stop == begin for (_, stop), (begin, _) in pairwise(ends))
    if not joined or end + ends[-1][1] != len(content):
        raise SafetensorError("the tensors do not fill the file")
    return found


def _tensor(content: bytes, start: int, dtype: str, shape: list[int], data_offsets: list[int]) -> dict[str, Any]:
    begin, end = data_offsets
    return {"dtype": dtype, "shape": shape, "data": content[start + begin : start + end]}
