"""Play what the page can play, and list the kernels that Python calls on the way: python -m web.trace [SITTINGS]

Without a number, kernels.json is written again. A kernel that is missing there is an error in the page.
"""

import json
import sys
from itertools import chain
from typing import Any

import numba
from numba.core.registry import CPUDispatcher

from spades_env import Game
from spades_env.play.coach.grade import Judge
from spades_env.play.lessons.drills import deal_drill
from spades_env.play.lessons.learnt import KINDS
from spades_env.play.lessons.tutorial import attempt
from spades_env.play.lessons.tutorial_steps import steps as lesson_steps
from spades_env.play.review.deals import counted
from spades_env.play.review.grades import grades
from spades_env.play.review.hand_review import again, steps
from spades_env.play.table.choices import default_adviser
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table
from web.signatures import FILE, as_json, own_modules
from web.sittings import all_sittings, sitting

ENOUGH = 60  # sittings
found: dict[str, Any] = {}  # a call as JSON text, and as kernels.json has it


class Traced(CPUDispatcher):
    """A kernel that notes with what types Python calls it."""

    def __call__(self, *args: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        one = {"kernel": f"{self.__module__}:{self.__name__}", "args": [as_json(numba.typeof(arg)) for arg in args]}
        found[json.dumps(one)] = one
        return super().__call__(*args)


def trace() -> None:
    """Trace the kernels of all modules that are loaded by now."""
    for _, module in own_modules():
        for value in vars(module).values():
            if type(value) is CPUDispatcher:
                value.__class__ = Traced


def look_back() -> None:
    """Take back, review a hand, compare actions, play it again, count deals, read a record, learn."""
    table = Table("classic", ["rule"] * 4, {0: "You"}, seed=1, adviser="rule")
    while not table.finished:
        if not table.step():
            table.act(0, seat_view(table, 0)["legal"][-1])
            if table.own_moves(0) and not table.takebacks:
                table.takeback(0)
    steps(table.rules, table.finished[0])
    for adviser in ("rule", default_adviser()):
        list(grades(table.rules, table.finished[0], 0, Judge(adviser), ["You", "Dara", "Zofia", "Mei"], "Zofia"))
    again(table, 0, {}, ["rule"] * 4, "rule").step()
    game = Game("classic", seed=2)
    while game.phase != "play":
        game.apply(game.legal_actions()[-1])
    Game.replay(game.record())
    counted("0" * 32, 10)
    attempt(lesson_steps()[0], ["KH"])
    for adviser in ("rule", default_adviser()):
        for kind in KINDS:
            deal_drill(kind, 1).answer("bid:0", adviser)


def traced(sittings: int) -> list[Any]:
    """Return the calls of these sittings and of a look back, sorted."""
    list(chain.from_iterable(map(sitting, all_sittings(1))))  # imports what is imported when it is used
    trace()
    list(chain.from_iterable(map(sitting, all_sittings(sittings))))
    look_back()
    return [found[key] for key in sorted(found)]


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(traced(int(sys.argv[1]))))
    else:
        lines = ",\n".join(json.dumps(one) for one in traced(ENOUGH))
        FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
