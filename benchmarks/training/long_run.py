"""Write docs/learning.json, the long run of train/selfplay.py, from the logs of its parts.

python benchmarks/training/long_run.py runs/long-a runs/long-b …    each part has started from the one before
"""

import json
import sys
from pathlib import Path
from typing import Any

from spades_env.agents.atomic_files import write_whole
from spades_env.agents.digest import read_sealed

RECORD = Path(__file__).resolve().parents[2] / "docs" / "learning.json"
SETTINGS = ("width", "suit_width", "main_share", "minibatch", "rate", "tau", "entropy", "points", "games")
MEASURED = ("win_rate", "win_rate_ci", "points_per_hand", "nil_rate", "nil_kept")


def part_of(folder: Path) -> dict[str, Any]:
    """Return the settings of a part and its evaluations; minutes and decisions are those since its start."""
    recipe = json.loads(read_sealed(folder / "level.safetensors")[1]["recipe"])
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [
        {"minutes": round(one["minutes"], 1), "decisions": one["decisions"]}
        | {name: {key: one[name][key] for key in MEASURED} for name in ("rule", "rb")}
        for one in lines
    ]
    return {"settings": {name: recipe[name] for name in SETTINGS}, "rows": rows}


if __name__ == "__main__":
    write_whole(RECORD, json.dumps({"parts": [part_of(Path(folder)) for folder in sys.argv[1:]]}, indent=1) + "\n")
