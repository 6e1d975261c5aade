"""The cut of the house: imports run one way, one module imports numba, the environment never imports torch."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "spades_env"
LAYERS = [  # a module may import from its own layer or an earlier one
    {"_jit", "cards", "checks"},
    {"rules"},
    {"state"},
    {"scoring"},
    {"engine"},
    {"observe"},
    {"facts"},
    {"refusals"},
    {"view"},
    {"record"},
    {"game"},
    {"episodes"},
    {"captions"},
    {"text", "draw"},
    {"render"},
    {"table", "opponents"},
    {"vector_kernels"},
    {"spades_v0", "vector_env"},
    {"gym_env", "gym_vector"},
    {"adapters"},
    {"__init__", "__main__"},
]
ALLOWED = {"numpy", "numba", "gymnasium", "pettingzoo", *sys.stdlib_module_names, "spades_env"}
OPTIONAL = {"pygame": {"draw", "render"}, "agents": {"opponents"}, "stable_baselines3": {"adapters"}}
MODULES = sorted(path.stem for path in PACKAGE.glob("*.py"))


def imports(module: str) -> set[str]:
    """Dotted names of everything a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are written in full"
            found |= {node.module} if node.module != "spades_env" else {f"spades_env.{n.name}" for n in node.names}
    return found


def layer(module: str) -> int:
    return next(i for i, names in enumerate(LAYERS) if module in names)


@pytest.mark.parametrize("module", MODULES)
def test_no_arrow_points_back(module):
    for name in imports(module):
        package, _, inner = name.partition(".")
        if package == "spades_env" and inner and (PACKAGE / f"{inner}.py").exists():
            assert layer(inner) <= layer(module), f"{module} imports {inner}"


@pytest.mark.parametrize("module", MODULES)
def test_only_known_packages_are_imported(module):
    for name in imports(module):
        package = name.split(".")[0]
        assert package in ALLOWED or module in OPTIONAL.get(package, ()), f"{module} imports {name}"


def test_one_module_imports_numba():
    assert [module for module in MODULES if any(name.split(".")[0] == "numba" for name in imports(module))] == ["_jit"]


def test_the_walk_would_notice():
    assert layer("engine") < layer("game")
    assert "spades_env.state" in imports("engine")


def test_importing_the_package_brings_neither_torch_nor_a_window():
    code = "import sys, spades_env; print(sorted({'torch', 'pygame', 'agents', 'matplotlib'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
