"""Do the coach's grades hold? Each beside a search with four times the worlds: python benchmarks/agents/coach.py

    --decisions N    how many decisions are graded (2,000)
    --keep FILE      write each result to FILE, and go on after those already in it
    --adviser NAME   whose search it is (zofia)

Weak characters play hands at scores drawn at random, so that there are mistakes to find. Every decision of one seat a
hand is graded as in a review, and again by the same search with four times the worlds, other ones. A grade is confirmed
if by the long search the move has lost what the grade says: a blunder, at least five points of the chance to win.
"""

import argparse
import itertools
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from spades_env import Game, agents
from spades_env.game.cards import NUM_SEATS, Action
from spades_env.game.rules import Rules
from spades_env.game.view import View
from spades_env.play.coach.grade import GRADES, LEAST, WORLDS, Judge

RULES = ("match",)
PLAYERS = ("random", "milly", "bruno", "pia", "nino", "tove", "mateo", "rb")
DECISIONS, LONGER, SEED = 2000, 4, 27
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


def interval(part: int, whole: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    if not whole:
        return 0.0, 1.0
    share, z = part / whole, 1.96
    middle = (share + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole)) / (1 + z * z / whole)
    return middle - half, middle + half


def table(found: list[dict]) -> str:
    """Return a row for each grade: how often it was given, what was lost by the long search, how often that agrees."""
    rows = [
        f"{len(found)} decisions, {WORLDS} worlds each, {LONGER * WORLDS} in the long search",
        "",
        "| grade | decisions | lost by the long search, points | confirmed | 95 % interval |",
        "|---|---:|---:|---:|---:|",
    ]
    for grade in reversed(GRADES):
        lost = [one["long"] for one in found if one["grade"] == grade]
        least = LEAST.get(grade)
        agrees = [value >= least if least else value < min(LEAST.values()) for value in lost]
        low, high = interval(sum(agrees), len(agrees))
        mean = f"{100 * sum(lost) / len(lost):.2f}" if lost else "–"
        share = f"{sum(agrees) / len(agrees):.1%}" if agrees else "–"
        rows.append(f"| {grade} | {len(lost)} | {mean} | {share} | {low:.1%} to {high:.1%} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=DECISIONS, metavar="N")
    parser.add_argument("--keep", type=Path, metavar="FILE")
    parser.add_argument("--adviser", default="zofia", metavar="NAME")
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
    print(table(found))


if __name__ == "__main__":
    main()
