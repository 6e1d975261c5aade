"""The pages build as a site, strictly: every link and anchor leads somewhere, nothing is loaded from elsewhere."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.paths import ROOT, docs_tool
from support.play.browsers import chromium, expect, needs_a_browser

import spades_env
from spades_env import agents, training

LOADED = {"script": "src", "img": "src", "link": "href", "source": "srcset", "iframe": "src"}
KINDS = {"stylesheet", "icon", "preload", "prefetch", "preconnect"}  # of <link> that a browser fetches
TABLE = "play/index.html"  # the table as a static page, which a workflow puts there


class Loads(HTMLParser):
    """Collects what a browser fetches for a page, and where its pictures are."""

    def __init__(self):
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        if tag in LOADED and (tag != "link" or told.get("rel") in KINDS):
            self.found.append(told.get(LOADED[tag]) or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    pytest.importorskip("mkdocs", reason='the site needs mkdocs: pip install ".[docs]"')
    pytest.importorskip("material", reason='the site needs mkdocs-material: pip install ".[docs]"')
    pytest.importorskip("mkdocstrings", reason='the site needs mkdocstrings: pip install ".[docs]"')
    pytest.importorskip("mkdocs_jupyter", reason='the site needs mkdocs-jupyter: pip install ".[docs]"')
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=quiet)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_page_is_there(site):
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} | {"index", "CHANGELOG"}
    pages |= {path.stem for path in (ROOT / "docs" / "notebooks").glob("*.ipynb")}
    assert pages <= {path.stem for path in site.rglob("*.html")}
    assert not list(site.rglob("*.py"))


def test_the_log_is_not_in_the_site(site):
    """Pages that name it keep the word; links within the site hold without it."""
    assert not (site / "log").exists()
    assert "[log](log/README.md)" in (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
    assert "without gain (log)." in " ".join((site / "references.html").read_text(encoding="utf-8").split())


ADDRESS = "https://example.org/owner/spades"
LOG = f"[log]({ADDRESS}/blob/main/docs/log/README.md)"


def test_where_the_address_is_known_the_log_is_read_in_the_repository():
    """The workflow that publishes the pages knows it."""
    pytest.importorskip("mkdocs", reason='the site needs mkdocs: pip install ".[docs]"')
    hooks, config = docs_tool("site_hooks"), SimpleNamespace(repo_url=f"{ADDRESS}/")
    page = SimpleNamespace(file=SimpleNamespace(generated_by=None))
    shown = hooks.on_page_markdown("See the [log](log/README.md) and [a page](rules.md).", page, config=config)
    assert shown == f"See the {LOG} and [a page](rules.md)."
    assert hooks.on_page_markdown("[x](log/2026-11.md#y)", page, config=config).endswith("/docs/log/2026-11.md#y)")
    home = hooks.text_above("README.md", config)
    assert LOG in home
    assert f"({ADDRESS}/blob/main/spades_env/play/page/type/OFL.txt)" in home
    assert LOG in hooks.text_above("CONTRIBUTING.md", config)
    assert "REPOSITORY_URL: ${{" in (ROOT / ".github/workflows/docs.yml").read_text(encoding="utf-8")


def test_nothing_is_loaded_from_elsewhere(site):
    for page in site.rglob("*.html"):
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.found
        for target in loads.found:
            if not target.startswith("data:"):
                assert "//" not in target, f"{page.name} loads {target}"
                start = site if target.startswith("/") else page.parent
                assert (start / target.split("?")[0].lstrip("/")).exists(), f"{page.name}: {target}"


def test_links_within_the_site_hold(site):
    """Those in raw HTML, too, which MkDocs does not look at."""
    for page in site.rglob("*.html"):
        for target in re.findall(r'href="([^"#?]+)["#?]', page.read_text(encoding="utf-8")):
            outside = "://" in target or target.startswith(("mailto:", "data:")) or target == TABLE
            if not outside and page.name != "404.html":
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


BOX = ".md-typeset__table"  # what Material puts around a table
SCROLLED = """(boxes) => {
  const wide = boxes.filter((box) => box.scrollWidth > box.clientWidth + 1);
  for (const box of wide) box.scrollLeft = box.scrollWidth;
  const where = (node) => node.getBoundingClientRect();
  return {
    wide: wide.length,
    page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    gone: wide.filter((box) => where(box.querySelector("td")).left < where(box).left - 1).length,
    hidden: wide.filter((box) => where(box.querySelector("tr").lastElementChild).right > where(box).right + 1).length,
  };
}"""


@pytest.mark.parametrize("width", [1440, 390])
def test_wide_tables_scroll_in_their_own_box(site, width):
    """Their first column stays, their last one can be reached, and the page itself doesn't scroll to the side."""
    needs_a_browser()
    with chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": 900})
        for name in ("benchmark", "opponents", "training_results"):
            page.goto((site / f"{name}.html").as_uri())
            expect(page.locator(f"{BOX} table").last).to_be_attached()  # the page's script has wrapped them
            found = page.locator(BOX).evaluate_all(SCROLLED)
            assert found.pop("wide") > 0, name
            assert found == {"page": 0, "gone": 0, "hidden": 0}, name


def test_the_first_picture_leads_to_the_table(site):
    """The workflow that publishes the pages puts the table where they lead."""
    assert f'href="{TABLE}"><picture>' in (site / "index.html").read_text(encoding="utf-8")
    assert f'href="{TABLE}">Play now' in (site / "table.html").read_text(encoding="utf-8")
    assert "make site SITE=build/site/play\n" in (ROOT / ".github/workflows/docs.yml").read_text(encoding="utf-8")


MODULES = {"agents", "cards", "observe", "rollout", "spades_v0"}  # which have pages of their own


def api(site: Path) -> tuple[str, set[str]]:
    """Return the text of the API's page, and the objects that it describes, by their full names."""
    html = (site / "api.html").read_text(encoding="utf-8").partition("<article")[2]
    return re.sub(r"<[^>]+>", "", html), set(re.findall(r'<h\d id="([\w.]+\.\w+)"', html))


@pytest.mark.parametrize("package", [spades_env, agents, training], ids=lambda package: package.__name__)
def test_the_api_describes_all_that_is_public(site, package):
    public = set(training.OFFERED if package is training else package.__all__) - {"__version__"} - MODULES
    described = {one.rpartition(".")[2] for one in api(site)[1] if one.startswith(f"{package.__name__}.")}
    assert public - described == set()


def test_the_api_names_nothing_private(site):
    text, names = api(site)
    assert not [name for name in names if "._" in name]
    assert not re.findall(r"(?<![\w/])_[a-z]\w*", text)


def test_columns_of_a_docstring_become_a_list():
    pytest.importorskip("griffe")
    with_lists = docs_tool("columns").with_lists
    text = "A table.\n\nseat, dealer  who\n              deals\nrules     what\n\n    code   here\nAn end."
    assert with_lists(text) == (
        "A table.\n\n- **`seat`, `dealer`**: who deals\n- **`rules`**: what\n\n    code   here\nAn end."
    )
