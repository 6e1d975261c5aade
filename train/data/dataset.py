"""A dataset of self-play on disk: Parquet files in three tables, and a manifest.

    generate(plan, folder)         plays what is missing, on all cores or on a cluster

    folder/manifest.json                the settings, and, once the dataset is complete, its numbers of rows
           decisions/00000.parquet      a row for every decision: what the seat knew, what was legal, what it did
           hands/00000.parquet          a row for every hand: bids, tricks, points, scores
           hidden_deals/00000.parquet   a row for every hand: the cards of all four, which no player may see
           README.md                    the card: how it was made, columns, counts, licence

Files are written whole or not at all, and a shard's decisions come last. So a run that was killed leaves whole shards,
and the same command plays the others: the files are the same, byte for byte, as without the interruption.
"""

import hashlib
import importlib
import io
import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from agents import Agent
from agents.arena.match import Jobs, in_threads
from agents.cluster.ray_cluster import Cluster
from agents.cluster.shipment import Load
from agents.files import write_whole
from agents.registry import fingerprint_source
from spades_env import __version__, earlier
from spades_env.cards import NUM_ACTIONS, PHASES, SEATS
from spades_env.checks import usable_cores, whole
from spades_env.extras import needed
from spades_env.observe import ENV, NUM_FEATURES, layout_mark
from spades_env.plain import from_json
from train.data.card import CARD, parquet_card
from train.data.generate import UNKNOWN, Columns, Plan, PlanError, Played, play_shard

FORMAT = 3
EARLIER_RULES = 2  # the format before, with rules in an older notation: see `spades_env.earlier`
MANIFEST = "manifest.json"
DECISIONS, HANDS, DEALS = "decisions", "hands", "hidden_deals"
TABLES = (DEALS, HANDS, DECISIONS)  # in the order of their writing
NEEDED = 'datasets need pyarrow: pip install "spades-env[data]"'
BYTES = {"observation": NUM_FEATURES, "mask": NUM_ACTIONS}  # columns of bytes, int8 each
WORDS = ("rules", "agent", "phase")  # columns of words, stored as dictionaries
MEANINGS = {  # table -> column -> type in a file, meaning
    DECISIONS: {
        "hand_id": ("int64", "the hand in this dataset, counted from 0"),
        "step": ("int16", "the decision in its hand, counted from 0"),
        "rules": ("string", "the rules' text, as `Rules.parse` reads it"),
        "seed": ("uint64", "the game's seed; it gives the deals away, so it is nothing to learn from"),
        "hand_number": ("int32", "hands finished before in the same game"),
        "seat": ("int8", "who decides: 0 South, 1 West, 2 North, 3 East"),
        "agent": ("string", "its name"),
        "phase": ("string", "blind, bid, pass or play"),
        "observation": (f"binary[{NUM_FEATURES}]", "what the seat may know, int8 each, as the environments lay it out"),
        "mask": (f"binary[{NUM_ACTIONS}]", "int8 each; 1: the action is legal"),
        "action": ("int8", "what it did: 0–53 plays or passes a card, 54 + b bids b, 68 blind nil, 69 looks"),
        "reward": ("float", "of the hand, for its side: points less the mean of the other sides'"),
        "bid": ("int8", "the seat's bid in this hand"),
        "nil": ("int8", "0 no nil, 1 nil, 2 blind nil"),
        "tricks": ("int8", "tricks that the seat took in this hand"),
        "won": ("int8", "the game: 1 its side won, −1 another, 0 a draw; empty: cut after 60 hands"),
    },
    HANDS: {
        "hand_id": ("int64", "the hand in this dataset, counted from 0"),
        "rules": ("string", "the rules' text"),
        "seed": ("uint64", "the game's seed"),
        "hand_number": ("int32", "hands finished before in the same game"),
        "dealer": ("int8", "the dealer's seat"),
        "scores_before": ("int32[4]", "per side, before the hand"),
        "bags_before": ("int32[4]", "per side"),
        "bids": ("int8[4]", "by seat"),
        "nils": ("int8[4]", "by seat: 0 no nil, 1 nil, 2 blind nil"),
        "tricks": ("int8[4]", "by seat"),
        "points": ("int32[4]", "per side: what the hand did to its score"),
        "overtricks": ("int32[4]", "per side"),
        "reward": ("float[4]", "by seat: its side's points less the mean of the other sides'"),
        "scores_after": ("int32[4]", "per side"),
        "bags_after": ("int32[4]", "per side"),
        "winner": ("int8", "the side that won the game, −1 in a draw; empty: cut after 60 hands"),
    },
    DEALS: {
        "hand_id": ("int64", "the hand in this dataset, counted from 0"),
        **dict.fromkeys(map(str.lower, SEATS), ("int8[13]", "the cards dealt to this seat, `13 * suit + rank`")),
    },
}

