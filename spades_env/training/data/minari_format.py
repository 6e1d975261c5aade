"""Self-play as a Minari dataset: what one seat saw and did in one hand is an episode.

    generate_minari(plan, folder)    plays on all cores or on a cluster, then writes the dataset

    folder/README.md        the card
           manifest.json    what was asked for, and what there is
           data/            what `minari.load_dataset` opens

What is played goes into Parquet shards first, in a hidden folder beside this one (training/data/dataset.py). So a run
that was killed goes on with the same command. The folder itself appears at one stroke, when all is written; then the
shards go.

An episode is what `Spades-v0` with episode="hand" shows to that seat, its last observation included: the hand is played
again, by the deal's seed and the actions, to see it. Cards of others are in no part of the dataset.
"""

import importlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from spades_env.agents.arena.match import Jobs
from spades_env.agents.digest import sealed_json
from spades_env.agents.files import sync_folder, write_whole
from spades_env.envs.gym_env import SpadesEnv
from spades_env.extras import needed
from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.game.observe import NUM_FEATURES
from spades_env.game.rules import Rules
from spades_env.training.data.card import CARD, Meanings, minari_card
from spades_env.training.data.dataset import MANIFEST, Progress, asked_for, read_manifest
from spades_env.training.data.dataset import generate as generate_shards
from spades_env.training.data.generate import Columns, Plan, PlanError
from spades_env.training.data.shards import DECISIONS, HANDS, path_of
from spades_env.training.run.lock import lock_folder, unlock_folder
from spades_env.vector.env import STAY, SpadesVectorEnv

STORAGE = "minari"  # in the manifest
ID = re.compile(r"(?:[-\w]{2,}/)*[-\w]+-v\d+", re.ASCII)
NEEDED = 'Minari datasets need {missing}: pip install "spades-env[minari]"'
LABELS = {"bid": "bids", "nil": "nils", "tricks": "tricks"}  # of a seat: the column of the hand
MEANINGS: Meanings = {
    "Steps": {
        "observations/observation": (f"int8[{NUM_FEATURES}]", "what the seat may know, as the environments lay it out"),
        "observations/action_mask": (f"int8[{NUM_ACTIONS}]", "1: the action is legal; all 1 in the last observation"),
        "actions": ("int64", "0–53 plays or passes a card, 54 + b bids b, 68 blind nil, 69 looks"),
        "rewards": ("float32", "the hand's, at the last step: the side's points less the mean of the other sides'"),
        "terminations": ("bool", "true at the last step"),
        "truncations": ("bool", "false"),
        "infos/step": ("int16", "the decision in its hand, all seats counted, from 0; at the end how many there were"),
    },
    "Metadata of an episode": {
        "seed": ("uint64", "the game's seed: `env.reset(seed=…, options=…)` deals the same cards"),
        "options": ("group", "`hand_number`, `dealer`, `scores` and `bags` where the hand began"),
        "hand_id": ("int64", "the hand in this dataset, counted from 0"),
        "seat": ("int8", "0 South, 1 West, 2 North, 3 East"),
        "agent": ("string", "its name"),
        "bid": ("int8", "the seat's bid in this hand"),
        "nil": ("int8", "0 no nil, 1 nil, 2 blind nil"),
        "tricks": ("int8", "tricks that the seat took in this hand"),
        "won": ("int8", "the game: 1 its side won, −1 another, 0 a draw; missing: cut after 60 hands"),
    },
}


def generate_minari(plan: Plan, folder: Path, jobs: Jobs = None, progress: Progress | None = None) -> dict:
    """Play what is missing and write the dataset, unless it is there; return its manifest."""
    for library in ("minari", "h5py", "PIL"):
        needed(library, NEEDED)
    folder = folder.absolute()
    wanted = asked_for(plan) | {"storage": STORAGE, "dataset_id": dataset_id(folder)}
    if manifest := _found(wanted, folder):
        return manifest
    shards = shards_of(folder)
    lock_folder(shards)
    try:
        manifest = _found(wanted, folder) or _generate(plan, folder, wanted, jobs, progress)
    finally:
        unlock_folder(shards)
    shutil.rmtree(shards, ignore_errors=True)  # which another process may be doing
    return manifest


