"""Write docs/learning.json, the long run behind `standard`, from the logs of its parts.

python benchmarks/training/long_run.py runs/long-a runs/long-b …    each part has started from the one before
python benchmarks/training/long_run.py --add runs/presets           one more part, after those in the record

A part is a run of train/selfplay.py, or one of `spades train`, whose level is then evaluated here.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from spades_env.agents import arena
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.digest import read_sealed
from spades_env.training.run import is_begun
from spades_env.training.trainer import EVALUATION_SEED

RECORD = Path(__file__).resolve().parents[2] / "docs" / "learning.json"
SETTINGS = ("width", "suit_width", "main_share", "minibatch", "rate", "tau", "entropy", "points", "games")
GAMES = 1000  # of a level's evaluation
WORKERS = 2  # of `spades train` on a CPU
OPPONENTS = ("rule", "rb")
MEASURED = ("win_rate", "win_rate_ci", "points_per_hand", "nil_rate", "nil_kept")


def part_of(folder: Path) -> dict[str, Any]:
    """Return the settings of a part and its evaluations; minutes and decisions are those since its start."""
    return _of_recipe(folder) if is_begun(folder) else _of_script(folder)


def _of_script(folder: Path) -> dict[str, Any]:
    recipe = json.loads(read_sealed(folder / "level.safetensors")[1]["recipe"])
    rows = [
        {"minutes": round(one["minutes"], 1), "decisions": one["decisions"]}
        | {name: {key: one[name][key] for key in MEASURED} for name in OPPONENTS}
        for one in _lines(folder / "log.jsonl")
    ]
    return {"settings": {name: recipe[name] for name in SETTINGS}, "rows": rows}


def _of_recipe(folder: Path) -> dict[str, Any]:
    recipe = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    stage, last = recipe["stage"][-1], _lines(folder / "metrics.jsonl")[-1]
    settings = {
        "width": recipe["network"]["width"],
        "suit_width": recipe["network"]["suit_width"],
        "main_share": recipe["rules"]["main_share"],
        "also": recipe["rules"]["also"],
        "minibatch": stage["minibatch"],
        "rate": [stage["learning_rate"], stage["last_learning_rate"]],
        "tau": [stage["temperature"], stage["last_temperature"]],
        "entropy": [stage["entropy"], stage["last_entropy"]],
        "points": [recipe["reward"]["points"]] * 2,
        "games": GAMES,
    }
    row = {"minutes": round(last["seconds"] * WORKERS / 60, 1), "decisions": last["decisions"]}
    level = folder / "level.safetensors"
    return {"settings": settings, "rows": [row | {name: _measured(level, name) for name in OPPONENTS}]}


def _measured(level: Path, opponent: str) -> dict[str, Any]:
    found = arena.play(str(level), opponent, rules="match", games=GAMES, seed=EVALUATION_SEED).as_dict()
    return {key: found[key] if key in found else found["stats"]["a"][key] for key in MEASURED}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", type=Path, metavar="RUN", help="the folder of a part")
    parser.add_argument("--add", action="store_true", help="keep the parts that are in the record")
    options = parser.parse_args()
    before = json.loads(RECORD.read_text(encoding="utf-8"))["parts"] if options.add else []
    write_whole(RECORD, json.dumps({"parts": before + [part_of(folder) for folder in options.parts]}, indent=1) + "\n")
