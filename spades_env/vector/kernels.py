"""The kernels of `SpadesVectorEnv`: each moves, shows or reads the tables from low to high.

Each is one plain loop with few calls, which the compiler turns into one piece of code.
"""

import numpy as np

from spades_env._jit import inlined, njit
from spades_env.game.engine import (
    apply,
    begin_hand,
    deal,
    is_legal,
    mix,
    new_game,
    next_random,
    random_action,
    write_mask,
)
from spades_env.game.episodes import RUNNING, TERMINATED, TRUNCATED, Codes, next_seed, play_random, settle
from spades_env.game.observe import blank, write_features, write_hidden
from spades_env.game.random_situations import AT_BEGINNING, move_to_start
from spades_env.game.state import GOES_ON, LARGEST_SCORE, NEVER, OVER

STAY = -1  # an action that leaves its table as it is


@njit
def walk_seeds(seeds, which):
    for i in range(len(seeds)):
        if which[i]:
            seeds[i] = next_seed(seeds[i])


@njit
def begin(low, high, at, which, progress, shown):
    """Begin new games where `which` is true."""
    for i in range(low, high):
        progress.moved[i] = which[i]
        if which[i]:
            begin_table(at.states[i], at.rules[at.rules_of[i]], i, at.start[0], progress)
    show(low, high, at, progress.moved, shown)


@njit
def begin_table(s, r, i, start, progress):
    """Begin a new game; its seed also decides the random moves at its table."""
    new_game(s, r, progress.seeds[i])
    if start.kind != AT_BEGINNING:
        move_to_start(s, r, start)
    progress.walks[i] = mix(progress.seeds[i])
    progress.first_hands[i] = s.hand_number


@njit
def first_impossible(at, which, standings):
    """Return the first table, of those in `which`, whose game cannot begin with its standings; −1 if there is none."""
    scores, bags, hand_numbers = standings
    for i in range(len(at.rules_of)):
        r = at.rules[at.rules_of[i]]
        bags_end = r.bag_limit if r.bags_counted else 1
        wrong = hand_numbers[i] < 0 or hand_numbers[i] >= (NEVER if r.extra_hand else r.max_hands)
        for side in range(r.sides):
            wrong |= abs(np.int64(scores[i, side])) > LARGEST_SCORE or bags[i, side] < 0 or bags[i, side] >= bags_end
        if wrong and which[i]:
            return i
    return -1


@njit
def continue_games(low, high, at, which, standings, progress, shown):
    """Give new games these scores, bags and hand numbers where `which` is true, and deal again."""
    scores, bags, hand_numbers = standings
    for i in range(low, high):
        progress.moved[i] = which[i]
        if which[i]:
            s = at.states[i]
            r = at.rules[at.rules_of[i]]
            s.hand_number = hand_numbers[i]
            progress.first_hands[i] = hand_numbers[i]
            s.dealer = (s.dealer + hand_numbers[i]) & 3
            for side in range(r.sides):
                s.scores[side] = scores[i, side]
                s.bags[side] = bags[i, side]
            deal(s, r)
            begin_hand(s, r)
    show(low, high, at, progress.moved, shown)


@njit
def first_illegal(at, actions):
    """Return the first table whose action is not legal, or −1."""
    for i in range(len(at.states)):
        s, action = at.states[i], actions[i]
        if action != STAY and s.phase != OVER and not is_legal(s, at.rules[at.rules_of[i]], action):
            return i
    return -1


@njit
def step(low, high, at, actions, codes, progress, ends, shown):
    """Let the seats to move act, begin the next episodes where one has ended, and show what has moved."""
    advance(low, high, at, actions, codes, progress, shown.reward)
    finish(low, high, at, codes, progress, ends, shown)


@njit
def step_random(low, high, at, seats, codes, progress, ends, shown):
    """Do the same, but let these seats (bool[4]) play at random until another is to move."""
    advance_random(low, high, at, seats, codes, progress, shown.reward)
    finish(low, high, at, codes, progress, ends, shown)


@njit
def advance(low, high, at, actions, codes, progress, reward):
    """Let the seats to move act."""
    reward[low:high] = 0
    for i in range(low, high):
        s = at.states[i]
        progress.status[i] = RUNNING
        progress.moved[i] = actions[i] != STAY and s.phase != OVER
        if progress.moved[i]:
            r = at.rules[at.rules_of[i]]
            event = apply(s, r, actions[i])
            if event != GOES_ON:
                progress.status[i] = settle(s, r, event, counted_from(codes, progress.first_hands[i]), reward[i])


@njit
def advance_random(low, high, at, seats, codes, progress, total):
    """Let these seats play at random until another is to move; total: the sum of their rewards at each table."""
    reward = np.zeros(4, np.float32)
    for i in range(low, high):
        s = at.states[i]
        progress.moved[i] = s.phase != OVER and seats[s.turn]
        counted = counted_from(codes, progress.first_hands[i])
        progress.status[i] = play_random(
            s, at.rules[at.rules_of[i]], seats, progress.walks, i, counted, total[i], reward
        )


@inlined
def counted_from(codes, first_hand):
    """Return the same codes, their last hand counted from the one that an episode began with."""
    return Codes(codes.by_hand, codes.by_win, codes.scale, first_hand + codes.last_hand, codes.autoreset)


@njit
def finish(low, high, at, codes, progress, ends, shown):
    """Record what ended episodes looked like to each seat, begin the next ones, and show what has moved."""
    for i in range(low, high):
        status = progress.status[i]
        shown.done[i] = status != RUNNING
        if not shown.done[i]:
            continue
        s = at.states[i]
        r = at.rules[at.rules_of[i]]
        ends.terminated[i] = status == TERMINATED
        ends.truncated[i] = status == TRUNCATED
        for seat in range(4):
            write_features(s, r, seat, ends.observation[i, seat])
            ends.scores[i, seat] = s.scores[seat]
        ends.winner[i] = s.winner
        if codes.autoreset:
            progress.seeds[i] = next_seed(progress.seeds[i])
            begin_table(s, r, i, at.start[0], progress)
    show(low, high, at, progress.moved, shown)


@njit
def show(low, high, at, moved, shown):
    """Show what has moved, as the seat to move sees it."""
    for i in range(low, high):
        if moved[i]:
            s = at.states[i]
            r = at.rules[at.rules_of[i]]
            shown.turn[i] = s.turn
            write_features(s, r, s.turn, shown.observation[i])
            if s.phase == OVER:
                shown.mask[i, :] = 1
            else:
                write_mask(s, r, shown.mask[i])


@njit
def choose(low, high, at, which, walks, out):
    """Choose a random legal action where `which` is true."""
    for i in range(low, high):
        s = at.states[i]
        if s.phase == OVER or not which[i]:
            out[i] = STAY
        else:
            walks[i] = next_random(walks[i])
            out[i] = random_action(s, at.rules[at.rules_of[i]], mix(walks[i]))


@njit
def write_states(low, high, at, out):
    """Write all four hands, seen from the seat to move."""
    for i in range(low, high):
        write_hidden(at.states[i], at.rules[at.rules_of[i]], at.states[i].turn, out[i])


@njit
def write_views(low, high, at, out):
    """Write each table as the seat to move may know it."""
    for i in range(low, high):
        blank(at.states, i, at.states[i].turn, out, i)
