"""The machine that an entry was measured on."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from spades_env.checks import usable_cores


def machine() -> dict[str, Any]:
    """Return what times depend on: processor, cores, system, versions."""
    versions = {}
    for name in ("numpy", "numba"):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = ""
    about = {"processor": processor(), "cores": usable_cores(), "system": platform.system()}
    return about | {"python": platform.python_version()} | versions


def processor() -> str:
    """Return the processor's name, as far as the system knows it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
