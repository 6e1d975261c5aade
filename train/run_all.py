"""Run every baseline with several seeds, and sum them up: means and curves with their intervals over the seeds.

    pip install ".[train,onnx]"
    python train/run_all.py                  # about an hour of one core
    python train/run_all.py --docs           # writes docs/baselines.json and docs/baselines.svg, too

    OUT/NAME/seed-0/ … seed-4/    the runs (harness.py says what is in them)
    OUT/results.json              last evaluations by seed, cost, curves
    OUT/curves.svg                … drawn

Both files are written anew after every run. Finished runs are skipped, so the same command goes on after a stop. It
runs each baseline with one seed before any with the next: wherever it is stopped, all have about as many seeds.
"""

import argparse
import csv
import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import bc
import dqn
import nfsp
import numpy as np
import ppo
from harness import OPPONENTS, Options

from spades_env.agents.atomic_files import write_whole
from spades_env.checks import whole
from spades_env.errors import SpadesError
from spades_env.training.run.pictures import svg
from spades_env.training.seeds.summary import interval

DOCS = Path(__file__).resolve().parents[1] / "docs"
BASELINES: dict[
    str, tuple[Any, type[Options], dict[str, Any]]
] = {  # name → its program, its options, what is not default
    "bc": (bc, bc.BcOptions, {}),
    "ppo-average": (ppo, ppo.PpoOptions, {"pull_bids": 1.0, "pull_cards": 0.05}),
    "ppo": (ppo, ppo.PpoOptions, {}),
    "nfsp": (nfsp, nfsp.NfspOptions, {}),
    "dqn": (dqn, dqn.DqnOptions, {}),
}
PANELS = (  # title, column of curve.csv
    ("games won against rb, share", "wins/rb"),
    ("points a hand against rule", "points/rule"),
    ("mean bid", "bid"),
    ("nils, share of bids", "nil"),
)


def follow(out: Path, seeds: int, given: dict[str, Any]) -> Path:
    """Run what is not finished; return the file that sums all up. given: options for all baselines."""
    for seed in range(whole("seeds", seeds, 1, 1000)):
        for name, (program, kind, own) in BASELINES.items():
            options, folder = kind(**(own | given | {"seed": seed})), out / name / f"seed-{seed}"
            if not _is_finished(folder, options):
                program.train(options, folder)
                summary = summarize(out)
                write_whole(out / "results.json", json.dumps(summary, indent=1))
                write_whole(out / "curves.svg", svg((9, 6.4), partial(draw, summary=summary)))
    return out / "results.json"


def _is_finished(folder: Path, options: Options) -> bool:
    path = folder / "result.json"
    if not path.exists():
        return False
    if json.loads(path.read_text(encoding="utf-8"))["options"] != asdict(options):
        raise SpadesError(f"{folder} was run with other options: name another folder with --out")
    return True


def summarize(out: Path) -> dict[str, Any]:
    """Return the baselines that have finished runs, by name."""
    found = {name: sorted((out / name).glob("seed-*/result.json")) for name in BASELINES}
    return {name: _summary(paths) for name, paths in found.items() if paths}


def _summary(paths: list[Path]) -> dict[str, Any]:
    results = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    tables = [list(csv.DictReader((path.parent / "curve.csv").open(encoding="utf-8"))) for path in paths]
    return {
        "seeds": [result["options"]["seed"] for result in results],
        "options": {key: value for key, value in results[0]["options"].items() if key != "seed"},
        "decisions": results[0]["decisions"],
        "minutes": _over_seeds([result["minutes"] for result in results]),
        "last": {
            name: {
                key: _over_seeds([result["last"][name][key] for result in results], of)
                for key, of in (("win_rate", "wins/"), ("points_per_hand", ""), ("mean_bid", ""), ("nil_rate", ""))
            }
            for name in OPPONENTS
        },
        "curves": {
            key: [
                {"decisions": int(rows[0]["decisions"])} | _over_seeds([float(row[key]) for row in rows], key)
                for rows in zip(*tables, strict=True)
            ]
            for key in tables[0][0]
            if key != "decisions"
        },
    }


def _over_seeds(values: list[float], key: str = "") -> dict[str, Any]:
    """Return the mean and its 95 % interval, which a single seed does not have."""
    ends = [*interval(np.array(values), key)] if len(values) > 1 else None
    return {"mean": float(np.mean(values)), "ci": ends, "values": values}


def draw(figure: Any, summary: dict[str, Any]) -> None:
    """Draw a panel for each of PANELS, with a line for each baseline."""
    for axis, (title, key) in zip(figure.subplots(2, 2).ravel(), PANELS, strict=True):
        for name, one in summary.items():
            rows = one["curves"][key]
            x = [row["decisions"] / 1e6 for row in rows]
            (line,) = axis.plot(x, [row["mean"] for row in rows], marker=".", label=f"{name} ({len(one['seeds'])})")
            ends = [row["ci"] or [row["mean"]] * 2 for row in rows]
            axis.fill_between(x, *zip(*ends, strict=True), color=line.get_color(), alpha=0.2, lw=0)
        axis.set(title=title, xlabel="million decisions")
        if key != "points/rule":
            axis.set_ylim(bottom=0)
    names = figure.axes[0].get_legend_handles_labels()
    figure.legend(*names, title="baseline (seeds)", loc="outside upper center", ncols=len(summary), frameon=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/baselines"), help="default: runs/baselines")
    parser.add_argument("--seeds", type=int, default=5, help="how many, from 0 on (default: 5)")
    parser.add_argument("--decisions", type=int, help="of each run, for a trial")
    parser.add_argument("--docs", action="store_true", help="write docs/baselines.json and docs/baselines.svg, too")
    given = parser.parse_args()
    try:
        path = follow(given.out, given.seeds, {"decisions": given.decisions} if given.decisions is not None else {})
    except SpadesError as error:
        parser.error(str(error))
    if given.docs:
        write_whole(DOCS / "baselines.json", path.read_bytes())
        write_whole(DOCS / "baselines.svg", (given.out / "curves.svg").read_bytes())
    print(f"{path}, {given.out / 'curves.svg'}")


if __name__ == "__main__":
    main()
