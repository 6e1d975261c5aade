"""The achievements, each a pure function of what was played (`play.progress.history`).

    for one in achievements(facts): one.key, one.when, one.done, one.of
    earned_by(facts, key, day)       the keys of those that this game, or this day, has earned

Only games that can change a rating, played to their end without help, earn any. So neither short games nor undo make
one cheap.
`when` is the moment of the game, or the day of the deal, that earned it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from spades_env.agents.roster import MOST_STARS, roster
from spades_env.play.progress.candidates import FAR_BEHIND, HIGH_BID
from spades_env.play.progress.history import DayFacts, GameFacts, History
from spades_env.play.progress.streaks import DAY
from spades_env.play.table.rating import WIN, stars
from spades_env.play.table.sheet import is_nil, own_bid

WINS, DAYS = 5, 10
HANDS = 4  # of a game in which every hand has to go well


class Achievement(NamedTuple):
    """An achievement. done, of: how far it is; when: ISO text, None while it is open."""

    key: str
    when: str | None
    done: int
    of: int

    @property
    def earned(self) -> bool:
        return self.when is not None


def achievements(facts: History) -> list[Achievement]:
    """Return all achievements in the order in which they are shown."""
    games = [game for game in facts.games if game.counts]
    found = [_first(key, test, games) for key, test in BY_ONE_GAME.items()]
    found += [_in_a_row("five_wins", WINS, _win_runs(facts.games)), _everyone(games)]
    return [*found, _beaten(facts.days), _in_a_row("ten_days", DAYS, _day_runs(facts.days))]


def earned_by(facts: History, key: str, day: date | None = None) -> list[str]:
    """Return what would not be earned without this game and this day's deal."""
    before = {one.key for one in achievements(facts.without(key, day)) if one.earned}
    return [one.key for one in achievements(facts) if one.earned and one.key not in before]


# By one game


def _ten_bid(game: GameFacts) -> bool:
    contracts = [game.contract(result, game.side) for result in game.results]
    return any(bid >= HIGH_BID and made for bid, made in contracts)


def _set_five(game: GameFacts) -> bool:
    """Did a side miss its bid although a five-star player had bid tricks for it?"""
    best = [seat for seat, one in game.opponents_by_seat().items() if stars(one) == MOST_STARS]
    bids = [(result, seat) for result in (game.results if best else ()) for seat in best]
    contracts = [game.contract(one, game.rules.side(seat)) for one, seat in bids if not is_nil(game.rules, one, seat)]
    return any(bid > 0 and not made for bid, made in contracts)


def _no_bags(game: GameFacts) -> bool:
    bags = game.rules.bag_limit is not None
    enough = game.outcome == WIN and bags and len(game.results) >= HANDS
    return enough and not any(result.overtricks[game.side] for result in game.results)


def _exact(game: GameFacts) -> bool:
    """Did the person take exactly the bid wherever they bid on their own cards?"""
    bids = [(own_bid(game.rules, result, game.seat), result.tricks[game.seat]) for result in game.results]
    exact = [bid == tricks for bid, tricks in bids if bid is not None]
    return all(exact) and len(exact) >= HANDS


def _comeback(game: GameFacts) -> bool:
    """Was the winner far behind before the last hand?"""
    return game.outcome == WIN and any(result.scores[game.side] <= FAR_BEHIND for result in game.results[:-1])


def _one_star(game: GameFacts) -> bool:
    return game.outcome == WIN and game.partner_stars == 1


BY_ONE_GAME: dict[str, Callable[[GameFacts], bool]] = {
    "nil": lambda game: game.nils_made(blind=False),
    "ten_bid": _ten_bid,
    "set_five": _set_five,
    "one_star": _one_star,
    "no_bags": _no_bags,
    "exact": _exact,
    "comeback": _comeback,
    "blind_nil": lambda game: game.nils_made(blind=True),
}


def _first(key: str, test: Callable[[GameFacts], bool], games: Iterable[GameFacts]) -> Achievement:
    game = next((game for game in games if key in game.worth and test(game)), None)
    return Achievement(key, game and game.ended, int(game is not None), 1)


# By many


def _in_a_row(key: str, of: int, runs: Iterator[tuple[str, int]]) -> Achievement:
    """Return how far the longest run goes. runs: after each game or day, when it was, and the run that it ends."""
    best = 0
    for when, run in runs:
        best = max(best, run)
        if best >= of:
            return Achievement(key, when, of, of)
    return Achievement(key, None, best, of)


def _win_runs(games: Iterable[GameFacts]) -> Iterator[tuple[str, int]]:
    run = 0
    for game in games:
        if game.in_streak:
            run = run + 1 if game.outcome == WIN else 0
            yield game.ended, run


def _day_runs(days: Sequence[DayFacts]) -> Iterator[tuple[str, int]]:
    run, before = 0, None
    for one in sorted(days, key=lambda one: one.day):
        run = run + 1 if before == one.day - DAY else 1
        before = one.day
        yield one.day.isoformat(), run


def _everyone(games: Iterable[GameFacts]) -> Achievement:
    """Was every character beaten?"""
    missing = {one.key for one in roster()}
    everyone = len(missing)
    for game in games:
        missing -= set(game.opponents) if game.outcome == WIN else set()
        if not missing:
            return Achievement("everyone", game.ended, everyone, everyone)
    return Achievement("everyone", None, everyone - len(missing), everyone)


def _beaten(days: Iterable[DayFacts]) -> Achievement:
    """Was the champion's result of a day beaten?"""
    day = next((one.day for one in days if one.champion is not None and one.own > one.champion), None)
    return Achievement("champion", day and day.isoformat(), int(day is not None), 1)
