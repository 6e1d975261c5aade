"""How fast the bots decide: the rule bot in its kernels, search bots and levels a move, cheap bots in the arena."""

import statistics
import time
from functools import partial

import numpy as np

from benchmarks.measure import Row, rate
from spades_env import Game, Rules, agents
from spades_env._jit import njit
from spades_env.agents import arena
from spades_env.agents.arena.characters import TIMED, decision_times, moments
from spades_env.agents.compiled import RULE, choose
from spades_env.game.engine import apply, deal_next, mix, new_game
from spades_env.game.state import GAME_OVER, GOES_ON, compile_rules, new_tables

RULES = "match"
RULE_BUDGET = 3e6  # decisions a second and core
MOVE_BUDGETS = {"bis/mc:30x30": 5.0, "bis/ismcts:2500": 10.0}  # milliseconds
OTHERS = ("mc:30x30", "ismcts:2500", "bis/ismcts:1200", "bis/ismcts:5000")
LEVELS = {"standard": 1.0, "zofia": 150.0}  # milliseconds, 95 of a hundred moves
GAMES_BUDGET = 3000  # a second on two cores


@njit
def play_hands(tables, rules, hands):
    """Play `rule` against itself, deals included; return the number of decisions."""
    s, r = tables[0], rules[0]
    decisions, game = 0, 0
    new_game(s, r, mix(np.uint64(game)))
    for _ in range(hands):
        event = GOES_ON
        while event == GOES_ON:
            event = apply(s, r, choose(s, r, RULE, RULE, np.uint64(0)))
            decisions += 1
        if event == GAME_OVER or s.hand_number == 59:
            game += 1
            new_game(s, r, mix(np.uint64(game)))
        else:
            deal_next(s, r)
    return decisions


def measure(repeats: int) -> list[Row]:
    """Measure the rule bot, moves of the search bots and of levels, and games of cheap bots."""
    tables, rules = new_tables(1), compile_rules(Rules.parse(RULES))
    rows = [rate("bots", "rule against itself", lambda: play_hands(tables, rules, 10_000), repeats, RULE_BUDGET)]
    for name, count in (("bis", 4000), ("rule", 2000)):
        play = partial(_games, name, count)
        rows.append(rate("bots", f"`{name}` against `rb`", play, repeats, GAMES_BUDGET, "games/s"))
    rows += [_move(name, MOVE_BUDGETS.get(name)) for name in (*MOVE_BUDGETS, *OTHERS)]
    return rows + [_choices(name, budget) for name, budget in LEVELS.items()]


def _games(name: str, count: int) -> int:
    arena.play(name, "rb", rules=RULES, games=count)
    return count


def _move(name: str, budget: float | None) -> Row:
    """Return the milliseconds a move of one seat, in hands among four of the same bot."""
    bot, times = agents.load(name), []
    for seed in range(8):
        game = Game(RULES, seed=seed)
        while not game.results:
            view = game.view(game.turn)
            start = time.perf_counter()
            action = bot.act(view)
            times.append(1000 * (time.perf_counter() - start))
            game.apply(action)
    warm = times[len(times) // 8 :]
    ordered = sorted(warm)
    return Row("searches", f"`{name}`", statistics.mean(warm), ordered[0], ordered[-1], "ms", budget)


def _choices(name: str, budget: float) -> Row:
    """Return the milliseconds within which 95 % of the decisions with a choice are made, with median and slowest."""
    middle, most, slowest = np.percentile(decision_times(agents.load(name), moments(TIMED)), (50, 95, 100))
    return Row("levels", f"`{name}`", float(most), float(middle), float(slowest), "ms", budget)
