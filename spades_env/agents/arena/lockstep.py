"""The kernels of the arena: whole games at many tables in lockstep.

Deal d is played twice, as the games 2 d and 2 d + 1, with the agents' seats swapped in between:

    game 2 d       A has South and North, B has West and East
    game 2 d + 1   B has South and North, A has West and East

Both games have the same seed, so the same cards in every hand. A table plays one game after another; results go to
rows[game], so they do not depend on the table, batch or thread.
"""

import numpy as np

from spades_env._jit import njit
from spades_env.game.bidding import hand_bids_itself
from spades_env.game.engine import apply, deal_next, is_legal, mix, new_game, next_random, random_action
from spades_env.game.observe import blank
from spades_env.game.scoring import contract
from spades_env.game.state import GAME_OVER, GOES_ON, NEVER, NIL, NO_NIL

FREE = -1  # no game is played at the table
COUNTS = (  # of each game, for A and for B
    "points",  # of all its sides together
    "bid",  # the bids added up; a nil is 0, and so is a seat without a bid
    "sets",
    "overtricks",
    "nils",
    "nils_kept",
    "blind_nils",
    "blind_nils_kept",
    "illegal",  # answers that were not legal
)
GAME = np.dtype([("hands", "i4"), ("outcome", "i4"), ("cut", "i4"), *((name, "i4", 2) for name in COUNTS)])
# outcome: 1 where A won, −1 where B did, 0 for a draw; cut: 1 where the limit of hands ended the game


@njit
def agent_at(game, seat):
    """Return who has the seat in this game: 0 for A, 1 for B."""
    return (game + seat) & 1


@njit
def derived_seed(seed, number):
    return mix(mix(next_random(seed)) + mix(np.uint64(number + 1)))


@njit
def begin_games(tables, r, games, first, last, seed, deals_before):
    """Begin the games from first to last − 1 at free tables; there must be enough. deals_before: of game 0."""
    i = 0
    for game in range(first, last):
        while games[i] != FREE:
            i += 1
        games[i] = game
        new_game(tables[i], r, derived_seed(seed, deals_before + (game >> 1)))


@njit
def gather(tables, games, num_tables, who, cheats, views, asked):
    """Write an agent's views into views[j] and their tables into asked[j]; return how many there are."""
    count = 0
    for i in range(num_tables):
        seat = np.int64(tables[i].turn)
        if games[i] == FREE or agent_at(games[i], seat) != who:
            continue
        if cheats:
            views[count] = tables[i]
        else:
            blank(tables, i, seat, views, count)
        asked[count] = i
        count += 1
    return count


@njit
def advance(tables, r, games, who, asked, actions, most_hands, rows):
    """Play the agent's answers, a random legal action for an illegal one; return how many games ended."""
    ended = 0
    for j in range(len(actions)):
        i = asked[j]
        s = tables[i]
        action = actions[j]
        if not is_legal(s, r, action):
            rows[games[i]].illegal[who] += 1
            action = random_action(s, r, chance(s))
        event = apply(s, r, action)
        if event != GOES_ON and end_hand(s, r, games[i], event, most_hands, rows[games[i]]):
            games[i] = FREE
            ended += 1
    return ended


@njit
def chance(s):
    """Return random bits for the current moment of a table."""
    moment = (np.int64(s.hand_number) * 8 + s.phase) * 64 + s.num_bids + s.num_passed + s.num_plays
    return derived_seed(s.seed, moment)


@njit
def end_hand(s, r, game, event, most_hands, row):
    """Count a hand, then deal the next or decide the game; return whether the game is over."""
    count_hand(s, r, game, row)
    row.cut = event != GAME_OVER and s.hand_number + 1 >= most_hands
    if event != GAME_OVER and not row.cut:
        deal_next(s, r)
        return False
    row.outcome = outcome(s, r, game)
    return True


@njit
def count_hand(s, r, game, row):
    """Add a finished hand to the counts of both agents."""
    row.hands += 1
    for side in range(r.sides):
        who = agent_at(game, side)
        row.points[who] += s.points[side]
        row.overtricks[who] += s.overtricks[side]
        bid, made = contract(s, r, side)
        row.sets[who] += made < bid and not hand_bids_itself(s, r)
    for seat in range(4):
        who = agent_at(game, seat)
        row.bid[who] += max(0, np.int64(s.bids[seat]))
        if s.nils[seat] == NIL:
            row.nils[who] += 1
            row.nils_kept[who] += s.tricks[seat] == 0
        elif s.nils[seat] != NO_NIL:
            row.blind_nils[who] += 1
            row.blind_nils_kept[who] += s.tricks[seat] == 0


@njit
def outcome(s, r, game):
    """Return 1 if A's best side has more points than B's best, −1 if it has fewer, else 0."""
    best_of_a = -NEVER
    best_of_b = -NEVER
    for side in range(r.sides):
        if agent_at(game, side) == 0:
            best_of_a = max(best_of_a, np.int64(s.scores[side]))
        else:
            best_of_b = max(best_of_b, np.int64(s.scores[side]))
    return int(best_of_a > best_of_b) - int(best_of_a < best_of_b)
