"""Paths of the repository, and the modules that lie in folders of tools."""

import importlib
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "docs" / "tools"


def docs_tool(name: str) -> Any:
    """Import a module of docs/tools, which import one another."""
    if str(TOOLS) not in sys.path:
        sys.path.append(str(TOOLS))
    return importlib.import_module(name)
