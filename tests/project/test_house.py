"""How the code is laid out: imports run down and never in a circle, and few modules import numba."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path

import pytest
from support.paths import ROOT

from spades_env import _jit

FLOORS: dict[str, list[set[str]]] = {  # package -> its modules and rooms; each may import from earlier floors
    "spades_env": [
        {"_jit", "_kernel_cache", "_version", "errors", "precomputed", "shipped"},
        {"checks", "extras", "folder_lock", "plain"},
        {"game", "import_path"},
        {"show", "vector", "words", "xla"},
        {"envs", "rollout"},
        {"agents", "openspiel", "spades_v0"},
        {"training"},
        {"play"},
        {"integrations"},
        {"__init__", "__main__"},
    ],
    "spades_env.game": [
        {"__init__", "cards"},
        {"rules", "secret_deals"},
        {"state"},
        {"bidding"},
        {"scoring"},
        {"engine"},
        {"episodes", "facts", "observe", "random_situations"},
        {"refusals", "view"},
        {"record"},
        {"game"},
        {"starts"},
    ],
    "spades_env.vector": [
        {"__init__", "arrays", "kernels", "threads"},
        {"arguments", "snapshot"},
        {"env"},
    ],
    "spades_env.xla": [
        {"table", "u64"},
        {"bidding", "rules"},
        {"dealing", "scoring"},
        {"observe", "playing"},
        {"env"},
        {"__init__", "adapters"},
    ],
    "spades_env.envs": [
        {"__init__", "bounds", "episode_table", "opponents"},
        {"aec", "learner_seat", "learner_tables"},
        {"gym_env", "gym_vector"},
        {"adapters"},
    ],
    "spades_env.words": [
        {"rules_text", "spellings"},
        {"prompt", "reading"},
        {"__init__"},
    ],
    "spades_env.show": [
        {"__init__", "captions", "pen"},
        {"draw", "text"},
        {"render"},
    ],
    "spades_env.agents": [
        {"base", "elo", "figures", "atomic_files", "lanes"},
        {"digest", "fitted", "roster"},
        {"agent_name", "baselines", "equity"},
        {"club", "imported", "rule"},
        {"compiled", "worlds"},
        {"chat", "command", "pair", "solver"},
        {"search"},
        {"measures", "network", "registry"},
        {"cluster"},
        {"__init__", "arena", "onnx_player"},
    ],
    "spades_env.training": [
        {"__init__", "train_command", "parallel", "recipe", "data_parallel"},
        {"__main__", "fit", "rewards", "run"},
        {"self_play"},
        {"data", "nets"},
        {"own"},
        {"learner", "opponent_pool"},
        {"export", "progress_lines", "stages"},
        {"onnx_file", "run_state"},
        {"trainer"},
        {"exploit", "character_runs", "seeds"},
    ],
    "spades_env.play": [
        {"__init__", "private_files", "rule_words", "texts", "threads", "warning"},
        {"daily"},
        {"table"},
        {"coach"},
        {"review"},
        {"lessons"},
        {"ready", "store"},
        {"progress"},
        {"cold_start", "commands"},
        {"server"},
        {"terminal"},
    ],
}
TOPS = ("spades_env", "tests", "benchmarks", "agents", "train", "web", "docs", "examples")
MOST_MODULES = 16  # of a folder; then it gets rooms
ALLOWED = {"numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", *sys.stdlib_module_names, "spades_env"}
OPTIONAL = {
    "pygame": {"spades_env.show.draw", "spades_env.show.pen", "spades_env.show.render"},
    "stable_baselines3": {"spades_env.envs.adapters"},
}


def module_name(path: Path) -> str:
    """Return a module's dotted name: agents.rule.bid, and agents.rule for the folder's own."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_name(path): path for path in sorted((ROOT / "spades_env").rglob("*.py"))}
STANDING = dict.fromkeys(
    (package, module) for package in FLOORS for module in FILES if f"{module}.".startswith(f"{package}.")
)


@cache
def imports(module: str) -> frozenset[str]:
    """Return the dotted names of everything a module imports, in functions and for type checkers, too."""
    found = set()
    for node in ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are written in full"
            names = {name.name: f"{node.module}.{name.name}" for name in node.names}
            found |= {full if full in FILES else node.module for full in names.values()}
    return frozenset(found)


def room(package: str, module: str) -> str:
    """Return the folder, or the module beside the folders, of a module within a package."""
    return f"{module}.__init__".removeprefix(f"{package}.").split(".")[0]


def floor(package: str, module: str) -> int:
    return next(i for i, rooms in enumerate(FLOORS[package]) if room(package, module) in rooms)


