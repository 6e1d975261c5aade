"""Everything public says what it is: modules, classes, functions and methods."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest
from support.paths import ROOT

MODULES = sorted(path for folder in ("spades_env", "agents", "train", "play") for path in (ROOT / folder).rglob("*.py"))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_modules_and_classes(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree) or path.read_text(encoding="utf-8").strip() == ""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    assert [node.name for node in classes if not ast.get_docstring(node)] == []


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_functions_and_methods(path):
    """A method may have its docstring from the class that it overrides."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    without = [name for name, node in public(tree) if not ast.get_docstring(node)]
    assert [name for name in without if "." not in name or not inherited(path, name)] == []


def public(tree: ast.Module) -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Functions and methods by name, those left out that begin with an underscore."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found += [(f"{node.name}.{one.name}", one) for one in node.body if isinstance(one, FUNCTIONS)]
        elif isinstance(node, FUNCTIONS):
            found.append((node.name, node))
    return [(name, node) for name, node in found if not name.rpartition(".")[2].startswith("_")]


def inherited(path: Path, name: str) -> bool:
    """Does a base class say it?"""
    if path.stem == "__main__":
        return False
    owner, _, method = name.partition(".")
    return bool(inspect.getdoc(getattr(getattr(importlib.import_module(dotted(path)), owner), method)))


@pytest.mark.parametrize("package", ["spades_env", "agents"])  # the two that others import
def test_what_a_package_offers_is_described(package):
    offered = importlib.import_module(package)
    for name in offered.__all__:
        assert isinstance(getattr(offered, name), str) or inspect.getdoc(getattr(offered, name)), name
