"""What has to be the same on this machine and on every node, so that the results are.

versions()                  {"Python": "3.11", "spades-env": "0.1.0", …}
differences(here, there)    what a node has of it, and should not
"""

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from spades_env import __version__
from spades_env.shadows import HOME

LIBRARIES = ("numpy", "numba", "pyarrow", "onnxruntime")  # a node needs the last two only for what uses them
PACKAGES = ("spades_env", "agents", "train")  # that decide results
PATTERNS = ("*.py", "*.safetensors", "*.toml", "*.json")
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
    for package in PACKAGES:
        files = {path for pattern in PATTERNS for path in (HOME / package).rglob(pattern)}
        for path in sorted(files, key=lambda path: path.relative_to(HOME).as_posix()):
            if "configs" not in path.relative_to(HOME).parts:  # which a clone has elsewhere; rules travel whole
                digest.update(f"{path.relative_to(HOME).as_posix()} {path.stat().st_size}\n".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:DIGITS]
