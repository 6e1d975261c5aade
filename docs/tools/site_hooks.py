"""What MkDocs is told beside mkdocs.yml: README, changelog and others stand above docs/ and are pages all the same.

README.md becomes index.md. Links between those pages and the ones in docs/ are written as they hold in the repository;
here they are turned to where the pages stand in the site. So are the links of notebooks, which MkDocs does not read.
The log and the source are for those who have the repository: links to them become plain text.

The `docs` workflow puts the table as a static page into the site, in play/. README's picture and table.md lead there.
"""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
ABOVE = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md")
TARGET = re.compile(r"(\]\(|src=\"|srcset=\"|href=\")([^)\"]+)")
NOTEBOOK_LINK = re.compile(r"(href=\"(?![a-z]+:)[^\"#]+)\.(?:md|ipynb)((?:#[^\"]*)?)\"")
REPOSITORY_LINK = re.compile(r"\[([^\]]*)\]\((?:(?:docs/)?log|spades_env)/[^)]*\)")
PICTURE, TABLE = 'href="table.md#as-a-static-page"', 'href="play/index.html"'  # README's picture; the table


def on_files(files, config):
    """Add the pages that stand above docs/."""
    for name in ABOVE:
        if (ROOT / name).exists():
            text = (ROOT / name).read_text(encoding="utf-8")
            text = TARGET.sub(_from_above, REPOSITORY_LINK.sub(r"\1", text)).replace(PICTURE, TABLE)
            files.append(File.generated(config, _page(name), content=text))
    return files


def on_page_markdown(markdown, page, **_):
    """Turn the links of the pages in docs/."""
    return markdown if page.file.generated_by else TARGET.sub(_from_docs, REPOSITORY_LINK.sub(r"\1", markdown))


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


def _page(name: str) -> str:
    return name.replace("README.md", "index.md")
