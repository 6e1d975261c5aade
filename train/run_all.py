"""Run a group of programs with several seeds, and sum them up: means and curves with their intervals over the seeds.

    pip install ".[train,onnx]"
    python train/run_all.py baselines        # 1, 10 and 50 million decisions: about seven hours of one core
    python train/run_all.py loop             # selfplay.py, five seeds: an hour and three quarters
    python train/run_all.py ablations        # … with one change each: three hours and a half
    python train/run_all.py loop --docs      # writes docs/loop.json and docs/loop.svg, too

    OUT/NAME/seed-0/ …    the runs (harness.py and selfplay.py say what is in them)
    OUT/results.json      last evaluations by seed, cost, curves
    OUT/curves.svg        … drawn

Both files are written anew after every run. Finished runs are skipped, so the same command goes on after a stop. It
runs each program with one seed before any with the next: wherever it is stopped, all have about as many seeds.
"""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import bc
import dqn
import nfsp
import ppo
from ablations import VARIANTS
from selfplay import Settings

from spades_env.agents.atomic_files import write_whole
from spades_env.checks import whole
from spades_env.errors import SpadesError
from spades_env.training.run.pictures import svg
from spades_env.training.run.provenance import FILE as PROVENANCE
from spades_env.training.run.provenance import LIBRARIES
from spades_env.training.seeds.summary import mean_over_seeds, over_seeds

DOCS = Path(__file__).resolve().parents[1] / "docs"
SIZES = {1: 5, 10: 1, 50: 1}  # million decisions of a baseline → how many seeds
BASELINES: dict[str, tuple[Any, Any, dict[str, Any]]] = {  # name → its program, its options, what is not default
    "bc": (bc, bc.BcOptions, {}),
    "ppo-average": (ppo, ppo.PpoOptions, {"pull_bids": 1.0, "pull_cards": 0.05}),
    "ppo": (ppo, ppo.PpoOptions, {}),
    "nfsp": (nfsp, nfsp.NfspOptions, {}),
    "dqn": (dqn, dqn.DqnOptions, {}),
}
MEASURED = {"win_rate": "wins/", "points_per_hand": "", "mean_bid": "", "nil_rate": "", "nil_kept": "", "set_rate": ""}
PANELS = (  # title, column of the curve
    ("games won against rule, share", "wins/rule"),
    ("points a hand against rule", "points/rule"),
    ("mean bid", "bid"),
    ("nils, share of bids", "nil"),
)


class Program(NamedTuple):
    """What is run, with which options. name: of all its sizes; about: it in words."""

    train: Callable[[Any, Path], Any]
    kind: Callable[..., Any]
    own: dict[str, Any]
    name: str
    about: str = ""


def baselines(size: int) -> dict[str, Program]:
    """Return the baselines that ran for this many million decisions."""
    return {
        f"{name}-{size}M": Program(program.train, kind, own | {"decisions": size * 10**6}, name)
        for name, (program, kind, own) in BASELINES.items()
    }


def loop(name: str, minutes: float) -> Program:
    one = VARIANTS[name]
    return Program(one.train, Settings, {"minutes": minutes} | one.changed, name, one.about)


GROUPS = {  # name → how many seeds, of which programs; one such set after the other
    "baselines": [(seeds, baselines(size)) for size, seeds in SIZES.items()],
    "loop": [(5, {"loop": loop("loop", 20.0)})],
    "ablations": [(3, {name: loop(name, 10.0) for name in VARIANTS})],
}


def follow(out: Path, group: str, given: dict[str, Any], seeds: int | None = None) -> Path:
    """Run what is not finished; return the file that sums all up. given: options for all of the group."""
    for usual, programs in GROUPS[group]:
        for seed in range(usual if seeds is None else whole("seeds", seeds, 1, 1000)):
            for key, one in programs.items():
                options, folder = one.kind(**(one.own | given | {"seed": seed})), out / key / f"seed-{seed}"
                if not _is_finished(folder, options):
                    print(f"{key}, seed {seed}", flush=True)
                    one.train(options, folder)
                    summary = summarize(out, group)
                    write_whole(out / "results.json", json.dumps(summary, indent=1))
                    draws = partial(draw, summary=summary, by="decisions" if group == "baselines" else "minutes")
                    write_whole(out / "curves.svg", svg((9, 6.4), draws))
    return out / "results.json"


