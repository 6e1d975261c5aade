"""The Parquet files of a shard: a file in each of three tables, with the columns of MEANINGS.

    files_of(plan, number, played)      their content, by table
    is_whole(plan, folder, number)      whether all are there as they were written

In its metadata each file says which shard of which dataset it is, and has a digest (agents/digest.py).
"""

import importlib
import io
import json
import logging
from pathlib import Path
from typing import Any

import numpy as np

from spades_env.agents.atomic_files import write_whole
from spades_env.agents.digest import BLANK, KEY, DamagedError, check, filled
from spades_env.extras import needed
from spades_env.game.cards import NUM_ACTIONS, PHASES, SEATS
from spades_env.game.observe import NUM_FEATURES
from spades_env.training.data.generate import UNKNOWN, Columns, DatasetPlan, Played

SHARD = "shard"  # in the metadata of a Parquet file
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
        "hand_number": ("int32", "hands finished before in the same game"),
        "seat": ("int8", "who decides: 0 South, 1 West, 2 North, 3 East"),
        "agent": ("string", "its name"),
        "phase": ("string", "blind, bid, pass or play"),
        "observation": (f"binary[{NUM_FEATURES}]", "what the seat may know, int8 each, as the environments lay it out"),
        "mask": (f"binary[{NUM_ACTIONS}]", "int8 each; 1: the action is legal"),
        "action": ("int8", "what it did: 0–53 plays or passes a card, 54 + b bids b, 68 blind nil, 69 looks"),
        "choice": ("int8", "what the agent chose: another action where `--epsilon` took a random one"),
        "probability": ("float", "of this action, `--epsilon` counted; empty: nobody can say, as in a search"),
        "reward": ("float", "of the hand, for its side: points less the mean of the other sides'"),
        "bid": ("int8", "the seat's bid in this hand; −1: it made none"),
        "nil": ("int8", "0 no nil, 1 nil, 2 blind nil"),
        "tricks": ("int8", "tricks that the seat took in this hand"),
        "won": ("int8", "the game: 1 its side won, −1 another, 0 a draw; empty: cut after 60 hands"),
    },
    HANDS: {
        "hand_id": ("int64", "the hand in this dataset, counted from 0"),
        "rules": ("string", "the rules' text"),
        "seed": ("uint64", "the game's seed; it gives the deals away, so it is nothing to learn from"),
        "hand_number": ("int32", "hands finished before in the same game"),
        "dealer": ("int8", "the dealer's seat"),
        "scores_before": ("int32[4]", "per side, before the hand"),
        "bags_before": ("int32[4]", "per side"),
        "bids": ("int8[4]", "by seat; −1: it made none"),
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

log = logging.getLogger(__name__)


def pyarrow():
    return needed("pyarrow", NEEDED)


def path_of(folder: Path, table: str, number: int) -> Path:
    return folder / table / f"{number:05}.parquet"


def files_of(plan: DatasetPlan, number: int, played: Played) -> dict[str, bytes]:
    """Return the content of a shard's file in every table, in the order of their writing."""
    parquet, files = importlib.import_module("pyarrow.parquet"), {}
    for table in TABLES:
        content = io.BytesIO()
        arrow = _arrow(table, _named(plan, table, played[table]))
        few = [name for name in arrow.column_names if name not in BYTES]
        with parquet.ParquetWriter(
            content, arrow.schema, compression="zstd", compression_level=1, use_dictionary=few, write_statistics=few
        ) as writer:
            writer.write_table(arrow)
            writer.add_key_value_metadata({KEY: BLANK, SHARD: _described(plan, table, number)})
        files[table] = filled(content.getvalue())
    return files


def write_files(folder: Path, number: int, files: dict[str, bytes]) -> None:
    """Write a shard's part of every table, each whole or not at all."""
    for table, content in files.items():
        write_whole(path_of(folder, table, number), content)


def is_whole(plan: DatasetPlan, folder: Path, number: int) -> bool:
    """Return whether a shard is as it was written, in all tables; say so if a file of it is damaged."""
    paths = {table: path_of(folder, table, number) for table in TABLES}
    if not all(path.exists() for path in paths.values()):
        return False
    for table, path in paths.items():
        if not is_as_written(path.read_bytes(), _described(plan, table, number)):
            log.warning("%s is damaged: its hands are played again", path)
            return False
    return True


def is_as_written(content: bytes, described: str) -> bool:
    """Return whether a Parquet file is not damaged, and is the one described."""
    try:
        check(content, expected=True)
    except DamagedError:
        return False
    parquet = importlib.import_module("pyarrow.parquet")
    return parquet.read_metadata(io.BytesIO(content)).metadata.get(SHARD.encode()) == described.encode()


def _described(plan: DatasetPlan, table: str, number: int) -> str:
    """Return what a Parquet file says of itself."""
    asked = {"agents": plan.names, "rules": str(plan.rules), "hands": plan.hands, "seed": plan.seed}
    asked["epsilon"] = plan.epsilon
    return json.dumps({"table": table, "number": number, **asked, "shard_hands": plan.shard_hands})


def _named(plan: DatasetPlan, table: str, columns: Columns) -> dict[str, Any]:
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
    hidden = values == UNKNOWN if name in ("won", "winner") else np.isnan(values) if name == "probability" else None
    return arrow.array(values.astype(dtype), mask=hidden)
