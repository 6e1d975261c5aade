"""Hooks for MkDocs: add README, changelog and other pages from above docs/, and rewrite links.

README.md becomes index.md. Links between those pages and docs/ are written for the repository; here they are rewritten
for the site, and so are those in notebooks, which MkDocs does not read. The log and the source are not in the site:
links to them lead to the repository, or become plain text where its address is unknown, as in a local build.

The `docs` workflow puts the table as a static page into the site, in play/. README's picture and table.md lead there.
"""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
ABOVE = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md")
TARGET = re.compile(r"(\]\(|src=\"|srcset=\"|href=\")([^)\"]+)")
NOTEBOOK_LINK = re.compile(r"(href=\"(?![a-z]+:)[^\"#]+)\.(?:md|ipynb)((?:#[^\"]*)?)\"")
REPOSITORY_LINK = re.compile(r"\[([^\]]*)\]\(((?:log|spades_env)/[^)]*)\)")
FILES = "blob/main"  # between the repository's address and a file's path; the site is published from this branch
PICTURE, TABLE = 'href="table.md#as-a-static-page"', 'href="play/index.html"'  # README's picture; the table


def on_files(files, config):
    """Add the pages that stand above docs/."""
    for name in ABOVE:
        if (ROOT / name).exists():
            files.append(File.generated(config, _page(name), content=text_above(name, config)))
    return files


def text_above(name, config) -> str:
    """Return the text of a page that stands above docs/, as the site has it."""
    text = TARGET.sub(_from_above, (ROOT / name).read_text(encoding="utf-8"))
    return _to_repository(text, config).replace(PICTURE, TABLE)


def on_page_markdown(markdown, page, config, **_):
    """Turn the links of the pages in docs/."""
    return markdown if page.file.generated_by else _to_repository(TARGET.sub(_from_docs, markdown), config)


def on_page_content(html, page, **_):
    """Turn the links of the notebooks, and add one to the table."""
    if page.file.src_uri == "table.md":
        return html.replace("</h1>", f'</h1><p><a class="md-button" {TABLE}>Play now</a></p>', 1)
    return NOTEBOOK_LINK.sub(r'\1.html\2"', html) if page.file.src_uri.endswith(".ipynb") else html


def _from_above(found) -> str:
    target = found[2].removeprefix("docs/")
    return found[1] + (target if target != found[2] else _page(target))


def _from_docs(found) -> str:
    target = found[2].removeprefix("../")
    return found[1] + (target if target == found[2] else _page(target))


def _to_repository(text: str, config) -> str:
    """Turn links to the log and to the source, whose targets begin with their folder."""

    def link(found) -> str:
        path = found[2] if found[2].startswith("spades_env/") else f"docs/{found[2]}"
        return f"[{found[1]}]({config.repo_url.rstrip('/')}/{FILES}/{path})" if config.repo_url else found[1]

    return REPOSITORY_LINK.sub(link, text)


def _page(name: str) -> str:
    return name.replace("README.md", "index.md")
