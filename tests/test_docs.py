"""The docs say what the code does: tables are printed from it, snippets run, links lead somewhere."""

import importlib.util
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from train.recipe import KINDS, Recipe

ROOT = Path(__file__).resolve().parent.parent
ALL_PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"(?:\]\(|src=\"|srcset=\")([^)#\"]+)[^)\"]*[)\"]")


@pytest.fixture(scope="module")
def make():
    """docs/make.py, imported."""
    spec = importlib.util.spec_from_file_location("docs_make", ROOT / "docs" / "make.py")
    assert spec
    assert spec.loader
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    return make


def test_printed_tables_are_what_the_code_prints(make):
    assert len(make.PAGES) > 4
    for page in make.PAGES:
        text = page.read_text(encoding="utf-8")
        assert make.printed(text) == text, f"{page.name} is stale: run python docs/make.py"
    assert "| `hand` |" in make.printed("<!-- printed: layout -->\n<!-- end -->")


def test_the_printed_recipe_can_be_followed(make):
    found = tomllib.loads(make.recipe_keys.toml().strip("`").removeprefix("toml"))
    assert Recipe.of(found) == Recipe(stage=tuple(kind() for kind in KINDS.values()))


def test_pictures_are_what_the_code_draws(make):
    for path, drawn in make.pictures().items():
        ElementTree.fromstring(drawn)
        assert path.read_text(encoding="utf-8") == drawn, f"{path.name} is stale: run python docs/make.py"


def test_the_house_is_drawn_whole(make):
    """Every module stands in a group, and no arrow points up or round in a circle."""
    house = make.house_picture
    for package in house.GROUPS:
        for path in (ROOT / package).rglob("*.py"):
            assert path.stem == "__init__" or house.group_of(path), f"{path} stands in no group"
        for name in " ".join(house.GROUPS[package].values()).split():
            assert "*" in name or (ROOT / package / f"{name}.py").exists(), f"{name} is drawn and nowhere else"
    assert ("agents", "levels") in house.imports()["agents", "measuring, fitting"]


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def tree() -> str:
    """The file tree of the page on architecture."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return page.split("## The file tree")[1].split("```")[1]


def test_every_file_in_the_tree_exists():
    folder = ROOT
    named = 0
    for line in tree().strip().splitlines():
        name = line.split()[0]
        folder = ROOT if not line.startswith(" ") else folder
        assert (folder / name).exists(), f"{name} is in the tree of architecture.md and nowhere else"
        folder = folder / name if name.endswith("/") and not line.startswith(" ") else folder
        named += 1
    assert named > 20


def test_every_module_is_in_the_tree():
    named = tree()
    folders = ("spades_env", "agents", "train", "play", "play/server", "play/storage", "play/terminal", "examples")
    modules = [path.name for folder in folders for path in (ROOT / folder).glob("*.py") if path.name != "__init__.py"]
    modules += [path.name for path in (ROOT / "play" / "page").iterdir()]
    assert [name for name in modules if f"  {name} " not in named] == []
