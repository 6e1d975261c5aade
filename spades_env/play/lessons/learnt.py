"""What a person has learnt: steps of the tutorial, and results of the drills. Plain data in the store's settings.

    progress = LessonProgress.from_dict(data)       ValueError says what is wrong with saved data
    progress.with_step("trump").with_result("bid", -1).as_dict()

A drill's error is how far an answer was off: tricks above (or, negative, below) the champion's bid; or the chance to
win that a nil decision has cost.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any

from spades_env.errors import SpadesError

SETTING = "lessons"  # its name in the store, also in a guest's session
BID, NIL = "bid", "nil"
KINDS = (BID, NIL)
MOST_KEPT = 20  # results of each drill
MOST_STEPS, LONGEST_NAME = 100, 40
LARGEST_ERROR = 13.0
MOST_HANDS = 2**53


@dataclass(frozen=True)
class DrillTally:
    """The results of a drill. errors: the sum of all, without signs; last: the latest with theirs, the newest last."""

    hands: int = 0
    errors: float = 0.0
    last: tuple[float, ...] = ()

    @property
    def average(self) -> float | None:
        return self.errors / self.hands if self.hands else None

    def with_result(self, error: float) -> "DrillTally":
        last = (*self.last, error)[-MOST_KEPT:]
        return DrillTally(self.hands + 1, round(self.errors + abs(error), 4), last)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"last": list(self.last)}

    @classmethod
    def from_dict(cls, data: Any) -> "DrillTally":
        if not isinstance(data, dict) or data.keys() != {"hands", "errors", "last"}:
            raise SpadesError("a drill's results must be an object with hands, errors, last")
        hands, errors, last = data["hands"], data["errors"], data["last"]
        if type(hands) is not int or not 0 <= hands <= MOST_HANDS:
            raise SpadesError(f"a drill's hands must be a whole number, not {hands!r:.40}")
        if not _is_number(errors, LARGEST_ERROR * max(hands, 1)) or errors < 0:
            raise SpadesError(f"a drill's errors must be a sum, not {errors!r:.40}")
        fits = isinstance(last, list) and len(last) <= min(MOST_KEPT, hands)
        if not fits or not all(_is_number(one, LARGEST_ERROR) for one in last):
            raise SpadesError(f"a drill's last must be at most {MOST_KEPT} of its errors")
        return cls(hands, float(errors), tuple(last))


@dataclass(frozen=True)
class LessonProgress:
    """steps: the names of those done, in the order in which they were; drills: a DrillTally by kind."""

    steps: tuple[str, ...] = ()
    drills: Mapping[str, DrillTally] = field(default_factory=lambda: MappingProxyType({}))

    def drill(self, kind: str) -> DrillTally:
        return self.drills.get(kind, DrillTally())

    def with_step(self, name: str) -> "LessonProgress":
        return self if name in self.steps else replace(self, steps=(*self.steps, name))

    def with_result(self, kind: str, error: float) -> "LessonProgress":
        return replace(self, drills={**self.drills, kind: self.drill(kind).with_result(error)})

    def as_dict(self) -> dict[str, Any]:
        return {"steps": list(self.steps)} | {kind: self.drill(kind).as_dict() for kind in KINDS}

    @classmethod
    def from_dict(cls, data: Any) -> "LessonProgress":
        """Read saved progress. Names of steps that are not known stay: another version may know them."""
        if not isinstance(data, dict) or data.keys() != {"steps", *KINDS}:
            raise SpadesError(f"it must be an object with steps, {', '.join(KINDS)}")
        steps = data["steps"]
        if not isinstance(steps, list) or len(steps) > MOST_STEPS or not all(map(_is_name, steps)):
            raise SpadesError("its steps must be a list of names")
        return cls(tuple(dict.fromkeys(steps)), {kind: DrillTally.from_dict(data[kind]) for kind in KINDS})


def _is_name(one: Any) -> bool:
    return isinstance(one, str) and 0 < len(one) <= LONGEST_NAME


def _is_number(one: Any, most: float) -> bool:
    return isinstance(one, int | float) and not isinstance(one, bool) and math.isfinite(one) and abs(one) <= most
