"""The golden games of tests/golden, and how they were played.

    python tests/make_golden.py        plays them all anew (with spades_env installed, or PYTHONPATH=.)

Write them anew only when the rules, the deals or the record format change on purpose, and read the difference.
"""

import os
import random
from pathlib import Path

from strategies import sensible_action

from spades_env import Game

FOLDER = Path(__file__).parent / "golden"
MOST_MOVES = 3000

# File: seed of deals and players, rules, then what the game begins with.
GAMES = {
    "classic": (1, "classic", {}),
    "pagat": (3, "pagat", {}),
    "showdown": (2, "showdown", {}),
    "solo": (4, "solo", {}),
    "nyc": (4, "classic trumps=nyc target=250", {}),
    "barmore": (7, "pagat trumps=barmore target=250", {}),
    "deuces": (16, "solo trumps=deuces target=100 nil=true bag_limit=5", {}),
    "jokers": (8, "showdown trumps=jokers target=200 spades_lead=any", {}),
    "blind_nil_passing": (2, "classic blind_nil_deficit=0 blind_nil_pass=2 target=off max_hands=4", {}),
    "last_hands": (
        10,
        "classic first_lead=highest_bidder failed_nil_tricks=partner overtrick_points=-1 floor=-300 tie=extra_hand",
        {"dealer": 2, "scores": [-180, 385], "bags": [7, 9], "hand_number": 6},
    ),
    "time_up": (11, "showdown", {"scores": [120, 133], "bags": [4, 0]}),
}
TIME_UP_AFTER = {"time_up": 102}  # moves


def play(name: str) -> Game:
    """The golden game of this name, played by simple players."""
    seed, rules, start = GAMES[name]
    game = Game(rules, seed, **start)
    rng = random.Random(seed)
    for _ in range(TIME_UP_AFTER.get(name, MOST_MOVES)):
        if game.over:
            break
        game.apply(sensible_action(rng, game, game.legal_actions(), game.rules.trumps))
    if name in TIME_UP_AFTER:
        game.time_up()
    return game


def write_atomically(path: Path, text: str) -> None:
    """Either the old file or the new one, never half of one."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(text, encoding="utf-8", newline="\n")
    os.replace(unfinished, path)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        game = play(name)
        write_atomically(FOLDER / f"{name}.txt", game.record())
        print(f"{name}: {len(game.results)} hands, scores {game.scores}, winner {game.winner}, {game.phase}")


if __name__ == "__main__":
    main()
