"""Where a run comes from: the code, the libraries, the command and the files it was started with.

    provenance.jsonl        a line for each start and each resume

The digests are SHA-256: of the recipe as JSON with sorted keys, and of the files behind what it names.
"""

import hashlib
import json
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from spades_env._version import __version__
from spades_env.agents.atomic_files import naming
from spades_env.agents.registry import files_of
from spades_env.shipped import PACKAGE

FILE = "provenance.jsonl"
LIBRARIES = ("torch", "numba", "numpy")


def note_start(folder: Path, iterations: int, recipe: Mapping[str, Any], named: Iterable[str] = ()) -> None:
    """Append a line to a run's folder. iterations: played before; named: agents and import paths in the recipe."""
    folder.mkdir(parents=True, exist_ok=True)
    line = {"iterations": iterations, **provenance(recipe, named)}
    with naming(folder / FILE), open(folder / FILE, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def provenance(recipe: Mapping[str, Any], named: Iterable[str] = ()) -> dict[str, Any]:
    """Return what this process runs, and with what."""
    return {
        "version": __version__,
        **checkout(PACKAGE.parent),
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "recipe": _digest(json.dumps(recipe, sort_keys=True).encode()),
        "files": {name: found for name in sorted({*named}) if (found := _digest_of_files(name))},
    }


def checkout(root: Path) -> dict[str, Any]:
    """Return the commit, and whether tracked files differ from it; None where the package is in no checkout."""
    unknown = {"commit": None, "dirty": None}
    if not (root / ".git").exists():
        return unknown
    try:
        commit, changed = (_git(root, *words) for words in (("rev-parse", "HEAD"), ("status", "--porcelain", "-uno")))
    except (OSError, subprocess.CalledProcessError):  # no git, or a folder that it refuses
        return unknown
    return {"commit": commit.strip(), "dirty": bool(changed)}


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True).stdout


def _digest_of_files(name: str) -> str:
    """Return the digest of the files behind an agent's string or an imported path; nothing if there are none."""
    files = files_of(name)
    return _digest(b"".join(file.read_bytes() for file in files)) if files else ""


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
