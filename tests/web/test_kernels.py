"""Every kernel that Python calls is among those that a page is built with."""

import ast
import json
import subprocess
import sys

import numba
import numpy as np
from support.paths import ROOT

from spades_env import _jit
from web import build, signatures


def test_no_kernel_that_python_calls_is_missing():
    """Play a few sittings, and look at a hand in every way: python -m web.trace writes the list anew."""
    done = subprocess.run([sys.executable, "-m", "web.trace", "4"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    called, listed = json.loads(done.stdout), signatures.listed()
    assert len(called) > 20
    assert [one for one in called if one not in listed] == []


def test_each_kernel_is_listed_once_and_its_types_are_read():
    listed = signatures.listed()
    assert len({one["kernel"] for one in listed}) == len(listed)
    for one in listed:
        kernel = signatures.named(one["kernel"])
        types = signatures.signature(kernel, one["args"])
        assert [signatures.as_json(kind) for kind in types[: len(one["args"])]] == one["args"]


def test_types_are_packed_by_their_codes():
    assert signatures.code(numba.typeof(np.zeros((2, 3), np.float32))) == "[2]"
    assert signatures.code(numba.typeof((1, 2.0, True))) == "(qdb)"
    assert signatures.code(numba.typeof(np.uint64(1))) == "Q"


def test_the_back_end_of_the_page_has_the_names_of_the_native_one():
    """Both are one interface: what our modules import from _jit, the page's has too."""
    source = ROOT / "web" / "browser" / "jit.py"
    tree = ast.parse(source.read_text(encoding="utf-8"))
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            own |= {name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    wanted = set()
    for path in build.sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path.suffix == ".py" else ():
            if isinstance(node, ast.ImportFrom) and node.module == "spades_env._jit":
                wanted |= {name.name for name in node.names}
    assert {"njit", "inlined", "compiling"} <= wanted <= own
    assert f"= {_jit.BLOCK_ROWS}, {_jit.BLOCK_COLUMNS} " in source.read_text(encoding="utf-8")
