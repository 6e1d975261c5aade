"""The result of a match: games won, points, how both sides play, and confidence intervals.

The unit of chance is the deal, which both agents played from both sides. So intervals come from the spread between
deals, not between games: the luck of the cards, which is the same in both games of a deal, cancels out.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spades_env.agents.arena.lockstep import COUNTS
from spades_env.agents.base import FAILURES, TOKENS
from spades_env.agents.elo import Sprt, elo_of
from spades_env.agents.figures import RATIOS
from spades_env.game.rules import Rules

Interval = tuple[float, float] | tuple[None, None]


@dataclass(frozen=True)
class Result:
    """A finished match of two agents, A and B.

    Attributes:
        a: A's name.
        b: B's.
        rules: Of the games.
        mode: "games" or "hands".
        seed: Of the deals.
        rows: GAME[N], a row for each game, those of a deal in pairs.
        moves: How many decisions A made, and B.
        seconds: What these took.
        counted: The failures and tokens that A and B have counted themselves.
        sprt: The sequential test that ended it, if one did.

    Examples:
        >>> from spades_env.agents import arena
        >>> result = arena.play("rule", "random", games=20)
        >>> result.win_rate, result.pairs.tolist()  # of ten deals, those that brought 0, ½, 1, 1½ and 2 points
        (1.0, [0, 0, 0, 0, 10])
        >>> low, high = result.points_per_hand_ci
    """

    a: str
    b: str
    rules: Rules
    mode: str
    seed: int
    rows: np.ndarray
    moves: tuple[int, int]
    seconds: tuple[float, float]
    counted: tuple[dict[str, int], dict[str, int]] = ({}, {})
    sprt: Sprt | None = None  # the test that ended it

    @property
    def games(self) -> int:
        """The games played; in the mode "hands", the hands."""
        return len(self.rows)

    @property
    def hands(self) -> int:
        """The hands of all games together."""
        return int(self.rows["hands"].sum())

    @cached_property
    def deal_wins(self) -> np.ndarray:
        """A's share of the two games of each deal, float[N / 2]; a draw is half a win."""
        return (self.rows["outcome"].reshape(-1, 2).mean(axis=1) + 1) / 2

    @cached_property
    def deal_points(self) -> np.ndarray:
        """A's lead in points over both games of each deal, float[N / 2]."""
        lead = self.rows["points"][:, 0] - self.rows["points"][:, 1]
        return lead.reshape(-1, 2).sum(axis=1) / self._sides_each

    @cached_property
    def deal_hands(self) -> np.ndarray:
        """The hands of both games of each deal, int[N / 2]."""
        return self.rows["hands"].reshape(-1, 2).sum(axis=1)

    @property
    def win_rate(self) -> float:
        """The share of games that A won; a draw is half a win."""
        return float(self.deal_wins.mean())

    @property
    def win_rate_ci(self) -> tuple[float, float]:
        """The 95 % interval of `win_rate`."""
        return share_interval(self.deal_wins)

    @property
    def pairs(self) -> np.ndarray:
        """How many deals brought A 0, ½, 1, 1½ and 2 points in their two games, int[5]; a win is a point."""
        return np.bincount((4 * self.deal_wins).astype(int), minlength=5)

    @property
    def elo(self) -> float:
        """How much stronger A is, on the ladder's scale; infinite if it won all games or none."""
        return elo_of(self.win_rate)

    @property
    def elo_ci(self) -> tuple[float, float]:
        """The 95 % interval of `elo`: that of `win_rate`."""
        low, high = self.win_rate_ci
        return elo_of(low), elo_of(high)

    @property
    def los(self) -> float:
        """The likelihood of superiority, that A is the stronger: 97.5 % where `elo_ci` begins at 0."""
        mean, error = _padded(self.deal_wins)
        return (1 + math.erf((mean - 0.5) / error / math.sqrt(2))) / 2

    @property
    def points_per_hand(self) -> float:
        """A's points less B's, in a hand. Without partners: the mean of A's seats less that of B's."""
        return float(self.deal_points.sum() / self.deal_hands.sum())

    @property
    def points_per_hand_ci(self) -> Interval:
        """The 95 % interval of `points_per_hand`."""
        return ratio_interval(self.deal_points, self.deal_hands)

    @property
    def counts(self) -> dict[str, dict]:
        """Counts of events, for A and for B; `stats_of` turns them, or sums of them, into rates."""
        totals = {name: self.rows[name].sum(axis=0) for name in COUNTS}
        return {
            letter: {name: int(total[who]) for name, total in totals.items()}
            | {"hands": self.hands, "side_hands": self.hands * self._sides_each, "seat_hands": 2 * self.hands}
            | {"moves": self.moves[who], "seconds": self.seconds[who]}
            | self._failures_of(who)
            | {kind: self.counted[who].get(kind, 0) for kind in TOKENS}
            for who, letter in enumerate("ab")
        }

    @property
    def intervals(self) -> dict[str, dict[str, Interval]]:
        """The 95 % intervals of A's and of B's figures, from the spread between deals."""
        rows = self.rows.reshape(-1, 2)
        return {
            letter: {
                key: ratio_interval(*(self._of_deals(rows, who, name) for name in parts))
                for key, parts in RATIOS.items()
            }
            for who, letter in enumerate("ab")
        }

    def as_dict(self) -> dict:
        """Return all figures as plain data; all but `ms_per_move` follow from agents, rules, games and seed.

        Elo is only of whole games, and None where it is infinite.
        """
        counts, outcomes = self.counts, self.rows["outcome"]
        return {
            "a": self.a,
            "b": self.b,
            "games": self.games,
            "win_rate": self.win_rate,
            "win_rate_ci": list(self.win_rate_ci),
            "points_per_hand": self.points_per_hand,
            "points_per_hand_ci": list(self.points_per_hand_ci),
            **{name: counts["a"][name] + counts["b"][name] for name in FAILURES},
            "wins": int((outcomes > 0).sum()),
            "draws": int((outcomes == 0).sum()),
            "losses": int((outcomes < 0).sum()),
            "mode": self.mode,
            "hands": self.hands,
            "cut": int(self.rows["cut"].sum()) if self.mode == "games" else 0,
            "four_bids": (counts["a"]["bid"] + counts["b"]["bid"]) / self.hands,
            "rules": str(self.rules),
            "seed": self.seed,
            "stats": {letter: stats_of(of) for letter, of in counts.items()},
            "tokens": {letter: tokens_of(of) for letter, of in counts.items()},
            **(self._elo_figures() if self.mode == "games" else {}),
        }

    def _elo_figures(self) -> dict:
        elo, low, high = (x if math.isfinite(x) else None for x in (self.elo, *self.elo_ci))
        figures = {"pairs": self.pairs.tolist(), "elo": elo, "elo_ci": [low, high], "los": self.los}
        return figures | ({"sprt": self.sprt.as_dict(self.pairs)} if self.sprt else {})

    def _failures_of(self, who: int) -> dict[str, int]:
        """Count the decisions that were made in its place, by the arena or by itself."""
        by_arena = {"illegal": int(self.rows["illegal"][:, who].sum())}
        return {name: self.counted[who].get(name, 0) + by_arena.get(name, 0) for name in FAILURES}

    def _of_deals(self, rows: np.ndarray, who: int, name: str) -> np.ndarray:
        """Return a count of A's or of B's in both games of each deal, int[N / 2]."""
        hands = {"side_hands": self._sides_each, "seat_hands": 2}
        if name in hands:
            return rows["hands"].sum(axis=1) * hands[name]
        return rows[name][:, :, who].sum(axis=1)

    @property
    def _sides_each(self) -> int:
        return self.rules.sides // 2


