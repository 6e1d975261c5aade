"""Measure everything: `python benchmarks/run.py` prints tables.

`--write` makes docs/benchmarks.md, its plot, and its record docs/benchmarks.json.
"""

import argparse
import datetime
import importlib
import importlib.util
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import environments, kernels, openspiel, startup  # noqa: E402
from benchmarks.agents import bots  # noqa: E402
from benchmarks.measure import Row, human, machine, made  # noqa: E402
from benchmarks.options import PARTS, add_arguments  # noqa: E402
from benchmarks.training import learning  # noqa: E402
from spades_env.agents.atomic_files import write_whole  # noqa: E402
from spades_env.checks import whole  # noqa: E402
from spades_env.errors import SpadesError  # noqa: E402
from spades_env.training.run.pictures import svg  # noqa: E402

HEADINGS = {
    "kernels": "Random self-play inside the kernels, deals included, one thread unless it says two",
    "vector": "SpadesVectorEnv: step, observation and mask; classic and with a random choice unless it says otherwise",
    "one table": "One table from Python",
    "one seat": "SpadesGymVectorEnv: a learner at one seat of many tables; its decisions alone, one thread",
    "bots": "Bots: decisions a second on one core, games a second on all",
    "searches": "A move of a search, one core",
    "levels": "A move of a level where there is a choice, one core",
    "learning": "Learning on all cores: decisions played and learned from a second",
    "like": "One seat learns against three `rule`: its decisions with a choice a second, ours beside MaskablePPO",
    "start": "A new process, less an empty one's time",
    "memory": "Memory",
    "table": "`spades table` where nothing is compiled",
    "xla": "The game in JAX, beside Pgx's bridge bidding and SpadesVectorEnv; one device, one thread of a CPU",
    "OpenSpiel": "OpenSpiel's `spades` beside us, same run, one thread",
}
COLUMNS = {"searches": ("mean", "quickest … slowest"), "levels": ("95 of 100 within", "median … slowest")}
BARS = (  # what the plot compares
    ("kernels", "classic", "ours: kernels, with deals"),
    ("OpenSpiel", "C++ random rollouts, no deal", "OpenSpiel: C++, no deals"),
    ("OpenSpiel", "C++ random play, deals included", "OpenSpiel: C++, with deals"),
    ("vector", "4,096 tables, 1 thread", "ours: vector, observation + mask + choice"),
    ("OpenSpiel", "Python, observation into one buffer and mask", "OpenSpiel: Python, observation + mask, at best"),
    ("OpenSpiel", "Python, observation_tensor() and mask", "OpenSpiel: Python, observation + mask, as written"),
    ("one table", "PettingZoo raw_env", "ours: PettingZoo raw_env"),
    ("one table", "PettingZoo env", "ours: PettingZoo env"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    try:
        return run(parser.parse_args())
    except SpadesError as error:
        parser.error(str(error))


def run(options: argparse.Namespace) -> int:
    """Measure, and print each group when it is done, or JSON at the end."""
    whole("repeats", options.repeats, 1, 1000)
    if options.quick and options.only:
        raise SpadesError("--quick has parts of its own: leave out --only")
    rows: list[Row] = []
    parts = [options.only] if options.only else PARTS
    for measured in _quick(options.repeats) if options.quick else (_measured(part, options.repeats) for part in parts):
        rows += measured
        if not options.json:
            _print(measured)
    if options.json:
        print(json.dumps([row.as_dict() for row in rows]))
    if options.write:
        write_rows(rows)
        (write_sections if options.only else write_page)(rows, options.repeats)
    return 0


def _quick(repeats: int) -> Iterator[list[Row]]:
    yield kernels.quick(repeats)
    yield environments.quick(repeats)


MEASURES: dict[str, Callable[[int], list[Row]]] = {
    "kernels": lambda repeats: kernels.measure(repeats, 20_000),
    "environments": lambda repeats: environments.measure(repeats, 1.0),
    "bots": bots.measure,
    "learning": learning.measure,
    "openspiel": lambda repeats: openspiel.measure(repeats, 1.0),
    "startup": startup.measure,
    "xla": lambda repeats: importlib.import_module("benchmarks.xla").measure(repeats),
    "table": lambda repeats: importlib.import_module("benchmarks.table.start").measure(),  # needs what the table needs
}


def _measured(part: str, repeats: int) -> list[Row]:
    return [] if part == "xla" and not importlib.util.find_spec("jax") else MEASURES[part](repeats)


def _print(rows: list[Row]) -> None:
    width = max((len(row.name) for row in rows), default=0)
    for group in dict.fromkeys(row.group for row in rows):
        print(f"\n{HEADINGS[group]}")
        for row in rows:
            if row.group == group:
                figures = f"{human(row.median, row.unit):>10}  {_spread(row)}{_verdict(row)}"
                print(f"  {row.name:{width}}  {figures}", flush=True)


def _spread(row: Row) -> str:
    """Return the least and the most, with their unit once if it is the same."""
    (low, _, unit), (high, _, same) = (human(value, row.unit).partition(" ") for value in (row.low, row.high))
    return f"{low}–{high} {unit}".rstrip() if unit == same else f"{low} {unit} – {high} {same}"


def _verdict(row: Row) -> str:
    """Say whether the budget was met."""
    if row.budget is None:
        return ""
    is_cost = row.unit in ("s", "ms", "bytes")
    met = row.median <= row.budget if is_cost else row.median >= row.budget
    sign = "≤" if is_cost else "≥"
    return f"  budget: {sign} {human(row.budget, row.unit)}, {'met' if met else 'MISSED'}"


def write_rows(rows: list[Row]) -> None:
    """Write docs/benchmarks.json: the rows of each group, where and with which code they were measured."""
    path, origin = ROOT / "docs" / "benchmarks.json", made()
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for group in dict.fromkeys(row.group for row in rows):
        known[group] = {"made": origin, "rows": [row.as_dict() for row in rows if row.group == group]}
    write_whole(path, json.dumps(known, indent=1) + "\n")


def write_page(rows: list[Row], repeats: int) -> None:
    """Write docs/benchmarks.md and docs/benchmarks.svg."""
    lines = [
        "# Benchmarks",
        "",
        "How fast the environments, the bots and training are. [Below](#how-to-read-it) is what each row measures.",
        "",
        f"Made by `make bench` on {datetime.date.today()}:",
        f"{machine()}.",
        f"Figures are medians of {repeats} repeats, beside the least and the most. They are decisions a second",
        "unless a unit is given. The machine is shared, so ratios are worth more than single figures.",
        "",
        "![decisions a second](benchmarks.svg)",
    ]
    for group in dict.fromkeys(row.group for row in rows):
        lines += ["", *_section(group, rows)]
    lines += ["", "## How to read it", "", *NOTES]
    lines += OPENSPIEL_NOTES * any(row.group == "OpenSpiel" for row in rows)
    write_whole(ROOT / "docs" / "benchmarks.md", "\n".join(lines) + "\n")
    _plot(rows)


def write_sections(rows: list[Row], repeats: int) -> None:
    """Write these groups into docs/benchmarks.md, each with its own day, and leave the others as they are."""
    page = ROOT / "docs" / "benchmarks.md"
    text = page.read_text(encoding="utf-8")
    load = f"at a load of {os.getloadavg()[0]:.0f}"
    for group in dict.fromkeys(row.group for row in rows):
        head, blank, *table = _section(group, rows)
        note = f"{repeats} repeat{'s' * (repeats != 1)} on {datetime.date.today()} {load}: {machine()}."
        text = re.sub(rf"{re.escape(head)}\n.*?(?=^## )", "", text, flags=re.DOTALL | re.MULTILINE)
        section = "\n".join([head, blank, note, "", *table, "", ""])
        text = text.replace("## How to read it", f"{section}## How to read it")
    write_whole(page, text)


def _section(group: str, rows: list[Row]) -> list[str]:
    """Return the heading and the table of a group."""
    figure, spread = COLUMNS.get(group, ("median", "least … most"))
    lines = [f"## {HEADINGS[group]}", "", f"| what | {figure} | {spread} | budget |", "|---|---:|---|---|"]
    for row in (row for row in rows if row.group == group):
        verdict = _verdict(row).removeprefix("  budget: ")
        lines.append(f"| {row.name} | {human(row.median, row.unit)} | {_spread(row)} | {verdict} |")
    return lines


NOTES = [
    "- A shared machine slows down by a quarter and more for minutes at a time. The [log](log/README.md) has the",
    "  figures of other days.",
    "- *budget*: the aim that we set ourselves. MISSED means that this run did not reach it.",
    "- *kernels*: whole games at one table, all in compiled code. Every decision is uniformly random.",
    "- *vector*: `step` checks every action before any table moves, and writes observation and mask. All rows but",
    "  the first include `random_actions`.",
    "- *one table*: PettingZoo's rows are the loop of its documentation: `last()`, choose, `step()`. `Game.apply`",
    "  includes `legal_actions()` for each action. Gymnasium's row counts the learner's decisions; its opponents make",
    "  three times as many.",
    "- *one seat*: `step` alone, with random actions of the learner, the opponents' time included.",
    "- *a move*: a single call.",
    "- *learning*: iterations of 512 tables of self-play, 256 for the table and 64 for a suit in policy and critic,",
    "  all four seats learning. Decisions of all four seats count, forced ones included. Under torchrun, two workers",
    "  each play that many tables on one thread.",
    "- *ours beside MaskablePPO*, where `sb3_contrib` is installed: the same seat, opponents and network (three layers",
    "  of 256 on the observed features, for the policy and for the value), and as many decisions with a choice",
    "  between two updates. Only those count. Ours plays at hundreds of tables at once, MaskablePPO at 64, as its",
    "  users do, and it learns from forced moves too.",
    "- *JAX*: on one core, compiling not counted. Pgx's bridge bidding has made-up results and the same deal at every",
    "  reset, both in its favour.",
]
OPENSPIEL_NOTES = [
    "- OpenSpiel's game is one hand without blind nil, passing or variants, and its rules differ: its spades never",
    "  break, and its match never ends by score. So the comparison is of speed alone. *Our rules as its game* is",
    "  `spades_env.openspiel`: OpenSpiel calls Python for every action, so train with our own environments.",
]


def _plot(rows: list[Row]) -> None:
    found = {(row.group, row.name): row for row in rows}
    bars = [(label, found[group, name].median) for group, name, label in BARS if (group, name) in found][::-1]
    labels, rates = zip(*bars, strict=True)
    colours = ["#2c6e49" if label.startswith("ours") else "#b0b7bc" for label in labels]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        drawn = axes.barh(labels, rates, color=colours)
        axes.bar_label(drawn, [human(rate, "decisions/s") for rate in rates], padding=4)
        axes.set(xscale="log", xlim=(1e4, max(rates) * 4), xlabel="decisions a second, one thread (logarithmic)")
        axes.spines[["top", "right"]].set_visible(False)

    write_whole(ROOT / "docs" / "benchmarks.svg", svg((9, 0.5 * len(bars) + 1.2), draw))


if __name__ == "__main__":
    sys.exit(main())
