"""Runs of one recipe with several seeds, taken together: mean, interval and curves.

    seeds.json    the seeds; `last`: each evaluation's last value by seed, their mean and its 95 % interval; `curves`:
                  every metric by decisions
    seeds.svg     the curves, with the interval of the mean over the seeds

Intervals of means are Student's, over the seeds: they say how much another seed would change, not how many games were
played. The interquartile mean leaves odd seeds out; its interval is a bootstrap over the seeds.
"""

import json
import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from spades_env.agents.arena.match_result import student
from spades_env.agents.atomic_files import write_whole
from spades_env.training.run.curves import PANELS
from spades_env.training.run.folder import read_metrics
from spades_env.training.run.pictures import chosen, panels

RESAMPLES = 10_000  # of the bootstrap
PARTS = 100  # of a run, over each of which the metrics of its iterations are averaged
NOT_CURVES = ("iteration", "decisions", "seconds", "per_second", "ci")

Curve = dict[str, list[float]]  # decisions, mean, low, high


def summarize(folders: Sequence[Path], seeds: Sequence[int], name: str) -> dict[str, Any]:
    """Return what seeds.json holds for these runs of one recipe, all of the same length."""
    runs = [read_metrics(folder) for folder in folders]
    evaluations = [_by_name(_timed(lines)) for lines in runs]
    iterations = [_averaged(_by_name([line for line in lines if "evaluation" not in line])) for lines in runs]
    curves = {key: _curve([run[key] for run in iterations], key) for key in _shared(iterations)}
    measured = _shared(evaluations)
    return {
        "recipe": name,
        "seeds": list(seeds),
        "last": {key: over_seeds([run[key][-1, 1] for run in evaluations], key) for key in measured},
        "curves": {key: _curve([run[key] for run in evaluations], key) for key in measured} | curves,
    }


def write_summary(folder: Path, summary: dict[str, Any]) -> None:
    write_whole(folder / "seeds.json", json.dumps(summary, indent=1, allow_nan=False))
    write_whole(folder / "seeds.svg", drawn(summary))


def interval(values: np.ndarray, key: str = "") -> tuple[float, float]:
    """Return the 95 % interval of the mean of at least two values; that of a share stays within 0 and 1."""
    half = student(len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))
    low, high = float(values.mean() - half), float(values.mean() + half)
    return (max(0.0, low), min(1.0, high)) if key.startswith("wins/") else (low, high)


def mean_over_seeds(values: Sequence[float], key: str = "") -> dict[str, Any]:
    """Return the mean and its 95 % interval: None for one value, and for equal ones, such as no game won by any."""
    array = np.array(values, float)
    return {"mean": float(array.mean()), "ci": [*interval(array, key)] if _differ(array) else None}


def over_seeds(values: Sequence[float], key: str = "") -> dict[str, Any]:
    """Return the values, their mean and their interquartile mean, with 95 % intervals where they differ."""
    array = np.array(values, float)
    drawn = np.random.default_rng(0).choice(array, (RESAMPLES, len(array)))
    ends = np.quantile(interquartile_mean(drawn), (0.025, 0.975)).tolist() if _differ(array) else None
    middle = {"iqm": float(interquartile_mean(array)), "iqm_ci": ends}
    return mean_over_seeds(values, key) | middle | {"values": array.tolist()}


def interquartile_mean(values: np.ndarray) -> np.ndarray:
    """Return the mean along the last axis without a quarter of the values, rounded down, at either end."""
    out = values.shape[-1] // 4
    return np.sort(values)[..., out : values.shape[-1] - out].mean(-1)


def _differ(values: np.ndarray) -> bool:
    return bool(np.ptp(values) > 0)


def drawn(summary: dict[str, Any]) -> bytes:
    """Draw a panel for each kind of metric, evaluations first."""
    wanted = (("games won, share", ("wins/",)), ("points a hand", ("points/",)), *PANELS)
    curves = summary["curves"]
    found = [(title, keys) for title, names in wanted if (keys := chosen(curves, names))]
    draws = [partial(_draw_panel, title=title, curves={key: curves[key] for key in keys}) for title, keys in found]
    return panels(draws, f"{summary['recipe']}: mean of {len(summary['seeds'])} seeds, 95 % intervals")


def _draw_panel(axis, title: str, curves: dict[str, Curve]) -> None:
    for key, curve in curves.items():
        x = np.array(curve["decisions"]) / 1e6
        marker, label = "." if len(x) < 3 else None, key.partition("/")[2] or key
        (line,) = axis.plot(x, curve["mean"], lw=1.6, marker=marker, label=label)
        axis.fill_between(x, curve["low"], curve["high"], color=line.get_color(), alpha=0.2, lw=0)
    axis.set(title=title, xlabel="million decisions")
    if len(curves) > 1 or "/" in next(iter(curves)):
        axis.legend()


def _timed(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the evaluations, with the decisions of their iterations."""
    decisions = {line["iteration"]: line["decisions"] for line in lines if "evaluation" not in line}
    return [{**line, "decisions": decisions[line["iteration"]]} for line in lines if "evaluation" in line]


def _by_name(lines: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    """Return each metric as rows of decisions and value, float64[n, 2]."""
    found: dict[str, list] = {}
    for line in lines:
        for key, value in line.items():
            if key not in NOT_CURVES and isinstance(value, int | float):
                found.setdefault(key, []).append((line["decisions"], value))
    return {key: np.array(rows, float) for key, rows in found.items()}


def _averaged(metrics: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {
        key: np.array([part.mean(0) for part in np.array_split(rows, min(PARTS, len(rows)))])
        for key, rows in metrics.items()
    }


def _shared(runs: list[dict[str, np.ndarray]]) -> list[str]:
    return [key for key in runs[0] if all(key in run for run in runs)]


def _curve(rows: list[np.ndarray], key: str) -> Curve:
    """Return the mean over the runs, as far as the shortest goes."""
    length = min(map(len, rows))
    both = np.stack([one[:length] for one in rows])  # [runs, length, 2]
    ends = [interval(both[:, i, 1], key) for i in range(length)]
    return {
        "decisions": both[:, :, 0].mean(0).tolist(),
        "mean": both[:, :, 1].mean(0).tolist(),
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
    }