def _generate(plan: Plan, folder: Path, wanted: dict[str, Any], jobs: Jobs, progress: Progress | None) -> dict:
    """Play what is missing and write the dataset where nobody reads it yet; then rename it."""
    shards, part = shards_of(folder), folder.with_name(f".{folder.name}.part")
    progress = progress or (lambda done, hands: None)
    generate_shards(plan, shards, jobs, lambda done, hands: progress(done, 2 * hands))  # playing is the first half
    shutil.rmtree(part, ignore_errors=True)  # of a run that was killed
    part.mkdir(parents=True)
    try:
        manifest = _write(plan, shards, part, wanted, progress)
        os.replace(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    sync_folder(folder.parent)
    return manifest


def dataset_id(folder: Path) -> str:
    """Return Minari's name of a folder: its path below Minari's own folder, or its last part elsewhere."""
    root = Path(os.environ.get("MINARI_DATASETS_PATH") or Path.home() / ".minari" / "datasets").absolute()
    name = folder.relative_to(root).as_posix() if folder.is_relative_to(root) else folder.name
    if not ID.fullmatch(name):
        raise PlanError(f"the folder of a Minari dataset is called NAME-vN, such as data/rule-v0, not {folder.name!r}")
    return name


def shards_of(folder: Path) -> Path:
    """Return where the shards lie until the dataset is written."""
    return folder.with_name(f".{folder.name}.shards")


def _found(wanted: dict[str, Any], folder: Path) -> dict[str, Any] | None:
    """Return the manifest of a dataset that was asked for in the same words; None if the folder is empty or missing."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return None
    if not (folder / MANIFEST).exists():
        raise PlanError(f"{folder} holds other files and no {MANIFEST}: name a new folder")
    found = read_manifest(folder)
    for name, value in wanted.items():
        if found.get(name) != value:
            raise PlanError(f"{folder} holds a dataset with {name} {found.get(name)}, not {value}: name a new folder")
    return found


def _write(plan: Plan, shards: Path, part: Path, wanted: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Write everything into a folder that nobody reads yet."""
    minari = importlib.import_module("minari")
    storage = importlib.import_module("minari.dataset.minari_storage").MinariStorage.new(
        part / "data", env_spec=_spec(plan.rules)
    )
    storage.update_metadata(
        {
            "dataset_id": wanted["dataset_id"],
            "minari_version": minari.__version__,
            "algorithm_name": ", ".join(plan.names),
            "description": f"Self-play in Spades, {plan.hands} hands under {plan.rules}: an episode for each seat.",
            "author": {"spades-env"},
        }
    )
    storage.update_episodes(_episodes(plan, shards, progress))
    storage.update_episode_metadata(_labels(plan, shards), range(storage.total_episodes))
    counts = {"episodes": int(storage.total_episodes), "steps": int(storage.total_steps)}
    manifest = wanted | {"complete": True} | counts
    write_whole(part / CARD, minari_card(manifest, MEANINGS))
    write_whole(part / MANIFEST, sealed_json(manifest, indent=1))
    return manifest


def _spec(rules: Rules) -> Any:
    """Return the specification of the environment that shows such episodes."""
    env = gymnasium.make("Spades-v0", rules=str(rules), episode="hand")
    assert isinstance(env.unwrapped, SpadesEnv)
    return env.spec


def _episodes(plan: Plan, shards: Path, progress: Progress) -> Iterator[Any]:
    """Yield the episodes in the order of hands and seats."""
    buffer = importlib.import_module("minari.data_collector").EpisodeBuffer
    done = 0
    for number in range(plan.shards):
        decisions, hands = _read(shards, DECISIONS, number), _read(shards, HANDS, number)
        starts = np.searchsorted(decisions["hand_id"], [*hands["hand_id"], hands["hand_id"][-1] + 1])
        last = final_observations(plan.rules, decisions, hands, starts)
        for i in range(len(hands["hand_id"])):
            rows = {name: column[starts[i] : starts[i + 1]] for name, column in decisions.items()}
            for seat in range(NUM_SEATS):
                yield buffer(
                    seed=int(hands["seed"][i]),
                    options=_options(plan.rules, hands, i),
                    **_steps(rows, seat, last[i, seat], hands["reward"][i, seat]),
                )
        done += len(hands["hand_id"])
        progress(plan.hands + done, 2 * plan.hands)


def _steps(rows: Columns, seat: int, last: np.ndarray, reward: float) -> dict[str, Any]:
    """Return a seat's steps in a hand, and the observation after them."""
    own = np.flatnonzero(rows["seat"] == seat)
    ends = np.zeros(len(own), bool)
    ends[-1] = True
    return {
        "observations": {
            "observation": np.concatenate([rows["observation"][own], last[None]]),
            "action_mask": np.concatenate([rows["mask"][own], np.ones((1, NUM_ACTIONS), np.int8)]),
        },
        "actions": rows["action"][own].astype(np.int64),
        "rewards": np.where(ends, reward, 0).astype(np.float32),
        "terminations": ends,
        "truncations": np.zeros(len(own), bool),
        "infos": {"step": np.append(own, len(rows["seat"])).astype(np.int16)},
    }


def _options(rules: Rules, hands: Columns, i: int) -> dict[str, Any]:
    """Return the options of `reset` that begin a hand where it began."""
    standing = {name: hands[f"{name}_before"][i, : rules.sides] for name in ("scores", "bags")}
    return {"hand_number": int(hands["hand_number"][i]), "dealer": int(hands["dealer"][i]), **standing}


def _labels(plan: Plan, shards: Path) -> Iterator[dict[str, Any]]:
    """Yield what is known of each episode afterwards."""
    for number in range(plan.shards):
        hands = _read(shards, HANDS, number)
        for i, hand in enumerate(hands["hand_id"].tolist()):
            for seat in range(NUM_SEATS):
                label: dict[str, Any] = {"hand_id": hand, "seat": seat, "agent": plan.names[seat]}
                label |= {name: int(hands[column][i, seat]) for name, column in LABELS.items()}
                winner = hands["winner"][i]
                if winner is not None:
                    label["won"] = 0 if winner < 0 else 1 if winner == seat % plan.rules.sides else -1
                yield label


def final_observations(rules: Rules, decisions: Columns, hands: Columns, starts: np.ndarray) -> np.ndarray:
    """Play the hands of a shard again and return what each seat sees when they are scored: int8[H, 4, 768]."""
    count, longest = len(starts) - 1, int(np.diff(starts).max())
    env = SpadesVectorEnv(
        count, rules, "hand", seed=hands["seed"].tolist(), truncate_after=None, autoreset=False, threads=1
    )
    standings = (hands[name].astype(np.int32) for name in ("scores_before", "bags_before", "hand_number"))
    env.reset(**dict(zip(("scores", "bags", "hand_numbers"), standings, strict=True)))
    for step in range(longest):
        at = starts[:-1] + step
        goes_on = at < starts[1:]
        env.step(np.where(goes_on, decisions["action"][np.where(goes_on, at, 0)], STAY))
    if not env.terminated.all():
        raise PlanError("a hand of the shards did not end as it was recorded: delete them and start again")
    return env.final_observation.copy()


def _read(shards: Path, table: str, number: int) -> Columns:
    """Return the columns of a shard that episodes are made of; `winner` holds None where a game was cut."""
    parquet = importlib.import_module("pyarrow.parquet")
    names = {
        DECISIONS: ["hand_id", "seat", "observation", "mask", "action"],
        HANDS: ["hand_id", "seed", "hand_number", "dealer", "scores_before", "bags_before", "bids", "nils", "tricks",
                "reward", "winner"],
    }[table]  # fmt: skip
    arrow = parquet.read_table(path_of(shards, table, number), columns=names).combine_chunks()
    return {name: _array(arrow.column(name), len(arrow)) for name in names}


def _array(column: Any, rows: int) -> np.ndarray:
    """Return a column as numpy's: int8[rows, width] where it holds bytes, [rows, width] where it holds lists."""
    column = column.combine_chunks()
    kind = str(column.type)
    if kind.startswith("fixed_size_binary"):
        _, data = column.buffers()
        return np.frombuffer(data, np.int8)[: rows * column.type.byte_width].reshape(rows, -1)
    if kind.startswith("fixed_size_list"):
        return column.flatten().to_numpy().reshape(rows, -1)
    return np.array(column.to_pylist(), object) if column.null_count else column.to_numpy()
