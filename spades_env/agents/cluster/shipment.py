"""Send the files behind agents' strings to the nodes of a cluster, and load the agents there.

    shipment = pack(["runs/x.safetensors+trial:64", "mine:policy"])     here
    with unpacked(shipment) as load:                                   on a node
        load("runs/x.safetensors+trial:64", seed)

What is sent: levels and ONNX files, wherever they lie; a level of a hub, as it was fetched here; of an import path the
modules that this process has imported from the current folder; of a command the files below the current folder that it
names. On a node they lie in a temporary folder, in which the piece is played.
"""

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple

from spades_env.agents.agent_name import COMMAND, IMPORTED, ONNX, REMOTE, AgentName
from spades_env.agents.base import Agent, AgentError
from spades_env.agents.command.program import SECONDS, words_of
from spades_env.agents.registry import load
from spades_env.agents.roster import SUFFIX, character_named
from spades_env.extras import OWN_PACKAGE

ELSEWHERE = "shipped"  # the folder on a node for files from outside the current folder
INSTALLED = ("site-packages", "dist-packages")
SETTINGS = (SECONDS,)  # environment variables that decide what agents do

Load = Callable[[str, int], Agent]


class Shipment(NamedTuple):
    """What a node needs to load agents.

    names: an agent's string here -> its string there; files: place -> content, and is it a program?
    """

    names: dict[str, str]
    files: dict[str, tuple[bytes, bool]]
    settings: dict[str, str]
    folder: str | None = None  # in which agents are loaded instead, if it is this machine


def pack(names: Iterable[str]) -> Shipment:
    """Gather the files behind the strings of agents, which must have been loaded here."""
    shipment = Shipment({}, {}, _settings())
    for name in dict.fromkeys(names):
        if not character_named(name.strip()):
            parts = [_packed(part, shipment.files) for part in AgentName.parse_pair(name.strip()) if part]
            shipment.names[name] = "/".join(parts)
    return shipment


def pack_for_here() -> Shipment:
    """Return a shipment without files, for workers on this machine: they work in the current folder."""
    return Shipment({}, {}, _settings(), os.getcwd())


@contextmanager
def unpacked(shipment: Shipment) -> Iterator[Load]:
    """Write the files into a folder, work there, and lend the function that loads agents by their strings."""

    def load_here(name: str, seed: int) -> Agent:
        agent = load(shipment.names.get(name, name), seed)
        agent.name = name
        return agent

    before, path = os.getcwd(), list(sys.path)
    os.environ.update(shipment.settings)
    with TemporaryDirectory(prefix="spades-") as folder:
        _write(shipment, Path(folder))
        os.chdir(shipment.folder or folder)
        try:
            yield load_here
        finally:
            os.chdir(before)
            sys.path[:] = path


def _settings() -> dict[str, str]:
    return {name: os.environ[name] for name in SETTINGS if name in os.environ}


def _packed(name: AgentName, files: dict[str, tuple[bytes, bool]]) -> str:
    """Add the files of one agent; return its string on a node."""
    if name.kind is REMOTE:
        path = importlib.import_module("spades_env.agents.network.hub").level_file(name)
    elif name.name.endswith((SUFFIX, ONNX)):
        path = Path(name.name)
    else:
        if name.kind is IMPORTED:
            files.update(_modules(name.name.partition(".")[0]))
        elif name.kind is COMMAND:
            files.update(_files_of_command(name))
        return name.text
    place = _place(path, files)
    files[place] = _content(path)
    return name.text if place == path.as_posix() else f"./{place}{name.text.removeprefix(name.name)}"


def _place(path: Path, files: dict[str, tuple[bytes, bool]]) -> str:
    """Return where a file lies on a node: where it lies here, if it is below the current folder."""
    return path.as_posix() if _is_below(path) else f"{ELSEWHERE}/{len(files)}/{path.name}"


def _is_below(path: Path) -> bool:
    return not path.is_absolute() and ".." not in path.parts


def _content(path: Path) -> tuple[bytes, bool]:
    try:
        return path.read_bytes(), os.access(path, os.X_OK)
    except OSError as error:
        raise AgentError(f"{path} cannot be sent to the cluster: {error.strerror}") from None


def _modules(named: str) -> Iterator[tuple[str, tuple[bytes, bool]]]:
    """Yield the files of the named package, and of all that was imported from the current folder."""
    for name, module in list(sys.modules.items()):
        file, top = getattr(module, "__file__", None), name.partition(".")[0]
        if not file or top == OWN_PACKAGE or top in sys.stdlib_module_names or top.startswith("__"):
            continue
        path = Path(file)
        own = top == named or path.is_relative_to(Path.cwd())
        if own and path.suffix == ".py" and not set(INSTALLED) & set(path.parts):
            inner = "/__init__.py" if path.stem == "__init__" else ".py"
            yield name.replace(".", "/") + inner, _content(path)


def _files_of_command(name: AgentName) -> Iterator[tuple[str, tuple[bytes, bool]]]:
    for word in words_of(name):
        if _is_below(Path(word)) and Path(word).is_file():
            yield Path(word).as_posix(), _content(Path(word))


def _write(shipment: Shipment, folder: Path) -> None:
    for place, (content, is_program) in shipment.files.items():
        path = folder / PurePosixPath(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if is_program:
            path.chmod(0o700)
