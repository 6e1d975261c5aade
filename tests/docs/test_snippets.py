"""Every snippet of README and docs runs, or stands below with the reason why it does not.

Python blocks of a page run one after the other, as a reader would type them. Command lines are parsed in any case;
those that play are run with few games; those in NOT_RUN take long or wait for somebody, and say who runs them.
"""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.snippets import ROOT, SHELLS, Block, blocks, lines

from spades_env._jit import JIT_ON
from spades_env.agents.roster import LEVELS
from spades_env.play.commands import cli

pytestmark = pytest.mark.skipif(not JIT_ON, reason="searches and vectors need the compiler")

WITH_A_CLUSTER = ("install.md",)  # pages whose Python tests/agents/cluster/test_ray.py runs
PYTHON = [
    page
    for page in dict.fromkeys(block.page for block in blocks() if block.language == "python")
    if page not in WITH_A_CLUSTER
]
NEEDED = {  # page -> the libraries that its Python snippets import and the core lacks
    "frameworks.md": ("stable_baselines3", "sb3_contrib", "torchrl", "ray", "tianshou", "pyspiel"),
    "data.md": ("pyarrow",),
    "jax.md": ("jax",),
    "tutorial_ppo.md": ("torch",),
}
PREPARED = {"data.md": "spades generate --agent rule --hands 8 --out data"}  # page -> a command that comes before
NOT_CODE = {"", "text", "json", "toml", "html"}  # languages of blocks that show something: pictures, trees, texts
MODULES = ("venv", "pip", "pytest", "build", "http.server")  # of other packages, started with python -m
LESS = {  # what is added to a command so that it takes a second or two
    "arena": ["--games", "2", "--jobs", "1"],
    "ladder": ["--games", "2", "--jobs", "1"],
    "variants": ["--games", "2", "--jobs", "1"],
    "benchmark": ["--games", "2", "--jobs", "1"],
    "gaps": ["--games", "2", "--jobs", "1", "--judge", "mc:4x1+rule+likely"],
    "generate": ["--hands", "8"],
}
NOT_RUN = {  # commands that are only parsed
    "train": "minutes to hours: `make quickstart` runs quick, tests/train/test_training.py small recipes",
    "export": "wants a run: `make quickstart` has one, and tests/train/test_command.py",
    "exploit": "minutes: tests/train/exploit/test_exploit.py runs it in small",
    "roster train": "hours: tests/agents/roster/test_building.py runs it in small",
    "roster build": "hours: tests/agents/roster/test_building.py runs it in small",
    "push": "wants a hub: tests/commands/test_hub.py has one",
    "pull": "wants a hub: tests/commands/test_hub.py has one",
    "arena hf:": "wants a hub: tests/commands/test_hub.py has one",
    **dict.fromkeys(
        [f"{command} --ray" for command in ("arena", "ladder", "variants", "benchmark", "generate")],
        "wants a cluster: tests/agents/cluster/test_ray.py has one",
    ),
    "arena chat:": "wants an endpoint: tests/words/test_chat.py has one",
    "benchmark chat:": "wants an endpoint: tests/words/test_chat.py has one",
    "mcp": "waits for an assistant: tests/words/test_mcp.py is one",
    **dict.fromkeys(
        [f"benchmark --{word}" for word in ("commit", "verify", "check")],
        "wants files that the others wrote: tests/agents/arena/test_verification.py runs them one after the other",
    ),
    "table": "serves until it is stopped: tests/server/test_kill.py starts it",
    "bench": "minutes: tests/commands/test_commands.py asks it for little",
    "play": "waits for a person: tests/terminal/keys/test_games.py plays",
}
NO_COMMANDS = ("→", "←", "options:")  # how lines begin that stand apart and are none: messages, words to mkdocstrings
TOOLS = ("pre-commit",)  # that pages install besides this package
OTHERS = ("make", "pip", "python", "torchrun", "printf", *TOOLS)  # programs besides `spades`, each with a check below


