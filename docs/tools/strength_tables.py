"""The tables of strength.md and measuring.md, from:

strength.json    what `python benchmarks/agents/strength.py --write` makes
exploit.json     a list of what `spades exploit` wrote to exploit.json
exact.json       what `python benchmarks/agents/exact.py --write` makes
searches.json    matches that `spades arena` played between searches, each with its seed
beliefs.json     what `python benchmarks/agents/beliefs.py --write` makes
partners.json    what `python benchmarks/agents/partners.py --write` makes
"""

import json
from pathlib import Path

import numpy as np
import speed_tables

from spades_env.agents.arena.match_result import share_interval

DOCS = Path(__file__).resolve().parents[1]
MEASURED, EXPLOITS, EXACT = DOCS / "strength.json", DOCS / "exploit.json", DOCS / "exact.json"
PARTNERS, SEARCHES, BELIEFS = DOCS / "partners.json", DOCS / "searches.json", DOCS / "beliefs.json"
CHAMPION = "zofia"
CHANGED = "†"  # marks the result of an agent that has changed since
WHO = {"standard": "`standard`: one forward pass, no search", CHAMPION: "Zofia, the champion: searches her cards"}


def measured() -> dict:
    """Return the results by part."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))


def matches(part: str) -> str:
    """Return a row for each match of a part."""
    rows = [
        "| | against | games | won | points a hand | own nils kept |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for one in measured()[part]:
        cells = (f"`{one['a']}`", f"`{one['b']}`", f"{one['games']:,}", _won(one), _points(one), _kept(one))
        rows.append(f"| {' | '.join(cells)} |")
    return _explained(rows)


def summary() -> str:
    """Return who wins how many of a hundred games against whom, and how long a decision takes."""
    found = measured()["floors"]
    against = list(dict.fromkeys(one["b"] for one in found))
    won = {(one["a"], one["b"]): f"{100 * one['win_rate']:.0f} %{_changed(one)}" for one in found}
    heads = [*(f"`{name}`" for name in against), "95 of 100 decisions within"]
    rows = [f"| games won against | {' | '.join(heads)} |", "|---|" + "---:|" * len(heads)]
    for name, words in WHO.items():
        found = [*(won.get((name, other), "–") for other in against), speed_tables.cells(f"`{name}`")[0]]
        rows.append(f"| {words} | {' | '.join(found)} |")
    return _explained(rows)


def by_rules() -> str:
    """Return a row for each set of rules, with the games of each agent against `rule`."""
    found = {(one["rules"], one["a"]): one for one in measured()["variants"]}
    agents, names = (list(dict.fromkeys(key[i] for key in found)) for i in (1, 0))
    rows = [f"| rules | {' | '.join(f'`{agent}` won | games | points a hand' for agent in agents)} |"]
    rows.append("|---|" + "---:|" * 3 * len(agents))
    for name in names:
        matches = [found.get((name, agent)) for agent in agents]
        cells = [f"{_won(row)} | {row['games']:,} | {_points(row)}" if row else "– | – | –" for row in matches]
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    return _explained(rows)


def exact() -> str:
    """Return what each agent loses by its late cards, by tricks left and by kind."""
    report = json.loads(EXACT.read_text(encoding="utf-8"))
    agents: dict[str, dict[str, dict]] = report["agents"]
    rows = [f"| | decisions | {' | '.join(f'`{name}`' for name in agents)} |", "|---|" + "---:|" * (1 + len(agents))]
    first = next(iter(agents.values()))
    for part in first:
        words = part.replace(" left", " tricks left") if part[0].isdigit() else part
        cells = [f"{parts[part]['lost']:.2f} ± {parts[part]['doubt']:.2f}" for parts in agents.values()]
        rows.append(f"| {words} | {first[part]['decisions']:,} | {' | '.join(cells)} |")
    wrong = [f"{parts['all']['faults']:.1%}".replace("%", " %") for parts in agents.values()]
    rows.append(f"| a better card, share of all | | {' | '.join(wrong)} |")
    return "\n".join(rows)


def beliefs() -> str:
    """Return how well deals of each kind fit the true ones, a row for each table of four."""
    report = json.loads(BELIEFS.read_text(encoding="utf-8"))
    names = {"likely": "weighed", "network": "by the network", "both": "both"}
    sizes = {"likely": "weighed", "both": "both"}
    heads = ["seats", "rules", "decisions", *names.values(), *(f"effective, {word}" for word in sizes.values())]
    rows = [f"| {' | '.join(heads)} |", "|---|---|" + "---:|" * (len(heads) - 2)]
    for one in report["tables"]:
        gains = [f"{mean:.2f} ± {doubt:.2f}" for mean, doubt in (one["gains"][name] for name in names)]
        left = [f"{one['effective_sizes'][name]:.0f}" for name in sizes]
        who = ", ".join(f"`{name}`" for name in dict.fromkeys(one["seats"]))
        cells = [who, f"`{one['rules']}`", f"{one['decisions']:,}", *gains, *left]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def searches() -> str:
    """Return a row for each pair of searches and their rules, with all matches pooled."""
    rows = ["| search | against | rules | seeds | games | won |", "|---|---|---|---|---:|---:|"]
    found = json.loads(SEARCHES.read_text(encoding="utf-8"))
    for a, b, rules in dict.fromkeys((one["a"], one["b"], one["rules"]) for one in found):
        matches = [one for one in found if (one["a"], one["b"], one["rules"]) == (a, b, rules)]
        shares = np.repeat(np.arange(5) / 4, np.sum([one["pairs"] for one in matches], axis=0))
        seeds = ", ".join(str(one["seed"]) for one in matches)
        pooled = {"win_rate": shares.mean(), "win_rate_ci": share_interval(shares)}
        rows.append(f"| `{a}` | `{b}` | `{rules}` | {seeds} | {2 * len(shares):,} | {_won(pooled)} |")
    return "\n".join(rows)


def beside() -> str:
    """Return what share of games each agent wins beside a copy and beside others, and what strangers cost it."""
    report = json.loads(PARTNERS.read_text(encoding="utf-8"))
    won = {frozenset((one["first"], one["second"])): one["win_rate"] for one in report["matches"]}
    heads = ["a copy", *(f"`{name}`" for name in report["strangers"])]
    games = report["matches"][0]["games"]
    rows = [
        f"| won of {games} games beside, % | {' | '.join(heads)} | points a hand |",
        "|---|" + "---:|" * (len(heads) + 1),
    ]
    for name, gained in sorted(report["beside_strangers"].items(), key=lambda one: -won[frozenset({one[0]})]):
        cells = [f"{100 * won[frozenset((name, other))]:.1f}" for other in (name, *report["strangers"])]
        rows.append(f"| `{name}` | {' | '.join(cells)} | {gained:+.1f} |")
    return "\n".join(rows)


def exploit_reports() -> list[dict]:
    return json.loads(EXPLOITS.read_text(encoding="utf-8"))


def exploits() -> str:
    """Return the reports in exploit.json, measured by `spades exploit`."""
    head = ["agent", "training", "the chosen response", "games", "lost to it", "above one half", "a move of it"]
    rows = [f"| {' | '.join(head)} |", "|---|---|---|---:|---:|---:|---:|"]
    for report in exploit_reports():
        found, training = report["exploit"], report["training"]
        spent = (
            f"{training['decisions'] / 1e6:.1f} M decisions, {training['seconds'] / 60:.0f} min" if training else "none"
        )
        above, (least, most) = 100 * found["above_half"], (100 * end for end in found["above_half_ci"])
        cells = [f"`{report['plan']['agent']}`", spent, found["response"], f"{found['games']:,}", _won(found)]
        cells += [f"{above:+.1f} [{least:+.1f}, {most:+.1f}]", f"{found['ms_per_move']:.2f} ms"]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _won(one: dict) -> str:
    low, high = one["win_rate_ci"]
    return f"{100 * one['win_rate']:.1f} % [{100 * low:.1f}, {100 * high:.1f}]{_changed(one)}"


def _changed(one: dict) -> str:
    return f" {CHANGED}" if one.get("changed") else ""


def _explained(rows: list[str]) -> str:
    """Return the table with a note on the mark, if a row has it."""
    note = ["", f"{CHANGED} An agent has changed since."] if any(CHANGED in row for row in rows) else []
    return "\n".join(rows + note)


def _points(one: dict) -> str:
    low, high = one["points_per_hand_ci"]
    return f"{one['points_per_hand']:+.1f} [{low:.1f}, {high:.1f}]"


def _kept(one: dict) -> str:
    return "–" if one["nil_kept"] is None else f"{one['nil_kept']:.0%}"
