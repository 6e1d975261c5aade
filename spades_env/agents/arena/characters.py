"""Measure characters: a ladder among them, how each plays against two bots, and who plays like whom.

    found = measure(characters, levels, folder, games=1000)     Measured
    found.as_dict()                                             for roster.json; `agents.arena.demands` judges it

Every pairing is played under RULES on the same deals and saved in the folder under its players' fingerprints, which
follow from their weights and from their actions at many moments: only who plays differently is measured again. How many
games a pairing has:

    neighbouring levels        the number asked for: they decide the stars
    each against YARDSTICKS     four times as many: they show the style, which differs little within a level, and tie
                               the ratings to the rule bot, which has 1000
    the same level             a quarter
    levels further apart       a tenth: the winner is clear
"""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from spades_env.agents.arena import ladder
from spades_env.agents.arena.ladder import ANCHOR, ANCHOR_RATING, Ladder, Pairing
from spades_env.agents.arena.manners import faults
from spades_env.agents.arena.match_result import share_interval
from spades_env.agents.base import Agent
from spades_env.agents.figures import RATIOS
from spades_env.agents.network.level import Level
from spades_env.agents.registry import load, load_character
from spades_env.agents.roster import Character
from spades_env.game.game import Game
from spades_env.game.rules import Rules

RULES = "match"
YARDSTICKS = ("rule", "bis")
SAME_LEVEL, FAR_LEVEL = 4, 10  # divisors of the number of games,
STYLE = 4  # … and a factor
MOMENTS = 1000  # decisions that all players are asked for,
TIMED = 200  # … and of these, decisions that are timed one by one

Say = Callable[[str], None]


@dataclass(frozen=True)
class LadderAgent:
    """An agent in the ladder.

    stars     0 for a yardstick
    mark      its fingerprint, under which results are saved
    ms        time of single moves: the median and the 95th percentile
    answers   its actions at the moments
    """

    agent: Agent
    stars: int
    mark: str
    ms: tuple[float, float]
    answers: np.ndarray

    @property
    def key(self) -> str:
        return self.agent.name


