"""A person's statistics, over the games that were played to their end, or lost by abandoning them.

    found = statistics(store, "Anna")                 all games
    found = statistics(store, "Anna", unaided=True)   those without a hint, a takeback or a move made by a bot

A draw is half a win. The rating is explained in `play.table.rating`; short games count less in it, and a win or a
draw with help adds nothing. Games with other people have no difficulty: they count in `total`, but not in
`by_difficulty` or the rating. Figures about bids leave out hands that were taken back.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import lru_cache

from spades_env.errors import SpadesError
from spades_env.game.rules import Rules, RulesError
from spades_env.game.state import NO_BID
from spades_env.plain import from_json
from spades_env.play.store.database import Store
from spades_env.play.store.rows import Row
from spades_env.play.table.rating import DRAW, LOSS, WIN, rating_after, weight

AID = ("hints", "takebacks", "moved_for")  # moved_for: moves that a bot made
NUMBERS = ("rating", "ratings", *AID, "aided", "left_out")
_rules = lru_cache(Rules.parse)


@dataclass
class Tally:
    """The numbers of games won, lost and drawn."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def win_rate(self) -> float | None:
        return (self.wins + self.draws / 2) / self.games if self.games else None

    def add(self, outcome: float) -> None:
        self.wins += outcome == WIN
        self.draws += outcome == DRAW
        self.losses += outcome == LOSS

    def as_dict(self) -> dict:
        return asdict(self) | {"games": self.games, "win_rate": self.win_rate}


@dataclass
class Bids:
    """How the person bids.

    Of bids that are not nils: plain, how many there were; exact, the person took exactly the bid; made, the side took
    at least its bid; off, the mean distance between tricks and bid. Bags are the side's. A hand without a bid on one's
    own cards counts in `hands` and `bags` alone.
    """

    hands: int = 0
    plain: int = 0
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
    """All figures about a person.

    ratings: after each game; changes: a game's rating before and after, by key; aided: games with help; left_out: a
    sentence for each row that could not be read.
    """

    total: Tally = field(default_factory=Tally)
    by_difficulty: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    with_partner: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    against: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    rating: int = 0
    ratings: list[int] = field(default_factory=list)
    changes: dict[str, tuple[int, int]] = field(default_factory=dict)
    bids: Bids = field(default_factory=Bids)
    hints: int = 0
    takebacks: int = 0
    moved_for: int = 0
    aided: int = 0
    left_out: list[str] = field(default_factory=list)

    def add(self, row: Row, rules: Rules) -> None:
        """Count one more game, played by these rules; the row's opponents are a list."""
        outcome, stars = row["outcome"], row["difficulty"]
        self.total.add(outcome)
        before = self.rating
        if stars is not None:
            self.by_difficulty[stars].add(outcome)
            if outcome == LOSS or not is_aided(row):
                self.rating = rating_after(before, outcome, stars, weight(rules, outcome, row["hands"]))
        self.ratings.append(self.rating)
        self.changes[row["key"]] = before, self.rating
        if row["partner"]:
            self.with_partner[row["partner"]].add(outcome)
        for opponent in set(row["opponents"]):
            self.against[opponent].add(outcome)
        for name in AID:
            setattr(self, name, getattr(self, name) + row[name])
        self.aided += is_aided(row)

    def as_dict(self) -> dict:
        data = {name: getattr(self, name) for name in NUMBERS}
        for name in ("by_difficulty", "with_partner", "against"):
            data[name] = {key: tally.as_dict() for key, tally in sorted(getattr(self, name).items())}
        return data | {"total": self.total.as_dict(), "bids": asdict(self.bids)}


def statistics(store: Store, person: str, unaided: bool = False) -> Statistics:
    """Return the figures about a person's finished games."""
    found = Statistics()
    games = [row for row in games_of(store, person) if not (unaided and is_aided(row))]
    hands = store.file.checked("hands")
    rules = rules_of_games(store, hands)
    for row in games:
        found.add(row, rules.get(row["key"], Rules()))
    played = {row["id"] for row in hands if not row["taken_back"]}
    found.bids = _bids(store, {(row["key"], row["seat"], person) for row in games}, played)
    found.left_out = store.file.faults_of("game_results", "hand_results", "hands")
    return found


def games_of(store: Store, person: str) -> list[Row]:
    """Return the results of a person's finished games, the first one first; opponents are a list.

    A game whose time was up before its first hand was over counts nowhere.
    """
    found = store.file.parsed("game_results", _game, "ORDER BY id")
    return [row for row in found if row["person"] == person and row["hands"]]


def _game(row: Row) -> Row:
    opponents = from_json(row["opponents"])
    if not isinstance(opponents, list) or not all(isinstance(one, str) for one in opponents):
        raise SpadesError("its opponents are not a list of names")
    return row | {"opponents": opponents}


def rules_of_games(store: Store, hands: list[Row] | None = None) -> dict[str, Rules]:
    """Return each game's rules, which are stored with its hands."""
    found = {}
    for row in store.file.checked("hands") if hands is None else hands:
        try:
            found[row["key"]] = _rules(row["rules"])
        except RulesError as error:
            store.file.report("hands", row, str(error))
    return found


def is_aided(row: Row) -> bool:
    """Did the person have a hint, a takeback, or a bot that moved for them?"""
    return any(row[name] for name in AID)


def _bids(store: Store, games: set[tuple[str, int, str]], played: set[int]) -> Bids:
    """Return figures about the hands of these games, which are given by key, seat and person."""
    rows = [row for row in store.file.checked("hand_results") if row["hand"] in played]
    rows = [row for row in rows if (row["key"], row["seat"], row["person"]) in games]
    plain = [row for row in rows if not row["nil"] and row["bid"] != NO_BID]
    blind = [row for row in rows if row["blind"]]
    nils = [row for row in rows if row["nil"] and not row["blind"]]
    return Bids(
        hands=len(rows),
        plain=len(plain),
        exact=sum(row["bid"] == row["tricks"] for row in plain),
        made=sum(bool(row["made"]) for row in plain),
        off=_mean(abs(row["bid"] - row["tricks"]) for row in plain),
        mean_bid=_mean(row["bid"] for row in plain),
        nils=len(nils),
        nils_kept=sum(not row["tricks"] for row in nils),
        blind_nils=len(blind),
        blind_nils_kept=sum(not row["tricks"] for row in blind),
        bags=sum(row["bags"] for row in rows),
    )


def _mean(values: Iterable[int]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None
