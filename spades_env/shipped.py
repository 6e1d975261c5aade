"""Where the files lie that come with the package: presets and recipes in configs/, levels and characters in agents/."""

from pathlib import Path

PACKAGE = Path(__file__).parent


def shipped_folder(name: str) -> Path:
    """Return the folder `configs` or `agents`: inside the installed package, or beside it in a checkout."""
    inside = PACKAGE / "data" / name
    return inside if inside.is_dir() else PACKAGE.parent / name
