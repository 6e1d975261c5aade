"""How strong the strongest are: every match in docs/strength.md.

    python benchmarks/agents/strength.py                    hours on two cores
    python benchmarks/agents/strength.py floors held_out    only these parts
    python benchmarks/agents/strength.py --games 500        at most 500 games of each match, for now
    python benchmarks/agents/strength.py --write            write what is saved to docs/strength.json

Matches are duplicate games under classic without blind nil, except in the part `variants`. They are played in pieces of
PIECE games, each with its own seed. Finished pieces are saved, so an interrupted run continues where it stopped.
Without the folder, matches that docs/strength.json has in full are not played again. Pieces are saved under the names
of both agents and a hash of what they do at a thousand moments, so a changed agent plays again; until it has, the page
marks its former results. Changes that show only under other rules, or near the end of a game, are not noticed: then
start with neither the folder nor the JSON file.
"""

import argparse
import hashlib
import io
import json
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import made  # noqa: E402
from spades_env import Rules  # noqa: E402
from spades_env.agents import arena, load  # noqa: E402
from spades_env.agents.arena.characters import MOMENTS, RULES, answers, moments  # noqa: E402
from spades_env.agents.arena.match_result import Result  # noqa: E402
from spades_env.agents.arena.variants import variants  # noqa: E402
from spades_env.agents.atomic_files import write_whole  # noqa: E402

SEED = 78  # of the first piece, 79 of the next: nothing was tuned on these, see docs/strength.md
PIECE = 500  # games
FAST = 8000  # games between agents that don't search, which take seconds
MAIN = Rules.parse(RULES)
RESULTS = ROOT / "docs" / "strength.json"
Row = dict[str, Any]  # the result of a match
CHAMPION, LEVEL, SEARCH = "zofia", "standard", "bis/mc:30x30"
HELD_OUT = ("club", "pimc:20")  # nothing was trained, tuned or chosen against them


@dataclass(frozen=True)
class Match:
    """The two agents, the rules and the number of games."""

    a: str
    b: str
    games: int
    rules: Rules = MAIN
    piece: int = PIECE  # games of one

    @property
    def marks(self) -> list[str]:
        """Return the marks of both agents; while they are the same, so is the result."""
        return [mark(self.a), mark(self.b)]

    def path(self, folder: Path, piece: int) -> Path:
        """Return the file of a piece's result."""
        asked = json.dumps([self.a, self.b, str(self.rules), self.piece, SEED + piece, *self.marks])
        words = "".join(c if c.isalnum() else "_" for c in f"{self.a}-{self.b}")
        return folder / f"{words}-{piece}-{hashlib.sha256(asked.encode()).hexdigest()[:12]}.npz"

    def play(self, folder: Path, piece: int) -> None:
        """Play a piece, unless it is saved already."""
        path = self.path(folder, piece)
        if not path.exists():
            result = arena.play(self.a, self.b, self.rules, games=self.piece, seed=SEED + piece)
            content = io.BytesIO()
            found = {"rows": np.asarray(result.rows), "moves": result.moves, "seconds": result.seconds}
            np.savez_compressed(content, **found, made=json.dumps(made()))
            write_whole(path, content.getvalue())

    def made(self, folder: Path) -> dict[str, Any]:
        """Return when, where and with which code the first piece was played."""
        with np.load(self.path(folder, 0)) as piece:
            return json.loads(str(piece["made"]))

    def result(self, folder: Path) -> Result | None:
        """Return the result of the saved pieces, up to the first missing one."""
        found = []
        while len(found) * self.piece < self.games and (path := self.path(folder, len(found))).exists():
            with np.load(path) as piece:
                found.append({name: piece[name] for name in ("rows", "moves", "seconds")})
        if not found:
            return None
        rows, moves, seconds = (
            np.concatenate([piece[name] for piece in found]) for name in ("rows", "moves", "seconds")
        )
        moves, seconds = (tuple(of.reshape(-1, 2).sum(axis=0).tolist()) for of in (moves, seconds))
        return Result(self.a, self.b, self.rules, "games", SEED, rows, moves, seconds)


