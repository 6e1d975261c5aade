"""Every page that people wrote keeps to the limits of docs/tools/readability.py, and the tool sees a bad page."""

import subprocess
import sys

import pytest
from support.paths import ROOT, TOOLS, docs_tool

readability = docs_tool("readability")
PAGES = readability.pages()


def sentence(words: int) -> str:
    return " ".join(["Cards", *["fall"] * (words - 1)]) + "."


def test_the_limits_and_what_they_leave_out():
    assert (readability.MEAN, readability.LONGEST, readability.MOST_WORDS) == (20, 45, 2500)
    written = {path.name for path in (ROOT / "docs").glob("*.md")}
    written |= {path.name for path in ROOT.glob("*.md")} - {"CHANGELOG.md"}  # which grows
    assert {path.name for path in PAGES} == written


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_readable(page):
    found = readability.measure(page.read_text(encoding="utf-8"))
    assert found.sentences
    assert found.misses() == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (sentence(46) + " " + " ".join([sentence(3)] * 20), "46 words in a sentence"),
        (" ".join([sentence(21)] * 3), "21.0 words a sentence"),
        (" ".join([sentence(10)] * 251), "2,510 words"),
    ],
    ids=["sentence", "mean", "page"],
)
def test_a_bad_page_is_seen(text, wrong):
    (only,) = readability.measure(text).misses()
    assert only.startswith(wrong)


def test_a_page_at_the_limits_is_allowed():
    assert readability.measure(" ".join([sentence(45), *[sentence(3)] * 20])).misses() == []
    assert readability.measure(" ".join([sentence(20)] * 125)).misses() == []


def test_what_counts_as_a_sentence():
    text = f"""# {sentence(60)}

A wrapped
sentence. **Bold** begins another, e.g. this one with `some code in it`.

- An item without an end
- Another [linked words](https://example.org/a/b) here

| {sentence(60)} |
|---|

<!-- {sentence(60)} -->

```python
{sentence(60)}
```

    {sentence(60)}
"""
    found = readability.measure(text)
    assert list(map(readability.count_words, found.sentences)) == [3, 8, 5, 4]
    assert found.words == 20


def test_the_command_fails_on_a_bad_page(tmp_path):
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text(sentence(5), encoding="utf-8")
    bad.write_text(sentence(50), encoding="utf-8")
    assert run(good).returncode == 0
    done = run(good, bad)
    assert done.returncode == 1
    assert "50 words in a sentence: Cards fall" in done.stdout
    assert "50.0 words a sentence; 20 are allowed" in done.stdout


def run(*pages) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, TOOLS / "readability.py", *pages], capture_output=True, text=True)
