"""Do the coach's grades hold? Each beside a search with four times the worlds: python benchmarks/agents/coach.py

    --decisions N    how many decisions are graded (2,000)
    --keep FILE      write each result to FILE, and go on after those already in it
    --adviser NAME   whose search it is (zofia)
    --write          keep the result in docs/grades.json

Weak characters play hands at scores drawn at random, so that there are mistakes to find. Every decision of one seat a
hand is graded as in a review, and again by the same search with four times the worlds, other ones. A grade is confirmed
if by the long search the move has lost what the grade says: a blunder, at least five points of the chance to win.
"""

import argparse
import itertools
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.measure import write_record
from spades_env import Game, agents
from spades_env.agents.arena.match_result import share_interval
from spades_env.game.cards import NUM_SEATS, Action
from spades_env.game.rules import Rules
from spades_env.game.view import View
from spades_env.play.coach.grade import GRADES, LEAST, WORLDS, Judge

RULES = ("match",)
PLAYERS = ("random", "milly", "bruno", "pia", "nino", "tove", "mateo", "rb")
DECISIONS, LONGER, SEED = 2000, 4, 27
RECORD = Path(__file__).resolve().parents[2] / "docs" / "grades.json"
HIGHEST = 450  # of the scores drawn


def decisions(rules: Sequence[str] = RULES, players: Sequence[str] = PLAYERS) -> Iterator[tuple[View, Action]]:
    """Yield decisions with a choice, one seat's of each hand, always the same ones. rules: of hand after hand."""
    rng, bots = random.Random(SEED), {name: agents.load(name, seed=SEED) for name in players}
    for one in itertools.cycle(map(Rules.parse, rules)):
        scores = [10 * rng.randrange(-10, min(HIGHEST, one.target or HIGHEST) // 10) for _ in range(one.sides)]
        seed, bags = rng.getrandbits(60), [rng.randrange(one.bag_limit or 1) for _ in range(one.sides)]
        game = Game(one, seed=seed, scores=scores, bags=bags)
        seats, asked = [bots[rng.choice(players)] for _ in range(NUM_SEATS)], rng.randrange(NUM_SEATS)
        while not game.results:
            view = game.view(game.turn)
            action = seats[game.turn].act(view)
            if game.turn == asked and len(view.legal_actions()) > 1:
                yield view, action
            game.apply(action)


def judged(adviser: str, known: list[dict]) -> Iterator[dict]:
    """Yield what both searches say of each decision, those already known first."""
    short, long, count = Judge(adviser, WORLDS, seed=1), Judge(adviser, LONGER * WORLDS, seed=2), 0
    for view, action in decisions():
        if count < len(known):
            count += 1
            yield known[count - 1]
            continue
        found = short.verdict(view, action)
        if found is None:
            continue
        count += 1
        again = long.verdict(view, action)
        assert again is not None
        yield {"phase": view.phase, "grade": found.grade, "lost": found.whole.lost, "long": again.whole.lost}


def by_grade(found: list[dict]) -> dict[str, dict]:
    """Return how often each grade was given, the mean loss by the long search, and how often that confirms it."""
    rows = {}
    for grade in reversed(GRADES):
        lost = np.array([one["long"] for one in found if one["grade"] == grade])
        agrees = lost >= LEAST[grade] if grade in LEAST else lost < min(LEAST.values())
        rows[grade] = {
            "decisions": len(lost),
            "lost": float(lost.mean()) if len(lost) else None,
            "confirmed": int(agrees.sum()),
            "confirmed_ci": list(share_interval(agrees.astype(float))),
        }
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=DECISIONS, metavar="N")
    parser.add_argument("--keep", type=Path, metavar="FILE")
    parser.add_argument("--adviser", default="zofia", metavar="NAME")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    kept = args.keep.read_text(encoding="utf-8").splitlines() if args.keep and args.keep.exists() else []
    found, known = [], [json.loads(line) for line in kept]
    for one in judged(args.adviser, known):
        found.append(one)
        if args.keep and len(found) > len(known):
            with args.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(one) + "\n")
        if len(found) >= args.decisions:
            break
        if len(found) % 100 == 0:
            print(f"{len(found)} of {args.decisions}", file=sys.stderr)
    graded = by_grade(found)
    for grade, row in graded.items():
        print(f"{grade}: {row['confirmed']} of {row['decisions']} confirmed")
    if args.write:
        write_record(RECORD, {"determinizations": [WORLDS, LONGER * WORLDS], "grades": graded})


if __name__ == "__main__":
    main()
