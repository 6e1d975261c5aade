"""How agents do beside each other: python benchmarks/agents/partners.py

    --games N         of each pair of partners (400)
    --folder FOLDER   where matches are kept; an interrupted run continues there (runs/partners)
    --again AGENT …   play only what these have a part in, and take the other matches from docs/partners.json
    --write           write docs/partners.json

Each two of AGENTS, an agent beside its own copy too, play duplicate games as partners against two `rule`: the first has
South, then West. Two strangers should score halfway between the scores of each beside its copy. An agent that relies on
habits of its own kind stays below that: `beside_strangers` is the mean difference beside STRANGERS, in points a hand.
Weak partners are left out of that mean: `random` above all costs a strong agent far more than half.
"""

import argparse
import itertools
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.measure import write_record
from spades_env.agents import arena, load
from spades_env.agents.arena.benchmark import RULES
from spades_env.agents.arena.entries.beside import PAIR, partners
from spades_env.agents.atomic_files import write_whole

AGENTS = ("random", "rb", "bis", "rule", "club", "pimc:20", "bis/mc:30x30", "milly", "standard", "zofia")
STRANGERS = ("rule", "bis/mc:30x30", "club", "standard")
SEED = 640
RESULTS = Path(__file__).resolve().parents[2] / "docs" / "partners.json"


def play(a: str, b: str, games: int, folder: Path) -> dict[str, Any]:
    """Return how two partners do against the fixed pair; kept in a file of the folder."""
    words = "".join(c if c.isalnum() else "_" for c in f"{a}-{b}-{games}")
    path = folder / f"{words}.json"
    if not path.exists():
        result = arena.play(partners(load(a, SEED), load(b, SEED)), PAIR, RULES, games, seed=SEED).as_dict()
        kept = {key: result[key] for key in ("a", "games", "win_rate", "win_rate_ci", "points_per_hand")}
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(kept | {"nil_kept": result["stats"]["a"]["nil_kept"]}) + "\n")
    return json.loads(path.read_text(encoding="utf-8"))


def report(
    found: dict[tuple[str, str], dict[str, Any]], names: Sequence[str], strangers: Sequence[str] = STRANGERS
) -> dict[str, Any]:
    """Return all matches, and what each agent scores beside strangers, less what its strength and theirs promise."""
    points = {pair: one["points_per_hand"] for pair, one in found.items()}
    gained = {
        name: mean(
            points[min(name, other), max(name, other)] - (points[name, name] + points[other, other]) / 2
            for other in strangers
            if other != name
        )
        for name in names
    }
    matches = [{"first": a, "second": b} | one for (a, b), one in found.items()]
    played = {"rules": RULES, "pair": PAIR, "seed": SEED, "strangers": strangers}
    return played | {"matches": matches, "beside_strangers": gained}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--folder", type=Path, default=Path("runs/partners"))
    parser.add_argument("--again", nargs="+", choices=AGENTS, default=AGENTS, metavar="AGENT")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    found, record = {}, json.loads(RESULTS.read_text(encoding="utf-8"))
    before = {(one["first"], one["second"]): one for one in record["matches"]}
    for a, b in itertools.combinations_with_replacement(sorted(AGENTS), 2):
        again = {a, b} & set(given.again)
        found[a, b] = play(a, b, given.games, given.folder) if again else before[a, b]
        print(f"{a} beside {b}: {found[a, b]['win_rate']:.1%}, {found[a, b]['points_per_hand']:+.1f}", flush=True)
    if given.write:
        write_record(RESULTS, report(found, AGENTS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
