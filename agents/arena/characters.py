"""Characters measured: a ladder among them, how each plays against two bots, and who plays like whom.

    found = measure(characters, levels, folder, games=1000)     Measured
    found.as_dict()                                             what roster.json holds; `agents.arena.demands` judges it

Every pairing is played under RULES on the same deals and kept in the folder under the marks of its players, which
follow from their weights and from what they would do at many moments: who plays otherwise plays anew, nobody else
does. How many games a pairing has:

    neighbouring levels        all that are asked for: they decide the stars
    each against YARDSTICKS     four times as many: they show the style, where little differs within a level, and tie
                               the ratings to the rule bot, which stands at 1000
    the same level             a quarter
    levels further apart       a tenth: who wins is known before
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

from agents.arena import ladder
from agents.arena.ladder import Ladder, Pairing
from agents.arena.manners import faults
from agents.arena.result import share_interval
from agents.base import Agent
from agents.figures import RATIOS
from agents.network.level import NUMBERS, Level
from agents.registry import load, load_character
from agents.roster import Character
from spades_env import Game, Rules

RULES = "classic blind_nil_deficit=off"
YARDSTICKS = ("rule", "bis")
ANCHOR = 1000.0  # where the rule bot stands
SAME_LEVEL, FAR_LEVEL = 4, 10  # so many times fewer games,
STYLE = 4  # … and more
MOMENTS = 1000  # decisions at which all are asked what they would do,
TIMED = 200  # … so many of them one by one

Say = Callable[[str], None]


@dataclass(frozen=True)
class Player:
    """An agent in the ladder. stars: 0 for a yardstick; mark: what its results are kept under; ms: of single moves;
    answers: what it would do at the moments.
    """

    agent: Agent
    stars: int
    mark: str
    ms: tuple[float, float]
    answers: np.ndarray

    @property
    def key(self) -> str:
        """The agent's name."""
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
        if (a, b) in self.ladder.pairings:
            pairing = self.ladder.pairings[a, b]
            return (pairing["win_rate"], *pairing["win_rate_ci"])
        if (b, a) in self.ladder.pairings:
            rate, low, high = self.rate(b, a) or (0.5, 0.5, 0.5)
            return 1 - rate, 1 - high, 1 - low
        return None

    def ratings_of(self, key: str) -> dict[str, dict[str, Any]]:
        """Return a character's ratings for its level file: against each yardstick, and in the ladder."""
        found: dict[str, dict[str, Any]] = {}
        for name in YARDSTICKS:
            pairing = self.ladder.pairings.get((key, name)) or self.ladder.pairings.get((name, key))
            rate = self.rate(key, name)
            if pairing and rate:
                won, *ci = (round(share, 4) for share in rate)
                found[name] = {"won": won, "ci": ci, "games": pairing["games"]}
        rating, low, high = (round(end) for end in self.ratings[key])
        return found | {"ladder": {"rating": rating, "ci": [low, high]}}

    def level(self, stars: int) -> list[Character]:
        """Return the characters with so many stars."""
        return [one for one in self.characters if one.stars == stars]

    def between(self, stars: int) -> tuple[float, float, float, int] | None:
        """Return what a level's characters won against those one below: share of games, its 95 % interval, games.

        All play the same deals, so what all win of a deal counts as one.
        """
        won = [self.shares(a.key, b.key) for a in self.level(stars) for b in self.level(stars - 1)]
        won = [shares for shares in won if shares is not None]
        if not won:
            return None
        mean = np.mean(won, axis=0)
        return float(mean.mean()), *share_interval(mean), 2 * len(won) * len(mean)

    def shares(self, a: str, b: str) -> np.ndarray | None:
        """Return what a won against b of each deal, which is played twice."""
        if (a, b) in self.ladder.pairings:
            return np.array(self.ladder.pairings[a, b]["deals"])
        return 1 - np.array(self.ladder.pairings[b, a]["deals"]) if (b, a) in self.ladder.pairings else None

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
    """Return the bytes of all their levels."""
    return sum((levels / one.level).stat().st_size for one in characters)


def moments(count: int) -> list:
    """Return the views of so many decisions, from hands of the rule bot."""
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
    """Return what an agent would do at each of them, int8[N]."""
    return np.asarray(agent.act_batch(positions), np.int8)


