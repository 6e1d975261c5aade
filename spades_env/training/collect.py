"""Play one hand at every table and record what the learner decided.

    rollout = play_hand(env, seats, choosers)

`seats` gives the chooser at each seat of each table, by its number in `choosers`; chooser 0 is the learner, whose
decisions are kept. Forced actions are played without asking: there is nothing to decide or to learn. A hand without
blind nil and passing is 56 actions; finished tables wait for those that need more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from spades_env._jit import njit
from spades_env.agents.base import Agent, Batch
from spades_env.agents.network.insight import NUM_INPUTS, NUM_OPEN_INPUTS, write_insights
from spades_env.game.engine import apply
from spades_env.game.observe import NUM_FEATURES
from spades_env.game.state import new_tables
from spades_env.training.parallel import act, usable_threads
from spades_env.training.recipe import Situations
from spades_env.training.rewards import NUM_STYLE_COUNTS, Worth, style_counts_of, worths
from spades_env.vector.env import STAY, SpadesVectorEnv

LEARNER = 0
LAST_PLAY = 51  # cards played before it

Chooser = Callable[["Moment"], np.ndarray]  # int64[n]: an action for each asked table


@dataclass
class Moment:
    """The tables at which a chooser is asked.

    which    int64[n], their numbers
    states   int8[n, NUM_OPEN_INPUTS]: what the seat to move may know, then insight, then all four hands, hidden ones
             too. Only a critic may read all of it; `learner.arranged(states)` is what the policy may read
    mask     bool[n, 70]
    """

    env: SpadesVectorEnv
    which: np.ndarray
    states: np.ndarray
    mask: np.ndarray

    @property
    def tables(self) -> tuple[np.recarray, np.ndarray]:
        """The tables with all cards open, STATE[n], and which of the rules each plays, int32[n]."""
        return self.env.tables[self.which].view(np.recarray), self.env.compiled_rules[1][self.which]

    @property
    def batch(self) -> Batch:
        """The views with their rules, as agents take them; computed at each access."""
        return Batch.at(self.env).take(self.which)


@dataclass
class Rollout:
    """The learner's decisions in a hand at every table: M of them, in the order they were made.

    states   int8[M, NUM_OPEN_INPUTS], with hidden cards as in Moment: for a critic, or for `learner.arranged(states)`
    mask     bool[M, 70]
    action   int64[M]
    seat     int64[M], 4 × table + seat
    actions  how often the learner's seats acted, forced actions included
    before, after    the worths of the scores before and after the hand
    style_counts     float32[N, 4, 4], the events that a style rewards, by seat (training/rewards.py)
    finished         STATE[N], the tables after the last card of the hand, before the next deal
    """

    states: np.ndarray
    mask: np.ndarray
    action: np.ndarray
    seat: np.ndarray
    actions: int
    before: Worth
    after: Worth
    style_counts: np.ndarray
    finished: np.recarray

    def __len__(self) -> int:
        return len(self.action)


def disturbed(actions: np.ndarray, mask: np.ndarray, noise: float | np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Replace a share of the actions (one for all, or one each) by random legal ones."""
    other = rng.random(len(actions)) < noise
    chances = np.where(mask[other], rng.random((other.sum(), mask.shape[1])), -1)
    actions = actions.copy()
    actions[other] = chances.argmax(1)
    return actions


def agent_chooser(agent: Agent) -> Chooser:
    return lambda moment: act(agent, moment.batch)


def new_hands(situations: Situations, count: int, rng: np.random.Generator) -> SpadesVectorEnv:
    """Deal a hand at each of `count` tables."""
    rules, (scores, bags, hands) = situations(rng, count)
    env = SpadesVectorEnv(count, rules, seed=int(rng.integers(1 << 62)), truncate_after=None, autoreset=False)
    env.threads = min(env.threads, usable_threads())
    env.reset(scores=scores, bags=bags, hand_numbers=hands)
    return env


def play_hand(env: SpadesVectorEnv, seats: np.ndarray, choosers: Sequence[Chooser]) -> Rollout:
    """Play every table to the end of its hand. seats: int64[N, 4]."""
    n = env.num_envs
    tables = np.arange(n)
    started = env.hand_numbers
    before = worths(env.views(), *env.compiled_rules)
    states = np.zeros((n, NUM_OPEN_INPUTS), np.int8)
    actions = np.full(n, STAY, np.int64)
    counts = np.zeros((n, 4, NUM_STYLE_COUNTS), np.float32)
    finished = new_tables(n)
    playing = np.ones(n, bool)
    kept: list[tuple[np.ndarray, ...]] = []
    acted = 0
    while playing.any():
        who = np.where(playing, seats[tables, env.turn], -1)
        acted += int((who == LEARNER).sum())
        _write_states(env, states)
        actions[:] = np.where(playing, env.mask.argmax(1), STAY)
        free = playing & (env.mask.sum(1) > 1)
        for number in np.unique(who[free]):
            which = np.flatnonzero(free & (who == number))
            moment = Moment(env, which, states[which], env.mask[which].astype(bool))
            actions[which] = choosers[number](moment)
            if number == LEARNER:
                kept.append((moment.states, moment.mask, actions[which], 4 * which + env.turn[which]))
        last = np.flatnonzero(playing & (env.tables.num_plays == LAST_PLAY))
        if len(last):
            finished[last] = after_last_card(env, last, actions)
            rules, rules_of = env.compiled_rules
            counts[last] = style_counts_of(finished[last].view(np.recarray), rules, rules_of[last])
        env.step(actions)
        playing &= ~env.done & (env.hand_numbers == started)
    after = worths(env.views(), *env.compiled_rules)
    inputs, mask, action, seat = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    return Rollout(inputs, mask, action, seat, acted, before, after, counts, finished)


def after_last_card(env: SpadesVectorEnv, which: np.ndarray, actions: np.ndarray) -> np.recarray:
    """Return these tables as they will be after the last card of the hand, before the next deal: STATE[n]."""
    tables, (rules, rules_of) = env.tables[which].view(np.recarray), env.compiled_rules
    _play_last(tables, rules, rules_of[which], actions[which])
    return tables


@njit
def _play_last(tables, rules, rules_of, actions):
    for i in range(len(tables)):
        apply(tables[i], rules[rules_of[i]], actions[i])


def _write_states(env: SpadesVectorEnv, out: np.ndarray) -> None:
    """Write what the seats to move know, insights and all hands: int8[N, NUM_OPEN_INPUTS]."""
    state = env.state()
    out[:, :NUM_FEATURES] = state[:, :NUM_FEATURES]
    out[:, NUM_INPUTS:] = state[:, NUM_FEATURES:]
    write_insights(env.views(), *env.compiled_rules, out[:, NUM_FEATURES:NUM_INPUTS])
