"""What has to be the same on this machine and on every node, so that the results are.

versions()                  {"Python": "3.11", "spades-env": "0.1.0", …}
differences(here, there)    what a node has of it, and should not
"""

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from spades_env._version import __version__
from spades_env.shipped import PACKAGE, shipped_folder

LIBRARIES = ("numpy", "numba", "pyarrow", "onnxruntime")  # a node needs the last two only for what uses them
PATTERNS = ("*.py", "*.safetensors", "*.toml", "*.json")
ELSEWHERE = ("data", "play")  # data: what a clone has beside the package; play: it decides no results
CODE = "files of spades-env with the digest"
DIGITS = 12


@cache
def versions() -> dict[str, str]:
    """Return the versions of what decides results, and a digest of the package's own files."""
    found = {"Python": "{}.{}".format(*sys.version_info), "spades-env": __version__}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found | {CODE: _digest_of_code()}


def differences(here: dict[str, str], there: dict[str, str]) -> str:
    """Say what is different there; nothing if all is equal. A library that one of both lacks is no difference."""
    found = [name for name in here if there.get(name, here[name]) != here[name]]
    if len(found) > 1 and CODE in found:
        found.remove(CODE)  # it follows from the others, or says no more than they do
    return " and ".join(f"{name} {there[name]}, not {here[name]}" for name in found)


def _digest_of_code() -> str:
    digest = hashlib.sha256()
    for folder in (PACKAGE, shipped_folder("agents")):  # not configs: rules travel whole
        files = {path.relative_to(folder) for pattern in PATTERNS for path in folder.rglob(pattern)}
        for name in sorted(files, key=Path.as_posix):
            if name.parts[0] not in ELSEWHERE:
                content = (folder / name).read_bytes()
                digest.update(f"{name.as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:DIGITS]