@dataclass(frozen=True)
class Measured:
    """All measurements. figures: of each character by key; a figure is [value, low, high] or a number."""

    characters: tuple[Character, ...]
    ladder: Ladder
    ratings: dict[str, list[float]]
    figures: dict[str, dict[str, Any]]
    size: int
    games: int
    seed: int

    def rate(self, a: str, b: str) -> tuple[float, float, float] | None:
        """Return the share of games that a won against b, with its 95 % interval."""
        pairing, swapped = find_pairing(self.ladder.pairings, a, b)
        if pairing is None:
            return None
        rate, (low, high) = pairing["win_rate"], pairing["win_rate_ci"]
        return (1 - rate, 1 - high, 1 - low) if swapped else (rate, low, high)

    def ratings_of(self, key: str) -> dict[str, dict[str, Any]]:
        """Return a character's ratings for its level file: against each yardstick, and in the ladder."""
        found: dict[str, dict[str, Any]] = {}
        for name in YARDSTICKS:
            pairing, _ = find_pairing(self.ladder.pairings, key, name)
            if pairing and (rate := self.rate(key, name)):
                won, *ci = (round(share, 4) for share in rate)
                found[name] = {"won": won, "ci": ci, "games": pairing["games"]}
        rating, low, high = (round(end) for end in self.ratings[key])
        return found | {"ladder": {"rating": rating, "ci": [low, high]}}

    def level(self, stars: int) -> list[Character]:
        return [one for one in self.characters if one.stars == stars]

    def between(self, stars: int) -> tuple[float, float, float, int] | None:
        """Return the share of games that a level won against the one below, its 95 % interval, and the games.

        All pairings play the same deals, so the mean over them counts as one result of a deal.
        """
        won = [self.shares(a.key, b.key) for a in self.level(stars) for b in self.level(stars - 1)]
        won = [shares for shares in won if shares is not None]
        if not won:
            return None
        mean = np.mean(won, axis=0)
        return float(mean.mean()), *share_interval(mean), 2 * len(won) * len(mean)

    def shares(self, a: str, b: str) -> np.ndarray | None:
        """Return the share of each deal, which is played twice, that a won against b."""
        pairing, swapped = find_pairing(self.ladder.pairings, a, b)
        if pairing is None:
            return None
        won = np.array(pairing["deals"])
        return 1 - won if swapped else won

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for roster.json."""
        kept = ("a", "b", "games", "win_rate", "win_rate_ci")
        pairings = [{key: pairing[key] for key in kept} for pairing in self.ladder.pairings.values()]
        characters = {
            one.key: {"rating": round(self.ratings[one.key][0]), "rating_ci": self.ratings[one.key][1:]}
            | {"figures": self.figures[one.key]}
            for one in self.characters
        }
        facts = {"rules": RULES, "games": self.games, "seed": self.seed, "bytes": self.size}
        steps = {str(stars): self.between(stars) for stars in sorted({one.stars for one in self.characters})[1:]}
        return facts | {"characters": characters, "steps": steps, "pairings": pairings}


def find_pairing(pairings: dict[tuple[str, str], Pairing], a: str, b: str) -> tuple[Pairing | None, bool]:
    """Return the result of a and b, if they have met, and whether b stands first in it."""
    return (pairings[a, b], False) if (a, b) in pairings else (pairings.get((b, a)), True)


def measure(
    characters: Sequence[Character],
    levels: Path,
    folder: Path,
    games: int = 1000,
    seed: int = 0,
    jobs: int | None = None,
    say: Say = print,
) -> Measured:
    """Play the pairings that are missing, and return all measurements."""
    ladder.choix()
    ladder.open_folder(folder, {"rules": RULES, "mode": "games", "seed": seed})
    positions = moments(MOMENTS)
    players = [
        _player(load_character(one, seed, levels), one.stars, _weights(one, levels), positions) for one in characters
    ]
    players += [_player(load(name, seed), 0, b"", positions) for name in YARDSTICKS]
    pairings = _play(players, folder, games, seed, jobs, say)
    found = Ladder(tuple(player.key for player in players), {"games": games, "seed": seed}, pairings)
    by_key = {player.key: player for player in players}
    figures = {one.key: _figures(by_key[one.key], pairings) | _alike(by_key[one.key], players) for one in characters}
    return Measured(tuple(characters), found, _ratings(found), figures, size_of(characters, levels), games, seed)


def size_of(characters: Sequence[Character], levels: Path) -> int:
    return sum((levels / one.level).stat().st_size for one in characters)


def moments(count: int) -> list:
    """Return the views of this many decisions in hands of the rule bot."""
    views, bot, seed = [], load("rule"), 0
    while len(views) < count:
        game, seed = Game(RULES, seed=seed), seed + 1
        while not game.results and len(views) < count:
            view = game.view(game.turn)
            if len(game.legal_actions()) > 1:
                views.append(view)
            game.apply(bot.act(view))
    return views


def answers(agent: Agent, positions: list) -> np.ndarray:
    return np.asarray(agent.act_batch(positions), np.int8)


def decision_times(agent: Agent, positions: list) -> np.ndarray:
    """Return the milliseconds of the first TIMED decisions, asked for one by one; compiling is left out."""
    agent.act(positions[0])
    agent.act(positions[-1])
    spent = []
    for view in positions[:TIMED]:
        start = time.perf_counter()
        agent.act(view)
        spent.append(1000 * (time.perf_counter() - start))
    return np.array(spent)


def _player(agent: Agent, stars: int, weights: bytes, positions: list) -> LadderAgent:
    median, most = np.percentile(decision_times(agent, positions), (50, 95))
    done = answers(agent, positions)
    mark = hashlib.sha256(weights + done.tobytes()).hexdigest()[:12]
    return LadderAgent(agent, stars, f"{agent.name}-{mark}", (float(median), float(most)), done)


def _weights(one: Character, levels: Path) -> bytes:
    """Return a digest of everything that decides how a character plays, with weights as in its file."""
    level = Level.read(levels / one.level)
    digest = hashlib.sha256(json.dumps([one.agent, level.temperature]).encode())
    for name in sorted(level.tensors):
        digest.update(name.encode() + level.tensors[name].astype(np.float16).tobytes())
    return digest.digest()


def _alike(player: LadderAgent, players: list[LadderAgent]) -> dict[str, Any]:
    """Return the character with the most equal actions, their share, and the share equal to the rule bot's."""
    shares = {other.key: float((other.answers == player.answers).mean()) for other in players if other is not player}
    others = [other.key for other in players if other.stars and other is not player]
    nearest = max(others, key=lambda key: shares[key], default="")
    return {"alike": [nearest, shares.get(nearest, 0.0)], "like_rule": shares[YARDSTICKS[0]]}


