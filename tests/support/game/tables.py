"""Random positions of random games, and questions about them answered in plain Python."""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from support.strategies import random_options, reconciled, sensible_action

from spades_env import Game, Rules
from spades_env._jit import JIT_ON
from spades_env.game.cards import BID_ZERO, LOOK, SPADES, TRUMP_ORDERS, card
from spades_env.game.engine import apply, mix, next_random, random_action
from spades_env.game.state import GOES_ON

GOLDEN = """\
spades record 2
rules: classic target=off max_hands=1 blind_nil_deficit=0 blind_nil_pass=1 trumps=nyc
seed: 7

hand 1, dealer South
South: TC 9C 8C 5C | KD JD 7D 4D 3D | JH | AS 8S 6S
West: AC 6C 4C | TD | AH QH 9H | BJ 2S QS JS 7S 3S
North: KC QC | AD 8D 6D 5D | KH 8H 6H 4H 3H | RJ TS
East: JC 7C 3C | QD 9D | TH 7H 5H | 2D KS 9S 5S 4S
bids: East blind, South look 4, West look 5, North look 0
passes: East 2D, West 9H
 1. East 7C TC 6C QC, North
 2. North 5D 9D 3D TD, West
 3. West QH 3H 7H JH, West
 4. West AC KC 3C 8C, West
 5. West 4C 6D JC 9C, East
 6. East 5H 7D AH 8H, West
 7. West QS RJ 4S AS, North
 8. North 4H TH 6S 2S, West
 9. West 3S TS 9S 8S, North
10. North 8D QD 4D JS, West
11. West BJ KH KS KD, West
12. West 2D 6H 5S JD, West
13. West 7S AD 9H 5C, West
South & North: North nil, bid 4, took 3, points -140, bags 0, score -140
West & East: East blind nil, bid 5, took 10, points -145, bags 5, score -145

winner: South & North
"""

SURPRISING = 0.2  # of the moves of simple players are random ones
SUITS_DEALT = [list(range(13 * suit, 13 * suit + 13)) for suit in range(4)]  # clubs to South … spades to East
SOUTH_BEGINS: dict[str, Any] = {"dealer": 3}  # under pagat's rules


def random_rules(rng: random.Random, **fixed) -> Rules:
    """Draw a preset with about half of its options changed, except those that are fixed."""
    options = Rules.preset(rng.choice(Rules.presets())).as_dict()
    options |= {name: value for name, value in random_options(rng).items() if rng.random() < 0.5}
    options |= fixed
    if any(fixed.get(name) is not None for name in ("blind_nil_deficit", "blind_bid", "total_not")):
        options |= {"bidding": "free"} | fixed
    options = reconciled(options) | fixed
    if all(options[name] is None for name in ("target", "max_hands", "floor")):
        options["max_hands"] = 3
    return Rules(**options)


def random_start(rng: random.Random, rules: Rules) -> dict:
    """Draw the start of a game: a seed, and sometimes a deal, a dealer, scores, bags and a hand number."""
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
    """Return a new game with random rules (except those fixed) and a random start."""
    rules = random_rules(rng, **fixed)
    return Game(rules, **random_start(rng, rules))


def random_position(rng: random.Random, **fixed) -> Game:
    """Return a random game at a random position: any phase of the first hands, or the end of the game."""
    game = random_game(rng, **fixed)
    play(game, rng, rng.choice((rng.randrange(12), rng.randrange(25), rng.randrange(60), rng.randrange(200))))
    return game


def moments(
    seed: str, count: int, after: int = 0, wanted: Callable[[Game], Any] = lambda game: True, **fixed
) -> list[Game]:
    """Return random moments at which somebody is to move; without the compiler only once this many cards are played."""
    rng, games = random.Random(seed), []
    while len(games) < count:
        game = random_position(rng, **fixed)
        if not game.over and (JIT_ON or game.cards_played >= after) and wanted(game):
            games.append(game)
    return games


