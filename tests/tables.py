"""Random moments of random games, and what the tests ask of them in plain Python."""

import copy
import random

import numpy as np
from strategies import random_options

from spades_env import Game, Rules
from spades_env.cards import SPADES, TRUMP_ORDERS
from spades_env.engine import apply, mix, next_random, random_action
from spades_env.state import GOES_ON


def random_rules(rng: random.Random, **fixed) -> Rules:
    """A preset with about half of its options drawn anew, except those that are fixed."""
    options = Rules.preset(rng.choice(Rules.presets())).as_dict()
    options |= {name: value for name, value in random_options(rng).items() if rng.random() < 0.5}
    options |= fixed
    if not options["partners"]:
        options["blind_nil_pass"] = 0
        if options["failed_nil_tricks"] == "partner":
            options["failed_nil_tricks"] = "ignored"
    if all(options[name] is None for name in ("target", "max_hands", "floor")):
        options["max_hands"] = 3
    return Rules(**options)


def random_start(rng: random.Random, rules: Rules) -> dict:
    """What a game may begin with: a seed, and by chance a deal, a dealer, scores, bags and a hand number."""
    start: dict = {"seed": rng.getrandbits(rng.choice((3, 64)))}
    if rng.random() < 0.3:
        start["deal"] = Game(rules, seed=rng.getrandbits(64)).hands
    if rng.random() < 0.3:
        start["dealer"] = rng.randrange(4)
    if rng.random() < 0.5:
        start["scores"] = [rng.randint(-200, 200) for _ in range(rules.sides)]
    if rng.random() < 0.3:
        start["bags"] = [rng.randrange(rules.bag_limit or 1) for _ in range(rules.sides)]
    if rng.random() < 0.3:
        start["hand_number"] = rng.randrange(rules.max_hands or 300)
    return start


def random_game(rng: random.Random, **fixed) -> Game:
    """A game under random rules (except those fixed) that begins anyhow."""
    rules = random_rules(rng, **fixed)
    return Game(rules, **random_start(rng, rules))


def random_position(rng: random.Random, **fixed) -> Game:
    """A random game at a random moment: any phase of the first hands, a game's end included."""
    game = random_game(rng, **fixed)
    play(game, rng, rng.choice((rng.randrange(12), rng.randrange(25), rng.randrange(60), rng.randrange(200))))
    return game


def play(game: Game, rng: random.Random, moves: int) -> None:
    """So many random moves, or fewer if the game ends."""
    for _ in range(moves):
        if game.over:
            return
        game.apply(rng.choice(game.legal_actions()))


def play_hand(game: Game, rng: random.Random) -> None:
    """Random moves to the end of the hand on the table."""
    finished = len(game.results)
    while len(game.results) == finished:
        game.apply(rng.choice(game.legal_actions()))


def finish_at_random(s, r, x: int | np.uint64) -> None:
    """All play at random, by the kernels, until the hand is over; x decides how."""
    event = GOES_ON
    while event == GOES_ON:
        x = np.uint64(next_random(np.uint64(x)))
        event = apply(s, r, random_action(s, r, np.uint64(mix(x))))


def moves_of_hand(game: Game) -> list[tuple[str, int, int]]:
    """(phase, seat, action) of every move made in the hand on the table."""
    past, made = copy.deepcopy(game), []
    while past.moves:
        [action] = past.undo()
        if past.hand_number < game.hand_number:
            break
        made.append((past.phase, past.turn, action))
    return made[::-1]


def hand_start(game: Game) -> Game:
    """The same game before the first move of the hand on the table."""
    past = copy.deepcopy(game)
    made = len(moves_of_hand(game))
    if made:
        past.undo(made)
    return past


def suit_of(card: int, trumps: str) -> int:
    """The suit a card counts for: 0 clubs … 3 spades."""
    return SPADES if card in TRUMP_ORDERS[trumps] else card // 13


def record_bytes(table: np.ndarray) -> bytes:
    """Every field of a STATE, byte for byte."""
    return b"".join(table[name].tobytes() for name in table.dtype.names or ())


def table_bytes(game: Game) -> bytes:
    """The whole table, byte for byte."""
    return record_bytes(game._table)
