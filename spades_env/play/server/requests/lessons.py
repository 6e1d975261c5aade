"""Requests about learning: the tutorial's steps, the drills, and what the person has learnt.

A step keeps nothing between two requests. A drill stays open until it is answered or another one is dealt, so that
each counts once.
"""

from typing import Any

from spades_env.play import texts
from spades_env.play.lessons.drills import Drill, deal_drill
from spades_env.play.lessons.learnt import KINDS, MOST_KEPT, SETTING, LessonProgress
from spades_env.play.lessons.tutorial import attempt, title
from spades_env.play.lessons.tutorial_steps import steps
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.requests.fields import MOST, Field, none_or, one_of, several, text, whole
from spades_env.play.server.requests.request import Answer, Client, Requests, Who
from spades_env.play.server.requests.table import SEED

LESSONS = Requests()
DRILL = "drill"  # a group: a new one stops what the last one still computes
MOST_MOVES = 10  # of a step
MOST_DRILLS = 256  # open at a time


@LESSONS.add(Who.ANYBODY)
async def lessons(client: Client) -> Answer:
    """Return the steps of the tutorial, and the person's progress."""
    progress = progress_of(client)
    listed = [{"title": title(step), "done": step.name in progress.steps} for step in steps()]
    return {"steps": listed, "drills": {kind: _tally(progress, kind) for kind in KINDS}}


@LESSONS.add(Who.ANYBODY, step=Field(whole(1, len(steps()))), moves=Field(several(text(8), MOST_MOVES), []))
async def lesson(client: Client, step: int, moves: list[str]) -> Answer:
    """Return a step after these moves, and what is said about the last one."""
    one = steps()[step - 1]
    taught = await client.services.set_up(lambda: attempt(one, moves))
    if taught.over:
        await _save(client, progress_of(client).with_step(one.name))
    return {"step": step, "steps": len(steps()), "title": title(one), "shows": list(one.shows)} | taught.as_dict()


@LESSONS.add(Who.ANYBODY, group=DRILL, kind=Field(one_of(KINDS)), seed=Field(none_or(SEED), None))
async def drill(client: Client, kind: str, seed: str | None) -> Answer:
    """Deal a hand for a drill."""
    drills = client.services.drills
    dealt = await client.compute(lambda: deal_drill(kind, None if seed is None else int(seed)))
    drills.pop(client.session.id, None)
    drills[client.session.id] = dealt
    if len(drills) > MOST_DRILLS:
        drills.pop(next(iter(drills)))
    return {"kind": kind, "number": dealt.number, "counted": dealt.counted, "scene": dealt.scene()}


@LESSONS.add(Who.ANYBODY, group=DRILL, number=Field(whole(0, MOST)), action=Field(text(8)))
async def answer_drill(client: Client, number: int, action: str) -> Answer:
    """Answer the open drill, and return what the champion and a search say."""
    services, session = client.services, client.session
    open_drill: Drill | None = services.drills.get(session.id)
    if open_drill is None or open_drill.number != number:
        raise RefusedError(texts.text("error.no_drill"))
    open_drill.check(action)
    found = await client.compute(lambda: open_drill.answer(action, services.adviser))
    if services.drills.get(session.id) is not open_drill:
        raise RefusedError(texts.text("error.no_drill"))
    progress = progress_of(client)
    if open_drill.counted:
        progress = progress.with_result(open_drill.kind, found.off)
        await _save(client, progress)
    services.drills.pop(session.id, None)
    return found.as_dict() | {"tally": _tally(progress, open_drill.kind)}


def progress_of(client: Client) -> LessonProgress:
    """Return what the person has learnt; nothing if what is saved of a guest can't be read."""
    try:
        return LessonProgress.from_dict(client.services.settings_of(client.session)[SETTING])
    except (KeyError, ValueError):
        return LessonProgress()


async def _save(client: Client, progress: LessonProgress) -> None:
    if progress != progress_of(client):
        await client.services.set(client.session, SETTING, progress.as_dict())


def _tally(progress: LessonProgress, kind: str) -> dict[str, Any]:
    tally = progress.drill(kind)
    return {"hands": tally.hands, "average": tally.average, "last": list(tally.last), "most": MOST_KEPT}
