"""Paired trials: the same worlds and the same chance for every candidate, worse ones dropped beyond doubt.

    begin(views, i, r, way, bench, trial, x, liked)  the candidates of the seat to move in views[i]
    go_on(views, i, r, way, bench, trial)            so many worlds more; is the choice still open?
    answer(trial)                                    the number of the candidate to play

A roll-out goes to the end of the hand and is worth the match equity then. In every world each candidate gets as many of
them with the same random numbers, so that luck falls on all alike and small differences show.

Bids, and the passing of cards, are tried with `rule` playing on, in worlds that fit the bids made. Where it does not
stray it leaves nothing to chance: one roll-out says all there is in a world, and more worlds are tried instead, by as
much as it is slower. Where candidates are as good as equal the answer is the favourite: the action that is `liked`, or
what `rule` would do.
"""

from typing import NamedTuple

import numpy as np

from agents.candidates import MOST_CANDIDATES, distinct_cards, find_candidates, lowest_equal
from agents.compiled import RULE, choose
from agents.equity import equity
from agents.likely import next_drawn, next_world, prepare_worlds, spread
from agents.playouts import finish_hand
from spades_env._jit import njit
from spades_env.engine import apply, mix, next_random
from spades_env.state import GOES_ON, PASS, PLAY

AS_RULE = -1  # no action is liked: the favourite is what rule would do
FEWEST_WORLDS = 6  # before a candidate may be dropped
DOUBT = 3.0  # standard errors by which it must be worse
CARD_LOYALTY = 1.0  # standard errors by which the favourite card must be worse than the best to be left for it,
BID_LOYALTY = 2.0  # … and a bid,
GREAT_LOYALTY = 2.5  # … and either, where loyalty is asked for,
NO_LOYALTY = 0.0  # … or freedom
RULE_IS_SLOWER = 8  # times, in a roll-out

TRIAL = np.dtype(
    [
        ("x", "u8"),  # the walk of random numbers
        ("likely", "i8"),  # are worlds weighed?
        ("favourite", "i8"),  # the candidate that is left only for one that is surely better; -1: none
        ("loyalty", "f8"),  # standard errors by which it must be worse to be left
        ("doubt", "f8"),  # standard errors by which another must be worse than the favourite to be dropped
        ("num", "i8"),
        ("worlds", "i8"),  # tried so far
        ("at", "i8"),  # the next of the pool of likely worlds
        ("actions", "i8", MOST_CANDIDATES),
        ("alive", "i8", MOST_CANDIDATES),
        ("values", "f8", MOST_CANDIDATES),  # in the last world
        ("totals", "f8", MOST_CANDIDATES),
        ("products", "f8", (MOST_CANDIDATES, MOST_CANDIDATES)),  # of two candidates' values, summed over worlds
        ("gaps", "f8", MOST_CANDIDATES),  # by how much a dropped one was worse
    ],
    align=True,
)


class Way(NamedTuple):
    """How much is tried, how the roll-outs play, and in what worlds."""

    worlds: int
    rollouts: int
    playing: int
    likely: bool
    patient: bool  # is every candidate tried to the end?
    loyalty: float = CARD_LOYALTY
    doubt: float = np.inf  # standard errors by which others must be worse than the favourite to be dropped for that
    straying: float = 0.0  # share of cards in roll-outs that are any legal one


