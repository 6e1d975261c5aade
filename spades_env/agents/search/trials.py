"""Trials of candidate actions by rollouts, in the same worlds with the same random numbers.

    begin(views, i, r, settings, pool, memory, x, preferred)    find the candidates of the seat to move in views[i]
    prepare(views, i, r, settings, pool, memory, x, preferred)  … or try those that the trial has already
    go_on(views, i, r, settings, pool, memory)                  try them in more worlds; is the choice still open?
    answer(memory.trial[0])                                     the number of the candidate to play (`paired`)

A rollout ends with the hand, and its value is the match equity then. Bids and passes are tried with `rule` playing on,
in likely worlds. Unless it strays, `rule` is deterministic: a second rollout of the same world would show nothing new.
So more worlds are tried instead, fewer by the factor that `rule` is slower.

With `solves`, the open-card solver values the cards of the last tricks, and before them the ends of rollouts.

The favourite is the `preferred` action, or what `rule` would do.
"""

from typing import NamedTuple

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.agents.compiled import RULE, choose
from spades_env.agents.equity import equity
from spades_env.agents.lanes import distinct_cards, lowest_equal
from spades_env.agents.search.candidates import find_candidates
from spades_env.agents.search.paired import NO_FAVOURITE, add_world, clear, drop_worse, new_trial, num_alive
from spades_env.agents.search.playouts import finish_hand, play_until
from spades_env.agents.solver import alpha_beta
from spades_env.agents.solver.outcomes import EQUITY, MILLION
from spades_env.agents.worlds.likely import draw_all, fill_pool, next_drawn, next_world, prepare_worlds
from spades_env.game.cards import NUM_TRICKS
from spades_env.game.engine import apply, legal_cards, mix, next_random
from spades_env.game.state import GOES_ON, ONE, PASS, PLAY

BY_RULE = -1  # no action is preferred: the favourite is what rule would do
CARD_LOYALTY = 1.0  # standard errors by which the favourite card must be worse than the best to be left,
BID_LOYALTY = 2.0  # … and a bid,
GREAT_LOYALTY = 2.5  # … and either with +loyal,
NO_LOYALTY = 0.0  # … or with +free
RULE_IS_SLOWER = 8  # times, in a rollout
SOLVED = 6  # tricks from the end whose cards the solver values,
SOLVED_ENDS = 4  # … and from the end of rollouts,
SOLVED_ROLLOUTS = 2  # … of which this many are enough


class TrialSettings(NamedTuple):
    """How many trials there are, how the rollouts play, and in what worlds."""

    worlds: int
    rollouts: int
    playing: int
    likely: bool
    patient: bool  # are all candidates tried in all worlds?
    loyalty: float = CARD_LOYALTY
    least_gain: float = 0.0  # match equity: candidates whose expected gain is below this are dropped
    straying: float = 0.0  # the share of random cards in rollouts
    solves: bool = False  # are last tricks solved, where there are two sides?


class TrialMemory(NamedTuple):
    """The memory of one search."""

    trial: np.recarray  # TRIAL[1]
    solver: np.recarray  # SOLVER[1], or SOLVER[0] if nothing is solved


def new_memory(settings: TrialSettings) -> TrialMemory:
    return TrialMemory(new_trial(), np.zeros(int(settings.solves), alpha_beta.SOLVER).view(np.recarray))


