"""A person's daily deals: which game to go on with, whether a new one counts, what a list shows.

    key = open_daily(store, "Anna", "2026-11-25")       the game to go on with, or None
    table = new_daily(store, "Anna", "2026-11-25", "zofia")     a new table; its first game counts for the day
    daily_status(store, "Anna", "2026-11-25")           plain data: streak, state of the day, latest results

A game counts if none of its day or of a later one was begun, so a clock set back fills no gap. A day later than
any on earth comes from a wrong clock, and is ignored.
"""

from datetime import date

from spades_env.play.daily.comparison import is_complete, share_words
from spades_env.play.daily.deal_of_day import BOTS, HANDS, RULES, SEAT, Daily, checked_day, today
from spades_env.play.progress.streaks import DAY, day_streak, run_before
from spades_env.play.store.dailies import DailyGame, counted_games, daily_games, daily_result
from spades_env.play.store.database import Store
from spades_env.play.table.rating import bot_name, stars
from spades_env.play.table.table import Table

SHOWN = 7  # days in the list of results


def open_daily(store: Store, person: str, day: str) -> str | None:
    """Return the key of an unfinished game of this day's deal, of the one that counts before others."""
    wanted = checked_day(day)
    found = [game for game in daily_games(store, person) if game.is_open and game.date == wanted]
    return next((game.key for game in sorted(found, key=lambda game: not game.daily.counted)), None)


def new_daily(store: Store, person: str, day: str, adviser: str) -> Table:
    """Return a new table with this day's deal. Hands of the champion that are known already are not played again."""
    wanted = checked_day(day)
    known = max(
        (game.daily.champion for game in daily_games(store, person) if game.date == wanted), key=len, default=[]
    )
    daily = Daily(day, may_count(set(counted_games(store, person)), wanted), list(known))
    return Table(RULES, BOTS, {SEAT: person}, seed=daily.seed, adviser=adviser, counted=False, daily=daily)


def may_count(begun: set[date], day: date) -> bool:
    """Would a game of this day count, beside those begun?"""
    return not any(day <= other <= today() + DAY for other in begun)


def daily_status(store: Store, person: str, day: str) -> dict:
    """Return what a page shows about the day's deal; `share` is the result as a line to copy."""
    wanted, games = checked_day(day), counted_games(store, person)
    own = games.get(wanted)
    over = [game for game in games.values() if game.is_over]
    streak = day_streak([game.date for game in over], wanted)
    latest = sorted(over, key=lambda game: game.date, reverse=True)[:SHOWN]
    return {
        "day": day,
        "state": own.state if own else "new",
        "key": own.key if own and own.is_over else None,
        "counts": may_count(set(games), wanted) or (own is not None and own.is_open),
        "hands": HANDS,
        "players": [{"seat": seat, "name": bot_name(bot), "stars": stars(bot)} for seat, bot in enumerate(BOTS)],
        "played": len(over),
        "streak": streak._asdict(),
        "results": [result_of(store, game, {one.date for one in over}) for game in latest],
    }


def result_of(store: Store, game: DailyGame, played: set[date]) -> dict:
    """Return a game's result; share: as a line to copy, None until the champion has finished. played: the days."""
    result = daily_result(store, game)
    streak = run_before(played, game.date)
    return result | {"key": game.key, "share": share_words(result, streak) if is_complete(result) else None}