Progress = Callable[[int, int], Any]  # hands finished, hands in all
Report = Callable[[], Any] | None


def generate(plan: Plan, folder: Path, jobs: Jobs = None, progress: Progress | None = None) -> dict[str, Any]:
    """Play the missing shards of a folder; return its manifest."""
    pyarrow()
    agents = plan.agents()
    if not isinstance(jobs, Cluster):
        jobs = usable_cores() if jobs is None else whole("jobs", jobs, 1, 1024)
    _open(plan, folder)
    missing = [number for number in range(plan.shards) if not path_of(folder, DECISIONS, number).exists()]
    done = [plan.hands - sum(map(plan.hands_of, missing))]
    report = progress and (lambda: progress(sum(done), plan.hands))
    try:
        if isinstance(jobs, Cluster):
            _play_on(jobs, plan, missing, folder, done, report)
        else:
            _play_here(jobs, plan, missing, agents, folder, done, report)
    finally:
        for agent in agents:
            agent.close()
    return _close(plan, folder)


def _play_here(
    jobs: int,
    plan: Plan,
    missing: list[int],
    agents: tuple[Agent, ...],
    folder: Path,
    done: list[int],
    report: Report,
) -> None:
    shards, stop = iter(missing), threading.Event()
    in_threads([partial(_play, plan, shards, agents, folder, stop, done)] * jobs, stop, report, agents)


def _play_on(cluster: Cluster, plan: Plan, missing: list[int], folder: Path, done: list[int], report: Report) -> None:
    """Let nodes play the shards, and write each file here, so that nodes need no folder in common."""
    for i, files in cluster.run(play_piece, [(plan, number) for number in missing], plan.names):
        _write_files(files, missing[i], folder)
        done.append(plan.hands_of(missing[i]))
        if report:
            report()


def play_piece(load: Load, plan: Plan, number: int) -> dict[str, bytes]:
    """Play a shard on a node of a cluster; return the content of its file in every table."""
    agents = plan.agents(load)
    try:
        played = play_shard(plan, number, agents)
        assert played is not None
        return files_of(plan, played)
    finally:
        for agent in agents:
            agent.close()


def _play(
    plan: Plan, shards: Iterator[int], agents: tuple[Agent, ...], folder: Path, stop: threading.Event, done: list[int]
) -> None:
    """Play shards of an iterator that all threads share, until it is empty or all are stopped.

    A future for each shard would be simpler, but `wait` locks all of them, and Ctrl-C meanwhile leaves some locked for
    ever.
    """
    for number in shards:
        played = play_shard(plan, number, agents, stop.is_set)
        if played is None:
            return  # stopped
        _write_files(files_of(plan, played), number, folder)
        done.append(plan.hands_of(number))


def path_of(folder: Path, table: str, number: int) -> Path:
    return folder / table / f"{number:05}.parquet"


# The manifest


def asked_for(plan: Plan) -> dict[str, Any]:
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
        "environment": ENV,
        "layout": layout_mark(),
    }