def most_worlds(settings):
    """Return the number of worlds where `rule` plays on."""
    return max(settings.worlds, settings.worlds * settings.rollouts // RULE_IS_SLOWER)


_most_worlds = njit(most_worlds)


@njit
def rollouts_of(s, r, settings):
    """Return the worlds to try for the seat to move, the rollouts of each, how cards are played and how many stray."""
    if s.phase < PLAY or (settings.playing == RULE and not settings.straying):
        return _most_worlds(settings), 1, RULE, 0.0
    rollouts = SOLVED_ROLLOUTS if solves(s, r, settings) else settings.rollouts
    return settings.worlds, rollouts, settings.playing, settings.straying


@njit
def solves(s, r, settings):
    """Does the solver value last tricks, here or in rollouts?"""
    return settings.solves and s.phase == PLAY and r.sides == 2


@njit
def is_late(s):
    return s.num_plays >= 4 * (NUM_TRICKS - SOLVED)


@njit
def begin(views, i, r, settings, pool, memory, x, preferred):
    """Find the candidates and the favourite, and prepare the worlds."""
    trial = memory.trial[0]
    trial.num = find_candidates(views[i], r, x, trial.actions)
    prepare(views, i, r, settings, pool, memory, x, preferred)


@njit
def prepare(views, i, r, settings, pool, memory, x, preferred):
    """Find the favourite among the trial's candidates, and prepare the worlds."""
    trial = memory.trial[0]
    several = rollouts_of(views[i], r, settings)[0] > 1  # one world has no standard error
    trial.favourite = favourite(views[i], r, trial, x, preferred) if several else NO_FAVOURITE
    clear(trial)
    loyal_bid = views[i].phase < PLAY and settings.loyalty > NO_LOYALTY
    trial.loyalty = max(BID_LOYALTY, settings.loyalty) if loyal_bid else settings.loyalty
    trial.least_gain = settings.least_gain
    trial.likely = settings.likely or views[i].phase < PLAY
    trial.at = 0
    if trial.num > 1:
        x = prepare_worlds(views, i, r, trial.likely, pool, x)
        if trial.likely:
            x = draw_all(pool, x)
        if solves(views[i], r, settings) and is_late(views[i]):
            alpha_beta.prepare(memory.solver[0], views, i, r, np.int64(views[i].turn) & r.side_mask, EQUITY)
    trial.x = x


@njit
def favourite(s, r, trial, x, preferred):
    """Return the candidate equal to the preferred action, else to what rule would do, or NO_FAVOURITE."""
    if preferred != BY_RULE:
        c = number_of(trial, np.int64(preferred))
        if c == NO_FAVOURITE and s.phase >= PASS:
            like = r.card_at[lowest_equal(distinct_cards(s, r), np.int64(r.place[preferred]))]
            c = number_of(trial, np.int64(like))
        if c >= 0:
            return c
    return number_of(trial, choose(s, r, RULE, RULE, x))


@njit
def number_of(trial, action):
    for c in range(trial.num):
        if trial.actions[c] == action:
            return c
    return NO_FAVOURITE


@njit
def go_on(views, i, r, settings, pool, memory):
    """Try the candidates in more worlds; is the choice still open?"""
    trial, solved = memory.trial[0], solves(views[i], r, settings)
    worlds, rollouts, playing, straying = rollouts_of(views[i], r, settings)
    for _ in range(worlds):
        if num_alive(trial) < 2:
            return False
        load_next_world(views, i, r, pool, trial)
        if solved and is_late(views[i]):
            solve_candidates(r, pool, trial, memory.solver[0])
        else:
            for c in range(trial.num):
                action = trial.actions[c]
                if trial.alive[c] and solved:
                    trial.values[c] = mean_solved(r, action, rollouts, straying, pool, trial.x, memory.solver[0])
                elif trial.alive[c]:
                    trial.values[c] = mean_equity(r, action, rollouts, playing, straying, pool, trial.x)
        add_world(trial)
        if not settings.patient:
            drop_worse(trial)
    return num_alive(trial) > 1


@njit
def load_next_world(views, i, r, pool, trial):
    """Put the next world on pool.tables[0]; deal a new pool if all that were drawn are used."""
    if not trial.likely:
        trial.x = next_world(views, i, r, False, pool, trial.x)
        return
    trial.at, trial.x = next_drawn(pool, r, trial.at, next_random(trial.x))
    if trial.at == len(pool.worlds):
        trial.at, trial.x = next_drawn(pool, r, 0, draw_all(pool, fill_pool(views, i, r, pool, trial.x)))


@njit
def mean_equity(r, action, rollouts, playing, straying, pool, x):
    """Return the mean match equity of the action, for the side of the seat to move, in the current world."""
    world, s = pool.tables[0], pool.tables[1]
    side = np.int64(world.turn) & r.side_mask
    total = 0.0
    for _ in range(rollouts):
        x = next_random(x)
        pool.tables[1] = pool.tables[0]
        if apply(s, r, action) == GOES_ON:
            finish_hand(s, r, playing, mix(x), straying)
        total += equity(s, r, side)
    return total / rollouts


@njit
def mean_solved(r, action, rollouts, straying, pool, x, solver):
    """Return the same with rollouts by `rule` whose last tricks are solved."""
    s = pool.tables[1]
    side = np.int64(pool.tables[0].turn) & r.side_mask
    total = 0.0
    for _ in range(rollouts):
        x = next_random(x)
        pool.tables[1] = pool.tables[0]
        event = apply(s, r, action)
        if event == GOES_ON:
            event = play_until(s, r, mix(x), straying, SOLVED_ENDS)
        if event == GOES_ON:
            alpha_beta.prepare(solver, pool.tables, 1, r, side, EQUITY)
            total += alpha_beta.best_worth(solver, s, r) / MILLION
        else:
            total += equity(s, r, side)
    return total / rollouts


@njit
def solve_candidates(r, pool, trial, solver):
    """Value the candidates by the solver, which is prepared, in the current world."""
    s, worths, k = pool.tables[0], np.empty(NUM_TRICKS), 0
    alpha_beta.solve(solver, s, r, worths)
    legal = legal_cards(s, r)
    while legal:
        c = number_of(trial, np.int64(r.card_at[trailing_zeros(legal)]))
        if c >= 0:
            trial.values[c] = worths[k] / MILLION
        legal &= legal - ONE
        k += 1
