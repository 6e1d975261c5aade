"""The ladder: a round robin between agents, and Bradley–Terry ratings fitted to it.

    from spades_env.agents.arena import ladder
    standings = ladder.play(["random", "rb", "bis"], games=1000, folder="runs/ladder")
    standings.ratings(), standings.as_dict()

All pairings play the same deals. Each is written to the folder when it is finished:

    runs/ladder/ladder.json                     rules, mode, games, seed: what all pairings have in common
                bis-against-rb-1a2b3c4d.json    one pairing: its figures, and A's share of each deal

so that an interrupted ladder continues where it was, and one with more agents, or with a retrained level, plays only
what is missing. Each file has a digest (agents/digest.py), so a damaged one is refused.

Ratings are on Elo's scale (400 points: odds of ten to one), where `rule` has 1000; in a ladder without it their mean is
0. Their intervals come from random weights of the deals (a Bayesian bootstrap). As a prior every agent has one deal won
and one lost, a small part of each against every other: so an agent that won every game is not infinitely strong.
"""

import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from spades_env.agents import arena
from spades_env.agents.arena.match import Progress, length, part_of
from spades_env.agents.arena.match_result import stats_of
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.base import Agent
from spades_env.agents.digest import DamagedError, read_sealed_json, sealed_json
from spades_env.agents.elo import ELO
from spades_env.agents.registry import fingerprint_source, load
from spades_env.checks import LARGEST_SEED, whole
from spades_env.errors import SpadesError
from spades_env.extras import needed
from spades_env.game.rules import Rules, RulesSource

Pairing = dict  # `Result.as_dict()` with "counts" and "deals", as saved in its file
ANCHOR, ANCHOR_RATING = "rule", 1000.0  # whose rating is fixed wherever it takes part
PRIOR = 1.0  # deals that every agent has won, and lost, before the first
DRAWS = 400  # of the bootstrap
SETTINGS = "ladder.json"
PAIRING_KEYS = {"games", "win_rate", "deals", "counts"}  # of every pairing
NEEDED = 'this needs {missing}: pip install "spades-env[arena]"'
AGAIN = "cannot be read ({}): remove it, and it will be played again"


class LadderError(SpadesError):
    """A ladder that cannot be played or continued."""