def stats_of(counts: dict) -> dict:
    """Return how an agent plays. Bids and nils are per seat and hand; sets and bags per side and hand."""
    blind = {"blind_nil_rate": ("blind_nils", "seat_hands"), "blind_nil_kept": ("blind_nils_kept", "blind_nils")}
    rates = {
        key: counts[part] / counts[whole] if counts[whole] else None for key, (part, whole) in (RATIOS | blind).items()
    }
    failures = {name: counts[name] for name in FAILURES}
    return rates | failures | {"ms_per_move": 1000 * counts["seconds"] / counts["moves"]}


def tokens_of(counts: dict) -> dict[str, float] | None:
    """Return the tokens of an agent's language model for each decision; None if it has counted none."""
    if not any(counts[kind] for kind in TOKENS):
        return None
    return {kind: counts[kind] / counts["moves"] for kind in TOKENS}


def share_interval(shares: np.ndarray) -> tuple[float, float]:
    """Return the 95 % interval of the mean of shares (each from 0 to 1).

    Two lost and two won deals are added (Agresti and Coull), so that 10 wins of 10 do not prove a certain win.
    """
    mean, error = _padded(shares)
    return max(0.0, mean - 1.96 * error), min(1.0, mean + 1.96 * error)


def _padded(shares: np.ndarray) -> tuple[float, float]:
    """Return the mean of shares with two lost and two won deals added, and its standard error."""
    padded = np.concatenate([shares, [0, 0, 1, 1]])
    return float(padded.mean()), float(padded.std() / np.sqrt(len(padded)))


def panel_interval(shares: np.ndarray) -> tuple[float, float]:
    """Return the 95 % interval of the mean of float[deals, opponents], each from 0 to 1.

    All opponents were met on the same deals. So a deal counts as one observation, whatever is common to its games. As
    in `share_interval`, two lost and two won deals are added, here against a single opponent.
    """
    deals, opponents = shares.shape
    sizes = np.concatenate([np.full(deals, opponents), np.ones(4)])
    sums = np.concatenate([shares.sum(axis=1), [0, 0, 1, 1]])
    mean = sums.sum() / sizes.sum()
    width = 1.96 * np.sqrt(np.sum((sums - mean * sizes) ** 2)) / sizes.sum()
    return max(0.0, float(mean - width)), min(1.0, float(mean + width))


def ratio_interval(totals: np.ndarray, sizes: np.ndarray) -> Interval:
    """Return the 95 % interval of sum(totals) / sum(sizes), by Student's t; a single deal has none."""
    n = len(totals)
    if n < 2 or not sizes.sum():
        return None, None
    ratio = totals.sum() / sizes.sum()
    error = np.sqrt(np.sum((totals - ratio * sizes) ** 2) / (n * (n - 1))) / sizes.mean()
    return float(ratio - student(n - 1) * error), float(ratio + student(n - 1) * error)


def student(freedom: int) -> float:
    """Return the 97.5 % point of Student's t."""
    exact = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
    if freedom <= len(exact):
        return exact[freedom - 1]
    return 1.95996 + 2.37227 / freedom + 2.8225 / freedom**2 + 2.5558 / freedom**3  # Cornish and Fisher
