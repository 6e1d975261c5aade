"""A fair fight: opponents against whom a person wins about half of the games, if there are any.

    fight = fair_fight(results, partners=True)     results: `FightResult`s of a person, the first one first
    fight.stars                       (3, 2): of the opponents to play next, in the order of their seats
    with_fair_opponents(store, "Anna", rules, bots, seat)     the bots of a table, with such opponents

The opponents begin with three stars each. At two more wins than losses one of them gets a star more, at two more losses
one gets a star less, and the count begins anew. So it moves one star at a time, and never back at once. As it moves up
as easily as down, it stays where both are as likely: at half of the games.

Every game against bots counts that is long enough to be rated, with help, too: help is part of how somebody plays.
A game against other opponents counts where it tells something: a win against opponents as strong, or a loss against
opponents as weak. Nothing is stored for it: the same games always lead to the same opponents.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spades_env.agents.roster import MOST_STARS
from spades_env.game.cards import NUM_SEATS, Seat
from spades_env.game.rules import Rules
from spades_env.play.store.database import Store
from spades_env.play.store.statistics import games_of, rules_of_games
from spades_env.play.table.choices import OPPONENTS_STARS, of_stars
from spades_env.play.table.rating import LOSS, WIN, is_rated, stars
from spades_env.play.texts import Text, text

LEAD = 2  # more wins than losses, or more losses than wins, that move the opponents
SHOWN = 10  # of the latest games


class FightResult(NamedTuple):
    """A finished game. stars: of all opponents together."""

    stars: int
    outcome: float


@dataclass
class FairFight:
    """Where a person's games have led. total: the opponents' stars together; latest: outcomes of fair games."""

    opponents: int
    total: int = 0
    lead: int = 0
    games: int = 0
    latest: tuple[float, ...] = ()

    def __post_init__(self):
        self.total = self.total or OPPONENTS_STARS * self.opponents

    @property
    def stars(self) -> tuple[int, ...]:
        """Return each opponent's stars, which differ by one at most."""
        each, more = divmod(self.total, self.opponents)
        return tuple(each + (i < more) for i in range(self.opponents))

    @property
    def words(self) -> Text:
        """Return the opponents, how the person did against such, and whether the stars can go no further."""
        ends = {self.opponents: "fair.weakest", MOST_STARS * self.opponents: "fair.strongest"}
        words = self._results()
        return text(ends[self.total], fight=words) if self.total in ends else words

    def _results(self) -> Text:
        shown = text("fair.opponents", stars=" · ".join("★" * count for count in self.stars))
        if not self.latest:
            return text("fair.first", opponents=shown)
        return text("fair.won", opponents=shown, wins=self.latest.count(WIN), count=len(self.latest))

    def add(self, result: FightResult) -> None:
        """Count one more game."""
        self.games += 1
        if result.stars == self.total:
            self.latest = (*self.latest, result.outcome)[-SHOWN:]
        if result.outcome == WIN and result.stars >= self.total:
            self.lead += 1
        elif result.outcome == LOSS and result.stars <= self.total:
            self.lead -= 1
        if abs(self.lead) == LEAD:
            step = self.lead // LEAD
            self.total = max(self.opponents, min(MOST_STARS * self.opponents, self.total + step))
            self.lead = 0


def fair_fight(results: Iterable[FightResult], partners: bool) -> FairFight:
    """Return where these games, all with partners or all without, have led."""
    fight = FairFight(opponents=2 if partners else NUM_SEATS - 1)
    for result in results:
        fight.add(result)
    return fight


def why_not_fair(rules: Rules) -> Text | None:
    """Say why the opponents of such a game are always chosen: its result is compared with others."""
    return text("fair.standing") if rules.time_limit_s is not None else None


def fight_of(store: Store, person: str, rules: Rules) -> FairFight:
    """Return where a person's games have led, with partners or without as by these rules."""
    played = rules_of_games(store)
    rows = [
        row
        for row in games_of(store, person)
        if row["difficulty"] is not None
        and bool(row["partner"]) == rules.partners
        and is_rated(played.get(row["key"], Rules()))
    ]
    return fair_fight((FightResult(sum(map(stars, row["opponents"])), row["outcome"]) for row in rows), rules.partners)


def with_fair_opponents(store: Store, person: str, rules: Rules, bots: Sequence[str], seat: Seat) -> list[str]:
    """Return the bots of a table, the person's opponents replaced by those of a fair fight."""
    fight, found = fight_of(store, person, rules), list(bots)
    others = [other for other in range(NUM_SEATS) if rules.side(other) != rules.side(seat)]
    taken = {bots[other] for other in range(NUM_SEATS) if other not in (*others, seat)}
    for other, wanted in zip(others, fight.stars, strict=True):
        found[other] = of_stars(wanted, fight.games + other, taken)
        taken.add(found[other])
    return found
