"""Situations of games as they occur in play: scores, bags, hands finished and dealer, drawn at random.

    standings(rng, rules, fresh=0.25)           N tables by a numpy generator, as training draws them
    situation("classic", seed=7)                one game by its seed, as the environments draw it
    Game("classic", seed=7, **situation("classic", seed=7))

One distribution for both, under any rules; T is the target (500 where there is none):

    a share FRESH       the game begins: nothing scored, no bags
    progress p          uniform in 0 … 1; shared by the sides
    score               T · max(p + SCATTER · normal, LOW), side by side, rounded down to tens; above the floor (−4 T
                        where there is none) and below the target
    far behind          a share DEEP of the sides is lower by T · an exponential number of mean DEPTH
    bags                uniform from 0 to one below the limit; where an overtrick is a point, added to the score's tens
    hands finished      p times the number of hands (20 where there is none)
    dealer              as in any game: the first one by the rules or the seed, then one seat on after every hand
"""

import math
from typing import Any

import numpy as np

from spades_env._jit import inlined, njit
from spades_env.checks import LARGEST_SEED, whole
from spades_env.game.engine import begin_hand, deal, mix, new_game, next_random
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.state import NEVER, compile_each, compile_rules, new_tables, plain, record_dtype

Standings = tuple[np.ndarray, np.ndarray, np.ndarray]  # scores int32[N, 4], bags int32[N, 4], hands finished int32[N]

FRESH = 0.25  # share of games that begin at the beginning
USUAL_TARGET = 500  # measures scores where a game has no target
USUAL_HANDS = 20
SCATTER = 0.3  # standard deviation of a side's score around the progress of the game, in targets
LOW = -0.5  # the least usual score, in targets
DEEP, DEPTH, DEEPEST = 0.05, 1.0, 4  # share of sides far below it; how far on average, and at most, in targets

AT_BEGINNING, AS_FIXED, AS_DRAWN = range(3)  # kinds of START
ANY_DEALER = -1
START = record_dtype(  # where the episodes of an environment begin, as kernels read it
    [
        ("kind", "i4"),
        ("dealer", "i4"),  # or ANY_DEALER
        ("hand_number", "i4"),
        ("scores", "i4", 4),  # per side
        ("bags", "i4", 4),  # per side
    ]
)
SALT = np.uint64(0x7369747561746564)  # keeps these numbers apart from the seed's deals and random moves
UNIT = 2.0**-53


def standings(rng: np.random.Generator, rules: list[Rules], fresh: float) -> Standings:
    """Draw scores, bags and finished hands: a share `fresh` at the start of a game, the others before its end."""
    n = len(rules)
    _, records, rules_of = compile_each(rules)
    started = rng.random(n) >= fresh
    far = rng.random(n)
    deep = rng.exponential(DEPTH, (n, 4)) * (rng.random((n, 4)) < DEEP)
    spread, fill = rng.normal(size=(n, 4)), rng.random((n, 4))
    found = np.zeros((n, 4), np.int32), np.zeros((n, 4), np.int32), np.zeros(n, np.int32)
    _write_standings(records, rules_of, started, far, spread, deep, fill, found)
    return found


def situation(rules: RulesSource, seed: int) -> dict[str, Any]:
    """Return what `Game` takes besides these rules and this seed to begin in the seed's situation.

    Args:
        rules: What `Rules.of` takes.
        seed: Of the game, too.

    Returns:
        Scores and bags of each side, the first dealer, and how many hands are finished.

    Examples:
        >>> from spades_env import Game
        >>> from spades_env.game.random_situations import situation
        >>> situation("classic", seed=0)
        {'scores': [131, 245], 'bags': [1, 5], 'dealer': 3, 'hand_number': 7}
        >>> game = Game("classic", seed=0, **situation("classic", seed=0))
    """
    rules = Rules.of(rules)
    tables = plain(new_tables(1))
    _draw_one(tables, plain(compile_rules(rules)), np.uint64(whole("seed", seed, 0, LARGEST_SEED)))
    scores, bags = (tables[name][0, : rules.sides].tolist() for name in ("scores", "bags"))
    number, dealer = int(tables["hand_number"][0]), int(tables["dealer"][0])
    return {"scores": scores, "bags": bags, "dealer": dealer, "hand_number": number}


@njit
def move_to_start(s, r, start):
    """Take a new game to where its episodes start, and deal the hand that is played there."""
    if start.kind == AS_DRAWN:
        draw_situation(s, r)
    else:
        s.hand_number = start.hand_number
        for side in range(r.sides):
            s.scores[side] = start.scores[side]
            s.bags[side] = start.bags[side]
    s.dealer = (s.dealer + s.hand_number) & 3
    if start.kind == AS_FIXED and start.dealer != ANY_DEALER:
        s.dealer = start.dealer
    deal(s, r)
    begin_hand(s, r)


@njit
def draw_situation(s, r):
    """Draw the scores, bags and finished hands of a new game by its seed."""
    walk = mix(s.seed ^ SALT)
    if fraction(walk, 0) < FRESH:
        return
    far = fraction(walk, 1)
    for side in range(r.sides):
        first = 2 + 5 * side
        radius = math.sqrt(-2 * math.log(1 - fraction(walk, first)))
        spread = radius * math.cos(2 * math.pi * fraction(walk, first + 1))  # normal, by Box and Muller
        deep = 0.0
        if fraction(walk, first + 2) < DEEP:
            deep = -DEPTH * math.log(1 - fraction(walk, first + 3))
        score, bags = standing(r, far, spread, deep, fraction(walk, first + 4))
        s.scores[side] = score
        s.bags[side] = bags
    s.hand_number = hands_finished(r, far)


@njit
def fraction(walk, i):
    """Return the i-th number of a walk, uniform from 0 to below 1."""
    bits = mix(next_random(walk + np.uint64(i)))
    return np.float64(bits >> np.uint64(11)) * UNIT


@njit
def standing(r, far, spread, deep, fill):
    """Return a side's score and bags in a game of which the share `far` is over.

    spread: a normal number; deep: how far it lies behind, in targets; fill: from 0 to 1, how full the bags are
    """
    target = USUAL_TARGET if r.target == NEVER else r.target
    floor = -DEEPEST * target if r.floor == -NEVER else r.floor
    bags = int((r.bag_limit if r.bags_counted else 1) * fill)
    score = target * (max(far + SCATTER * spread, LOW) - deep)
    score = 10 * (score // 10)
    if r.overtrick_points == 1:
        score += bags % 10  # overtricks show in a score's last digit
    return int(min(max(score, floor + 1.0), target - 1.0)), bags


@inlined
def hands_finished(r, far):
    """Return how many hands are finished when the share `far` of a game is over."""
    hands = USUAL_HANDS if r.max_hands == NEVER else r.max_hands
    return int(min(far * hands, hands - 1.0))


@njit
def _write_standings(records, rules_of, started, far, spread, deep, fill, out):
    scores, bags, hands = out
    for i in range(len(rules_of)):
        if started[i]:
            r = records[rules_of[i]]
            hands[i] = hands_finished(r, far[i])
            for side in range(4):
                scores[i, side], bags[i, side] = standing(r, far[i], spread[i, side], deep[i, side], fill[i, side])


@njit
def _draw_one(tables, rules, seed):
    s = tables[0]
    new_game(s, rules[0], seed)
    draw_situation(s, rules[0])
    s.dealer = (s.dealer + s.hand_number) & 3
