"""What a finished game has changed for a person, which its end shows besides the result.

ending(store, table, 0, "Anna")     plain data; person None: somebody without statistics, such as a guest

rating     before and after, and why it did not change; None where there is none
wins       games won in a row: now, and the most so far; None if this game does not count
records    the person's games with this partner and against these opponents, with this one if it counts; else none
best, costliest     the hands that brought the side most and least, with the score sheet's words
earned     achievements that this game has earned
daily      the result of a daily deal, with the streak and the line to copy
"""

from collections.abc import Callable

from spades_env.game.cards import NUM_SEATS, Seat, partner
from spades_env.play.daily.deal_of_day import Daily
from spades_env.play.progress.achievements import earned_by
from spades_env.play.progress.daily import result_of
from spades_env.play.progress.history import History, facts_of
from spades_env.play.progress.streaks import day_streak, win_streak
from spades_env.play.store.dailies import counted_games, daily_games
from spades_env.play.store.database import Store
from spades_env.play.store.statistics import Statistics, statistics
from spades_env.play.table.rating import LOSS, agent_key, bot_name, is_rated, outcome_of
from spades_env.play.table.seats import names_at
from spades_env.play.table.sheet import sheet_line
from spades_env.play.table.table import Table, TableError
from spades_env.play.texts import Text, text


def ending(store: Store, table: Table, seat: Seat, person: str | None, shown: Callable[[str], str] = str) -> dict:
    """Return what a finished game has changed; shown: how others' names are shown to this person."""
    if not table.over:
        raise TableError(text("error.not_over"))
    found = {"rating": None, "wins": None, "records": [], "earned": [], "daily": None} | _hands(table, seat, shown)
    if person is None:
        return found
    facts, figures = facts_of(store, person), statistics(store, person)
    day = table.daily.date if table.daily and table.daily.counted else None
    found["rating"] = _rating(table, seat, figures)
    found["wins"] = _wins(facts, table.key)
    found["records"] = _records(table, seat, figures) if table.key in figures.changes else []
    found["earned"] = [achievement_words(key) for key in earned_by(facts, table.key, day)]
    found["daily"] = _daily(store, table.key, person, table.daily) if table.daily else None
    return found


def achievement_words(key: str) -> dict:
    return {"key": key, "name": text(f"achievement.{key}"), "how": text(f"achievement.{key}.how")}


def _wins(facts: History, key: str) -> dict | None:
    """Return the games won in a row, if this one is among those that count."""
    counted = [game for game in facts.games if game.in_streak]
    if key not in [game.key for game in counted]:
        return None
    return win_streak(game.outcome for game in counted)._asdict()


def _rating(table: Table, seat: Seat, figures: Statistics) -> dict | None:
    """Return the rating before and after the game; None for a game that isn't in the statistics."""
    if table.key not in figures.changes:
        return None
    before, after = figures.changes[table.key]
    return {"before": before, "after": after, "why": _why_unchanged(table, seat)}


def _why_unchanged(table: Table, seat: Seat) -> Text | None:
    """Say why a game can't change the rating, or not upwards."""
    if any(person and other != seat for other, person in enumerate(table.seats.people)):
        return text("end.with_people")
    if not is_rated(table.rules):
        return text("end.too_short")
    return text("end.had_help") if _had_help(table, seat) and outcome_of(table.game, seat) != LOSS else None


def _had_help(table: Table, seat: Seat) -> bool:
    return any(table.help_of(seat).values()) or table.moved_for(seat) > 0


def _records(table: Table, seat: Seat, figures: Statistics) -> list[dict]:
    """Return the person's games with the partner, then against each opponent, as far as they are bots."""
    rules, playing = table.rules, table.seats.playing()
    others = [other for other in range(NUM_SEATS) if rules.side(other) != rules.side(seat)]
    roles = [("with", partner(seat))] * rules.partners + [("against", other) for other in others]
    tallies = {"with": figures.with_partner, "against": figures.against}
    found: dict[tuple[str, str], dict] = {}
    for role, other in roles:
        key = agent_key(playing[other] or "")
        if tally := tallies[role].get(key):
            found[role, key] = {"role": role, "key": key, "name": bot_name(key)} | tally.as_dict()
    return list(found.values())


def _hands(table: Table, seat: Seat, shown: Callable[[str], str]) -> dict:
    """Return the hands with the most and the fewest points for the side; none of them if they are one."""
    side, names = table.rules.side(seat), names_at(table.seats, seat, shown)
    lines = [{"hand": hand.number + 1} | sheet_line(table.rules, hand, side, names, seat) for hand in table.finished]
    lines.sort(key=lambda line: -line["points"])
    best, costliest = (lines[0], lines[-1]) if len(lines) > 1 else (None, None)
    return {"best": best, "costliest": costliest}


def _daily(store: Store, key: str, person: str, daily: Daily) -> dict | None:
    days = {day for day, game in counted_games(store, person).items() if game.is_over}
    game = next((game for game in daily_games(store, person) if game.key == key), None)
    streak = day_streak(days, daily.date)
    return result_of(store, game, days) | {"streak": streak._asdict()} if game else None
