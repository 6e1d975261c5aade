"""A dataset of self-play on disk: Parquet files in three tables, and a manifest.

    generate(plan, folder)         plays what is missing, on all cores or on a cluster

    folder/manifest.json                the settings, and, once the dataset is complete, its numbers of rows; a digest
           decisions/00000.parquet      a row for every decision: what the seat knew, what was legal, what it did
           hands/00000.parquet          a row for every hand: bids, tricks, points, scores
           hidden_deals/00000.parquet   a row for every hand: the cards of all four, which no player may see
           README.md                    the card: how it was made, columns, counts, a datasheet, licence
           croissant.json               the same for programs, in MLCommons' Croissant

Files are written whole or not at all. Each Parquet file has a digest (agents/digest.py) and says which shard of which
dataset it is. The same command plays the shards that are missing or damaged: the files are the same, byte for byte, as
without an interruption.
"""

import hashlib
import importlib
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from spades_env._version import __version__
from spades_env.agents import Agent
from spades_env.agents.arena.match import Jobs, in_threads
from spades_env.agents.atomic_files import is_unfinished, write_whole
from spades_env.agents.cluster.ray_cluster import Cluster
from spades_env.agents.cluster.shipment import Load
from spades_env.agents.digest import DamagedError, read_sealed_json, sealed_json
from spades_env.agents.registry import fingerprint_source
from spades_env.checks import usable_cores, whole
from spades_env.game.observe import ENV, layout_mark
from spades_env.training.data.croissant import CROISSANT, croissant
from spades_env.training.data.dataset_card import CARD, dataset_card
from spades_env.training.data.generate import DatasetPlan, PlanError, play_shard
from spades_env.training.data.shards import MEANINGS, TABLES, files_of, is_whole, path_of, pyarrow, write_files

FORMAT = 6
MANIFEST = "manifest.json"

Progress = Callable[[int, int], Any]  # hands finished, hands in all
Report = Callable[[], Any] | None


def generate(plan: DatasetPlan, folder: Path, jobs: Jobs = None, progress: Progress | None = None) -> dict[str, Any]:
    """Play the missing shards of a folder; return its manifest."""
    pyarrow()
    agents = plan.agents()
    if not isinstance(jobs, Cluster):
        jobs = usable_cores() if jobs is None else whole("jobs", jobs, 1, 1024)
    _open(plan, folder)
    missing = [number for number in range(plan.shards) if not is_whole(plan, folder, number)]
    done = [plan.hands - sum(map(plan.hands_of, missing))]
    report = progress and (lambda: progress(sum(done), plan.hands))
    try:
        if isinstance(jobs, Cluster):
            _play_on(jobs, plan, missing, folder, done, report)
        else:
            shards, stop = iter(missing), threading.Event()
            in_threads([partial(_play, plan, shards, agents, folder, stop, done)] * jobs, stop, report, agents)
    finally:
        for agent in agents:
            agent.close()
    return _close(plan, folder)


def _play_on(
    cluster: Cluster, plan: DatasetPlan, missing: list[int], folder: Path, done: list[int], report: Report
) -> None:
    """Let nodes play the shards, and write each file here, so that nodes need no folder in common."""
    for i, files in cluster.run(play_piece, [(plan, number) for number in missing], plan.names):
        write_files(folder, missing[i], files)
        done.append(plan.hands_of(missing[i]))
        if report:
            report()


def play_piece(load: Load, plan: DatasetPlan, number: int) -> dict[str, bytes]:
    """Play a shard on a node of a cluster; return the content of its file in every table."""
    agents = plan.agents(load)
    try:
        played = play_shard(plan, number, agents)
        assert played is not None
        return files_of(plan, number, played)
    finally:
        for agent in agents:
            agent.close()


def _play(
    plan: DatasetPlan,
    shards: Iterator[int],
    agents: tuple[Agent, ...],
    folder: Path,
    stop: threading.Event,
    done: list[int],
) -> None:
    """Play shards of an iterator that all threads share, until it is empty or all are stopped.

    A future for each shard would be simpler, but `wait` locks all of them, and Ctrl-C meanwhile leaves some locked for
    ever.
    """
    for number in shards:
        played = play_shard(plan, number, agents, stop.is_set)
        if played is None:
            return  # stopped
        write_files(folder, number, files_of(plan, number, played))
        done.append(plan.hands_of(number))


# The manifest


def asked_for(plan: DatasetPlan) -> dict[str, Any]:
    """Return the settings that decide every byte of a dataset."""
    return {
        "format": FORMAT,
        "version": __version__,
        "agents": list(plan.names),
        "behind": [hashlib.sha256(fingerprint_source(name)).hexdigest()[:16] for name in plan.names],
        "rules": str(plan.rules),
        "hands": plan.hands,
        "seed": plan.seed,
        "shard_hands": plan.shard_hands,
        "epsilon": plan.epsilon,
        "environment": ENV,
        "layout": layout_mark(),
    }


def _open(plan: DatasetPlan, folder: Path) -> None:
    """Begin a dataset, or continue one of the same settings."""
    path = folder / MANIFEST
    if not path.exists():
        if folder.exists() and not all(is_unfinished(path) for path in folder.iterdir()):
            raise PlanError(f"{folder} holds other files and no {MANIFEST}: name a new folder")
        write_whole(path, sealed_json({**asked_for(plan), "complete": False}, indent=1))
        return
    begun = read_manifest(folder)
    for name, value in asked_for(plan).items():
        if begun.get(name) != value:
            raise PlanError(
                f"{folder} holds a dataset with {name} {begun.get(name)}, not {value}: "
                "name a new folder, or ask for the same"
            )


def _close(plan: DatasetPlan, folder: Path) -> dict[str, Any]:
    """Write the manifest of a complete dataset."""
    parquet = importlib.import_module("pyarrow.parquet")
    rows = {
        table: sum(parquet.read_metadata(path_of(folder, table, number)).num_rows for number in range(plan.shards))
        for table in TABLES
    }
    manifest = {**asked_for(plan), "complete": True, "shards": plan.shards, "rows": rows}
    write_whole(folder / CARD, dataset_card(manifest, MEANINGS))
    write_whole(folder / CROISSANT, croissant(manifest, MEANINGS))
    write_whole(folder / MANIFEST, sealed_json(manifest, indent=1))
    return manifest


def read_manifest(folder: Path) -> dict[str, Any]:
    try:
        return read_sealed_json(folder / MANIFEST)
    except OSError as error:
        raise PlanError(f"{folder} holds no dataset: {error}") from None
    except DamagedError:
        raise PlanError(f"{folder / MANIFEST} is damaged: name a new folder") from None
