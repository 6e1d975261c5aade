"""What achievements and streaks are derived from: a person's finished games, and their daily deals.

    facts = facts_of(store, "Anna")
    facts.games        GameFacts, the first one first
    facts.days         DayFacts, one for each day that was played to the end

Everything comes from the store, so games from before there were achievements count as well. Damaged rows are
left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from spades_env.game.cards import NUM_SEATS, Seat, Side
from spades_env.game.facts import HandResult
from spades_env.game.rules import Rules
from spades_env.game.scoring import contract_of
from spades_env.play.daily.comparison import is_complete
from spades_env.play.progress.candidates import ALL, worth_reading
from spades_env.play.store.dailies import DailyGame, counted_games, daily_result
from spades_env.play.store.database import Store
from spades_env.play.store.rows import Row
from spades_env.play.store.statistics import games_of, is_aided, rules_of_games
from spades_env.play.table.rating import WIN, is_rated, stars
from spades_env.play.table.sheet import bid_is_made, is_nil


@dataclass(frozen=True, eq=False)
class GameFacts:
    """A finished game as its person played it. load: returns the results of its hands when they are needed."""

    key: str
    ended: str
    seat: Seat
    outcome: float
    rules: Rules
    partner: str | None
    opponents: tuple[str, ...]
    rated: bool  # long enough, and against bots alone
    aided: bool
    abandoned: bool
    load: Callable[[], Sequence[HandResult]]
    worth: frozenset[str] = ALL  # the achievements that its hands may earn

    @cached_property
    def results(self) -> Sequence[HandResult]:
        return self.load()

    @property
    def side(self) -> Side:
        return self.rules.side(self.seat)

    @property
    def counts(self) -> bool:
        """Can this game earn an achievement?"""
        return self.rated and not (self.aided or self.abandoned)

    @property
    def in_streak(self) -> bool:
        """Can this game add to a run of wins, or end one? A win with help does neither."""
        return self.rated and not (self.aided and self.outcome == WIN)

    @property
    def partner_stars(self) -> int | None:
        return stars(self.partner) if self.partner else None

    def opponents_by_seat(self) -> dict[Seat, str]:
        others = [seat for seat in range(NUM_SEATS) if self.rules.side(seat) != self.side]
        return dict(zip(others, self.opponents, strict=False))

    def nils_made(self, blind: bool) -> bool:
        """Did the person make a nil, or a blind nil, in this game?"""
        nils = [one for one in self.results if is_nil(self.rules, one, self.seat) and one.blind[self.seat] == blind]
        return any(one.tricks[self.seat] == 0 for one in nils)

    def contract(self, result: HandResult, side: Side) -> tuple[int, bool]:
        """Return a side's bid in a hand, and whether it was made."""
        nils = [is_nil(self.rules, result, seat) for seat in range(NUM_SEATS)]
        bid = contract_of(self.rules, result.bids, nils, result.tricks, side)[0]
        return bid, bid_is_made(self.rules, result, side)


@dataclass(frozen=True)
class DayFacts:
    """A daily deal that was played to the end. own, champion: the leads; champion: None while it is not known."""

    day: date
    own: int
    champion: int | None


class History(NamedTuple):
    """All that a person has played to the end: games in their order, days of the daily deal."""

    games: Sequence[GameFacts]
    days: Sequence[DayFacts]

    def without(self, key: str, day: date | None = None) -> "History":
        """Return the facts without a game, and without a day."""
        games = [game for game in self.games if game.key != key]
        return History(games, [one for one in self.days if one.day != day])


def facts_of(store: Store, person: str) -> History:
    hands = store.file.checked("hands")
    rules, worth = rules_of_games(store, hands), worth_reading(store, person, hands)
    given_up = store.given_up()

    def facts_in(row: Row) -> GameFacts:
        key = row["key"]
        return _game(store, row, rules.get(key, Rules()), worth.get(key, ALL), key in given_up)

    finished = [game for _, game in sorted(counted_games(store, person).items()) if game.is_over]
    return History([facts_in(row) for row in games_of(store, person)], [_day(store, game) for game in finished])


def _game(store: Store, row: Row, rules: Rules, worth: frozenset[str], abandoned: bool) -> GameFacts:
    return GameFacts(
        key=row["key"],
        ended=row["ended"],
        seat=row["seat"],
        outcome=row["outcome"],
        rules=rules,
        partner=row["partner"],
        opponents=tuple(row["opponents"]),
        rated=is_rated(rules) and row["difficulty"] is not None,
        aided=is_aided(row),
        abandoned=abandoned,
        load=lambda: store.hands.results(row["key"]),
        worth=worth,
    )


def _day(store: Store, game: DailyGame) -> DayFacts:
    result = daily_result(store, game)
    return DayFacts(game.date, result["own"], result["champion"] if is_complete(result) else None)
