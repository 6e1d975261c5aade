"""Searches that solve last tricks: cards are worth what the solver says in every world, and rollouts end there."""

from collections.abc import Iterator

import numpy as np
import pytest
from support.agents.levels import level_file
from support.game.tables import moments
from support.strategies import scaled

from spades_env import Game, agents
from spades_env._jit import JIT_ON
from spades_env.agents import Batch
from spades_env.agents.compiled import RULE
from spades_env.agents.search.playouts import play_until
from spades_env.agents.search.trials import (
    BY_RULE,
    SOLVED,
    SOLVED_ENDS,
    TrialMemory,
    TrialSettings,
    begin,
    go_on,
    mean_solved,
    new_memory,
)
from spades_env.agents.solver.alpha_beta import new_solver
from spades_env.agents.solver.oracle import ILLEGAL, solve_cards
from spades_env.agents.solver.outcomes import EQUITY, MILLION
from spades_env.agents.worlds.likely import WorldPool, new_pool
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.engine import apply
from spades_env.game.state import GOES_ON, PLAY, new_tables

pytestmark = pytest.mark.skipif(not JIT_ON, reason="the solver takes minutes without the compiler")
ONE_WORLD = TrialSettings(1, 1, RULE, likely=True, patient=True, straying=0.3, solves=True)
LATE = 4 * (13 - SOLVED)


def tried(name: str, low: int, high: int) -> Iterator[tuple[Batch, TrialMemory, WorldPool]]:
    """Cards to choose with that many played, each tried in one world."""
    for game in moments(name, scaled(60), after=10, wanted=lambda game: game._s.phase == PLAY):
        if game._compiled[0].sides != 2 or not low <= game.cards_played < high:
            continue
        batch, memory, pool = Batch.of([game.view(game.turn)]), new_memory(ONE_WORLD), new_pool(1)
        arguments = batch.tables, 0, batch.rules[0], ONE_WORLD, pool, memory
        begin(*arguments, np.uint64(5), BY_RULE)
        go_on(*arguments)
        if memory.trial[0].worlds:  # else there was nothing to choose
            yield batch, memory, pool


def solved(tables: np.recarray, i: int, rules: np.record) -> np.ndarray:
    worths = np.full(NUM_ACTIONS, ILLEGAL)
    solve_cards(tables, i, rules, EQUITY, new_solver(), worths)
    return worths / MILLION


def test_late_cards_are_worth_what_the_solver_says_in_that_world():
    seen = 0
    for batch, memory, pool in tried("late", LATE, 48):
        trial, worths = memory.trial[0], solved(pool.tables, 0, batch.rules[0])
        for c in range(trial.num):
            seen += 1
            assert trial.totals[c] == pytest.approx(worths[trial.actions[c]], abs=1e-12)
    assert seen


def test_the_last_tricks_of_rollouts_are_solved():
    """Without random cards `rule` reaches one position only, and the best card there is what the action is worth."""
    seen = 0
    for batch, memory, pool in tried("early", 4, LATE):
        rules, action = batch.rules[0], int(memory.trial[0].actions[0])
        tables = new_tables(1)
        tables[0] = pool.tables[0]
        side, s = int(tables[0].turn) & int(rules.side_mask), tables[0]
        assert apply(s, rules, action) == GOES_ON
        assert play_until(s, rules, np.uint64(1), 0.0, SOLVED_ENDS) == GOES_ON
        best = solved(tables, 0, rules).max()
        mine = int(tables[0].turn) & int(rules.side_mask) == side
        found = mean_solved(rules, action, 2, 0.0, pool, np.uint64(1), new_solver()[0])
        assert found == pytest.approx(best if mine else 1 - best, abs=1e-5)
        seen += 1
    assert seen


def test_where_each_plays_alone_nothing_is_solved(tmp_path):
    level = str(level_file(tmp_path, width=12, suit_width=8))
    plain, solving = (agents.load(f"{level}+trial:4{option}", seed=3) for option in ("", "+solver"))
    game = Game("solo", seed=2)
    while game.cards_played < 40:
        view = game.view(game.turn)
        assert plain.hint(view) == solving.hint(view)
        game.apply(plain.act(view))
