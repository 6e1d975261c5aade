"""The cut of the house: imports run one way, one module imports numba, the environment never imports torch."""

import ast
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from spades_env._jit import _import_closure

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "spades_env"
LAYERS = [  # a module may import from its own layer or an earlier one
    {"_jit", "cards", "checks", "plain", "shuffle"},
    {"rules"},
    {"earlier"},
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
ALLOWED = {"numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", *sys.stdlib_module_names, "spades_env"}
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


def arrows_back(module: str, names: set[str]) -> list[str]:
    """Those of the imported names that stand in a later layer than the module."""
    inner = [name.split(".")[1] for name in names if name.startswith("spades_env.")]
    return [name for name in inner if name in MODULES and layer(name) > layer(module)]


@pytest.mark.parametrize("module", MODULES)
def test_no_arrow_points_back(module):
    assert arrows_back(module, imports(module)) == []


@pytest.mark.parametrize("module", MODULES)
def test_only_known_packages_are_imported(module):
    for name in imports(module):
        package = name.split(".")[0]
        assert package in ALLOWED or module in OPTIONAL.get(package, ()), f"{module} imports {name}"


ABOVE = {  # packages above the environment: whom each may import of ours, and what optional libraries where
    "agents": ({"spades_env", "agents"}, {"choix": {"ladder"}, "matplotlib": {"report"}, "safetensors": None}),
    "train": (
        {"spades_env", "agents", "train"},
        {"torch": None, "safetensors": None, "matplotlib": {"plots"}, "onnx": {"onnx_file"}},
    ),
    "play": ({"spades_env", "agents", "train", "play"}, {"rich": {"cli"}}),
    "play/server": ({"spades_env", "agents", "play"}, {"starlette": {"site", "live"}, "uvicorn": {"command"}}),
    "play/storage": ({"spades_env", "play"}, {}),
    "play/terminal": ({"spades_env", "agents", "play"}, {"textual": None, "rich": None}),
    "examples": (
        {"spades_env", "openspiel_game"},
        {
            "gymnasium": None,
            "torch": None,
            "pyarrow": {"read_dataset"},
            "stable_baselines3": {"sb3_maskable_ppo"},
            "sb3_contrib": {"sb3_maskable_ppo"},
            "torchrl": {"torchrl_ppo"},
            "tensordict": {"torchrl_ppo"},
            "ray": {"rllib_ppo"},
            "tianshou": {"tianshou_ppo"},
            "agilerl": {"agilerl_ppo"},
            "pyspiel": {"openspiel_game", "openspiel_bots"},
            "open_spiel": {"openspiel_game", "openspiel_bots"},
        },
    ),
}


@pytest.mark.parametrize("package", ABOVE)
def test_packages_above_import_downwards(package):
    ours, optional = ABOVE[package]
    for path in sorted((ROOT / package).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            for name in {name.split(".")[0] for name in names}:
                where = optional.get(name, set())
                allowed = name in ours | {"numpy", *sys.stdlib_module_names} or where is None or path.stem in where
                assert allowed, f"{package}/{path.name} imports {name}"


@pytest.mark.parametrize("package", ["numba", "llvmlite"])
def test_one_module_imports_numba(package):
    assert [module for module in MODULES if any(name.split(".")[0] == package for name in imports(module))] == ["_jit"]


def test_the_walk_would_notice():
    assert arrows_back("engine", {"spades_env.game", "spades_env.state", "numpy"}) == ["game"]
    assert "spades_env.state" in imports("engine")


def test_importing_the_package_brings_neither_torch_nor_a_window():
    heavy = {"torch", "pygame", "agents", "matplotlib", "safetensors"}
    code = f"import sys, spades_env; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("home", [{"XDG_CACHE_HOME": os.devnull}, {"NUMBA_CACHE_DIR": os.devnull}])
def test_kernels_compile_where_nothing_can_be_kept(home):
    code = "from spades_env import _jit; print(_jit._cache_folder(_jit.Path(_jit.__file__)))"
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"} | home
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.stdout.strip() == "None", done.stderr


def cache_folder(module: Path, cache: Path, **switches: str) -> str:
    """Return the folder that keeps a module's machine code, as a new process names it."""
    code = f"from spades_env import _jit; from pathlib import Path; print(_jit._cache_folder(Path({str(module)!r})))"
    environment = os.environ | {"XDG_CACHE_HOME": str(cache), "NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "0"}
    run = partial(subprocess.run, capture_output=True, text=True, check=True, cwd=ROOT)
    return run([sys.executable, "-c", code], env=environment | switches).stdout.strip()


def test_an_edit_or_a_switch_starts_a_new_cache(tmp_path):
    """The folder's name follows the module, all that it imports, the tables beside them, and the bounds checks."""
    rooms = tmp_path / "rooms"
    rooms.mkdir()
    files = {
        "kernels.py": "from rooms import deep\nimport beside\n\ndef later():\n    import late\n",
        "beside.py": "X = 1\n",
        "late.py": "X = 1\n",
        "report.py": "import kernels\n",
        "rooms/__init__.py": "",
        "rooms/deep.py": "X = 1\n",
        "rooms/deep.safetensors": "1",
        "rooms/screen.py": "X = 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    def folder(**switches) -> str:
        return cache_folder(tmp_path / "kernels.py", tmp_path / "cache", **switches)

    first = folder()
    assert Path(first).is_dir()
    assert folder() == first
    assert folder(NUMBA_BOUNDSCHECK="1") != first
    seen = {first}
    for name in ("kernels.py", "beside.py", "rooms/deep.py", "rooms/deep.safetensors"):
        (tmp_path / name).write_text(files[name] + "# edited\n")
        assert folder() not in seen, name
        seen.add(folder())
    last = folder()
    for name in ("report.py", "rooms/screen.py", "late.py", "rooms/__init__.py"):
        (tmp_path / name).write_text(files[name] + "# edited\n")
        assert folder() == last, name


def test_an_edit_of_a_report_keeps_the_machine_code():
    """Kernels depend on what they can call, not on what shows their results."""
    closure = {path.relative_to(ROOT).as_posix() for path in _import_closure(ROOT / "agents" / "rule_play.py")}
    assert {"agents/rule_numbers.py", "agents/rule_numbers.safetensors", "spades_env/engine.py"} <= closure
    assert not closure & {"agents/report.py", "agents/level.py", "agents/__init__.py", "spades_env/gym_vector.py"}
