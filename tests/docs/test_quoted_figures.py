"""Figures in running text are those of their records; tables are printed from the records, see docs/tools/make.py."""

import pytest
from support.paths import ROOT, docs_tool

from spades_env.agents.arena import entry, tracks

DOCS = ROOT / "docs"


def result(name: str) -> entry.Entry:
    return entry.read_entry(DOCS / "results" / f"{name}.json")


TRAINING = str(tracks.training_of("standard")[0]).partition(" in ")[2]
QUOTED = {
    "README.md": [
        f"Against held-out bots `standard` wins {100 * result('standard')['held_out']:.1f} %",
        f"that the rule bot plays to the end: {TRAINING} on two cores",
    ],
    "docs/training.md": [f"from random weights, in {TRAINING} on two cores"],
    "docs/training_results.md": [f"{TRAINING} on two cores"],
    "docs/paper.md": [f"the shipped one {TRAINING}"],
    "docs/baselines.md": [
        f"`rule` wins {100 * result('rule')['against']['rb']['win_rate']:.0f} % against `rb`",
        f"`standard` wins {100 * result('standard')['against']['rule']['win_rate']:.0f} % against `rule`",
    ],
}


@pytest.mark.parametrize("page", QUOTED)
def test_figures_are_those_of_their_records(page):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    for quoted in QUOTED[page]:
        assert quoted in text


def test_times_are_those_of_the_benchmarks():
    tables = docs_tool("speed_tables")
    assert tables.cells("`standard`") != tables.cells("`zofia`")
    with pytest.raises(KeyError, match=r"benchmarks\.md has no row `stand`"):
        tables.cells("`stand`")
