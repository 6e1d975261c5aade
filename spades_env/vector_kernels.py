"""The kernels of `SpadesVectorEnv`: each moves, shows or reads the tables from low to high.

Each is one plain loop with few calls, so that the compiler makes one piece of it. `rules_of[i]` is the number of the
rules that table i plays, `moved[i]` says that what it shows is out of date, `first_hands[i]` is the number of the hand
its episode began with: from there it is truncated `last_hand` hands on.
"""

import numpy as np

from spades_env._jit import njit
from spades_env.engine import apply, begin_hand, deal, is_legal, mix, new_game, next_random, random_action, write_mask
from spades_env.episodes import RUNNING, TERMINATED, TRUNCATED, next_seed, play_random, settle
from spades_env.observe import blank, write_features, write_hidden
from spades_env.state import GOES_ON, LARGEST_SCORE, NEVER, OVER

STAY = -1  # an action that leaves its table as it is


@njit
def walk_seeds(seeds, which):
    """Where `which` is true, the seed of the next game."""
    for i in range(len(seeds)):
        if which[i]:
            seeds[i] = next_seed(seeds[i])


@njit
def begin(low, high, tables, rules, rules_of, which, seeds, walks, first_hands, moved):
    """New games where `which` is true."""
    for i in range(low, high):
        moved[i] = which[i]
        if which[i]:
            begin_table(tables[i], rules[rules_of[i]], i, seeds, walks, first_hands)


@njit
def begin_table(s, r, i, seeds, walks, first_hands):
    """A new game; its seed also decides the random moves at its table."""
    new_game(s, r, seeds[i])
    walks[i] = mix(seeds[i])
    first_hands[i] = 0


@njit
def first_impossible(rules, rules_of, which, scores, bags, hand_numbers):
    """The first table, of those that begin, whose game cannot begin so; or −1."""
    for i in range(len(rules_of)):
        r = rules[rules_of[i]]
        bags_end = r.bag_limit if r.bags_counted else 1
        wrong = hand_numbers[i] < 0 or hand_numbers[i] >= (NEVER if r.extra_hand else r.max_hands)
        for side in range(r.sides):
            wrong |= abs(np.int64(scores[i, side])) > LARGEST_SCORE or bags[i, side] < 0 or bags[i, side] >= bags_end
        if wrong and which[i]:
            return i
    return -1


@njit
def continue_games(low, high, tables, rules, rules_of, which, scores, bags, hand_numbers, first_hands, moved):
    """New games go on from these scores where `which` is true."""
    for i in range(low, high):
        moved[i] = which[i]
        if which[i]:
            s = tables[i]
            r = rules[rules_of[i]]
            s.hand_number = hand_numbers[i]
            first_hands[i] = hand_numbers[i]
            s.dealer = (s.dealer + hand_numbers[i]) & 3
            for side in range(r.sides):
                s.scores[side] = scores[i, side]
                s.bags[side] = bags[i, side]
            deal(s, r)
            begin_hand(s, r)


@njit
def first_illegal(tables, rules, rules_of, actions):
    """The first table whose action is not legal, or −1."""
    for i in range(len(tables)):
        action = actions[i]
        if action != STAY and tables[i].phase != OVER and not is_legal(tables[i], rules[rules_of[i]], action):
            return i
    return -1


@njit
def advance(
    low, high, tables, rules, rules_of, actions, by_hand, by_win, last_hand, first_hands, reward, status, moved
):  # fmt: skip
    """The seats to move act; status[i] says what became of the episode."""
    reward[low:high] = 0
    for i in range(low, high):
        status[i] = RUNNING
        moved[i] = actions[i] != STAY and tables[i].phase != OVER
        if moved[i]:
            r = rules[rules_of[i]]
            event = apply(tables[i], r, actions[i])
            if event != GOES_ON:
                last = first_hands[i] + last_hand
                status[i] = settle(tables[i], r, event, by_hand, by_win, last, reward[i])


@njit
def advance_random(
    low, high, tables, rules, rules_of, seats, walks, by_hand, by_win, last_hand, first_hands, total, status, moved
):  # fmt: skip
    """Seats play at random until another is to move; total: what they were paid at each table."""
    reward = np.zeros(4, np.float32)
    for i in range(low, high):
        r = rules[rules_of[i]]
        moved[i] = tables[i].phase != OVER and seats[tables[i].turn]
        last = first_hands[i] + last_hand
        status[i] = play_random(tables[i], r, seats, walks, i, by_hand, by_win, last, total[i], reward)


@njit
def finish(
    low, high, tables, rules, rules_of, status, autoreset, seeds, walks, first_hands, done, terminated, truncated,
    final_observation, final_scores, winner,
):  # fmt: skip
    """What ended episodes looked like, to each seat; then the next ones."""
    for i in range(low, high):
        done[i] = status[i] != RUNNING
        if not done[i]:
            continue
        s = tables[i]
        r = rules[rules_of[i]]
        terminated[i] = status[i] == TERMINATED
        truncated[i] = status[i] == TRUNCATED
        for seat in range(4):
            write_features(s, r, seat, final_observation[i, seat])
            final_scores[i, seat] = s.scores[seat]
        winner[i] = s.winner
        if autoreset:
            seeds[i] = next_seed(seeds[i])
            begin_table(s, r, i, seeds, walks, first_hands)


@njit
def show(low, high, tables, rules, rules_of, moved, observation, mask, turn):
    """What has moved, as the seat to move sees it."""
    for i in range(low, high):
        if moved[i]:
            s = tables[i]
            r = rules[rules_of[i]]
            turn[i] = s.turn
            write_features(s, r, s.turn, observation[i])
            if s.phase == OVER:
                mask[i, :] = 1
            else:
                write_mask(s, r, mask[i])


@njit
def choose(low, high, tables, rules, rules_of, which, walks, out):
    """A random legal action where `which` is true."""
    for i in range(low, high):
        if tables[i].phase == OVER or not which[i]:
            out[i] = STAY
        else:
            walks[i] = next_random(walks[i])
            out[i] = random_action(tables[i], rules[rules_of[i]], mix(walks[i]))


@njit
def write_states(low, high, tables, rules, rules_of, out):
    """All four hands, seen from the seat to move."""
    for i in range(low, high):
        write_hidden(tables[i], rules[rules_of[i]], tables[i].turn, out[i])


@njit
def write_views(low, high, tables, rules, rules_of, out):
    """Each table as the seat to move may know it."""
    for i in range(low, high):
        blank(tables, i, tables[i].turn, out, i)
