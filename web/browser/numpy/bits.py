"""Floating-point numbers by their bits: what is done to all items at once, as one whole number, takes no time.

A page reads levels of a million numbers before the first card. data: bytes of an array; size: of an item, in bytes.
"""

EXPONENTS = {2: 0x7C00, 4: 0x7F800000, 8: 0x7FF0000000000000}  # by size


def all_finite(data: bytes, size: int) -> bool:
    """Is no exponent all ones? One more in its lowest bit would carry into the sign."""
    count, exponent = len(data) // size, EXPONENTS[size]
    carried = (_number(data) & _each(exponent, size, count)) + _each(exponent & -exponent, size, count)
    return not carried & _each(_sign(size), size, count)


def without_signs(data: bytes, size: int) -> bytes:
    return (_number(data) & _each(_sign(size) - 1, size, len(data) // size)).to_bytes(len(data), "little")


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _each(word: int, size: int, count: int) -> int:
    """Return a number with these bits in each item."""
    return _number(word.to_bytes(size, "little") * count)


def _sign(size: int) -> int:
    return 1 << 8 * size - 1
