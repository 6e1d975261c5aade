"""The table of the regret of moves, from regret.json, which benchmarks/agents/regret.py writes."""

import json
from pathlib import Path

RECORD = Path(__file__).resolve().parents[1] / "regret.json"


def regret() -> str:
    """Return a row for each number of worlds: speed, and errors against the long search."""
    from benchmarks.agents.regret import table

    found = json.loads(RECORD.read_text(encoding="utf-8"))
    lost = f"{100 * found['long_regret']:.2f} points lost by each"
    note = f"These are {found['decisions']:,} decisions, with {lost} on average by the long search."
    return f"{table(found)}\n\n{note}"
