"""Modules, classes and what the packages offer are described; no docstring only repeats a name."""

import ast
import importlib
import inspect
import re
from functools import cache
from pathlib import Path

import pytest
from support.paths import ROOT

MODULES = sorted((ROOT / "spades_env").rglob("*.py"))
FILLERS = {"a", "all", "an", "get", "in", "of", "return", "returns", "the", "this", "to"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def trees() -> dict[str, ast.Module]:
    return {dotted(path): ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def test_modules_and_classes():
    assert [name for name, tree in trees().items() if tree.body and not ast.get_docstring(tree)] == []
    nodes = [(name, node) for name, tree in trees().items() for node in tree.body if isinstance(node, ast.ClassDef)]
    silent = [f"{name}.{node.name}" for name, node in nodes if node.name[0] != "_" and not ast.get_docstring(node)]
    assert silent == []


def test_no_docstring_repeats_a_name():
    """A docstring has at least one word that isn't in the name of its function."""
    nodes = [(name, node) for name, tree in trees().items() for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    assert [f"{name}.{node.name}" for name, node in nodes if ast.get_docstring(node) and repeats(node)] == []


def repeats(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    words = set(re.findall("[a-z]+", (ast.get_docstring(node) or "").lower())) - FILLERS
    return words <= set(node.name.lower().split("_"))


@pytest.mark.parametrize("package", ["spades_env", "spades_env.agents"])  # the two that others import
def test_what_a_package_offers_is_described(package):
    offered = importlib.import_module(package)
    for name in offered.__all__:
        assert isinstance(getattr(offered, name), str) or inspect.getdoc(getattr(offered, name)), name
        if inspect.isclass(getattr(offered, name)):
            methods = inspect.getmembers(getattr(offered, name), inspect.isfunction)
            silent = [method for method, own in methods if method[0] != "_" and not inspect.getdoc(own)]
            assert silent == [], name
