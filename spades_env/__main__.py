"""`python -m spades_env`: a game between random bots, in the terminal."""

import argparse
import os
import random
import sys

from spades_env.checks import whole
from spades_env.errors import SpadesError
from spades_env.game.cards import LOOK
from spades_env.game.facts import side_name
from spades_env.game.game import Game
from spades_env.game.record import result_line
from spades_env.game.rules import LARGEST, Rules, parse_changes
from spades_env.show import render

UNREAD = 141  # the exit code when the reader of the output has gone


def main(arguments: list[str] | None = None) -> int:
    """Show a game and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        rules = Rules.of(options.rules).replace(**parse_changes(options.set))
        hands = whole("hands", options.hands, 1, LARGEST)
        game = Game(rules, options.seed)
    except SpadesError as error:
        print(f"spades_env: {error}", file=sys.stderr)
        return 2
    try:
        watch(game, random.Random(game.seed), hands)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has gone: write nothing more, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    return 0


def watch(game: Game, dice: random.Random, most_hands: int) -> None:
    """Print the table in the middle of the first hand, then the result of each hand."""
    print(f"Rules: {game.rules}   seed: {game.seed}\n")
    while not game.over and len(game.results) < most_hands:
        finished = len(game.results)
        if finished == 0 and len(game.table) == 3 and len(game.tricks_played) == 6:
            print(render.ansi(game.view(0)))
        game.apply(random_action(game, dice))
        if len(game.results) > finished:
            print(f"\nHand {game.results[-1].hand_number + 1}")
            for side in range(game.rules.sides):
                print(f"  {result_line(game.rules, game.results[-1], side)}")
    if not game.over:
        print(f"\nStopped after {most_hands} hand{'s' * (most_hands != 1)}.")
    else:
        print("\nA draw." if game.winner is None else f"\n{side_name(game.rules, game.winner)} won.")


def random_action(game: Game, dice: random.Random) -> int:
    if game.phase == "blind":
        return LOOK
    legal = game.legal_actions()
    low_bids = legal[1:5] if game.phase == "bid" else []
    return dice.choice(low_bids or legal)  # some rules leave one bid only


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m spades_env", description=__doc__)
    parser.add_argument("--rules", default="classic", help=f"a file, or one of {', '.join(Rules.presets())}")
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="change an option of the rules"
    )
    parser.add_argument("--seed", type=int, help="decides all deals and moves")
    parser.add_argument("--hands", type=int, default=50, help="how many hands at most (default: 50)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
