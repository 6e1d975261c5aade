"""Fit the numbers of match equity: the chance of winning at given scores, bags and hands left.

The data: games of the agent with itself under each of SETS. Every other game starts from random scores, bags and hands
played, so that lopsided scores occur too. A row is the standing before a hand, and each side's share of the win in the
end. Each way of bidding gets its own numbers. Its rule sets have equal weight, divided among their rows; with `evenly`,
all rows do. The spread of blind bids is fitted separately, under BLIND_SETS.

The fit: the numbers of least log loss, by steps along the gradient, scaled by its covariance (the method of Berndt,
Hall, Hall and Hausman). The numbers are positive, so their logarithms are fitted.
"""

from collections.abc import Sequence
from math import log
from typing import NamedTuple

import numpy as np

from spades_env._jit import njit
from spades_env.agents.compiled import choose
from spades_env.agents.equity import LEARNED, Numbers, final_share, likely_share
from spades_env.game.engine import apply, below, deal_next, mix, new_game, next_random
from spades_env.game.rules import CHOICES, Rules
from spades_env.game.state import FREE, GAME_OVER, GOES_ON, HAND_OVER, NEVER, compile_rules, new_tables
from spades_env.training.fit import compiled_agent

FREE_SETS = (
    "classic",
    "match",
    "match trumps=nyc",
    "match trumps=deuces",
    "match target=200",
    "match target=1000",
    "match target=off max_hands=8",
    "match target=300 max_hands=5",
    "match bag_limit=off",
    "match nil=false",
    "match nil_bonus=200",
    "match floor=-200",
    "pagat",
    "showdown",
    "solo",
    "solo nil=true bag_limit=10",
    "solo target=off max_hands=8",
)
SETS = FREE_SETS, *((name, f"{name} target=1000") for name in CHOICES["bidding"][1:])  # by way of bidding
BLIND_SETS = ("house", "house trumps=normal", "house ten_points=off", "house nil=true")
LOWEST, HIGHEST = -200, 400  # scores to start from, where no floor or target bounds them
MOST_HANDS = 60  # a game still open then is dropped
FRESH = 500  # added to a seed, for games that were not fitted to
STEPS = 30
NUDGE = 1e-4  # to a logarithm
DAMPING = 1e-4  # keeps numbers in place that the games do not determine
FACTS = np.dtype([("scores", "i4", 4), ("bags", "i4", 4), ("hand_number", "i4"), ("game", "i4")])  # named as in STATE
OPTIONS = {  # name -> default, help
    "agent": ("rule", "who plays: an agent of compiled kernels"),
    "games": (20_000, "under each rule set"),
}


class ScoredGames(NamedTuple):
    """The positions and results of games under one rule set."""

    r: np.record
    facts: np.recarray  # FACTS[N]
    won: np.ndarray  # float64[N, 4]: each side's share of the win


def learn(agent: str, games: int, seed: int) -> dict[str, np.ndarray]:
    """Fit the numbers; print how well they predict fresh games."""
    learned = []
    for bidding, (texts, start) in enumerate(zip(SETS, LEARNED, strict=True)):
        numbers = _rounded(fit(_played(texts, agent, games, 1000 * seed), start))
        if bidding == FREE:
            numbers = _rounded(fit(_played(BLIND_SETS, agent, games, 1000 * seed), numbers, ("blinds",)))
            texts += BLIND_SETS
        for text, fresh in zip(texts, _played(texts, agent, games, 1000 * seed + FRESH), strict=True):
            _report(text, fresh, start, numbers)
        learned.append(numbers)
    return {name: np.array([getattr(numbers, name) for numbers in learned]) for name in Numbers._fields}


def _played(texts: Sequence[str], agent: str, games: int, seed: int) -> list[ScoredGames]:
    return [play(agent, games, seed + i, Rules.parse(text)) for i, text in enumerate(texts)]


def _rounded(numbers: Numbers) -> Numbers:
    return Numbers(*(float(f"{number:.3g}") for number in numbers))


def play(agent: str, games: int, seed: int, rules: Rules) -> ScoredGames:
    """Play games of the agent with itself, every other one from a random start."""
    bot = compiled_agent(agent)
    r = compile_rules(rules)[0]
    facts = np.zeros(games * MOST_HANDS, FACTS).view(np.recarray)
    won = np.zeros((games, 4))
    n = _play_games(new_tables(1), r, bot.bidding, bot.playing, np.uint64(seed), facts, won)
    return ScoredGames(r, facts[:n].copy().view(np.recarray), won[facts["game"][:n]])


