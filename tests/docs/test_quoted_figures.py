"""Figures in running text are those of their records; tables are printed from the records, see docs/tools/make.py."""

import json
import re

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


def response(agent: str, name: str) -> str:
    """What a response of exploit.json won on the selection deals, or as the chosen one on fresh deals."""
    report = next(one for one in docs_tool("strength_tables").exploit_reports() if one["plan"]["agent"] == agent)
    found = report["exploit"] if name == "chosen" else next(one for one in report["responses"] if one["name"] == name)
    low, high = found["win_rate_ci"]
    return f"won {100 * found['win_rate']:.1f} % [{100 * low:.1f}, {100 * high:.1f}] of {found['games']} games"


def speed(row: str) -> float:
    """A row of benchmarks.md, in million decisions a second."""
    return float(docs_tool("speed_tables").cells(row)[0].removesuffix(" M"))


TWO_THREADS = speed("4,096 tables, 2 threads") / speed("4,096 tables, 1 thread")
QUOTED = {
    "docs/environment.md": [f"4,096 tables are {TWO_THREADS:.1f} times as fast"],
    "docs/exploit.md": [response("standard", "round 40"), response("zofia", "chosen")],
    "docs/training_results.md": [
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


INTERVAL = re.compile(r"[\d.]+ ?%? \[[\d.]+, [\d.]+\]")
ASIDE = re.compile(r"<!-- printed: \w+ -->.*?<!-- end -->|^```.*?^```", re.DOTALL | re.MULTILINE)
PAGES = {path: path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *DOCS.glob("*.md"))}


def test_intervals_that_no_tool_printed_stand_in_the_log_or_in_a_printed_table():
    records = [path.read_text(encoding="utf-8") for path in (DOCS / "log").glob("*.md")]
    records += [block for text in PAGES.values() for block in ASIDE.findall(text)]
    records += [quoted for page in QUOTED.values() for quoted in page]
    known = " ".join("\n".join(records).split())
    found = {(page.name, one) for page, text in PAGES.items() for one in INTERVAL.findall(ASIDE.sub("", text))}
    assert len(found) > 2  # the pattern still finds some
    assert [(page, one) for page, one in found if one[one.index("[") :] not in known] == []
