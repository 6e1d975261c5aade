"""Each class of the package has a name of its own, so that the name says which one is meant."""

import ast
from collections import defaultdict

from support.paths import ROOT

PACKAGE = ROOT / "spades_env"


def classes() -> dict[str, list[str]]:
    """Return the modules that define a class of each name."""
    found = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(path.relative_to(PACKAGE).as_posix())
    return found


def test_every_class_has_a_name_of_its_own():
    assert len(classes()) > 100
    assert {name: modules for name, modules in classes().items() if len(modules) > 1} == {}
