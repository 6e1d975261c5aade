"""What a finished game has changed, in lines: rating, wins in a row, records, hands, achievements, the daily deal.

ending_lines(found)              what `play.progress.changes` has found
write_daily(lines, status)       the page of the day's deal
write_achievements(lines, all)   the page of achievements
"""

from collections.abc import Mapping, Sequence

from spades_env.play.daily.comparison import is_complete, signed
from spades_env.play.daily.deal_of_day import SEAT
from spades_env.play.terminal.pictures.pages import Lines
from spades_env.play.terminal.words import said

EARNED, OPEN = "★", "☆"
COUNTS = ("wins", "losses", "draws")


def ending_lines(found: Mapping) -> list[str]:
    """Say what a game has changed, one line for each fact."""
    lines = _rating(found["rating"], found["wins"])
    lines += [f"{said('achievements.new', name=one['name'])}: {one['how']}" for one in found["earned"]]
    lines += [_record(one) for one in found["records"]]
    for name in ("best", "costliest"):
        if hand := found[name]:
            kind = "weakest" if name == "costliest" and hand["points"] >= 0 else name
            lines.append(f"{said(f'end.{kind}_hand')}: {hand['hand']}, {signed(hand['points'])} ({hand['words']})")
    return lines + (daily_lines(found["daily"]) if found["daily"] else [])


def _rating(rating: Mapping | None, wins: Mapping | None) -> list[str]:
    if rating is None:
        return [said("end.unrated")]
    before, after = rating["before"], rating["after"]
    change = said("end.change", before=before, after=after, change=signed(after - before))
    lines = [rating["why"]] if rating["why"] else [f"{said('end.rating')}: {change}"]
    best = said("end.wins_best", best=wins["best"]) if wins else ""
    return [*lines, f"{said('end.wins')}: {wins['now']} ({best})"] if wins else lines


def _record(record: Mapping) -> str:
    tally = said("tally.draws" if record["draws"] else "tally", **{name: record[name] for name in COUNTS})
    who = said(f"end.record.{record['role']}", who=record["name"])
    return f"{who}: {tally}"


def daily_lines(result: Mapping) -> list[str]:
    """Say how a daily deal went, hand by hand, and write the line to copy."""
    lines = [f"{said('hand', hand=number)}: {_hand_words(hand)}" for number, hand in enumerate(result["hands"], 1)]
    if not is_complete(dict(result)):
        return [*lines, said("daily.waiting")]
    return [*lines, result["share"]]


def _hand_words(hand: Mapping) -> str:
    if hand["champion"] is None:
        return said("daily.panel_open", own=signed(hand["own"]))
    return said("daily.panel", own=signed(hand["own"]), champion=signed(hand["champion"]))


def write_daily(lines: Lines, status: Mapping) -> None:
    """Show the day's deal, the streak, and the latest results."""
    names = [player["name"] for player in status["players"]]
    about = {"champion": names[SEAT], "left": names[1], "partner": names[2], "right": names[3]}
    lines.add(said("daily.of_day", day=status["day"]), "strong")
    lines.add(said("daily.about", **about))
    lines.add(said("daily.lead"), "quiet")
    streak = status["streak"]
    figures = [("daily.in_a_row", streak["now"]), ("daily.most", streak["best"]), ("daily.days", status["played"])]
    lines.add(", ".join(f"{said(key)}: {figure}" for key, figure in figures))
    if status["results"]:
        lines.head(said("daily.latest"))
    for result in status["results"]:
        lines.add(result["share"] or f"{result['day']}: {said('daily.waiting')}")


def write_achievements(lines: Lines, found: Sequence[Mapping]) -> None:
    """Show all achievements, the earned ones first."""
    earned = [one for one in found if one["when"]]
    lines.add(said("achievements.count", done=len(earned), all=len(found)), "strong")
    lines.add(said("achievements.rule"), "quiet")
    for one in sorted(found, key=lambda one: not one["when"]):
        far = f"  {one['done']}/{one['of']}" if one["of"] > 1 and not one["when"] else ""
        when = f"  {said('achievements.when', when=one['when'][:10])}" if one["when"] else ""
        lines.head(f"{EARNED if one['when'] else OPEN} {one['name']}{far}")
        lines.add(f"{one['how']}{when}", indent="  ")