def _player(agent: Agent, stars: int, weights: bytes, positions: list) -> Player:
    spent = []
    agent.act(positions[0])
    agent.act(positions[-1])
    for view in positions[:TIMED]:
        start = time.perf_counter()
        agent.act(view)
        spent.append(1000 * (time.perf_counter() - start))
    median, most = np.percentile(spent, (50, 95))
    done = answers(agent, positions)
    mark = hashlib.sha256(weights + done.tobytes()).hexdigest()[:12]
    return Player(agent, stars, f"{agent.name}-{mark}", (float(median), float(most)), done)


def _weights(one: Character, levels: Path) -> bytes:
    """Return a digest of all that decides how a character plays, weights as a file holds them."""
    level = Level.read(levels / one.level)
    numbers = [getattr(level, name) for name in NUMBERS]
    digest = hashlib.sha256(json.dumps([one.agent, *numbers]).encode())
    for name in sorted(level.tensors):
        digest.update(name.encode() + level.tensors[name].astype(np.float16).tobytes())
    return digest.digest()


def _alike(player: Player, players: list[Player]) -> dict[str, Any]:
    """Return which character does the same most often, at what share of moments, and at what share `rule` does."""
    shares = {other.key: float((other.answers == player.answers).mean()) for other in players if other is not player}
    others = [other.key for other in players if other.stars and other is not player]
    nearest = max(others, key=lambda key: shares[key], default="")
    return {"alike": [nearest, shares.get(nearest, 0.0)], "like_rule": shares[YARDSTICKS[0]]}


def _games(a: Player, b: Player, games: int) -> int:
    """Return how many games the two play; none where both are yardsticks."""
    apart = abs(a.stars - b.stars)
    if not a.stars and not b.stars:
        return 0
    if not a.stars or not b.stars:
        return STYLE * games
    if apart == 1:
        return games
    return max(2, games // (FAR_LEVEL if apart else SAME_LEVEL) // 2 * 2)


def _play(players: list[Player], folder: Path, games: int, seed: int, jobs: int | None, say: Say) -> dict:
    """All pairings by the keys of both, sorted; those that the folder holds are not played again."""
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
        pairing = ladder.play_pair(a.agent, b.agent, (a.mark, b.mark), rules, count, seed, jobs, folder)
        pairings[a.key, b.key] = pairing
        left = (time.monotonic() - start) / sum(costs[:number]) * sum(costs[number:]) / 60
        won = f"{a.key} wins {pairing['win_rate']:.1%} of {count:,} games against {b.key}"
        say(f"{number}/{len(missing)}  {won}, {left:.0f} min left")
    return pairings


def _ratings(found: Ladder) -> dict[str, list[float]]:
    """Return each rating with the ends of its 95 % interval, the rule bot at ANCHOR."""
    ratings = ANCHOR + np.array(found.ratings(anchor=YARDSTICKS[0]))
    return {name: [round(float(x), 1) for x in ratings[:, i]] for i, name in enumerate(found.names)}


def _figures(player: Player, pairings: dict[tuple[str, str], Pairing]) -> dict[str, Any]:
    """Return how a character plays, the mean against both yardsticks, or against the one with figures."""
    sides = [_met(player.key, name, pairings) for name in YARDSTICKS]
    found = {key: _mean([_figure(pairing, own, key) for pairing, own, _ in sides]) for key in RATIOS}
    kept = _mean([_figure(pairing, other, "nil_kept") for pairing, _, other in sides])
    return found | {
        "nils_set": kept and [1 - kept[0], 1 - kept[2], 1 - kept[1]],
        "four_bids": float(np.mean([pairing["four_bids"] for pairing, _, _ in sides])),
        "ms_p50": player.ms[0],
        "ms_p95": player.ms[1],
        "faults": faults(player.agent),
    }


def _met(key: str, yardstick: str, pairings: dict[tuple[str, str], Pairing]) -> tuple[Pairing, str, str]:
    """Return where the two met, which side the character was, and which the yardstick."""
    first = pairings.get((key, yardstick))
    return (first, "a", "b") if first else (pairings[yardstick, key], "b", "a")


def _figure(pairing: Pairing, side: str, key: str) -> list[float] | None:
    value, (low, high) = pairing["stats"][side][key], pairing["intervals"][side][key]
    return None if value is None or low is None else [value, low, high]


def _mean(figures: list[list[float] | None]) -> list[float] | None:
    """Return the mean of figures from the same deals, whose errors may go together; None of none."""
    known = [figure for figure in figures if figure]
    if not known:
        return None
    value = float(np.mean([figure[0] for figure in known]))
    half = float(np.mean([half_of(figure) for figure in known]))
    return [value, value - half, value + half]


def half_of(figure: Sequence[float]) -> float:
    """Return half the width of its interval."""
    return (figure[2] - figure[1]) / 2