@dataclass(frozen=True)
class Ladder:
    """A finished round robin. pairings: (a, b), sorted by name -> the result."""

    names: tuple[str, ...]
    settings: dict
    pairings: dict[tuple[str, str], Pairing]

    def win_rates(self) -> np.ndarray:
        """Return the share of games that the row's agent won against the column's, float[N, N]; nan against itself."""
        rates = np.full((len(self.names), len(self.names)), np.nan)
        for (a, b), pairing in self.pairings.items():
            i, j = self.names.index(a), self.names.index(b)
            rates[i, j], rates[j, i] = pairing["win_rate"], 1 - pairing["win_rate"]
        return rates

    def ratings(self, anchor: str | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return each agent's rating and the ends of its 95 % interval, float[N] each.

        The mean is 0; with an anchor, that agent's rating is exactly 0.
        """
        deals = max(len(pairing["deals"]) for pairing in self.pairings.values())
        center = _fit(self._wins(np.ones((1, deals)), np.ones((1, len(self.pairings), 2)))[0])
        rng = np.random.default_rng(self.settings["seed"])
        weights = rng.standard_exponential((DRAWS, deals))
        wins = self._wins(weights, rng.standard_exponential((DRAWS, len(self.pairings), 2)))
        drawn = np.array([_fit(matrix, center) for matrix in wins])
        if anchor is not None:
            column = self.names.index(anchor)
            center, drawn = center - center[column], drawn - drawn[:, [column]]
        low, high = np.percentile(drawn, (2.5, 97.5), axis=0)
        return center * ELO, low * ELO, high * ELO

    def as_dict(self) -> dict:
        """Return everything as plain data, the best agent first."""
        anchor = ANCHOR if ANCHOR in self.names else None
        ratings, low, high = np.array(self.ratings(anchor)) + (ANCHOR_RATING if anchor else 0)
        rates = self.win_rates()
        standings = [
            {
                "name": self.names[i],
                "rating": float(ratings[i]),
                "rating_ci": [float(low[i]), float(high[i])],
                "win_rate": float(np.nanmean(rates[i])),
                "stats": stats_of(self._counts(self.names[i])),
            }
            for i in np.argsort(-ratings, kind="stable")
        ]
        shown = ("a", "b", "win_rate", "win_rate_ci", "points_per_hand", "points_per_hand_ci", "illegal")
        pairings = [{key: pairing[key] for key in shown} for pairing in self.pairings.values()]
        return {**self.settings, "anchor": anchor, "standings": standings, "pairings": pairings}

    def _wins(self, weights: np.ndarray, first: np.ndarray) -> np.ndarray:
        """Return the weighted deals that the row's agent won against the column's, float[K, N, N].

        weights: float[K, deals]; first: float[K, pairings, 2], of each pairing's prior
        """
        first = first * PRIOR / (len(self.names) - 1)
        wins = np.zeros((len(weights), len(self.names), len(self.names)))
        for number, ((a, b), pairing) in enumerate(self.pairings.items()):
            i, j = self.names.index(a), self.names.index(b)
            shares = np.array(pairing["deals"])
            played = weights[:, : len(shares)]
            wins[:, i, j] = played @ shares + first[:, number, 0]
            wins[:, j, i] = played @ (1 - shares) + first[:, number, 1]
        return wins

    def _counts(self, name: str) -> dict:
        own = [p["counts"]["a" if a == name else "b"] for (a, b), p in self.pairings.items() if name in (a, b)]
        return {key: sum(counts[key] for counts in own) for key in own[0]}


def play(
    names: Sequence[str],
    rules: RulesSource = "classic",
    games: int | None = None,
    hands: int | None = None,
    seed: int = 0,
    jobs: arena.Jobs = None,
    folder: str | os.PathLike | None = None,
    progress: Progress | None = None,
) -> Ladder:
    """Play a round robin with this many games (by default 1,000) or single hands per pairing.

    Without a folder nothing is saved.
    """
    choix()
    names = _checked(names)
    mode, count = length(games, hands)
    seed = whole("seed", seed, 0, LARGEST_SEED)
    settings = {"rules": str(Rules.of(rules)), "mode": mode, "games": count, "seed": seed}
    folder = open_folder(Path(folder), settings) if folder is not None else None
    pairs = list(combinations(sorted(names), 2))
    pairings = {}
    for number, (a, b) in enumerate(pairs):
        match = {"games": games, "hands": hands, "seed": seed, "jobs": jobs}
        match["progress"] = part_of(progress, number * count, len(pairs) * count)
        keys = _key(a), _key(b)
        pairings[a, b] = _read(folder, keys) or play_pair(a, b, keys, folder, rules=rules, **match)
    return Ladder(names, settings, pairings)


def play_pair(a: str | Agent, b: str | Agent, keys: tuple[str, str], folder: Path | None, **match: Any) -> Pairing:
    """Play one pairing as `arena.play` does, and save it under the keys of both."""
    result = arena.play(a, b, **match)
    more = {"counts": result.counts, "deals": result.deal_wins.tolist(), "intervals": result.intervals}
    pairing = result.as_dict() | more
    if folder:
        write_whole(_path(folder, *keys), sealed_json(pairing))
    return pairing


def kept_pair(folder: Path, keys: tuple[str, str], games: int) -> Pairing | None:
    found = _read(folder, keys)
    return found if found and found["games"] == games else None


def open_folder(folder: Path, settings: dict) -> Path:
    """Return the folder if it is new or has the same settings."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / SETTINGS
    if not path.exists():
        write_whole(path, sealed_json(settings, indent=1))
    begun = _json(path)
    for name, value in settings.items():
        if begun.get(name) != value:
            raise LadderError(
                f"{folder} holds a ladder with {name} {begun.get(name)}, not {value}: choose another folder"
            )
    return folder


def choix() -> Any:
    return needed("choix", NEEDED)


def _checked(names: Sequence[str]) -> tuple[str, ...]:
    names = tuple(name.strip() for name in names)
    if len(names) < 2:
        raise LadderError(f"a ladder is between two agents or more, not {len(names)}")
    for name in names:
        load(name)
        if names.count(name) > 1:
            raise LadderError(f"{name} is named twice")
    return names


def _fit(wins: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Return the natural logarithms of the agents' strengths, with mean 0."""
    return choix().ilsr_pairwise_dense(wins, initial_params=start, max_iter=10_000, tol=1e-6)


# The folder


def _path(folder: Path, a: str, b: str) -> Path:
    words = re.sub(r"[^A-Za-z0-9+-]+", "_", f"{a}-against-{b}")[:80]
    return folder / f"{words}-{hashlib.sha256(json.dumps([a, b]).encode()).hexdigest()[:8]}.json"


def _key(name: str) -> str:
    """Return an agent's key in file names: its string, and a digest of the files behind it."""
    found = fingerprint_source(name)
    return f"{name} {hashlib.sha256(found).hexdigest()[:8]}" if found else name


def _read(folder: Path | None, keys: tuple[str, str]) -> Pairing | None:
    """Return the saved pairing of these keys, if there is one."""
    path = _path(folder, *keys) if folder else None
    if path is None or not path.exists():
        return None
    found = _json(path)
    if not found.keys() >= PAIRING_KEYS:
        raise LadderError(f"{path} {AGAIN.format('it is not a whole pairing')}")
    return found


def _json(path: Path) -> dict:
    try:
        return read_sealed_json(path)
    except DamagedError as error:
        raise LadderError(f"{path} {AGAIN.format(error)}") from None
