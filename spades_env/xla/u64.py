"""64-bit numbers as pairs of uint32, (high, low): JAX has no 64-bit integers unless they are on for the whole process.

pair(7)                        a seed as uint32[2]
mix(x), ahead(x, n)            splitmix64, as game/engine.py has it: the same bits on every device
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from spades_env.checks import LARGEST_SEED, whole

Number = Any  # uint32[2], or a tuple of two uint32


def pair(seed: int) -> np.ndarray:
    """Return a seed below 2**64 as uint32[2]."""
    seed = whole("seed", seed, 0, LARGEST_SEED)
    return np.array([seed >> 32, seed & 0xFFFFFFFF], np.uint32)


GAMMA, M1, M2 = map(pair, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def high_product(a, b):
    """Return the upper 32 bits of the product of two uint32."""
    a0, a1, b0, b1 = a & 0xFFFF, a >> 16, b & 0xFFFF, b >> 16
    middle = a1 * b0 + ((a0 * b0) >> 16)
    return a1 * b1 + (middle >> 16) + ((a0 * b1 + (middle & 0xFFFF)) >> 16)


def product(x: Number, y: Number) -> Number:
    return high_product(x[1], y[1]) + x[0] * y[1] + x[1] * y[0], x[1] * y[1]


def add(x: Number, y: Number) -> Number:
    low = x[1] + y[1]
    return x[0] + y[0] + (low < y[1]).astype(jnp.uint32), low


def xor_shifted(x: Number, n: int) -> Number:
    """Return x ^ (x >> n), 0 < n < 32."""
    return x[0] ^ (x[0] >> n), x[1] ^ ((x[1] >> n) | (x[0] << (32 - n)))


def mix(x: Number) -> Number:
    """Return a hash of 64 bits (the finaliser of splitmix64)."""
    x = product(xor_shifted(x, 30), M1)
    return xor_shifted(product(xor_shifted(x, 27), M2), 31)


def ahead(x: Number, n) -> Number:
    """Return the state of the generator n steps after x: splitmix64 only counts."""
    return add(x, product((jnp.uint32(0), jnp.asarray(n, jnp.uint32)), GAMMA))


def below(bits, n):
    """Return a number from 0 to n − 1, made of 32 random bits; n < 2**16."""
    n = jnp.asarray(n, jnp.uint32)
    return (((bits >> 16) * n + (((bits & 0xFFFF) * n) >> 16)) >> 16).astype(jnp.int32)