def arrows_back(package: str, module: str, names: Set[str]) -> list[str]:
    """Return the imported modules of the same package that stand on a later floor."""
    inner = sorted(name for name in names if (package, name) in STANDING)
    return [name for name in inner if floor(package, name) > floor(package, module)]


def circle(arrows: Mapping[str, Set[str]]) -> list[str]:
    """Return the modules of a circle; none if there is no circle."""
    left = {module: {name for name in names if name in arrows} for module, names in arrows.items()}
    while ends := [module for module, names in left.items() if not names]:
        left = {module: names - set(ends) for module, names in left.items() if module not in ends}
    return sorted(left)  # with what leads into it


@pytest.mark.parametrize("package", FLOORS)
def test_every_module_stands_on_one_floor(package):
    standing = sorted(name for rooms in FLOORS[package] for name in rooms)
    assert standing == sorted({room(package, module) for where, module in STANDING if where == package})


def test_no_arrow_points_back():
    back = {(package, module): arrows_back(package, module, imports(module)) for package, module in STANDING}
    assert {where: names for where, names in back.items() if names} == {}


def test_only_the_command_imports_training():
    playing = [module for module in FILES if module.startswith("spades_env.play.")]
    learning = {module for module in playing if any("spades_env.training" in name for name in imports(module))}
    assert {module.rpartition(".")[0] for module in learning} == {"spades_env.play.commands"}


def test_there_is_no_circle():
    assert circle({module: imports(module) - {module} for module in FILES}) == []


def test_folders_are_small():
    modules = [path for top in TOPS for path in (ROOT / top).rglob("*.py") if path.name != "__init__.py"]
    sizes = Counter(path.parent.relative_to(ROOT).as_posix() for path in modules)
    assert {folder: size for folder, size in sizes.items() if size > MOST_MODULES} == {}


