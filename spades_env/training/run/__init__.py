"""The folder of a run: its checkpoints, metrics and curves."""

from pathlib import Path

RUN_LOCK = ("run.lock", "{folder} is in use by {holder}: wait until that ends, or name another folder with --out")


def is_begun(folder: Path) -> bool:
    """Return whether a folder holds a run."""
    return (folder / "config.json").exists()
