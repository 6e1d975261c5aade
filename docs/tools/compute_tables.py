"""The table of compute: what training took of everything that ships or is reported, from the records of the runs."""

import json
from pathlib import Path

import learning_tables

from spades_env.agents.network.level import Level
from spades_env.agents.network.model_card import recipe_of
from spades_env.agents.roster import LEVELS, SUFFIX, roster

DOCS = Path(__file__).resolve().parents[1]
MILLION = 1_000_000


def compute() -> str:
    """Return a row for each group of runs: how many, their decisions, their minutes, and of what kind these are."""
    found = [
        _standard(),
        _characters(),
        _seeds("loop", "`train/selfplay.py`, five seeds"),
        _seeds("baselines", "baselines"),
    ]
    rows = ["| what | runs | M decisions | minutes | counted as |", "|---|---:|---:|---:|---|"]
    return "\n".join(rows + [f"| {' | '.join(row)} |" for row in found])


def _row(what: str, runs: int, decisions: float, minutes: float, kind: str) -> tuple[str, ...]:
    return what, str(runs), f"{decisions / MILLION:,.0f}", f"{minutes:,.0f}", kind


def _standard() -> tuple[str, ...]:
    last = learning_tables.evaluations()[-1]
    return _row("`standard`, one run in parts", 1, last["decisions"], last["minutes"], "processor time")


def _characters() -> tuple[str, ...]:
    levels = [Level.read(LEVELS / one.level) for one in roster()]
    decisions, seconds = (sum(_own(level, key) for level in levels) for key in ("decisions", "seconds"))
    return _row("the characters' own runs", len(levels), decisions, seconds / 60, "time from start to end")


def _own(level: Level, key: str) -> float:
    """Return what a level's own run took: the record of an average with `standard` counts that, too."""
    averaged = recipe_of(level).get("script") == "train/average.py"
    return level.trained[key] - averaged * Level.read(LEVELS / f"standard{SUFFIX}").trained[key]


def _seeds(record: str, what: str) -> tuple[str, ...]:
    runs = [
        (len(one["seeds"]), one) for one in json.loads((DOCS / f"{record}.json").read_text(encoding="utf-8")).values()
    ]
    decisions, minutes = (sum(count * one[key]["mean"] for count, one in runs) for key in ("decisions", "minutes"))
    return _row(what, sum(count for count, _ in runs), decisions, minutes, "processor time")
