"""A person's result beside the champion's, hand by hand.

A hand's result is the lead that it brought: the side's points less those of the other side. So setting the others
is worth as much as making a bid.

    compared(daily, points, side)      plain data for a view, with the champion's hands only as far as the person's own
    share_words(…)                     Spades daily 2026-11-25 · me +231, champion +198 · ▲▼=▲ · streak 4
"""

from collections.abc import Sequence

from spades_env.game.cards import Side
from spades_env.play.daily.deal_of_day import CHAMPION, HANDS, Daily
from spades_env.play.texts import Text, number, text

BETTER, WORSE, SAME = "▲", "▼", "="


def lead(points: Sequence[int], side: Side) -> int:
    return points[side] - points[1 - side]


def compared(daily: Daily, points: Sequence[Sequence[int]], side: Side) -> dict:
    """Compare the finished hands, whose points by side are given. A result that is not known yet is None."""
    own = [lead(one, side) for one in points]
    known = [lead(hand.points, side) for hand in daily.champion[: len(own)]]
    pairs = zip(own, known + [None] * (len(own) - len(known)), strict=True)
    hands = [{"own": mine, "champion": theirs, "mark": mark(mine, theirs)} for mine, theirs in pairs]
    total = sum(known) if len(known) == len(own) else None
    about = {"day": daily.day, "counted": daily.counted, "by": CHAMPION.title()}
    return about | {"hands": hands, "own": sum(own), "champion": total}


def mark(own: int, champion: int | None) -> str | None:
    if champion is None:
        return None
    return BETTER if own > champion else WORSE if own < champion else SAME


def is_complete(result: dict) -> bool:
    """Are all hands of both known?"""
    return len(result["hands"]) == HANDS and result["champion"] is not None


def verdict(result: dict) -> Text:
    """Say who was better in a complete result."""
    ahead, by = result["own"] - result["champion"], result["by"]
    if not ahead:
        return text("daily.level", by=by)
    return text("daily.beaten" if ahead > 0 else "daily.beaten_not", by=by, count=abs(ahead))


def share_words(result: dict, streak: int) -> Text:
    """Write a complete result as a line to copy."""
    marks = "".join(hand["mark"] for hand in result["hands"])
    scores = {"own": signed(result["own"]), "champion": signed(result["champion"])}
    key = "daily.share" if result["counted"] else "daily.share_again"
    return text(key, day=result["day"], marks=marks, streak=streak, **scores)


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else number(points)
