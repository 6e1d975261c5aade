"""Find files that hide our packages: Python takes the first `agents` or `train` on its path, be it ours or not.

`python -m train` and `torchrun -m train` look in the current folder first; the command `spades` does not.
"""

import importlib.util
from pathlib import Path

from spades_env.extras import OWN_PACKAGES

HOME = Path(__file__).resolve().parents[1]  # our packages lie side by side


class ShadowedError(ValueError):
    """Something else is imported under the name of one of our packages."""


def shadow_of(package: str) -> Path | None:
    """Return the file that hides a package of ours; None if there is none."""
    try:
        found = importlib.util.find_spec(package)
    except ValueError:  # a module that was made by hand
        return None
    if found is None or found.origin is None:
        return None
    origin = Path(found.origin).resolve()
    return None if origin.parent == HOME / package else Path(found.origin)


def check_shadows() -> None:
    """Raise ShadowedError if something else bears the name of one of our packages."""
    for package in OWN_PACKAGES:
        if shadow := shadow_of(package):
            raise ShadowedError(shadowed(package, shadow))


def shadowed(package: str, shadow: Path) -> str:
    """Say which file hides the package, and what to do."""
    return (
        f"{shadow} hides the package {package!r} of spades-env: rename that file or folder, or run `spades` from "
        "another folder (with several workers: torchrun --no-python spades train ...)"
    )
