"""A person's statistics, over the games that were played to their end.

    found = statistics(store, "Anna")                 all games
    found = statistics(store, "Anna", unaided=True)   those without a hint, a takeback or a move made by a bot

A draw is half a win. The rating is told in `play.standing`; short games count less in it. Games with other people
beside the person have no difficulty: they are in the record and in `total`, not in `by_difficulty` nor in the rating.
Figures of bids leave hands out that were taken back.
"""

import json
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from functools import lru_cache

from play.standing import DRAW, LOSS, WIN, rating_after, weight
from play.store import Store
from spades_env import Rules


@dataclass
class Tally:
    """Games, and how they ended."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """All of them, however they ended."""
        return self.wins + self.losses + self.draws

    @property
    def win_rate(self) -> float | None:
        """The share of wins, a draw being half of one; None before there was a game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    def add(self, outcome: float) -> None:
        """One game more."""
        self.wins += outcome == WIN
        self.draws += outcome == DRAW
        self.losses += outcome == LOSS

    def as_dict(self) -> dict:
        """The counts and what follows from them, for JSON."""
        return asdict(self) | {"games": self.games, "win_rate": self.win_rate}


@dataclass
class Bids:
    """How the person bids. Of bids that are no nils: exact, that the own tricks are the bid; made, that the side took
    what it bid; off, the mean distance of tricks and bid. Bags are the side's.
    """

    hands: int = 0
    exact: int = 0
    made: int = 0
    off: float | None = None
    mean_bid: float | None = None
    nils: int = 0
    nils_kept: int = 0
    blind_nils: int = 0
    blind_nils_kept: int = 0
    bags: int = 0


@dataclass
class Statistics:
    """All figures of a person. ratings: after each game; aided: games in which there was help."""

    total: Tally = field(default_factory=Tally)
    by_difficulty: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    with_partner: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    against: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    rating: int = 0
    ratings: list[int] = field(default_factory=list)
    bids: Bids = field(default_factory=Bids)
    hints: int = 0
    takebacks: int = 0
    moved_for: int = 0
    aided: int = 0

    def as_dict(self) -> dict:
        """As plain data, for JSON."""
        told = {name: getattr(self, name) for name in ("rating", "ratings", "hints", "takebacks", "moved_for", "aided")}
        for name in ("by_difficulty", "with_partner", "against"):
            told[name] = {key: tally.as_dict() for key, tally in sorted(getattr(self, name).items())}
        return told | {"total": self.total.as_dict(), "bids": asdict(self.bids)}


def statistics(store: Store, person: str, unaided: bool = False) -> Statistics:
    """Everything about a person's finished games."""
    found = Statistics()
    query = (
        "SELECT outcome, difficulty, hands, (SELECT rules FROM hands WHERE hands.key = game_results.key LIMIT 1), "
        "partner, opponents, hints, takebacks, moved_for FROM game_results "
        "WHERE person = ? AND (NOT ? OR hints + takebacks + moved_for = 0) ORDER BY id"
    )
    for outcome, stars, hands, rules, partner, opponents, *aid in store.rows(query, person, unaided):
        found.total.add(outcome)
        if stars is not None:
            found.by_difficulty[stars].add(outcome)
            counts = weight(_rules(rules or "classic"), outcome, hands)
            found.rating = rating_after(found.rating, outcome, stars, counts)
        found.ratings.append(found.rating)
        if partner:
            found.with_partner[partner].add(outcome)
        for opponent in set(json.loads(opponents)):
            found.against[opponent].add(outcome)
        found.hints, found.takebacks, found.moved_for = (
            before + more for before, more in zip((found.hints, found.takebacks, found.moved_for), aid, strict=True)
        )
        found.aided += any(aid)
    found.bids = _bids(store, person, unaided)
    return found


_rules = lru_cache(Rules.parse)


def _bids(store: Store, person: str, unaided: bool) -> Bids:
    """Figures of the hands in those games."""
    query = (
        "SELECT count(*), sum(NOT nil AND bid = tricks), sum(NOT nil AND made), "
        "avg(CASE WHEN NOT nil THEN abs(bid - tricks) END), avg(CASE WHEN NOT nil THEN bid END), "
        "sum(nil AND NOT blind), sum(nil AND NOT blind AND tricks = 0), sum(blind), sum(blind AND tricks = 0), "
        "sum(bags) "
        "FROM hand_results JOIN hands ON hands.id = hand JOIN game_results USING (key, seat, person) "
        "WHERE person = ? AND NOT taken_back AND (NOT ? OR hints + takebacks + moved_for = 0)"
    )
    [(hands, exact, made, off, mean, nils, kept, blind, blind_kept, bags)] = store.rows(query, person, unaided)
    counts = {"exact": exact, "made": made, "nils": nils, "nils_kept": kept, "bags": bags}
    counts |= {"blind_nils": blind, "blind_nils_kept": blind_kept}
    return Bids(hands=hands, off=off, mean_bid=mean, **{name: count or 0 for name, count in counts.items()})
