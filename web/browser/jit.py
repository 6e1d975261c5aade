"""`spades_env/_jit.py` in a web page: kernels are functions of one WebAssembly module, made by web/wasm.py.

The module shares this program's memory, so arrays go by their address and nothing is copied. A kernel that Python calls
must be in the module; nothing here can run as Python instead.
"""

import ctypes
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

JIT_ON = True
BLOCK_ROWS, BLOCK_COLUMNS = 4, 16  # of a product, as in the native _jit
FOLDER = Path(__file__).parent
ARGUMENTS = 72  # where they begin, behind the result and what was raised
WORDS = 1000  # of 8 bytes, for arguments
SPACE = 8 << 20  # bytes for arrays that a kernel makes
OUT_OF_MEMORY = "the kernels have no space left for their arrays"

_module = ctypes.CDLL(str(FOLDER / "kernels.so"))
_block = ctypes.create_string_buffer(ARGUMENTS + 8 * WORDS)
_address = ctypes.addressof(_block)
_space = ctypes.create_string_buffer(SPACE)


def limit_space(size: int) -> None:
    """Let kernels use `size` bytes for arrays of their own, at most SPACE."""
    _module.space_give(ctypes.c_void_p(ctypes.addressof(_space)), size)


limit_space(SPACE)


class Kernel:
    """A function of the module. codes: how its arguments are packed (web/signatures.py); result: likewise."""

    def __init__(self, number: int, name: str, codes: str, result: str):
        self.name = self.__name__ = name
        self._call = _module[f"k{number}"]
        self._call.argtypes, self._call.restype = [ctypes.c_void_p], ctypes.c_int
        self._write, _ = _packer(codes + ")", 0)
        self._result = struct.Struct(f"<{result.strip('()').replace('b', '?')}")
        self._many = result.startswith("(")

    def __call__(self, *args: Any) -> Any:
        words: list[int] = []
        self._write(args, words)
        struct.pack_into(f"<{len(words)}q", _block, ARGUMENTS, *words)
        status = self._call(_address)
        if status:
            raise MemoryError(f"{self.name} failed ({status}): {OUT_OF_MEMORY}")
        found = self._result.unpack_from(_block)
        return found if self._many else found[0] if found else None


Write = Callable[[Any, list[int]], None]


def _packer(codes: str, at: int) -> tuple[Write, int]:
    """Return what packs the values up to a closing parenthesis, and where the next codes begin."""
    writes: list[Write] = []
    while codes[at] != ")":
        if codes[at] == "(":
            write, at = _packer(codes, at + 1)
        elif codes[at] == "[":
            write, at = _write_array, codes.index("]", at) + 1
        else:
            write, at = SCALARS[codes[at]], at + 1
        writes.append(write)

    def write_all(values: Any, words: list[int]) -> None:
        for write, value in zip(writes, values, strict=True):
            write(value, words)

    return write_all, at + 1


def _write_array(array: Any, words: list[int]) -> None:
    words += array.words


def _write_record(record: Any, words: list[int]) -> None:
    words.append(record.address)


def _write_whole(value: Any, words: list[int]) -> None:
    number = int(value) & 0xFFFFFFFFFFFFFFFF
    words.append(number - (number >> 63 << 64))


def _write_float(value: Any, words: list[int]) -> None:
    words += struct.unpack("<q", struct.pack("<d", value))


SCALARS: dict[str, Write] = {"p": _write_record, "d": _write_float} | dict.fromkeys("qQiIbB", _write_whole)


class NoKernel:
    """A kernel that only other kernels call."""

    def __init__(self, name: str):
        self.name = self.__name__ = name

    def __call__(self, *args: Any) -> Any:
        raise NotImplementedError(f"{self.name} isn't compiled for the page; python -m web.trace lists what is")


def _read() -> dict[str, Kernel]:
    listed = json.loads((FOLDER / "kernels.json").read_text(encoding="utf-8"))
    return {name: Kernel(number, name, codes, result) for number, (name, codes, result) in enumerate(listed)}


_kernels = _read()


def njit(function: Callable, **options: Any) -> Any:
    name = f"{function.__module__}:{function.__name__}"
    return _kernels.get(name) or NoKernel(name)


inlined = njit
trailing_zeros = bit_count = add_product = NoKernel("an intrinsic")


def compiling() -> bool:
    return False


def _cache_folder(module: Path) -> None:
    """Nothing is compiled here, so nothing is cached."""


def wrap_around() -> None:
    pass