def fit(
    data: Sequence[ScoredGames], start: Numbers, names: Sequence[str] = Numbers._fields, evenly: bool = False
) -> Numbers:
    """Return the numbers of least log loss.

    Args:
        data: The games.
        start: The numbers to start from.
        names: Which of them to fit; the others keep their values.
        evenly: Give every row the same weight, instead of every rule set.
    """
    logs = np.log(start)
    nudges = NUDGE * np.diag([1.0 * (name in names) for name in Numbers._fields])
    weights = np.concatenate([np.full(len(games.won), 1.0 if evenly else 1 / len(games.won)) for games in data])
    weights /= weights.sum()
    now = losses(data, start)
    for _ in range(STEPS):
        slopes = np.stack([losses(data, _numbers(logs + nudge)) - now for nudge in nudges]) / NUDGE
        curvature = slopes * weights @ slopes.T + DAMPING * np.eye(len(logs))
        step = np.clip(np.linalg.solve(curvature, slopes @ weights), -1, 1)
        while (then := losses(data, _numbers(logs - step))) @ weights > now @ weights:
            step /= 2
        logs, now = logs - step, then
        if np.abs(step).max() < NUDGE:
            break
    return _numbers(logs)


def losses(data: Sequence[ScoredGames], numbers: Numbers) -> np.ndarray:
    """Return the log loss of every row of all games, float64."""
    return np.concatenate([_losses(games.facts, games.r, games.won, numbers) for games in data])


def shares(games: ScoredGames, numbers: Numbers) -> np.ndarray:
    return _shares(games.facts, games.r, numbers)


def _numbers(logs: np.ndarray) -> Numbers:
    return Numbers(*(float(number) for number in np.exp(logs)))


def _report(text: str, games: ScoredGames, stored: Numbers, numbers: Numbers) -> None:
    """Print log losses before and after, and the shares predicted and won, by tenths of the prediction."""
    before, after = (losses([games], k).mean() for k in (stored, numbers))
    print(f"{text}: log loss {after:.4f}, stored numbers {before:.4f}, a coin {log(games.r.sides):.4f}")
    foreseen = shares(games, numbers)
    won = games.won[:, : games.r.sides]
    tenths = ((foreseen * 10).astype(int) == tenth for tenth in range(10))
    print("  ", " ".join(f"{foreseen[rows].mean():.2f}/{won[rows].mean():.2f}" for rows in tenths if rows.any()))


@njit
def _play_games(tables, r, bidding, playing, x, facts, won):
    """Fill facts from the front, and won for each game; return the number of rows of facts."""
    s = tables[0]
    n = 0
    for game in range(len(won)):
        x = next_random(x)
        new_game(s, r, mix(x))
        s.hand_number = -1  # none is played: deal_next deals the first
        if game & 1:
            _start_anywhere(s, r, mix(s.seed))
        first = n
        event = HAND_OVER
        while event == HAND_OVER and n < first + MOST_HANDS:
            facts[n].scores[:] = s.scores
            facts[n].bags[:] = s.bags
            facts[n].hand_number = s.hand_number
            facts[n].game = game
            n += 1
            event = _play_hand(s, r, bidding, playing)
        if event != GAME_OVER:
            n = first
        for side in range(r.sides):
            won[game, side] = final_share(s, r, side)
    return n


@njit
def _start_anywhere(s, r, x):
    """Begin with random scores, bags and a random number of hands played."""
    lowest = max(LOWEST, r.floor + 1)
    highest = r.target - 1 if r.target < NEVER else HIGHEST
    for side in range(r.sides):
        x = next_random(x)
        s.scores[side] = lowest + below(mix(x) >> np.uint64(32), highest + 1 - lowest)
        x = next_random(x)
        s.bags[side] = r.bags_counted * below(mix(x) >> np.uint64(32), r.bag_limit)
    if r.max_hands < NEVER:
        s.hand_number = below(mix(next_random(x)) >> np.uint64(32), r.max_hands) - 1


@njit
def _play_hand(s, r, bidding, playing):
    """Play the next hand to its end."""
    deal_next(s, r)
    x = mix(s.seed + np.uint64(s.hand_number))
    event = GOES_ON
    while event == GOES_ON:
        x = next_random(x)
        event = apply(s, r, np.int64(choose(s, r, bidding, playing, mix(x))))
    return event


@njit
def _shares(facts, r, k):
    out = np.empty((len(facts), r.sides))
    for i in range(len(facts)):
        for side in range(r.sides):
            out[i, side] = likely_share(facts[i], r, side, k)
    return out


@njit
def _losses(facts, r, won, k):
    out = np.zeros(len(facts))
    for i in range(len(facts)):
        for side in range(r.sides):
            if won[i, side] > 0:
                out[i] -= won[i, side] * log(max(1e-300, likely_share(facts[i], r, side, k)))
    return out