def _games(a: LadderAgent, b: LadderAgent, games: int) -> int:
    """Return how many games the two play; none if both are yardsticks."""
    apart = abs(a.stars - b.stars)
    if not a.stars and not b.stars:
        return 0
    if not a.stars or not b.stars:
        return STYLE * games
    if apart == 1:
        return games
    return max(2, games // (FAR_LEVEL if apart else SAME_LEVEL) // 2 * 2)


def _play(players: list[LadderAgent], folder: Path, games: int, seed: int, jobs: int | None, say: Say) -> dict:
    """Return all pairings by both keys, sorted; only those that the folder lacks are played."""
    pairings, missing = dict[tuple[str, str], Pairing](), []
    for a, b in combinations(sorted(players, key=lambda player: player.key), 2):
        count = _games(a, b, games)
        kept = ladder.kept_pair(folder, (a.mark, b.mark), count) if count else None
        if kept:
            pairings[a.key, b.key] = kept
        elif count:
            missing.append((a, b, count))
    costs = [count * (a.ms[0] + b.ms[0]) for a, b, count in missing]
    rules, start = Rules.parse(RULES), time.monotonic()
    for number, (a, b, count) in enumerate(missing, 1):
        match = {"rules": rules, "games": count, "seed": seed, "jobs": jobs}
        pairing = ladder.play_pair(a.agent, b.agent, (a.mark, b.mark), folder, **match)
        pairings[a.key, b.key] = pairing
        left = (time.monotonic() - start) / sum(costs[:number]) * sum(costs[number:]) / 60
        won = f"{a.key} wins {pairing['win_rate']:.1%} of {count:,} games against {b.key}"
        say(f"{number}/{len(missing)}  {won}, {left:.0f} min left")
    return pairings


def _ratings(found: Ladder) -> dict[str, list[float]]:
    """Return each rating with its 95 % interval, the rule bot at 1000."""
    ratings = ANCHOR_RATING + np.array(found.ratings(ANCHOR))
    return {name: [round(float(x), 1) for x in ratings[:, i]] for i, name in enumerate(found.names)}


def _figures(player: LadderAgent, pairings: dict[tuple[str, str], Pairing]) -> dict[str, Any]:
    """Return how a character plays, the mean against both yardsticks, or against the one with figures."""
    met = [find_pairing(pairings, player.key, name) for name in YARDSTICKS]
    sides = [(pairing, *("ba" if swapped else "ab")) for pairing, swapped in met if pairing]
    found = {key: _mean([_figure(pairing, own, key) for pairing, own, _ in sides]) for key in RATIOS}
    kept = _mean([_figure(pairing, other, "nil_kept") for pairing, _, other in sides])
    return found | {
        "nils_set": kept and [1 - kept[0], 1 - kept[2], 1 - kept[1]],
        "four_bids": float(np.mean([pairing["four_bids"] for pairing, _, _ in sides])),
        "ms_p50": player.ms[0],
        "ms_p95": player.ms[1],
        "faults": faults(player.agent),
    }


def _figure(pairing: Pairing, side: str, key: str) -> list[float] | None:
    value, (low, high) = pairing["stats"][side][key], pairing["intervals"][side][key]
    return None if value is None or low is None else [value, low, high]


def _mean(figures: list[list[float] | None]) -> list[float] | None:
    """Return the mean of figures from the same deals, whose errors may be correlated; None if there are none."""
    known = [figure for figure in figures if figure]
    if not known:
        return None
    value = float(np.mean([figure[0] for figure in known]))
    half = float(np.mean([half_of(figure) for figure in known]))
    return [value, value - half, value + half]


def half_of(figure: Sequence[float]) -> float:
    """Return half the width of a figure's interval."""
    return (figure[2] - figure[1]) / 2
