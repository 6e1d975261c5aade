"""As much of numpy as the table needs, in plain Python: npm has no numpy for Pyodide.

Arrays lie in C memory, where kernels read and write them. Numbers that are taken out are Python's own. Results have
numpy's dtypes and shapes; tests/web/test_numpy.py compares every function with numpy's. What is not here raises
AttributeError. In a page the package is called numpy, in tests web.browser.numpy, so its imports are relative:

    shapes, dtypes                   lengths and strides; types of items
    records                          one record of an array
    memory → indexing → reductions → operators         the layers of the array
    creation → functions             what makes arrays, and what is computed of them
"""

from math import inf, nan

from . import random
from .creation import (
    arange,
    array,
    asarray,
    ascontiguousarray,
    concatenate,
    empty,
    frombuffer,
    full,
    pad,
    ravel,
    split,
    zeros,
)
from .dtypes import (
    bool_,
    dtype,
    float16,
    float32,
    float64,
    generic,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    void,
)
from .functions import (
    abs,
    argsort,
    errstate,
    exp,
    flatnonzero,
    isfinite,
    log,
    minimum,
    ndindex,
    prod,
    sqrt,
    where,
)
from .operators import ndarray, recarray
from .records import record
from .shapes import shape
