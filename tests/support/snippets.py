"""Every snippet of the pages: blocks between fences, and indented command lines."""

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
    """What stands between two fences. info: the words behind the first."""

    page: str
    info: str
    text: str

    @property
    def language(self) -> str:
        return self.info.split()[0] if self.info.split() else ""

    @property
    def file(self) -> str | None:
        """The file that a reader is to write it to."""
        found = re.search(r'title="([^"]+)"', self.info)
        return found[1] if found else None


@dataclass(frozen=True)
class Line:
    """A command line; comments and where its output goes are left out."""

    page: str
    text: str

    @property
    def words(self) -> str:
        return re.split(r"\s{2,}#|\s#\s|\s>\s", self.text)[0].strip()

    @property
    def program(self) -> str:
        """The first word, without the folder that it is in."""
        return self.words.split()[0].rpartition("/")[2]


def blocks() -> list[Block]:
    """Of all pages, in their order."""
    return [Block(page.name, info.strip(), text) for page in PAGES for info, text in FENCE.findall(_text(page))]


def lines() -> list[Line]:
    """Of all pages, in their order: indented ones, and those in blocks of a shell."""
    found = [Line(page.name, text) for page in PAGES for text in INDENTED.findall(FENCE.sub("", _text(page)))]
    for block in blocks():
        if block.language in SHELLS:
            found += [Line(block.page, text) for text in block.text.splitlines() if text[:1] not in "#"]
    return found


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")
