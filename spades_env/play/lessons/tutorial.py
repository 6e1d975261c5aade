"""A person at a step of the tutorial: the moves so far, and the reply to the last one.

    taught = attempt(steps()[2], ["7D"])      a wrong move: taught.good is False, the position stays
    taught = attempt(steps()[2], ["5S"])      a right one: taught.frames shows it, and what the others play

Nothing is kept between two attempts: a page sends all moves of the step each time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spades_env.game.cards import NUM_ACTIONS, action_name, parse_action
from spades_env.play.lessons.scene import LEARNER, scene
from spades_env.play.lessons.tutorial_steps import StepTask, TutorialStep, play
from spades_env.play.table.table import Table, TableError
from spades_env.play.texts import Text, text


@dataclass(frozen=True)
class Taught:
    """The reply to an attempt.

    moves: those that were right, in order; good: was the last move right? None before the first one; reply: what is
    said about it; frames: scenes, one after each new move; words: what is asked now, or the last words of the step
    """

    moves: tuple[str, ...]
    frames: tuple[dict[str, Any], ...]
    words: Text
    good: bool | None = None
    reply: str | None = None
    over: bool = False

    def as_dict(self) -> dict[str, Any]:
        fields = ("moves", "frames", "words", "good", "reply", "over")
        found = {name: getattr(self, name) for name in fields}
        return found | {"moves": list(self.moves), "frames": list(self.frames)}


def attempt(step: TutorialStep, moves: Sequence[str]) -> Taught:
    """Play a step with these moves; TableError unless all but the last are right."""
    if len(moves) > len(step.asked):
        raise TableError(text("error.lesson_over", moves=len(step.asked)))
    table, frames, reply = step.table(), [], None
    for number, (move, asked) in enumerate(zip(moves, step.asked, strict=False)):
        _check_action(move)
        if move not in asked.right:
            if number + 1 < len(moves):
                raise TableError(text("error.lesson_move", move=move))
            return _try_again(step, table, asked, moves)
        reply, frames = _sentence(step, table, asked.right[move]), []
        for one in (move, *asked.then.split()):
            play(table, one)
            frames.append(scene(table))
    done, over = tuple(moves), len(moves) == len(step.asked)
    words = _sentence(step, table, "end" if over else str(len(moves) + 1))
    return Taught(done, tuple(frames or [scene(table)]), words, bool(moves) or None, reply, over)


def _try_again(step: TutorialStep, table: Table, asked: StepTask, moves: Sequence[str]) -> Taught:
    """Answer a move that is not right: the person may try again."""
    view, number = table.game.view(LEARNER), parse_action(moves[-1])
    legal = [action_name(action) for action in table.legal(view)]
    reply = _sentence(step, table, asked.reply(moves[-1])) if moves[-1] in legal else table.why_refused(view, number)
    before = tuple(moves[:-1])
    return Taught(before, (scene(table),), _sentence(step, table, str(len(moves))), good=False, reply=reply)


def _check_action(move: str) -> None:
    try:
        known = 0 <= parse_action(move) < NUM_ACTIONS
    except ValueError:
        known = False
    if not known:
        raise TableError(text("error.no_action", move=move))


def title(step: TutorialStep) -> Text:
    return text(f"learn.{step.name}")


def _sentence(step: TutorialStep, table: Table, word: str) -> Text:
    """Return a sentence of the step, with the names of the others at the table."""
    west, partner, east = (table.seats.name(seat) for seat in (1, 2, 3))
    return text(f"learn.{step.name}.{word}", west=west, partner=partner, east=east)
