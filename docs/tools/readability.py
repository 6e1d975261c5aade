"""Measure how readable the pages are: `python docs/tools/readability.py [PAGE …]`.

Prints words, the mean length of a sentence, and every sentence that is too long. Exits with 1 if a page misses a limit.
Code, tables, headings and comments do not count. A list item ends a sentence.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 45  # words in a sentence
MEAN = 20.0
MOST_WORDS = 2500  # in a page
ABOVE = ("README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md")
ABBREVIATIONS = ("e.g.", "i.e.", "vs.", "cf.", "et al.", "Nr.", "No.")
END = re.compile(r"(?<=[.!?])[\"”)*_]*\s+(?=[\"“(*_`\[]*[A-Z0-9`\[])")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")


class Measure(NamedTuple):
    """What was measured of a page."""

    words: int
    sentences: list[str]

    @property
    def mean(self) -> float:
        return sum(map(count_words, self.sentences)) / max(1, len(self.sentences))

    @property
    def too_long(self) -> list[str]:
        return [one for one in self.sentences if count_words(one) > LONGEST]

    def misses(self) -> list[str]:
        """Return what is wrong with the page, in words."""
        wrong = [f"{count_words(one)} words in a sentence: {one[:150]}…" for one in self.too_long]
        if self.mean > MEAN:
            wrong.append(f"{self.mean:.1f} words a sentence; {MEAN:.0f} are allowed")
        if self.words > MOST_WORDS:
            wrong.append(f"{self.words:,} words; {MOST_WORDS:,} are allowed")
        return wrong


def pages() -> list[Path]:
    """Return every page that people wrote."""
    above = [ROOT / name for name in ABOVE]
    return [*above, *sorted((ROOT / "docs").glob("*.md"))]


def measure(text: str) -> Measure:
    sentences = [one for paragraph in paragraphs(text) for one in split(paragraph)]
    return Measure(sum(map(count_words, sentences)), sentences)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs and list items, each as one line."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)
    found, current, after_blank, in_list = [], [], True, False
    for line in [*text.splitlines(), ""]:
        stripped = line.strip()
        is_code = line.startswith("    ") and not in_list and (after_blank or not current)
        starts = bool(ITEM.match(line))
        if not stripped or starts or is_code or stripped.startswith(("#", "|", "<", "!!!", "???")):
            if current:
                found.append(" ".join(current))
            current = []
        if starts:
            in_list = True
        elif stripped and not line.startswith(" "):
            in_list = False
        if stripped and not is_code and not stripped.startswith(("#", "|", "<", "!!!", "???")):
            current.append(ITEM.sub("", line).strip())
        after_blank = not stripped
    return found


def split(paragraph: str) -> list[str]:
    """Return its sentences."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", paragraph)
    for short in ABBREVIATIONS:
        plain = plain.replace(short, short.replace(".", ""))
    return [one for one in END.split(plain) if count_words(one)]


def count_words(sentence: str) -> int:
    """Count words; a piece of code is one."""
    plain = re.sub(r"`[^`]*`", "code", sentence)
    return len(re.findall(r"[^\s]*\w[^\s]*", plain))


def main() -> int:
    missed = False
    for path in [Path(name) for name in sys.argv[1:]] or pages():
        found = measure(path.read_text(encoding="utf-8"))
        print(f"{path.name:24} {found.words:6,} words, {found.mean:4.1f} a sentence")
        for wrong in found.misses():
            print(f"    {wrong}")
            missed = True
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