@pytest.fixture
def desk(tmp_path, monkeypatch) -> Path:
    """A folder with the files that pages speak of: a level as any run's, mine.py as the page tells it, mine.onnx."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    standard = LEVELS / "standard.safetensors"
    for name in ("x", "mine", "quick", "runs/x", "runs/quick/level", "runs/selfplay-0/level", "agents/levels/zofia"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(standard, tmp_path / f"{name}.safetensors")
    shutil.copy(ROOT / "tests" / "golden" / "pagat.txt", tmp_path / "game.txt")
    shutil.copytree(ROOT / "entries", tmp_path / "entries", ignore=shutil.ignore_patterns("results.json"))
    (tmp_path / "my.toml").write_text("target = 300\n", encoding="utf-8")
    for block in blocks():
        if block.file and (block.page not in NEEDED or block.page == "tutorial_ppo.md"):
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    write_tutorial_weights(tmp_path / "ppo.npz")
    return tmp_path


@pytest.mark.parametrize("page", PYTHON)
def test_python_snippets_run(page, desk):
    for library in NEEDED.get(page, ()):
        pytest.importorskip(library)
    if page in PREPARED:
        assert cli.main(shlex.split(PREPARED[page])[1:]) == 0
    path = ROOT / "docs" / page if (ROOT / "docs" / page).exists() else ROOT / page
    own = [block for block in blocks() if block.page == page and block.language == "python"]
    sessions = [block for block in own if ">>>" in block.text]
    assert len(sessions) in (0, len(own)), f"{page} mixes sessions and plain snippets"
    if sessions:
        failures, tried = doctest.testfile(str(path), module_relative=False, optionflags=doctest.ELLIPSIS)
        assert tried
        assert failures == 0
    else:
        run(own)


def run(own: list[Block]) -> None:
    """One after the other, with what those before have left."""
    names: dict = {"__name__": "snippet"}
    for number, block in enumerate(own, 1):
        exec(compile(block.text, f"{block.page}, snippet {number}", "exec"), names)


def test_no_block_is_left_out():
    commands = "|".join(cli.COMMANDS)
    for block in blocks():
        assert block.language in {"python", *SHELLS, *NOT_CODE}, f"{block.page} has a block of {block.language!r}"
        if block.language not in ("python", *SHELLS):
            assert not re.search(rf"^\s*(\$ |>>> |pip |python |spades ({commands})\b)", block.text, re.MULTILINE), block


def test_every_command_line_is_known():
    assert len(lines()) > 30
    for line in lines():
        if line.text.startswith(NO_COMMANDS):
            continue
        assert line.program in ("spades", *OTHERS), f"{line.page} has a line that nothing checks: {line.text}"


SPADES = list(dict.fromkeys(line.words for line in lines() if line.words.startswith("spades ")))


@pytest.mark.parametrize("words", SPADES)
def test_commands_parse_and_play(words, desk, capsys):
    arguments = shlex.split(words)[1:]
    parsed(arguments)
    if any(words.startswith(f"spades {command}") for command in NOT_RUN):
        return
    needed(arguments)
    less = LESS.get(arguments[0], [])
    if "--hands" in arguments:
        less = ["--hands" if word == "--games" else word for word in less]
    undecided = int("--sprt" in arguments)
    assert cli.main([*arguments, *less]) == undecided, capsys.readouterr().err


def parsed(arguments: list[str]) -> None:
    """Refused are arguments that make no command."""
    cli.parser(arguments[0]).parse_args(arguments)


def needed(arguments: list[str]) -> None:
    """Skips where a library is missing that the command wants."""
    if arguments[0] == "ladder":
        pytest.importorskip("choix")
    if arguments[0] == "generate":
        pytest.importorskip("pyarrow")
    if arguments[0] == "completion":
        pytest.importorskip("shtab")
    if "--html" in arguments:
        pytest.importorskip("matplotlib")
    if any(word.endswith(".onnx") for word in arguments):
        pytest.importorskip("onnxruntime")
        write_onnx_by_hand(Path("mine.onnx"))


def write_tutorial_weights(path: Path) -> None:
    """Write a network as tutorial_ppo.md saves it, of the same size and untrained."""
    sizes = {"body.0": (128, 824), "body.2": (128, 128), "policy": (70, 128)}
    weights: dict[str, Any] = {f"{layer}.weight": np.zeros(size, np.float32) for layer, size in sizes.items()}
    weights |= {f"{layer}.bias": np.zeros(size[0], np.float32) for layer, size in sizes.items()}
    np.savez(path, **weights)


def write_onnx_by_hand(path: Path) -> None:
    """A network with one layer of nothing."""
    onnx = pytest.importorskip("onnx")
    node = onnx.helper.make_node("MatMul", ["observation", "weight"], ["logits"])
    x, y = (
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["N", columns])
        for name, columns in (("observation", 824), ("logits", 70))
    )
    weight = onnx.numpy_helper.from_array(np.zeros((824, 70), np.float32), "weight")
    model = onnx.helper.make_model(
        onnx.helper.make_graph([node], "nothing", [x], [y], [weight]),
        opset_imports=[onnx.helper.make_opsetid("", 13)],
        ir_version=8,
    )
    path.write_bytes(model.SerializeToString())


def test_the_readme_compiles_little():
    """Its snippets ask no bot by name: to compile one takes half a minute of silence, or more."""
    python = [block.text for block in blocks() if block.page == "README.md" and block.language == "python"]
    assert "opponents=" in "".join(python)
    assert set(re.findall(r"(?:opponents|partner|load)[=(]+\"([^\"]+)", "".join(python))) == {"random"}


@pytest.mark.parametrize("line", [line for line in lines() if line.program in OTHERS], ids=lambda x: x.words)
def test_other_command_lines_name_what_there_is(line):
    program, (_, *words) = line.program, shlex.split(line.words)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if program == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    elif program == "pip":
        assert words[0] == "install"
        if words[-1] in TOOLS:
            return
        package = re.fullmatch(rf"(?:\.|{settings['name']})(?:\[([\w,]+)\])?", words[-1])
        assert package, f"{words[-1]} is not this package"
        assert set((package[1] or "").split(",")) - {""} <= set(settings["optional-dependencies"])
    elif program == "python":
        there = ROOT / words[0] if words[0] != "-m" else ROOT / words[1].replace(".", "/")
        assert there.exists() or there.with_suffix(".py").exists() or words[1] in MODULES
    elif program in TOOLS:
        assert words[0] in ("install", "run")
    elif program == "torchrun":
        assert words[0] == "--no-python"
        assert words[words.index("train") - 1] == "spades"
        parsed(["train", *words[words.index("train") + 1 :]])
    else:
        assert line.page == "table.md", (
            "the shell's own way to check a hash; tests/table/test_seats.py checks it in Python"
        )


def test_commands_named_in_the_text_exist():
    for page in {line.page for line in lines()}:
        path = ROOT / "docs" / page if (ROOT / "docs" / page).exists() else ROOT / page
        for command in re.findall(r"`spades ([a-z]+)[^`]*`", path.read_text(encoding="utf-8")):
            assert command in cli.COMMANDS, f"{page} names spades {command}"


def test_reasons_are_given_for_commands_that_exist():
    for command, reason in NOT_RUN.items():
        assert command.split()[0] in cli.COMMANDS
        for test in re.findall(r"tests/[\w/]+\.py", reason):
            assert (ROOT / test).exists()


def test_what_quickstart_runs_and_names_are_commands():
    done = subprocess.run(["make", "--dry-run", "quickstart"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = re.findall(r"bin/spades ([^\"\n]+)", done.stdout)
    assert [words.split()[0] for words in found] == ["train", "export", *["arena"] * 4, "play", "table"]
    for words in found:
        parsed(shlex.split(words))
    assert "arena runs/quick/quick.safetensors random --games 2000 " in done.stdout  # 400 cannot show 99 of a hundred
    assert "'.[play]'" in done.stdout
