"""Tables of times: the rows of benchmarks.md that other pages show, the run of `quick`, the regret of moves."""

import json
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
SPEEDS = {  # rows of benchmarks.md, and what they are
    "classic": "random self-play inside the kernels",
    "rule against itself": "the bot `rule` against itself",
    "4,096 tables, 1 thread": "`SpadesVectorEnv`, 4,096 tables, observation and mask written",
    "PettingZoo raw_env": "PettingZoo `raw_env`, one table",
    "PettingZoo env": "PettingZoo `env`, one table",
    "Gymnasium, three random opponents": "Gymnasium, one seat, three random opponents",
    "4,096 tables, three `random`": "Gymnasium, one seat at 4,096 tables, three random opponents",
    "4,096 tables, three `rule`": "Gymnasium, one seat at 4,096 tables, three `rule`",
}
PEER = {  # those of OpenSpiel's `spades` that do the same
    "classic": "C++ random play, deals included",
    "4,096 tables, 1 thread": "Python, observation into one buffer and mask",
}


def speeds() -> str:
    """Return the rows of benchmarks.md that say most, beside OpenSpiel's where it does the same."""
    rows = ["| decisions a second, on one core of a shared machine | here | OpenSpiel 2.0.2 |", "|---|---:|---:|"]
    for name, words in SPEEDS.items():
        rows.append(f"| {words} | {cells(name)[0]} | {cells(PEER[name])[0] if name in PEER else ''} |")
    return "\n".join(rows)


def quick() -> str:
    """Return the matches of one run of `quick`, and what it took."""
    run = json.loads((DOCS / "quick.json").read_text(encoding="utf-8"))
    rows = ["| against | games | won, with 95 % interval |", "|---|---:|---:|"]
    for one in run["matches"]:
        won, low, high = (f"{100 * x:.1f}" for x in (one["win_rate"], *one["win_rate_ci"]))
        rows.append(f"| `{one['against']}` | {one['games']:,} | {won} % [{low}, {high}] |")
    training, in_all = (f"{s // 60} min {s % 60} s" for s in (run["training_seconds"], run["seconds"]))
    took = f"Training took {training} and {run['decisions'] / 1e6:.1f} M decisions, all of it {in_all}"
    return "\n".join([*rows, "", f"{took}: {run['command']} on {run['date']}, {run['machine']}."])


def cells(name: str) -> list[str]:
    """Return what benchmarks.md has in a row behind its name: the figure, its range, its budget."""
    for line in (DOCS / "benchmarks.md").read_text(encoding="utf-8").splitlines():
        found = [cell.strip() for cell in line.strip("|").split(" | ")]
        if found[0] == name:
            return found[1:]
    raise KeyError(f"benchmarks.md has no row {name}")


def regret() -> str:
    """Return a row for each number of worlds: speed, and errors against the long search."""
    from benchmarks.agents.regret import table

    found = json.loads((DOCS / "regret.json").read_text(encoding="utf-8"))
    lost = f"{100 * found['long_regret']:.2f} points lost by each"
    note = f"These are {found['decisions']:,} decisions, with {lost} on average by the long search."
    return f"{table(found)}\n\n{note}"
