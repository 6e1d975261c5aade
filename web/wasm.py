"""Compile the kernels of kernels.json to one WebAssembly module that shares Pyodide's memory: python -m web.wasm FOLDER

numba makes LLVM's intermediate code of each kernel, for a processor that can do nothing special. All of it is put
together, retargeted to WebAssembly, optimised, and linked by `wasm-ld`. For each kernel there is a function, k0,
k1, …, which reads the arguments from memory, 8 bytes each. FOLDER gets kernels.so, and for the page kernels.json
(web/browser/jit.py) and tables.safetensors (web/browser/precomputed.py).
"""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

GENERIC = {  # read by numba when it is imported: no vectors, and no optimisation for this processor
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_DISABLE_JIT": "0",
    "NUMBA_BOUNDSCHECK": "0",
    "NUMBA_CACHE_DIR": os.devnull,
}
TRIPLE = "wasm32-unknown-emscripten"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
ARGUMENTS = 72  # bytes before them: 64 for the result, 8 for what was raised
SPACE = ("space_give", "space_reset")
MEMORY = Path(__file__).parent / "memory.ll"
LINK = ["--shared", "--experimental-pic", "--no-entry", "--allow-undefined", "--strip-all", "--gc-sections"]


class BuildError(RuntimeError):
    """The module cannot be built; the message says what is missing."""


def main(folder: Path) -> None:
    from safetensors.numpy import save

    from spades_env.precomputed import MADE
    from web.signatures import listed, named

    folder.mkdir(parents=True, exist_ok=True)
    for one in listed():
        named(one["kernel"])  # importing its module makes tables, with machine code
    _make_no_machine_code()
    kernels = [_Compiled(i, **one) for i, one in enumerate(listed())]
    machine, code = _optimised(kernels)
    (folder / "kernels.o").write_bytes(machine.emit_object(code))
    names = [*SPACE, *(kernel.entry for kernel in kernels)]
    _link(folder / "kernels.o", folder / "kernels.so", names)
    (folder / "tables.safetensors").write_bytes(save(MADE))  # of the modules that the kernels have imported
    (folder / "kernels.json").write_text(json.dumps([kernel.listing for kernel in kernels], separators=(",", ":")))


def _make_no_machine_code() -> None:
    """Make numba stop at LLVM's intermediate code: no kernel compiled from here on runs in this process."""
    from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
    from numba.core.cpu import CPUContext

    def nothing(*given: Any, **named: Any) -> None:
        pass

    def no_address(self: JITCodeLibrary, name: str) -> int:
        self._ensure_finalized()
        return 1

    CPUContext.create_cpython_wrapper = CPUContext.create_cfunc_wrapper = nothing
    JITCodeLibrary._finalize_specific = JITCPUCodegen.set_env = nothing
    JITCodeLibrary.get_pointer_to_function = no_address


class _Compiled:
    """A kernel for certain types: numba's code, and what the page needs to know."""

    def __init__(self, number: int, kernel: str, args: list[Any]):
        from web.signatures import code, named, signature

        function = named(kernel)
        types = signature(function, args)
        function.compile(types)
        made = function.overloads[types]
        self.entry, self.symbol, self.ir = f"k{number}", made.fndesc.llvm_func_name, made.library.get_llvm_str()
        self.listing = [kernel, "".join(map(code, types)), code(made.signature.return_type)]

    def thunk(self, kinds: list[str]) -> str:
        """Return the function that calls the kernel with arguments from memory; kinds: their types for LLVM."""
        lines = [
            f"define i32 @{self.entry}(ptr %a) {{",
            "call void @space_reset()",
            "%x = getelementptr i8, ptr %a, i32 64",
        ]
        given = ["ptr %a", "ptr %x"]
        for n, kind in enumerate(kinds[2:]):
            lines.append(f"%p{n} = getelementptr i8, ptr %a, i32 {ARGUMENTS + 8 * n}")
            lines.append(f"%v{n} = load {kind}, ptr %p{n}")
            given.append(f"{kind} %v{n}")
        lines += [f"%r = call i32 @{self.symbol}({', '.join(given)})", "ret i32 %r", "}"]
        return "\n".join([f"declare i32 @{self.symbol}({', '.join(kinds)})", *lines])


def _optimised(kernels: list[_Compiled]) -> tuple[Any, Any]:
    """Return LLVM's machine and all kernels in one optimised module."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES, reloc="pic")
    head = f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
    module = llvm.parse_assembly(head + MEMORY.read_text(encoding="utf-8"))
    for kernel in kernels:
        module.link_in(llvm.parse_assembly(_for_wasm(kernel.ir, head)))
    calls = [
        kernel.thunk([str(one.type) for one in module.get_function(kernel.symbol).arguments]) for kernel in kernels
    ]
    module.link_in(llvm.parse_assembly("\n".join([head, "declare void @space_reset()", *calls])))
    _hide(module, {*SPACE, *(kernel.entry for kernel in kernels)})
    _optimise(llvm, machine, module, prune=True)  # while references are counted by calls, those that cancel out go
    module = llvm.parse_assembly(re.sub(r"^(attributes #\d+ = \{.*?)\bnoinline\b", r"\1", str(module), flags=re.M))
    _optimise(llvm, machine, module, prune=False)
    return machine, module


def _for_wasm(ir: str, head: str) -> str:
    """Return numba's code with what WebAssembly has in place of what a processor has."""
    ir = re.sub(r'^target (triple|datalayout) = "[^"]*"\n', "", ir, flags=re.M)
    ir = re.sub(r"= common ((?:dso_local |local_unnamed_addr )*)global", r"= linkonce_odr \1global", ir)
    ir = re.sub(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', "", ir)
    ir = re.sub(r"(define [^\n]*@NRT_(?:incref|decref)\([^\n]*?)\{", r"\1 noinline {", ir)
    ir = re.sub(r"^declare [^\n]*@(sqrt|llvm\.sqrt\.f64)\([^\n]*\n", "", ir, flags=re.M)
    ir = re.sub(r"(call[a-z_ ]*) double @sqrt\(", r"\1 double @llvm.sqrt.f64(", ir)
    return f"{head}{ir}\n" + ("declare double @llvm.sqrt.f64(double)\n" if "@llvm.sqrt.f64(" in ir else "")


def _hide(module: Any, kept: set[str]) -> None:
    """Let only these functions be seen from outside, so that all others may be inlined or left out."""
    for one in [*module.functions, *module.global_variables]:
        if not one.is_declaration:
            one.linkage = "external" if one.name in kept else "internal"


def _optimise(llvm: Any, machine: Any, module: Any, prune: bool) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    if prune:
        passes.add_refprune_pass()
    passes.run(module, builder)


def _link(code: Path, out: Path, names: list[str]) -> None:
    exports = [f"--export={name}" for name in names]
    done = subprocess.run([*linker(), *LINK, *exports, "-o", out, code], capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"the kernels cannot be linked: {done.stderr.strip()}")


def linker() -> list[str]:
    """Return the command of LLVM's linker for WebAssembly, Debian's or the one in PyPI's ziglang."""
    found = next(
        (name for name in ("wasm-ld", *(f"wasm-ld-{n}" for n in range(22, 13, -1))) if shutil.which(name)), None
    )
    if found:
        return [found]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    raise BuildError("there is no wasm-ld: apt-get install lld, or pip install ziglang")


if __name__ == "__main__":
    os.environ.update(GENERIC)
    main(Path(sys.argv[1]))
