"""How strong the strongest are: every match that docs/strength.md tells of.

    python benchmarks/strength.py                    hours on two cores; a match that is over is kept, so it goes on
    python benchmarks/strength.py floors thinking    these parts alone
    python benchmarks/strength.py --write            what is kept becomes docs/strength.json

Matches are duplicate games under classic without blind nil, but for those of the part `variants`. They are kept under
the names of both and what both would do at a thousand moments: who does otherwise there plays anew. What changes only
under other rules, or near the end of a game, does not show: then take another folder.
"""

import argparse
import hashlib
import json
import sys
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agents import arena, load  # noqa: E402
from agents.files import write_whole  # noqa: E402
from agents.ladder import Ladder  # noqa: E402
from agents.measure import MOMENTS, RULES, answers, moments  # noqa: E402
from agents.variants import variants  # noqa: E402
from spades_env import Rules  # noqa: E402

SEED = 78  # none that anything was chosen by
MAIN = Rules.parse(RULES)
CHAMPION, LEVEL, SEARCH = "zofia", "standard", "bis/mc:30x30"
HELD_OUT = ("club", "pimc:20")  # nothing was trained, tuned or chosen by them
WORLDS = (8, 16, 32, 64, 256, 512)  # beside the 128 that the champion tries
LADDER = (
    "random",
    "rb",
    "bis",
    "club",
    "rule",
    "bis/mc:30x30",
    "bis/ismcts:2500",
    "bis/mc:100x100",
    "bis/ismcts:5000",
    "mei",
    "otto",
    LEVEL,
    CHAMPION,
)
LADDER_GAMES = 400


@dataclass(frozen=True)
class Match:
    """Who plays whom, by what rules, how often."""

    a: str
    b: str
    games: int
    rules: Rules = MAIN

    def path(self, folder: Path) -> Path:
        """Where what came of it is kept."""
        asked = json.dumps([self.a, self.b, str(self.rules), self.games, SEED, mark(self.a), mark(self.b)])
        words = "".join(c if c.isalnum() else "_" for c in f"{self.a}-{self.b}")
        return folder / f"{words}-{hashlib.sha256(asked.encode()).hexdigest()[:12]}.json"


@cache
def mark(name: str) -> str:
    """What an agent would do at many moments, as a hash."""
    return hashlib.sha256(answers(load(name), _moments()).tobytes()).hexdigest()


@cache
def _moments() -> list:
    return moments(MOMENTS)


PARTS = {
    "floors": [
        *(Match(LEVEL, other, 2000) for other in ("rule", SEARCH)),
        *(Match(CHAMPION, other, 2000) for other in (LEVEL, SEARCH, "bis/ismcts:5000", "bis/mc:100x100")),
    ],
    "held_out": [
        *(Match(who, other, 1000) for who in (LEVEL, CHAMPION) for other in HELD_OUT),
        Match(LEVEL, "bis/ismcts:2500", 1000),
    ],
    "variants": [Match(who, "rule", 2000, rules) for rules in variants().values() for who in (LEVEL, CHAMPION)],
    "thinking": [Match(f"{CHAMPION}+trial:{worlds}", SEARCH, 1000) for worlds in WORLDS],
    "ladder": [Match(a, b, LADDER_GAMES) for a, b in combinations(sorted(LADDER), 2)],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--folder", type=Path, default=Path("runs/strength"), help="where matches are kept")
    parser.add_argument("--write", action="store_true", help="write docs/strength.json, and play nothing")
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}: there are {', '.join(PARTS)}")
    if options.write:
        write_whole(ROOT / "docs" / "strength.json", json.dumps(collected(options.folder), indent=1) + "\n")
    else:
        play(options.parts or list(PARTS), options.folder)
    return 0


def play(parts: list[str], folder: Path) -> None:
    """All matches of these parts that the folder does not hold."""
    folder.mkdir(parents=True, exist_ok=True)
    for match in (match for part in parts for match in PARTS[part]):
        path = match.path(folder)
        if not path.exists():
            result = arena.play(match.a, match.b, match.rules, games=match.games, seed=SEED)
            more = {"counts": result.counts, "deals": result.deal_wins.tolist()}
            write_whole(path, json.dumps(result.as_dict() | more))
        found = json.loads(path.read_text(encoding="utf-8"))
        low, high = found["win_rate_ci"]
        print(f"{match.a} – {match.b}, {match.rules}: {found['win_rate']:.1%} [{low:.1%}, {high:.1%}]", flush=True)


def collected(folder: Path) -> dict[str, Any]:
    """What is kept, by parts, as docs/strength.json holds it."""
    names = {str(rules): name for name, rules in variants().items()}
    told: dict[str, Any] = {
        part: [_told(match, found, names) for match in matches if (found := _kept(match, folder))]
        for part, matches in PARTS.items()
        if part != "ladder"
    }
    pairings = {(match.a, match.b): found for match in PARTS["ladder"] if (found := _kept(match, folder))}
    if len(pairings) == len(PARTS["ladder"]):
        told["ladder"] = Ladder(LADDER, {"games": LADDER_GAMES, "seed": SEED}, pairings).as_dict()
    return told


def _kept(match: Match, folder: Path) -> dict | None:
    path = match.path(folder)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _told(match: Match, found: dict, names: dict[str, str]) -> dict[str, Any]:
    """What the page says of a match."""
    keys = ("games", "win_rate", "win_rate_ci", "points_per_hand", "points_per_hand_ci")
    ours = found["stats"]["a"]
    return {
        "a": match.a,
        "b": match.b,
        "rules": names.get(str(match.rules), RULES),
        **{key: found[key] for key in keys},
        **{key: ours[key] for key in ("nil_kept", "set_rate", "ms_per_move")},
    }


if __name__ == "__main__":
    sys.exit(main())
