"""Timing, of which the median and the spread of several repeats are quoted, and the records of what was measured."""

import datetime
import json
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from spades_env._version import __version__
from spades_env.agents.arena.entries import machine as hardware
from spades_env.agents.arena.entries.machine import processor
from spades_env.agents.atomic_files import write_whole
from spades_env.checks import usable_cores
from spades_env.shipped import PACKAGE
from spades_env.training.run.provenance import checkout


@dataclass
class Row:
    """One measured line: what, how many a second (median, slowest, fastest repeat)."""

    group: str
    name: str
    median: float
    low: float
    high: float
    unit: str = "decisions/s"
    budget: float | None = None

    def as_dict(self) -> dict:
        return asdict(self)


def rate(
    group: str,
    name: str,
    work: Callable[[], int],
    repeats: int,
    budget: float | None = None,
    unit: str = "decisions/s",
) -> Row:
    """Measure how many decisions (or other units) a second `work` makes; it returns their number. One call warms up."""

    def timed() -> tuple[int, float]:
        start = time.perf_counter()
        done = work()
        return done, time.perf_counter() - start

    return rate_of(group, name, timed, repeats, budget, unit)


def rate_of(
    group: str,
    name: str,
    timed: Callable[[], tuple[int, float]],
    repeats: int,
    budget: float | None,
    unit: str = "decisions/s",
) -> Row:
    """Do the same for work that times itself: it returns its number of decisions and its seconds."""
    timed()
    return spread_of(group, name, [done / seconds for done, seconds in (timed() for _ in range(repeats))], unit, budget)


def spread_of(group: str, name: str, values: list[float], unit: str, budget: float | None = None) -> Row:
    """Return the row of several measurements of the same."""
    return Row(group, name, statistics.median(values), min(values), max(values), unit, budget)


def ratio(group: str, name: str, row: Row, other: Row) -> Row:
    """Return the row that says how many times as fast one is as another."""
    return Row(group, name, row.median / other.median, row.low / other.high, row.high / other.low, "×")


def made() -> dict[str, Any]:
    """Return when, where and with which code something is measured."""
    day = datetime.date.today().isoformat()
    return {"date": day, "version": __version__, **checkout(PACKAGE.parent), "machine": hardware.machine()}


def write_record(path: Path, measured: dict[str, Any]) -> None:
    """Write what was measured as JSON, with its origin."""
    write_whole(path, json.dumps({"made": made()} | measured, indent=1) + "\n")


def machine() -> str:
    """Return a line that describes the machine."""
    return f"{processor()}, {usable_cores()} cores, Python {platform.python_version()}, {', '.join(_versions())}"


def _versions() -> Iterator[str]:
    """Return the versions of the packages that the figures depend on."""
    for name in ("numba", "numpy", "pettingzoo", "gymnasium", "torch", "sb3_contrib", "open_spiel", "jax", "pgx"):
        with suppress(PackageNotFoundError):
            yield f"{name} {version(name)}"


def human(value: float, unit: str) -> str:
    """Return a figure with three digits: 47.1 M, 8,250, 0.45; decisions a second have no unit."""
    if unit in ("games/s", "steps/s"):
        return f"{human(value, '')} {unit.removesuffix('/s')}"
    if unit in ("%", "×"):
        return f"{value:.0f} %" if unit == "%" else f"{value:.1f} ×"
    if unit in ("s", "ms", "bytes"):
        return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.2f} {unit}"
    if value >= 1e6:
        return f"{value / 1e6:.1f} M"
    return f"{value / 1e3:.1f} k" if value >= 1e4 else f"{value:,.0f}"
