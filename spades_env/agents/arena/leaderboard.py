"""The leaderboard of the benchmark as Markdown, by track, from its results files.

leaderboard.markdown(entries, verified)     a table for each track, the best first
leaderboard.row(entry)                      one line of it
"""

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spades_env.agents.arena.benchmark import MIRROR, PANEL, shares_of
from spades_env.agents.arena.entries.bot_folder import RESULTS, BotFolder
from spades_env.agents.arena.entry import SUFFIX, Entry, EntryError, read_entry
from spades_env.agents.arena.match_result import Interval, ratio_interval
from spades_env.agents.arena.tracks import TRACKS, WORDS
from spades_env.agents.base import FAILURES, TOKENS
from spades_env.agents.figures import STATS, stat_text

SEEN, VERIFIED = "†", "✓"
WEAK = 0.25  # a score below it says little: points a hand rank those agents
Reports = Sequence[tuple[str, Mapping[str, Any]]]  # entries/verification.py, each with the entry's name
STYLE = ("mean_bid", "set_rate", "bags_per_hand", "nil_rate", "nil_kept")  # figures shown of an agent's play
COLUMNS = ("score", "held out", *(f"`{name}`" for name in PANEL), "points a hand", "games", "ms, and of 95 %")
NOTHING = "There are no entries yet."


def read_entries(folder: Path, bots: Path | None = None) -> list[Entry]:
    """Return the results files in a folder, and those in the folders of bots: all by the protocol, the best first."""
    entries = {path: read_entry(path) for path in sorted(folder.glob(f"*{SUFFIX}"))}
    for path in sorted(bots.glob(f"*/{RESULTS}")) if bots else []:
        entries[path] = BotFolder.read(path.parent).read_results()
    names = Counter(entry["name"] for entry in entries.values())
    for path, entry in entries.items():
        if not entry["by_protocol"]:
            raise EntryError(f"{path} is a trial, not by the protocol: it can't stand on the leaderboard")
        if entry["cheats"]:
            raise EntryError(f"{path} is of an agent that sees all cards: it can't stand on the leaderboard")
        if names[entry["name"]] > 1:
            raise EntryError(f"{path}: another entry is called {entry['name']}, too: give it a name of its own")
    return sorted(entries.values(), key=lambda entry: (-entry["score"], -entry["points_per_hand"]))


def markdown(entries: Sequence[Entry], verified: Reports = ()) -> str:
    """Return a table for each track, and those of weak agents, strange partners, limits, language models, reports."""
    tables = {f"Track {name}": table([one for one in entries if one["track"] == name], verified) for name in TRACKS}
    tables["Weak agents, by points a hand"] = weak([one for one in entries if one["score"] < WEAK])
    tables["Beside strangers"] = beside([one for one in entries if "beside" in one])
    tables["Time limits"] = limits([one for one in entries if one["limit_ms"]])
    tables["Answers of language models"] = answers([one for one in entries if one["track"] == WORDS])
    tables["Verified"] = verifications(verified)
    return "\n\n".join(f"### {words}\n\n{rows}" for words, rows in tables.items() if rows) or NOTHING


def table(entries: Sequence[Entry], verified: Reports) -> str:
    marked = {name for name, _ in verified} - {name for name, report in verified if not report["agrees"]}
    return "\n".join([header(), *(row(one, one["name"] in marked) for one in entries)]) if entries else ""


def weak(entries: Sequence[Entry]) -> str:
    """Return those who win few games, in the order of their points."""
    rows = ["| agent | track | points a hand | score |", "|---|---|---:|---:|"]
    for one in sorted(entries, key=lambda one: -one["points_per_hand"]):
        cells = [points(one["points_per_hand"], one["points_per_hand_ci"]), share(one["score"], one["score_ci"])]
        rows.append(f"| `{one['name']}` | {one['track']} | {' | '.join(cells)} |")
    return "\n".join(rows) if entries else ""


def beside(entries: Sequence[Entry]) -> str:
    """Return the scores beside strangers: of all partners, and of each."""
    rows = [f"| agent | score | {' | '.join(f'`{name}`' for name in PANEL)} | points a hand | games |"]
    rows.append("|---|" + "---:|" * (len(PANEL) + 3))
    for one in sorted(entries, key=lambda one: -one["beside"]["score"]):
        found = one["beside"]
        each = [found["with"].get(name) for name in PANEL]
        cells = [share(found["score"], found["score_ci"])]
        cells += [share(match["win_rate"], match["win_rate_ci"]) if match else "–" for match in each]
        cells += [points(found["points_per_hand"], _mean_ends(found["with"])), f"{found['games']:,}"]
        rows.append(f"| `{one['name']}` | {' | '.join(cells)} |")
    return "\n".join(rows) if entries else ""


def _mean_ends(matches: Mapping[str, Mapping[str, Any]]) -> list[float | None]:
    """Return the mean of the intervals of points over the partners: an interval of their mean, never too narrow.

    Partners met the same deals, but a file has no deal's points. Had all the same luck, it would be as wide as this.
    """
    ends = zip(*(one["points_per_hand_ci"] for one in matches.values()), strict=True)
    return [None if None in side else float(np.mean(side)) for side in ends]