def play(game: Game, rng: random.Random, moves: int) -> None:
    """Make this many random moves, or fewer if the game ends."""
    for _ in range(moves):
        if game.over:
            return
        game.apply(rng.choice(game.legal_actions()))


def play_hand(game: Game, rng: random.Random) -> None:
    """Make random moves to the end of the current hand."""
    finished = len(game.results)
    while len(game.results) == finished:
        game.apply(rng.choice(game.legal_actions()))


def decisions(rules: str, cards_asked: float) -> Iterator[Game]:
    """Yield a game whenever its seat to move has a choice, in hands at any score, but only for this share of the cards.

    Simple players move, sometimes at random.
    """
    rng, parsed = random.Random(rules), Rules.parse(rules)
    while True:
        scores = [10 * rng.randint(-10, 45) for _ in range(parsed.sides)]
        bags = [rng.randrange(parsed.bag_limit or 1) for _ in range(parsed.sides)]
        game = Game(parsed, rng.getrandbits(32), scores=scores, bags=bags)
        while not game.results:
            legal = game.legal_actions()
            if len(legal) > 1 and (game.phase != "play" or rng.random() < cards_asked):
                yield game
            sudden = rng.random() < SURPRISING
            game.apply(rng.choice(legal) if sudden else sensible_action(rng, game, legal, parsed.trumps))


def finish_at_random(s, r, x: int | np.uint64) -> None:
    """Play at random with the kernels until the hand is over; x is the random state."""
    event = GOES_ON
    while event == GOES_ON:
        x = np.uint64(next_random(np.uint64(x)))
        event = apply(s, r, random_action(s, r, np.uint64(mix(x))))


def pagat(**options) -> Game:
    """Return a deal of whole suits in which South bids first."""
    return Game("pagat", deal=SUITS_DEALT, seed=1, **SOUTH_BEGINS | options)


def bid_all(game: Game, *bids: int) -> Game:
    """Make these bids in turn; a seat that may look, looks."""
    for bid in bids:
        if game.phase == "blind":
            game.apply(LOOK)
        game.apply(BID_ZERO + bid)
    return game


def after(game: Game, *texts: str) -> Game:
    """Return the game after these cards."""
    for text in texts:
        game.apply(card(text))
    return game


def finished() -> Game:
    """Return a finished game of one hand."""
    game = Game({"base": "pagat", "max_hands": 1}, seed=1)
    play(game, random.Random(1), 1000)
    return game


def moves_of_hand(game: Game) -> list[tuple[str, int, int]]:
    """Return (phase, seat, action) of every move of the current hand."""
    past, made = copy.deepcopy(game), []
    while past.moves:
        [action] = past.undo()
        if past.hand_number < game.hand_number:
            break
        made.append((past.phase, past.turn, action))
    return made[::-1]


def hand_start(game: Game) -> Game:
    """Return the same game before the first move of the current hand."""
    past = copy.deepcopy(game)
    made = len(moves_of_hand(game))
    if made:
        past.undo(made)
    return past


def suit_of(card: int, trumps: str) -> int:
    """Return the effective suit of a card: 0 clubs … 3 spades."""
    return SPADES if card in TRUMP_ORDERS[trumps] else card // 13


def rotated(by_seat: list, seats: int) -> list:
    """Rotate values around the table, clockwise: what was at i moves to i + seats."""
    return [by_seat[(i - seats) % len(by_seat)] for i in range(len(by_seat))]


def record_bytes(table: np.ndarray) -> bytes:
    """Return every field of a STATE as bytes."""
    return b"".join(table[name].tobytes() for name in table.dtype.names or ())


def table_bytes(game: Game) -> bytes:
    """Return the whole table as bytes."""
    return record_bytes(game._table)


def same(game: Game, other: Game) -> None:
    """Check that nothing distinguishes the two games."""
    assert table_bytes(game) == table_bytes(other)
    assert (game.record(), repr(game), game.deal) == (other.record(), repr(other), other.deal)
    assert (game.results, game.moves, game.timed_out) == (other.results, other.moves, other.timed_out)
