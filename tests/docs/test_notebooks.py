"""The notebooks run from a fresh kernel, and what is stored of them is a whole run that a reader can trust."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from nbclient import __version__  # noqa: F401 — without it every test here would have nothing to test
from support.paths import ROOT, TOOLS, docs_tool

from spades_env._jit import JIT_ON

FOLDER = ROOT / "docs" / "notebooks"
PAGES = sorted(FOLDER.glob("*.ipynb"))
TEN_MINUTES = FOLDER / "spades_in_ten_minutes.ipynb"
SMALL = ["match_games=60", "games=16", "tables=4", "iterations=2", "every=2"]
SMALL += ["response_iterations=1", "response_tables=8"]
MACHINE = re.compile(r"/(?:home|tmp|work|Users|root|usr|opt)/|[A-Z]:\\|0x[0-9a-f]{6,}|\b\d{4}-\d\d-\d\dT")

pytestmark = pytest.mark.skipif(not JIT_ON, reason="whole games, which take minutes without the compiler")


def cells(path: Path, kind: str) -> list[dict]:
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


def source(cell: dict) -> str:
    return "".join(cell["source"])


def printed(path: Path) -> list[str]:
    """Return what each cell printed."""
    return ["".join("".join(one.get("text", "")) for one in cell["outputs"]) for cell in cells(path, "code")]


def run(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, TOOLS / "notebooks.py", *arguments], capture_output=True, text=True)


@pytest.fixture(scope="module")
def executed(tmp_path_factory) -> Path:
    """Return a folder with all notebooks as they come out with small budgets."""
    folder = tmp_path_factory.mktemp("notebooks")
    done = run("--out", folder, *[part for one in SMALL for part in ("--set", one)])
    assert done.returncode == 0, done.stderr
    return folder


def test_there_are_two():
    assert {path.stem for path in PAGES} == {"spades_in_ten_minutes", "train_evaluate_exploit"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_cell_runs(page, executed):
    found = executed / page.name
    assert [source(cell) for cell in cells(page, "markdown")] == [source(cell) for cell in cells(found, "markdown")]
    assert [cell["execution_count"] for cell in cells(found, "code")] == list(range(1, len(cells(page, "code")) + 1))
    assert pictures(found) == pictures(page) >= 2


def pictures(path: Path) -> int:
    return sum("image/png" in one.get("data", {}) for cell in cells(path, "code") for one in cell["outputs"])


def test_small_budgets_are_heard(executed):
    parameters = source(cells(executed / "train_evaluate_exploit.ipynb", "code")[0])
    assert "\ntables = 4  # hands" in "\n" + parameters
    assert "response_tables = 8" in parameters
    said = "\n".join(printed(executed / "train_evaluate_exploit.ipynb"))
    assert "of 16 games won" in said
    assert "of 4 selection games" in said


def test_the_stored_output_is_what_the_code_prints(executed):
    """Of the notebook that follows from its seed alone."""
    assert printed(TEN_MINUTES) == printed(executed / TEN_MINUTES.name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_stored_is_one_whole_run(page):
    code = cells(page, "code")
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [one for cell in code for one in cell["outputs"]]
    assert outputs
    assert not [one for one in outputs if one["output_type"] == "error" or one.get("name") == "stderr"]
    told = json.loads(page.read_text(encoding="utf-8"))
    assert [cell["id"] for cell in told["cells"]] == [f"cell-{number + 1}" for number in range(len(told["cells"]))]
    assert not MACHINE.search("\n".join([*printed(page), json.dumps(told["metadata"])]))
    assert page.stat().st_size < 400_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_text_is_readable_and_its_links_hold(page):
    text = "\n\n".join(source(cell) for cell in cells(page, "markdown"))
    found = docs_tool("readability").measure(text)
    assert found.words > 150
    assert found.misses() == []
    links = re.findall(r"\]\(([^)#]+)", text)
    assert len(links) > 2
    assert [link for link in links if not (FOLDER / link).exists()] == []


def test_readers_find_them():
    for name in ("README.md", "docs/tutorial_train.md", "mkdocs.yml"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert [page.name for page in PAGES if f"notebooks/{page.name}" not in text] == [], name


def test_an_error_in_a_cell_ends_the_run(tmp_path):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": "1 / 0", "outputs": [], "execution_count": None}
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "bad.ipynb").write_text(json.dumps(book), encoding="utf-8")
    done = run(tmp_path / "bad.ipynb", "--out", tmp_path / "out")
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert not (tmp_path / "out").exists()


def test_parameters_keep_their_comments():
    with_values = docs_tool("notebooks").with_values
    assert with_values("games = 40  # many\nseed = 7\nmore_games = 3", {"games": "2", "none": "1"}) == (
        "games = 2  # many\nseed = 7\nmore_games = 3"
    )