def verifications(verified: Reports) -> str:
    """Return what was found on the deals of secrets."""
    heads = ("score there", "above the claimed", "games", "isolation", "claim", "secret's SHA-256", "date")
    rows = [f"| agent | {' | '.join(heads)} |", "|---|---:|---:|---:|---|---|---|---|"]
    for name, one in verified:
        mark = f" {VERIFIED}" if one["agrees"] else ": it does not agree"
        apart, ends = 100 * one["difference"], [100 * end for end in one["difference_ci"]]
        cells = [share(one["score"], one["score_ci"]), points(apart, ends), f"{one['games']:,}", one["isolation"]]
        cells += [f"`{one['claim'][:12]}`", f"`{one['commitment'][:12]}`", one["date"]]
        rows.append(f"| `{name}`{mark} | {' | '.join(cells)} |")
    return "\n".join(rows) if verified else ""


def limits(entries: Sequence[Entry]) -> str:
    """Return entries under a limit of time in short, those under the strictest first."""
    rows = ["| limit | agent | track | score |", "|---:|---|---|---:|"]
    for one in sorted(entries, key=lambda one: one["limit_ms"]):
        score = share(one["score"], one["score_ci"])
        rows.append(f"| {one['limit_ms']} ms | `{one['name']}` | {one['track']} | {score} |")
    return "\n".join(rows) if entries else ""


def answers(entries: Sequence[Entry]) -> str:
    """Return how many decisions were made in the place of language models, and their tokens for each decision."""
    heads = (*(STATS[reason][0] for reason in FAILURES), "tokens read a decision", "written")
    rows = [f"| agent | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}"]
    for one in entries:
        failed = [stat_text(reason, one["failures"][reason]) for reason in FAILURES]
        tokens = [f"{one['tokens'][kind]:,.0f}" if one["tokens"] else "–" for kind in TOKENS]
        rows.append(f"| `{one['name']}` | {' | '.join([*failed, *tokens])} |")
    return "\n".join(rows) if entries else ""


def header() -> str:
    return f"| agent | {' | '.join(COLUMNS)} |\n|---|{'---:|' * len(COLUMNS)}"


def row(entry: Entry, is_verified: bool = False) -> str:
    """Return an entry's line: shares in percent with their 95 % intervals, points a hand, games, time."""
    cells = [share(entry["score"], entry["score_ci"]), share(entry["held_out"], entry["held_out_ci"])]
    for name in PANEL:
        one = entry["against"].get(name)
        mark = SEEN if name in entry["seen"] else ""
        cells.append(share(one["win_rate"], one["win_rate_ci"]) + mark if one else "–")
    cells += [points(entry["points_per_hand"], entry["points_per_hand_ci"]), f"{entry['games']:,}", _ms(entry)]
    return f"| `{entry['name']}`{f' {VERIFIED}' * is_verified} | {' | '.join(cells)} |"


def about(entries: Sequence[Entry]) -> str:
    """Return what stands behind each entry: compute, machine, date, how it plays."""
    rows = [f"| agent | {' | '.join(STATS[key][0] for key in STYLE)} | compute | machine | date |"]
    rows.append(f"|---|{'---:|' * len(STYLE)}---|---|---|")
    for one in entries:
        cells = [stat_text(key, one["stats"][key]) for key in STYLE]
        cells += [_plain(one["compute"]), _plain(one["machine"]["processor"]), one["date"]]
        rows.append(f"| `{one['name']}` | {' | '.join(cells)} |")
    return "\n".join(rows) if entries else NOTHING


def difference(a: Entry, b: Entry) -> tuple[float, Interval]:
    """Return how far a's score is above b's on the deals that both played, and the 95 % interval.

    Luck with a deal cancels out, so the interval is narrower than those of the scores.
    """
    deals = min(a["games"], b["games"]) // 2
    first, second = (_mean_shares(entry, deals) for entry in (a, b))
    return float((first - second).mean()), ratio_interval(first - second, np.ones(deals))


def share(rate: float, ends: Sequence[float]) -> str:
    """Return a share and its interval in percent: 95.0 [93.1, 96.5]."""
    return f"{100 * rate:.1f} [{', '.join(f'{100 * end:.1f}' for end in ends)}]"


def points(value: float, ends: Sequence[float | None]) -> str:
    known = [f"{end:+.1f}" for end in ends if end is not None]
    return f"{value:+.1f} [{', '.join(known)}]" if known else f"{value:+.1f}"


def _mean_shares(entry: Entry, deals: int) -> np.ndarray:
    """Return the agent's mean share over the panel of each of the first deals."""
    played = [shares_of(one["deals"])[:deals] for one in entry["against"].values()]
    mirrors = MIRROR * (len(PANEL) - len(played))
    return (np.sum(played, axis=0) + mirrors) / len(PANEL)


def _plain(text: str) -> str:
    """Escape untrusted text for a Markdown cell."""
    return re.sub(r"([\\`*_\[\]|])", r"\\\1", html.escape(str(text), quote=False))


def _ms(entry: Entry) -> str:
    return f"{entry['ms']['median']:.2f}, {entry['ms']['within']:.2f}" if entry["ms"] else "–"
