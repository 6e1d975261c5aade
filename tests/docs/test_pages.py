"""The docs say what the code does: tables are printed from it, snippets run, links lead somewhere."""

import re
import tomllib
from xml.etree import ElementTree

import pytest
from support.paths import ROOT, docs_tool

from spades_env.agents.agent_name import shipped
from spades_env.agents.roster import LEVELS
from spades_env.game.observe import LAYOUT, NUM_FEATURES
from spades_env.training.recipe import KINDS, Recipe

PACKAGE = ROOT / "spades_env"
ALL_PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"(?:\]\(|src=\"|srcset=\")([^)#\"]+)[^)\"]*[)\"]")


@pytest.fixture(scope="module")
def make():
    return docs_tool("make")


def test_printed_tables_are_what_the_code_prints(make):
    assert len(make.PAGES) > 4
    for page in make.PAGES:
        text = page.read_text(encoding="utf-8")
        assert make.printed(text) == text, f"{page.name} is stale: run python docs/tools/make.py"
    assert "| `hand` |" in make.printed("<!-- printed: layout -->\n<!-- end -->")


def test_the_printed_layout_lists_every_block(make):
    rows = make.layout_table().splitlines()[2:]
    assert [row.split("|")[3].strip(" `") for row in rows] == list(LAYOUT)
    assert rows[-1].split("|")[2].strip() == str(NUM_FEATURES - 1)


def test_the_printed_recipe_can_be_followed(make):
    found = tomllib.loads(make.recipe_keys.toml().strip("`").removeprefix("toml"))
    assert Recipe.of(found) == Recipe(stage=tuple(kind() for kind in KINDS.values()))


def test_pictures_are_what_the_code_draws(make):
    for path, drawn in make.pictures().items():
        ElementTree.fromstring(drawn)
        assert path.read_text(encoding="utf-8") == drawn, f"{path.name} is stale: run python docs/tools/make.py"


def test_no_picture_shows_a_formula():
    texts = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.svg")}
    assert len(texts) > 5
    assert [name for name, text in texts.items() if r"\math" in text] == []


def test_the_moving_hand_is_light_and_needs_nothing_else():
    text = (ROOT / "docs" / "hand.svg").read_text(encoding="utf-8")
    assert len(text) < 100_000
    assert not re.search(r"<script|href|url\(", text)


def test_every_shipped_level_has_its_card(make):
    for path, card in make.cards().items():
        assert path.read_text(encoding="utf-8") == card, f"{path.name} is stale: run python docs/tools/make.py"
    assert {path.stem for path in LEVELS.glob("*.md")} == set(shipped())


def test_the_house_is_drawn_whole(make):
    """Every module stands in a group, and no arrow points up or round in a circle."""
    house = make.house_picture
    for path in PACKAGE.rglob("*.py"):
        assert path.stem == "__init__" or house.group_of(path), f"{path} stands in no group"
    for package, groups in house.GROUPS.items():
        folder = PACKAGE if package == "core" else PACKAGE / package
        for name in " ".join(groups.values()).split():
            assert "*" in name or (folder / f"{name}.py").exists(), f"{name} is drawn and nowhere else"
    assert ("agents", "worlds") in house.imports()["agents", "search"]


def test_every_extra_is_explained():
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [extra for extra in project["optional-dependencies"] if f"`{extra}`" not in page] == []


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_picture_of_the_page_is_shown():
    shown = {target for page in ALL_PAGES for target in LINK.findall(page.read_text(encoding="utf-8"))}
    assert {path.name for path in (ROOT / "docs" / "screens").iterdir()} == {
        target.rpartition("/")[2] for target in shown if "screens/" in target
    }


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_room_is_described():
    rooms = {path.parent.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE}
    rooms |= {path.parent.relative_to(PACKAGE).as_posix() for path in (PACKAGE / "play" / "page").rglob("*.js")}
    named = set(re.findall(r"\*\*([a-z_/]+)/\*\*", ARCHITECTURE))
    within = {f"{room}/{name}" for room in named for name in re.findall(r"`([a-z]+)/`", paragraph_of(room))}
    assert rooms - named - within == set()
    assert [name for name in named | within if not any((top / name).is_dir() for top in (PACKAGE, ROOT))] == []


def paragraph_of(room: str) -> str:
    return re.split(r"\n\n|\n- ", ARCHITECTURE.split(f"**{room}/**")[1])[0]


def test_every_file_that_is_named_exists():
    named = set(re.findall(r"`([\w/]+\.(?:py|js|md))`", ARCHITECTURE))
    tops = ("spades_env", "train", "web", "tests", "docs")
    files = ["/" + path.relative_to(ROOT).as_posix() for top in tops for path in (ROOT / top).rglob("*.*")]
    assert [name for name in named if not any(file.endswith(f"/{name}") for file in files)] == []
    assert len(named) > 40
