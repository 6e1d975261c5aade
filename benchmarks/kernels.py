"""Random self-play inside the kernels: deals, bids, passes, plays, scores; games of at most 50 hands."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.measure import Row, rate
from spades_env import Rules
from spades_env._jit import njit
from spades_env.game.engine import apply, deal_next, mix, new_game, next_random, random_action
from spades_env.game.state import GAME_OVER, GOES_ON, compile_rules, new_tables

BUDGET = 20e6  # decisions a second and core
VARIANTS = {name: name for name in Rules.presets()} | {
    f"{trumps}, blind nil, 3 cards passed": f"classic trumps={trumps} blind_nil_deficit=0 blind_nil_pass=3"
    for trumps in ("normal", "nyc", "barmore", "deuces", "jokers")
}


@njit
def play_hands(tables, rules, hands, seed):
    """Play hands at one table; return the number of decisions."""
    s = tables[0]
    r = rules[0]
    x = np.uint64(seed)
    decisions = 0
    new_game(s, r, x)
    for _ in range(hands):
        event = GOES_ON
        while event == GOES_ON:
            x = next_random(x)
            event = apply(s, r, random_action(s, r, mix(x)))
            decisions += 1
        if event == GAME_OVER or s.hand_number == 49:
            new_game(s, r, x)
        else:
            deal_next(s, r)
    return decisions


def quick(repeats: int) -> list[Row]:
    """Measure the presets, in seconds."""
    return [rate("kernels", name, _self_play(name, 5000, 1), repeats, BUDGET) for name in Rules.presets()]


def measure(repeats: int, hands: int) -> list[Row]:
    """Measure every preset and trump mode on one core, and `classic` on two."""
    rows = [rate("kernels", name, _self_play(text, hands, 1), repeats, BUDGET) for name, text in VARIANTS.items()]
    return [*rows, rate("kernels", "classic, two threads", _self_play("classic", hands, 2), repeats)]


def _self_play(text: str, hands: int, threads: int):
    rules = compile_rules(Rules.parse(text))
    tables = [new_tables(1) for _ in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def work() -> int:
        return sum(pool.map(lambda i: play_hands(tables[i], rules, hands, i + 1), range(threads)))

    return work