@cache
def mark(name: str) -> str:
    """Return a hash of what an agent does at many moments."""
    return hashlib.sha256(answers(load(name), _moments()).tobytes()).hexdigest()[:16]


@cache
def _moments() -> list:
    return moments(MOMENTS)


PARTS = {
    "floors": [
        Match(LEVEL, "rule", FAST),
        Match(LEVEL, SEARCH, 2000),
        Match(CHAMPION, SEARCH, 2000),
        Match(CHAMPION, LEVEL, 500),
    ],
    "held_out": [
        *(Match(LEVEL, other, 1000) for other in HELD_OUT),
        *(Match(CHAMPION, other, 500) for other in HELD_OUT),
    ],
    "variants": [
        Match(who, "rule", games, rules)
        for who, games in ((LEVEL, FAST), (CHAMPION, 500))
        for rules in variants().values()
    ],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--folder", type=Path, default=Path("runs/strength"), help="where matches are kept")
    parser.add_argument("--games", type=int, default=FAST, help="of each match, at most")
    parser.add_argument("--write", action="store_true", help="write docs/strength.json, and play nothing")
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"unknown part {part!r}; expected {', '.join(PARTS)}")
    if options.games <= 0 or options.games % PIECE:
        parser.error(f"--games must be a multiple of {PIECE}, not {options.games}")
    before = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    if options.write:
        write_whole(RESULTS, json.dumps(collected(options.folder, before), indent=1) + "\n")
    else:
        play(options.parts or list(PARTS), options.folder, options.games, before)
    return 0


def play(parts: list[str], folder: Path, games: int, before: dict[str, Any]) -> None:
    """Play the matches of these parts, up to this many games each, except what is in the folder or known before."""
    for part, match in [(name, match) for name in parts for match in PARTS[name]]:
        asked, row = min(games, match.games), known_row(match, part, before)
        if not row or row["games"] < asked:
            for piece in range(asked // match.piece):
                match.play(folder, piece)
            result = match.result(folder)
            row = result and result.as_dict()
        if row:
            low, high = row["win_rate_ci"]
            line = f"{row['win_rate']:.1%} of {row['games']:,} [{low:.1%}, {high:.1%}]"
            print(f"{match.a} – {match.b}, {match.rules}: {line}", flush=True)


def collected(folder: Path, before: dict[str, Any]) -> dict[str, Any]:
    """Return by part what is saved, or else known before, even if an agent has changed since."""
    names = {str(rules): name for name, rules in variants().items()}
    rows: dict[str, Any] = {part: [] for part in PARTS}
    for part, match in [(name, match) for name, matches in PARTS.items() for match in matches]:
        result, row = match.result(folder), known_row(match, part, before)
        if result and (not row or result.games >= row["games"]):
            row = _match_row(result, names) | {"made": match.made(folder), "marks": match.marks}
        if row := row or known_row(match, part, before, changed=True):
            rows[part].append(row | {"changed": row["marks"] != match.marks})
    return rows


def known_row(match: Match, part: str, before: dict[str, Any], changed: bool = False) -> Row | None:
    """Return the known result of a match, if both agents still play the same or may have `changed`."""
    names = {str(rules): name for name, rules in variants().items()}
    rules = {names.get(str(match.rules), RULES), str(match.rules)}
    rows = [row for row in before.get(part, []) if (row["a"], row["b"]) == (match.a, match.b) and row["rules"] in rules]
    return next((row for row in rows if changed or row["marks"] == match.marks), None)


def _match_row(result: Result, names: dict[str, str]) -> Row:
    """Return what the page shows of a match."""
    found = result.as_dict()
    keys = ("a", "b", "games", "win_rate", "win_rate_ci", "points_per_hand", "points_per_hand_ci")
    ours = found["stats"]["a"]
    return {
        **{key: found[key] for key in keys},
        "rules": names.get(str(result.rules), RULES),
        **{key: ours[key] for key in ("nil_kept", "set_rate", "ms_per_move")},
    }


if __name__ == "__main__":
    sys.exit(main())
