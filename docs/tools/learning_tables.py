"""Tables of the long run (learning.json) and of the one in JAX (jax_ppo.json): settings, and what was measured."""

import json
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1]
EVERY = 80e6  # decisions between two rows, at least


def parts() -> str:
    """Return the settings of each part, and what it took."""
    titles = "minutes", "M decisions", "widths", "main rules", "minibatch", "learning rate", "τ", "points"
    rows = [f"| {' | '.join(titles)} |", "|---:|---:|---|---:|---:|---|---|---:|"]
    for part in _parts():
        settings, last = part["settings"], part["rows"][-1]
        cells = (
            f"{last['minutes']:.0f}",
            f"{last['decisions'] / 1e6:.0f}",
            f"{settings['width']}, {settings['suit_width']}",
            f"{settings['main_share']:.0%}",
            f"{settings['minibatch']:,}",
            *(" → ".join(f"{end:g}" for end in settings[name]) for name in ("rate", "tau")),
            f"{settings['points'][1]:g}",
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def evaluations() -> list[dict[str, Any]]:
    """Return what was measured, with minutes and decisions since the beginning."""
    rows, minutes, decisions = [], 0.0, 0
    for part in _parts():
        for row in part["rows"]:
            since = {"minutes": minutes + row["minutes"], "decisions": decisions + row["decisions"]}
            rows.append(row | since | {"games": part["settings"]["games"]})
        minutes, decisions = rows[-1]["minutes"], rows[-1]["decisions"]
    return rows


def long_run() -> str:
    """Return some of the evaluations, the last one among them."""
    rows = ["| minutes | M decisions | games | won against `rule` | points a hand | nils bid | kept |"]
    rows.append("|---:|---:|---:|---:|---:|---:|---:|")
    measured, last = evaluations(), -EVERY
    for one in measured:
        if one["decisions"] < last + EVERY and one is not measured[-1]:
            continue
        last, rule = one["decisions"], one["rule"]
        won, low, high = (f"{100 * x:.1f}" for x in (rule["win_rate"], *rule["win_rate_ci"]))
        kept = "" if rule["nil_kept"] is None else f"{rule['nil_kept']:.0%}"
        cells = f"{one['minutes']:.0f}", f"{last / 1e6:.0f}", f"{one['games']:,}", f"{won} % [{low}, {high}]"
        rows.append(f"| {' | '.join(cells)} | {rule['points_per_hand']:+.1f} | {rule['nil_rate']:.1%} | {kept} |")
    return "\n".join(rows)


def jax_run() -> str:
    """Return what was measured of the run in JAX, its end with more games."""
    record = in_jax()
    rows = ["| minutes | M decisions | games | won against `rule` | points a hand |", "|---:|---:|---:|---:|---:|"]
    games = [record["settings"]["games"]] * len(record["rows"])
    last = record["rows"][-1] | {"rule": record["final"]}
    for one, played in zip([*record["rows"], last], [*games, record["final"]["games"]], strict=True):
        rule = one["rule"]
        won, low, high = (f"{100 * x:.1f}" for x in (rule["win_rate"], *rule["win_rate_ci"]))
        cells = f"{one['minutes']:.0f}", f"{one['decisions'] / 1e6:.1f}", f"{played:,}", f"{won} % [{low}, {high}]"
        rows.append(f"| {' | '.join(cells)} | {rule['points_per_hand']:+.1f} |")
    return "\n".join(rows)


def in_jax() -> dict[str, Any]:
    """Return the record of `train/jax_ppo.py`."""
    return json.loads((DOCS / "jax_ppo.json").read_text(encoding="utf-8"))


def _parts() -> list[dict[str, Any]]:
    return json.loads((DOCS / "learning.json").read_text(encoding="utf-8"))["parts"]
