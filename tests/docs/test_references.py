"""The BibTeX of the references is well formed, and the project's own entry says what CITATION.cff says."""

import re

import pytest
import yaml
from support.paths import ROOT

PAGE = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)\n\}$", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+) *= \{(.*)\},?$", re.MULTILINE)
ENTRIES = {key: (kind, dict(FIELD.findall(body))) for kind, key, body in ENTRY.findall(PAGE)}
NEEDED = {
    "article": {"author", "title", "journal", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "software": {"author", "title", "year"},
    "misc": {"author", "title", "year"},
}


@pytest.mark.parametrize("key", ENTRIES)
def test_entries_are_whole(key):
    kind, fields = ENTRIES[key]
    assert NEEDED[kind] <= set(fields)
    assert key == "spades_env" or fields["year"] in key
    for value in fields.values():
        assert value.count("{") == value.count("}")


def test_every_entry_is_read():
    assert len(ENTRIES) == PAGE.count("\n@") + 1 > 30


def test_the_project_is_cited_as_its_citation_file_says():
    told = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    kind, fields = ENTRIES["spades_env"]
    assert kind == told["type"]
    assert {key: fields[key] for key in ("title", "version", "license")} == {
        key: told[key] for key in ("title", "version", "license")
    }
    assert fields["author"].strip("{}") == told["authors"][0]["name"]


def test_the_page_shows_the_entry_of_the_project():
    own, *_ = PAGE.partition("\n\n@")
    assert f"```text\n{own}\n```" in (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
