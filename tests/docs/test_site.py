"""The pages build as a site, strictly: every link and anchor leads somewhere, nothing is loaded from elsewhere."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.paths import ROOT, docs_tool

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


def test_the_navigation_leaves_out_long_outputs(site):
    """They are on a page that another links to."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    assert "data.md" in text
    assert "frameworks_output.md" not in text


def test_the_log_is_not_in_the_site(site):
    """Pages that name it keep the word; links within the site hold without it."""
    assert not (site / "log").exists()
    assert "[log](log/README.md)" in (ROOT / "docs" / "opponents.md").read_text(encoding="utf-8")
    assert "rollouts (log), so" in " ".join((site / "opponents.html").read_text(encoding="utf-8").split())


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


def test_the_first_picture_leads_to_the_table(site):
    """The workflow that publishes the pages puts the table where they lead."""
    assert f'href="{TABLE}"><picture>' in (site / "index.html").read_text(encoding="utf-8")
    assert f'href="{TABLE}">Play now' in (site / "web.html").read_text(encoding="utf-8")
    assert "make site SITE=build/site/play\n" in (ROOT / ".github/workflows/docs.yml").read_text(encoding="utf-8")


MODULES = {"agents", "cards", "observe", "rollout", "spades_v0"}  # which have pages of their own
API = {"spades_env": "api", "spades_env.agents": "api_agents", "spades_env.training": "api_training"}


def api(site: Path, package: str) -> set[str]:
    """Return the objects that a page of the API describes, by their full names."""
    return set(re.findall(r'<h\d id="([\w.]+\.\w+)"', (site / f"{API[package]}.html").read_text(encoding="utf-8")))


@pytest.mark.parametrize("package", [spades_env, agents, training], ids=lambda package: package.__name__)
def test_the_api_pages_describe_all_that_is_public(site, package):
    name = package.__name__
    public = set(training.OFFERED if package is training else package.__all__) - {"__version__"} - MODULES
    described = {one.rpartition(".")[2] for one in api(site, name)}
    assert public - described == set()


def test_the_api_pages_name_nothing_private(site):
    for package, page in API.items():
        assert not [name for name in api(site, package) if "._" in name]
        text = re.sub(r"<[^>]+>", "", (site / f"{page}.html").read_text(encoding="utf-8").partition("<article")[2])
        assert not re.findall(r"(?<![\w/])_[a-z]\w*", text), page


def test_columns_of_a_docstring_become_a_list():
    pytest.importorskip("griffe")
    with_lists = docs_tool("columns").with_lists
    text = "A table.\n\nseat, dealer  who\n              deals\nrules     what\n\n    code   here\nAn end."
    assert with_lists(text) == (
        "A table.\n\n- **`seat`, `dealer`**: who deals\n- **`rules`**: what\n\n    code   here\nAn end."
    )