def _open(plan: Plan, folder: Path) -> None:
    """Begin a dataset, or continue one of the same settings."""
    path = folder / MANIFEST
    if not path.exists():
        if folder.exists() and any(folder.iterdir()):
            raise PlanError(f"{folder} holds other files and no {MANIFEST}: name a new folder")
        write_whole(path, json.dumps({**asked_for(plan), "complete": False}, indent=1) + "\n")
        return
    begun = read_manifest(folder)
    if begun.get("format") == EARLIER_RULES:
        begun |= {"format": FORMAT, "rules": earlier.rules_text(begun.get("rules"))}
    if "storage" in begun:
        raise PlanError(f"{folder} holds a dataset in another format, {begun['storage']}: name a new folder")
    for name, value in asked_for(plan).items():
        if begun.get(name) != value:
            raise PlanError(
                f"{folder} holds a dataset with {name} {begun.get(name)}, not {value}: "
                "name a new folder, or ask for the same"
            )


def _close(plan: Plan, folder: Path) -> dict[str, Any]:
    """Write the manifest of a complete dataset."""
    parquet = importlib.import_module("pyarrow.parquet")
    rows = {
        table: sum(parquet.read_metadata(path_of(folder, table, number)).num_rows for number in range(plan.shards))
        for table in TABLES
    }
    manifest = {**asked_for(plan), "complete": True, "shards": plan.shards, "rows": rows}
    write_whole(folder / CARD, parquet_card(manifest, MEANINGS))
    write_whole(folder / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    return manifest


def read_manifest(folder: Path) -> dict[str, Any]:
    try:
        found = from_json((folder / MANIFEST).read_bytes())
    except OSError as error:
        raise PlanError(f"{folder} holds no dataset: {error}") from None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise PlanError(f"{folder / MANIFEST} is damaged: name a new folder")
    return found


# The files


def pyarrow():
    return needed("pyarrow", NEEDED)


def files_of(plan: Plan, played: Played) -> dict[str, bytes]:
    """Return the content of a shard's file in every table, in the order of their writing."""
    parquet, files = importlib.import_module("pyarrow.parquet"), {}
    for table in TABLES:
        content = io.BytesIO()
        arrow = _arrow(table, _named(plan, table, getattr(played, "deals" if table == DEALS else table)))
        few = [name for name in arrow.column_names if name not in BYTES]
        parquet.write_table(
            arrow, content, compression="zstd", compression_level=1, use_dictionary=few, write_statistics=few
        )
        files[table] = content.getvalue()
    return files


def _write_files(files: dict[str, bytes], number: int, folder: Path) -> None:
    """Write a shard's part of every table, each whole or not at all."""
    for table, content in files.items():
        write_whole(path_of(folder, table, number), content)


def _named(plan: Plan, table: str, columns: Columns) -> dict[str, Any]:
    """Add the columns of words, each as (numbers, words)."""
    named: dict[str, Any] = dict(columns)
    if "rules" in MEANINGS[table]:
        named["rules"] = np.zeros(len(columns["hand_id"]), np.int8), [str(plan.rules)]
    if table == DECISIONS:
        words = list(dict.fromkeys(plan.names))
        of_seat = np.array([words.index(name) for name in plan.names], np.int8)
        named["agent"] = of_seat[columns["seat"]], words
        named["phase"] = columns["phase"], list(PHASES)
    return named


def _arrow(table: str, columns: dict[str, Any]):
    """Return pyarrow's table, with the columns of MEANINGS in their order."""
    return pyarrow().table({name: _column(name, kind, columns[name]) for name, (kind, _) in MEANINGS[table].items()})


def _column(name: str, kind: str, values: Any):
    arrow = pyarrow()
    if name in WORDS:
        return arrow.DictionaryArray.from_arrays(arrow.array(values[0].astype(np.int8)), values[1])
    if name in BYTES:
        values = np.ascontiguousarray(values, np.int8)
        return arrow.Array.from_buffers(arrow.binary(BYTES[name]), len(values), [None, arrow.py_buffer(values)])
    word, _, width = kind.rstrip("]").partition("[")
    dtype = np.float32 if word == "float" else np.dtype(word)
    if width:
        flat = arrow.array(np.ascontiguousarray(values, dtype).reshape(-1))
        return arrow.FixedSizeListArray.from_arrays(flat, int(width))
    hidden = values == UNKNOWN if name in ("won", "winner") else None
    return arrow.array(values.astype(dtype), mask=hidden)
