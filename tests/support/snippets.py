"""The snippets of the documentation: fenced blocks, and indented command lines."""

import re
from dataclasses import dataclass
from pathlib import Path

from support.paths import ROOT

ABOVE = [path for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md") if path.exists()]
PAGES = [*ABOVE, *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(.*?)$\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    (\S.*)$", re.MULTILINE)
SHELLS = ("sh", "bash", "shell", "console")


@dataclass(frozen=True)
class Block:
    """A fenced block. info: the words after the opening fence."""

    page: str
    info: str
    text: str

    @property
    def language(self) -> str:
        return self.info.split()[0] if self.info.split() else ""

    @property
    def file(self) -> str | None:
        """Return the file that the reader is told to write."""
        found = re.search(r'title="([^"]+)"', self.info)
        return found[1] if found else None


@dataclass(frozen=True)
class Line:
    """A command line without comments and redirections."""

    page: str
    text: str

    @property
    def words(self) -> str:
        return re.split(r"\s{2,}#|\s#\s|\s>\s", self.text)[0].strip()

    @property
    def program(self) -> str:
        """Return the first word without its folder."""
        return self.words.split()[0].rpartition("/")[2]


def blocks() -> list[Block]:
    """Return the blocks of all pages, in order."""
    return [Block(page.name, info.strip(), text) for page in PAGES for info, text in FENCE.findall(_text(page))]


def lines() -> list[Line]:
    """Return the commands of all pages, in order: indented ones, and those in shell blocks."""
    found = [Line(page.name, text) for page in PAGES for text in INDENTED.findall(FENCE.sub("", _text(page)))]
    for block in blocks():
        if block.language in SHELLS:
            found += [Line(block.page, text) for text in block.text.splitlines() if text[:1] not in "#"]
    return found


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")
