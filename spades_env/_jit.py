"""How kernels are compiled, and where their machine code is kept. Only this module and _kernel_cache.py import numba.

Numba's own cache looks only at the file that defines a kernel, so an edit in one file would leave stale callers in
another. Here the cache folder is named by a hash of the kernel's module and of everything it imports, directly or
through others; a kernel can call nothing else. An edit of any of these starts a new folder, other edits keep it.
"""

import ast
import hashlib
import os
import shutil
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

# pyright: reportRedeclaration=false, reportAttributeAccessIssue=false
# (two forms of the intrinsics, one with the compiler and one without; numba sets its config's names at run time)
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, config, event, types
from numba.extending import intrinsic

from spades_env._kernel_cache import UNWRITABLE, KernelCache, say_once
from spades_env.shipped import PACKAGE, shipped_folder

JIT_ON = not config.DISABLE_JIT
KEEP_UNUSED_DAYS = 14
READS_TABLES = PACKAGE / "agents" / "fitted.py"  # modules that import it have the tables compiled in
BLOCK_ROWS, BLOCK_COLUMNS = 4, 16  # of a product: as many sums as fit in a processor's registers


def wrap_around() -> None:
    """Let hashes overflow silently in this thread, as they do in compiled code."""
    np.seterr(over="ignore")


if not JIT_ON:
    wrap_around()


class _Compiling(event.Listener):
    """Counts the kernels that are being compiled, but not those loaded from the cache."""

    count = 0

    def on_start(self, event):
        self.count += 1

    def on_end(self, event):
        self.count -= 1


_compiling = _Compiling()
event.register("numba:compile", _compiling)


def compiling() -> bool:
    """Is a kernel being compiled, in any thread?"""
    return _compiling.count > 0


def njit(function, **options):
    """Compile a kernel, cached on disk; it releases the interpreter's lock, so that threads run in parallel."""
    if not JIT_ON:
        return function
    kernel = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if folder := _cache_folder(Path(function.__code__.co_filename)):
        kernel._cache = KernelCache(function, folder)
    return kernel


def inlined(function):
    """Compile a kernel into its callers, for inner loops in which the call would take longer than its work.

    Around a call that stays a call, a loop counts a reference to every array it uses: about 3 ns each.
    """
    return njit(function, forceinline=True)


@cache
def _cache_folder(module: Path) -> Path | None:
    """Return the folder for the machine code of a module's kernels; None if nothing can be cached."""
    versions = sys.implementation.cache_tag, numba.__version__, np.__version__, config.BOUNDSCHECK
    digest = hashlib.sha256(repr(versions).encode())
    for path in sorted(_import_closure(module)):
        digest.update(path.read_bytes())
    try:
        folder = _cache_root() / digest.hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _forget_unused(folder.parent)
    except (OSError, RuntimeError) as error:  # a read-only or missing home
        say_once(UNWRITABLE, getattr(error, "filename", "~/.cache"), getattr(error, "strerror", error))
        return None
    return folder


def _import_closure(module: Path) -> set[Path]:
    """Return the module and all modules it imports, directly or not, with the fitted tables if any reads them."""
    found, waiting = set(), [module]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imports(path)
    return found | set((shipped_folder("agents") / "fitted").iterdir() if READS_TABLES in found else ())


@cache
def _imports(path: Path) -> list[Path]:
    """Return our own files that a file imports, except those that its functions import when they are called."""
    found, nodes = [], list(ast.parse(path.read_bytes()).body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            found += [_module_file(alias.name, path.parent) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            parts = [_module_file(f"{node.module}.{alias.name}", path.parent) for alias in node.names]
            found += parts if all(parts) else [*parts, _module_file(node.module, path.parent)]
        elif isinstance(node, ast.If | ast.Try | ast.With):
            nodes += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
    return [file for file in found if file]


@cache
def _module_file(name: str, folder: Path) -> Path | None:
    """Return a module's file if it is our own: in this package, or in the folder of the importing file."""
    package, *rest = name.split(".")
    base = (PACKAGE if package == PACKAGE.name else folder / package).joinpath(*rest)
    return next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)


def _cache_root() -> Path:
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR) / "spades-env"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "spades-env"


@cache
def _forget_unused(root: Path) -> None:
    """Delete the machine code that no process has used for a while."""
    for folder in root.iterdir():
        with suppress(OSError):  # another process may be tidying too
            if time.time() - folder.stat().st_mtime > KEEP_UNUSED_DAYS * 86400:
                shutil.rmtree(folder)


if JIT_ON:

    @intrinsic
    def trailing_zeros(typingctx, mask):
        """Return the place of the lowest set bit; there must be one."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.uint64), codegen

    @intrinsic
    def bit_count(typingctx, mask):
        """Return how many bits are set."""

        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @intrinsic
    def add_product(typingctx, x, row, panels, panel, out):
        """Add x · a panel to a block of out, from a row on: float32[N, K], [M / 16, K, 16], [N, M].

        Each sum adds its inputs from first to last, in a register, where the compiler alone would not keep it.
        """
        vector = ir.VectorType(ir.FloatType(), BLOCK_COLUMNS)
        first = ir.Constant(ir.VectorType(ir.IntType(32), BLOCK_COLUMNS), None)

        def codegen(context, builder, signature, args):
            def pointer(argument, *place):
                kind = signature.args[argument]
                array = context.make_array(kind)(context, builder, args[argument])
                return cgutils.get_item_pointer(context, builder, kind, array, place)

            def vector_at(*place):
                return builder.bitcast(pointer(*place), vector.as_pointer())

            row, panel, zero = args[1], args[3], context.get_constant(types.intp, 0)
            rows = [builder.add(row, context.get_constant(types.intp, i)) for i in range(BLOCK_ROWS)]
            column = builder.mul(panel, context.get_constant(types.intp, BLOCK_COLUMNS))
            sums = [cgutils.alloca_once_value(builder, builder.load(vector_at(4, i, column), align=4)) for i in rows]
            array = context.make_array(signature.args[0])(context, builder, args[0])
            with cgutils.for_range(builder, cgutils.unpack_tuple(builder, array.shape)[1]) as loop:
                weights = builder.load(vector_at(2, panel, loop.index, zero), align=4)
                for i, total in zip(rows, sums, strict=True):
                    number = builder.insert_element(vector(ir.Undefined), builder.load(pointer(0, i, loop.index)), zero)
                    spread = builder.shuffle_vector(number, vector(ir.Undefined), first)
                    builder.store(builder.fadd(builder.load(total), builder.fmul(spread, weights)), total)
            for i, total in zip(rows, sums, strict=True):
                builder.store(builder.load(total), vector_at(4, i, column), align=4)
            return context.get_dummy_value()

        return types.void(x, types.intp, panels, types.intp, out), codegen

else:

    def trailing_zeros(mask):
        mask = int(mask)
        return (mask & -mask).bit_length() - 1

    def bit_count(mask):
        return int(mask).bit_count()

    def add_product(x, row, panels, panel, out):
        block = out[row : row + BLOCK_ROWS, panel * BLOCK_COLUMNS : (panel + 1) * BLOCK_COLUMNS]
        for k in range(x.shape[1]):
            block += x[row : row + BLOCK_ROWS, k, None] * panels[panel, k]