def test_every_folder_of_tests_is_run():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    paths = [path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py")]
    folders = {"/".join(path.parts[:2]) for path in paths}
    assert {path.name for path in paths if len(path.parts) < 3} == set()
    assert sorted(settings["testpaths"]) == sorted(folders)


PROGRAMS = ("ablations", "bc", "dqn", "hands", "harness", "nfsp", "ppo", "selfplay")  # programs that import one another
ABOVE: dict[str, dict[str, set[str] | None]] = {  # folder -> optional library -> who imports it; None: all
    "spades_env/xla": {"jax": None, "gymnasium": {"adapters/"}, "pgx": {"adapters/as_pgx"}},
    "spades_env/agents": {"choix": {"arena/ladder"}, "safetensors": None},
    "spades_env/training": {
        "torch": None,
        "safetensors": None,
        "matplotlib": {"run/pictures"},
        "onnx": {"onnx_file", "own/graph"},
    },
    "spades_env/play": {
        "rich": {"commands/cli", "terminal/"},
        "matplotlib": {"commands/report"},
        "segno": {"server/qr"},
        "starlette": {"server/"},
        "uvicorn": {"server/command", "server/net/serving"},
        "textual": {"terminal/"},
        "websockets": {"terminal/remote"},
    },
    "web": {
        "web": None,
        "numba": {"signatures", "trace", "wasm"},
        "llvmlite": {"wasm"},
        "safetensors": {"wasm", "browser/precomputed"},
        "fontTools": {"typeface"},
        "pyodide": {"browser/spades_page"},
    },
    "examples": {
        "gymnasium": None,
        "torch": None,
        "minari": {"minari_dataset"},
        "pyarrow": {"minari_dataset", "read_dataset"},
        "stable_baselines3": {"sb3_maskable_ppo"},
        "sb3_contrib": {"sb3_maskable_ppo"},
        "torchrl": {"torchrl_ppo"},
        "tensordict": {"torchrl_ppo"},
        "ray": {"rllib_ppo"},
        "tianshou": {"tianshou_ppo"},
        "agilerl": {"agilerl_ppo"},
        "jax": {"mctx_search"},
        "mctx": {"mctx_search"},
        "pyspiel": {"openspiel_game", "openspiel_bots"},
        "open_spiel": {"openspiel_game", "openspiel_bots"},
        "openenv": {"openenv_client"},
        "uvicorn": {"openenv_client"},
        "verifiers": {"verifiers_seats"},
    },
    "train": {
        "torch": None,
        **dict.fromkeys(PROGRAMS),
        "safetensors": {"selfplay"},
        "jax": {"jax_ppo"},
        "onnx": {"harness"},
        "onnxruntime": {"harness"},
    },
    "agents": {},
}


@pytest.mark.parametrize("module", [name for name in FILES if f"spades_env/{room('spades_env', name)}" not in ABOVE])
def test_only_known_packages_are_imported(module):
    for name in imports(module):
        package = name.split(".")[0]
        assert package in ALLOWED or module in OPTIONAL.get(package, ()), f"{module} imports {name}"


@pytest.mark.parametrize("folder", ABOVE)
def test_optional_libraries_are_imported_where_they_are_needed(folder):
    optional = ABOVE[folder]
    for path in sorted((ROOT / folder).rglob("*.py")):
        module = path.relative_to(ROOT / folder).with_suffix("").as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
            for name in {name.split(".")[0] for name in names} - {"spades_env", "numpy", *sys.stdlib_module_names}:
                where = optional.get(name, set())
                places = {module, *(f"{parent}/" for parent in Path(module).parents)}
                assert where is None or places & where, f"{folder}/{module} imports {name}"


@pytest.mark.parametrize(("package", "importing"), [("numba", ["_jit", "_kernel_cache"]), ("llvmlite", ["_jit"])])
def test_few_modules_import_numba(package, importing):
    found = [module for module in FILES if package in {name.split(".")[0] for name in imports(module)}]
    assert found == [f"spades_env.{name}" for name in importing]


def test_one_error_is_the_base_of_all():
    """The commands print it as a sentence, and leave any other error its traceback."""
    for module, path in FILES.items():
        found = re.findall(r"raise ValueError\(|class \w+\(ValueError\)", path.read_text(encoding="utf-8"))
        assert found == ["class SpadesError(ValueError)"] * (module == "spades_env.errors"), module


def test_the_walk_would_notice():
    named = {"spades_env.game.game", "spades_env.game.state", "numpy"}
    assert arrows_back("spades_env.game", "spades_env.game.engine", named) == ["spades_env.game.game"]
    assert "spades_env.game.state" in imports("spades_env.game.engine")
    assert circle({"a": {"b"}, "b": {"c", "numpy"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_importing_the_package_brings_neither_torch_nor_a_window():
    heavy = {"torch", "pygame", "numba", "spades_env.agents", "matplotlib", "safetensors"}
    code = f"import sys, spades_env; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("home", [{"XDG_CACHE_HOME": os.devnull}, {"NUMBA_CACHE_DIR": os.devnull}])
def test_kernels_compile_where_nothing_can_be_kept(home):
    code = "from spades_env import _jit; print(_jit._cache_folder(_jit.Path(_jit.__file__)))"
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"} | home
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.stdout.strip() == "None", done.stderr


def cache_folder(module: Path) -> str:
    """Return the folder that keeps a module's machine code, as a new process names it."""
    for known in (_jit._cache_folder, _jit._imports, _jit._module_file):
        known.cache_clear()
    return str(_jit._cache_folder(module))


def test_an_edit_or_a_switch_starts_a_new_cache(tmp_path, monkeypatch):
    """The folder's name follows the module, all that it imports, and the bounds checks."""
    rooms = tmp_path / "rooms"
    rooms.mkdir()
    files = {
        "kernels.py": "from rooms import deep\nimport beside\n\ndef later():\n    import late\n",
        "beside.py": "X = 1\n",
        "late.py": "X = 1\n",
        "report.py": "import kernels\n",
        "rooms/__init__.py": "",
        "rooms/deep.py": "X = 1\n",
        "rooms/screen.py": "X = 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(_jit.config, "CACHE_DIR", "")
    monkeypatch.setattr(_jit.config, "BOUNDSCHECK", 0)
    module = tmp_path / "kernels.py"
    first = cache_folder(module)
    assert Path(first).is_dir()
    assert cache_folder(module) == first
    with monkeypatch.context() as checked:
        checked.setattr(_jit.config, "BOUNDSCHECK", 1)
        assert cache_folder(module) != first
    seen = {first}
    for name in ("kernels.py", "beside.py", "rooms/deep.py"):
        (tmp_path / name).write_text(files[name] + "# edited\n")
        assert cache_folder(module) not in seen, name
        seen.add(cache_folder(module))
    last = cache_folder(module)
    for name in ("report.py", "rooms/screen.py", "late.py", "rooms/__init__.py"):
        (tmp_path / name).write_text(files[name] + "# edited\n")
        assert cache_folder(module) == last, name


def test_an_edit_of_a_report_keeps_the_machine_code():
    """Kernels depend on what they can call, not on what shows their results."""
    closure = {
        path.relative_to(ROOT).as_posix()
        for path in _jit._import_closure(ROOT / "spades_env" / "agents" / "rule" / "play.py")
    }
    assert {
        "spades_env/agents/rule/tables.py",
        "agents/fitted/rule.safetensors",
        "spades_env/game/engine.py",
    } <= closure
    assert not closure & {
        "spades_env/play/commands/report.py",
        "spades_env/agents/network/level.py",
        "spades_env/agents/__init__.py",
        "spades_env/envs/gym_vector.py",
    }