def _is_finished(folder: Path, options: Any) -> bool:
    path = folder / "result.json"
    if not path.exists():
        return False
    if _read(path)["options"] != json.loads(json.dumps(asdict(options))):
        raise SpadesError(f"{folder} was run with other options: name another folder with --out")
    return True


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def summarize(out: Path, group: str) -> dict[str, Any]:
    """Return the programs of a group that have finished runs."""
    programs = {key: one for _, each in GROUPS[group] for key, one in each.items()}
    found = {key: sorted((out / key).glob("seed-*/result.json")) for key in programs}
    return {key: _summary(programs[key], paths) for key, paths in found.items() if paths}


def _summary(program: Program, paths: list[Path]) -> dict[str, Any]:
    results = [_read(path) for path in paths]
    first, last = results[0], [result["last"] for result in results]
    start = json.loads((paths[0].parent / PROVENANCE).read_text(encoding="utf-8").splitlines()[-1])
    evaluations = list(zip(*(result["curve"] for result in results), strict=True))
    return {
        "name": program.name,
        "about": program.about,
        "seeds": [result["options"]["seed"] for result in results],
        "options": {key: value for key, value in first["options"].items() if key != "seed"},
        "made": {
            key: value for key, value in start.items() if key in ("version", "commit", "dirty", "python", *LIBRARIES)
        },
        **{key: mean_over_seeds([result[key] for result in results]) for key in ("decisions", "minutes")},
        "last": {name: {key: _known([one[name][key] for one in last], key) for key in MEASURED} for name in last[0]},
        "curves": {
            key: [mean_over_seeds([row[key] for row in rows], key) for rows in evaluations] for key in first["curve"][0]
        },
    }


def _known(values: list[float | None], key: str) -> dict[str, Any] | None:
    """Return what is known over the seeds: of those that bid no nils, no share of nils kept."""
    known = [value for value in values if value is not None]
    return over_seeds(known, MEASURED[key]) if known else None


def draw(figure: Any, summary: dict[str, Any], by: str) -> None:
    """Draw a panel for each of PANELS, with a line for each program, all its sizes in one colour."""
    for axis, (title, key) in zip(figure.subplots(2, 2).ravel(), PANELS, strict=True):
        colors: dict[str, Any] = {}
        for one in summary.values():
            name, rows = one["name"], one["curves"][key]
            x = [row["mean"] for row in one["curves"][by]]
            label = None if name in colors else name
            (line,) = axis.plot(x, [row["mean"] for row in rows], marker=".", label=label, color=colors.get(name))
            colors[name] = line.get_color()
            ends = [row["ci"] or [row["mean"]] * 2 for row in rows]
            axis.fill_between(x, *zip(*ends, strict=True), color=colors[name], alpha=0.2, lw=0)
        axis.set(title=title, xlabel=by if by == "decisions" else "core-minutes")
        if by == "decisions":
            axis.set_xscale("log")
        if key != "points/rule":
            axis.set_ylim(bottom=0)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=5, frameon=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("--out", type=Path, help="default: runs/GROUP")
    parser.add_argument("--seeds", type=int, help="how many, from 0 on (default: see above)")
    parser.add_argument("--minutes", type=float, help="of core time, of each run of the loop")
    parser.add_argument("--docs", action="store_true", help="write docs/GROUP.json and docs/GROUP.svg, too")
    given = parser.parse_args()
    out = given.out or Path("runs") / given.group
    if given.minutes is not None and given.group == "baselines":
        parser.error("baselines end after a number of decisions, not of minutes")
    try:
        path = follow(out, given.group, {} if given.minutes is None else {"minutes": given.minutes}, given.seeds)
    except SpadesError as error:
        parser.error(str(error))
    if given.docs:
        write_whole(DOCS / f"{given.group}.json", path.read_bytes())
        write_whole(DOCS / f"{given.group}.svg", (out / "curves.svg").read_bytes())
    print(f"{path}, {out / 'curves.svg'}")


if __name__ == "__main__":
    main()
