"""The docs say what the code does: tables are printed from it, snippets run, links lead somewhere."""

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ALL_PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")


def test_the_readme_is_a_session_that_runs():
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 15
    assert failures == 0


def test_printed_tables_are_what_the_code_prints():
    spec = importlib.util.spec_from_file_location("docs_make", ROOT / "docs" / "make.py")
    assert spec
    assert spec.loader
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    assert len(make.PAGES) > 4
    for page in make.PAGES:
        text = page.read_text(encoding="utf-8")
        assert make.printed(text) == text, f"{page.name} is stale: run python docs/make.py"
    assert "| `hand` |" in make.printed("<!-- printed: layout -->\n<!-- end -->")


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_file_in_the_readmes_tree_exists():
    tree = (ROOT / "README.md").read_text(encoding="utf-8").split("## The file tree")[1].split("```")[1]
    folder = ROOT
    named = 0
    for line in tree.strip().splitlines():
        name = line.split()[0]
        folder = ROOT if not line.startswith(" ") else folder
        assert (folder / name).exists(), f"{name} is in the README's tree and nowhere else"
        folder = folder / name if name.endswith("/") and not line.startswith(" ") else folder
        named += 1
    assert named > 20


def test_every_module_is_in_the_readmes_tree():
    tree = (ROOT / "README.md").read_text(encoding="utf-8").split("## The file tree")[1].split("```")[1]
    folders = ("spades_env", "agents", "train", "play", "play/server", "play/terminal", "examples")
    modules = [path.name for folder in folders for path in (ROOT / folder).glob("*.py") if path.name != "__init__.py"]
    modules += [path.name for path in (ROOT / "play" / "page").iterdir()]
    assert [name for name in modules if f"  {name} " not in tree] == []
