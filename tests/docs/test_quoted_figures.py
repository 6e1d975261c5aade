"""Figures in running text are those of their records; tables are printed from the records, see docs/tools/make.py."""

import json

import numpy as np
import pytest
from support.paths import ROOT, docs_tool

from spades_env.agents.arena import entry

DOCS = ROOT / "docs"


def result(name: str) -> entry.Entry:
    return entry.read_entry(DOCS / "results" / f"{name}.json")


def variance(name: str, other: str) -> str:
    """What the pairs of a deal leave of the variance of independent games."""
    shares = np.array([int(quarters) for quarters in result(name)["against"][other]["deals"]]) / 4
    return f"{shares.var() / (shares.mean() * (1 - shares.mean()) / 2):.2f} (`{other}`)"


def loop() -> str:
    won = json.loads((DOCS / "loop.json").read_text(encoding="utf-8"))["loop"]["last"]["rule"]["win_rate"]["mean"]
    return f"`train/selfplay.py` wins {100 * won:.0f} % against `rule` after 20 core-minutes"


QUOTED = {
    "docs/baselines.md": [
        loop(),
        f"`rule` wins {100 * result('rule')['against']['rb']['win_rate']:.0f} % against `rb`",
        f"`standard` wins {100 * result('standard')['against']['rule']['win_rate']:.0f} % against `rule`",
    ],
    "docs/measuring.md": [variance("rule", other) for other in ("pimc:20", "club", "bis/mc:30x30", "bis", "rb")],
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