def most_worlds(way):
    """In how many worlds `rule` plays on."""
    return max(way.worlds, way.worlds * way.rollouts // RULE_IS_SLOWER)


_most_worlds = njit(most_worlds)


@njit
def begin(views, i, r, way, bench, trial, x, liked):
    """Nothing is tried yet."""
    trial.num = find_candidates(views[i], r, x, trial.actions)
    trial.favourite = favourite(views[i], r, trial, x, liked)
    trial.worlds, trial.at = 0, 0
    trial.alive[:] = 1
    trial.totals[:] = 0
    trial.products[:] = 0
    bound = views[i].phase < PLAY and way.loyalty > NO_LOYALTY
    trial.loyalty = max(BID_LOYALTY, way.loyalty) if bound else way.loyalty
    trial.doubt = way.doubt
    trial.likely = way.likely or views[i].phase < PLAY
    if trial.num > 1:
        x = prepare_worlds(views, i, r, trial.likely, bench, x)
        if trial.likely:
            x = spread(bench, x)
    trial.x = x


@njit
def favourite(s, r, trial, x, liked):
    """The candidate that is liked, or stands for it; else the one that rule would choose; -1: no candidate."""
    if liked != AS_RULE:
        like = np.int64(liked)
        if s.phase >= PASS:
            like = np.int64(r.card_at[lowest_equal(distinct_cards(s, r), np.int64(r.place[liked]))])
        c = place_of(trial, like)
        if c >= 0:
            return c
    return place_of(trial, choose(s, r, RULE, RULE, x))


@njit
def place_of(trial, action):
    """The number of the candidate that is this action; -1: it is none."""
    for c in range(trial.num):
        if trial.actions[c] == action:
            return c
    return -1


@njit
def go_on(views, i, r, way, bench, trial):
    """So many worlds more; is the choice still open?"""
    worlds, rollouts, playing, straying = way.worlds, way.rollouts, way.playing, way.straying
    if views[i].phase < PLAY or (playing == RULE and not straying):
        worlds, rollouts, playing, straying = _most_worlds(way), 1, RULE, 0.0
    for _ in range(worlds):
        if num_alive(trial) < 2:
            return False
        bring_world(views, i, r, bench, trial)
        try_world(r, rollouts, playing, straying, bench, trial)
        if not way.patient:
            drop_worse(trial)
    return num_alive(trial) > 1


@njit
def bring_world(views, i, r, bench, trial):
    """The next world onto bench.tables[0]. Searches by the clock may use up all that were drawn, and draw anew."""
    if not trial.likely:
        trial.x = next_world(views, i, r, False, bench, trial.x)
        return
    trial.at, trial.x = next_drawn(bench, r, trial.at, next_random(trial.x))
    if trial.at == len(bench.pool):
        trial.at, trial.x = next_drawn(bench, r, 0, spread(bench, trial.x))


@njit
def num_alive(trial):
    """How many candidates are still tried."""
    count = 0
    for c in range(trial.num):
        count += trial.alive[c]
    return count


@njit
def try_world(r, rollouts, playing, straying, bench, trial):
    """Every candidate in the world at hand."""
    trial.worlds += 1
    for c in range(trial.num):
        if trial.alive[c]:
            value = mean_equity(r, trial.actions[c], rollouts, playing, straying, bench, trial.x)
            trial.values[c] = value
            trial.totals[c] += value
            for d in range(c + 1):
                if trial.alive[d]:
                    trial.products[c, d] += value * trial.values[d]


@njit
def mean_equity(r, action, rollouts, playing, straying, bench, x):
    """What the action is worth to the side of the seat to move."""
    world, s = bench.tables[0], bench.tables[1]
    side = np.int64(world.turn) & r.side_mask
    total = 0.0
    for _ in range(rollouts):
        x = next_random(x)
        bench.tables[1] = bench.tables[0]
        if apply(s, r, action) == GOES_ON:
            finish_hand(s, r, playing, mix(x), straying)
        total += equity(s, r, side)
    return total / rollouts


@njit
def leader(trial):
    """The candidate with the best mean; of equals the cheapest."""
    best = -1
    for c in range(trial.num):
        if trial.alive[c] and (best < 0 or trial.totals[c] > trial.totals[best] + 1e-9):
            best = c
    return best


@njit
def drop_worse(trial):
    """Those that are worse than the best by more than chance can do."""
    if trial.worlds < FEWEST_WORLDS:
        return
    best = leader(trial)
    for c in range(trial.num):
        if trial.alive[c] and (surely_worse(trial, c, best, DOUBT) or is_far_behind(trial, c)):
            trial.alive[c] = 0
            trial.gaps[c] = (trial.totals[best] - trial.totals[c]) / trial.worlds


@njit
def is_far_behind(trial, c):
    """Will this candidate hardly become so much better than the favourite as it would have to be?"""
    favoured = trial.favourite
    there = favoured >= 0 and favoured != c and trial.alive[favoured]
    return there and trial.doubt < np.inf and surely_worse(trial, c, favoured, trial.doubt)


@njit
def surely_worse(trial, c, best, doubt):
    """Is the candidate worse than the best by more than so many standard errors?"""
    n = trial.worlds
    gap = (trial.totals[best] - trial.totals[c]) / n
    both = trial.products[max(best, c), min(best, c)]
    variance = (trial.products[best, best] + trial.products[c, c] - 2 * both) / n - gap * gap
    return gap > 1e-9 and gap * gap * (n - 1) > doubt * doubt * variance


@njit
def answer(trial):
    """The leader; or the favourite, where that is not surely worse."""
    best = leader(trial)
    c = trial.favourite
    if trial.worlds < 2 or c < 0 or not trial.alive[c] or surely_worse(trial, c, best, trial.loyalty):
        return best
    return c


def means(trial) -> list[tuple[int, float]]:
    """The candidates with their mean match equity, the answer first: within doubt it is as good as the best."""
    if not trial.worlds:
        return [(int(trial.actions[0]), 1.0)]
    best = trial.totals[leader(trial)] / trial.worlds
    values = [trial.totals[c] / trial.worlds if trial.alive[c] else best - trial.gaps[c] for c in range(trial.num)]
    chosen = answer(trial)
    values[chosen] = best
    order = sorted(range(trial.num), key=lambda c: c != chosen)
    return [(int(trial.actions[c]), float(max(0, values[c]))) for c in order]
