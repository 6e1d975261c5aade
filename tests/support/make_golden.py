"""Writes tests/golden: games, how they were played, and what the rule bot does at many positions.

    PYTHONPATH=.:tests python -m support.make_golden        plays and asks again

Write the games again only when the rules, the deals or the record format change on purpose, and read the difference.
Write the rule bot's actions again only when it is meant to change.
"""

import random
from itertools import islice

from support.game.tables import decisions
from support.paths import ROOT
from support.strategies import sensible_action

from spades_env import Game, agents
from spades_env.agents.atomic_files import write_whole
from spades_env.game.cards import action_name

FOLDER = ROOT / "tests" / "golden"
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
    "match": (1, "match", {}),
    "house": (5, "house target=off max_hands=6", {}),
    "mirror": (6, "mirror", {}),
    "whiz": (7, "whiz", {}),
    "suicide": (8, "suicide", {}),
    "kitchen": (
        9,
        "classic least_bid=4 total_not=13 nil_pass=1 double_nil_points=500 slam_points=200 first_trick=lowest_club "
        "trumps=big_two blind_bid=6 blind_bid_deficit=0 ten_points=200",
        {},
    ),
}
TIME_UP_AFTER = {"time_up": 102}  # moves

ADVICE_FILE = "advice.txt"
RULE_BOOKS, ASKED_TRUMPS = ("classic", "pagat", "showdown", "solo"), ("normal", "nyc", "barmore", "deuces", "jokers")
ADVICE_RULES = [f"{preset} trumps={trumps}" for preset in RULE_BOOKS for trumps in ASKED_TRUMPS]
ADVICE_RULES += ["classic blind_nil_deficit=0 blind_nil_pass=2", "pagat nil=false bag_limit=off"]
EACH = 95  # positions under each of these rules
CARDS_ASKED = 0.25  # of the decisions; about bids the rule bot is always asked


def play(name: str) -> Game:
    """Return the golden game of this name, played by simple players."""
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


def advice(rules: str, count: int) -> list[str]:
    """Return what the rule bot does at this many positions under the rules."""
    views = [game.view(game.turn) for game in islice(decisions(rules, CARDS_ASKED), count)]
    return [action_name(action).removeprefix("bid:") for action in agents.load("rule").act_batch(views).tolist()]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    write_games()
    write_advice()


def write_games() -> None:
    for name in GAMES:
        game = play(name)
        write_whole(FOLDER / f"{name}.txt", game.record())
        print(f"{name}: {len(game.results)} hands, scores {game.scores}, winner {game.winner}, {game.phase}")


def write_advice() -> None:
    lines = [f"{rules}: {' '.join(advice(rules, EACH))}\n" for rules in ADVICE_RULES]
    write_whole(FOLDER / ADVICE_FILE, "".join(lines))
    print(f"{ADVICE_FILE}: {EACH} positions under each of {len(lines)} sets of rules")


if __name__ == "__main__":
    main()
