"""The clock of a sitting. It runs while a person is to move, so bots and pauses cost no time.

The time comes from `now`, a function that tests replace.
"""

import time
from collections.abc import Callable

Now = Callable[[], float]


class Clock:
    """Counts the seconds of each move and of the whole sitting; None is no limit."""

    def __init__(self, move: float | None = None, now: Now = time.monotonic):
        self.move = move
        self.sitting: float | None = None
        self.waiting = False  # is a person to move?
        self._now = now
        self._spent = 0.0
        self._spent_on_move = 0.0
        self._since: float | None = None  # None: paused

    @property
    def running(self) -> bool:
        return self._since is not None

    @property
    def spent(self) -> float:
        """The seconds spent in the sitting."""
        return self._spent + self._running_for()

    @property
    def spent_on_move(self) -> float:
        """The seconds since the person's turn began."""
        return self._spent_on_move + self._running_for()

    @property
    def sitting_is_up(self) -> bool:
        return self.sitting is not None and self.spent >= self.sitting

    @property
    def move_is_up(self) -> bool:
        return self.move is not None and self.waiting and self.spent_on_move >= self.move

    def turn(self, person_to_move: bool) -> None:
        """Begin a new turn, with the full time for its move."""
        self.pause()
        self._spent_on_move = 0.0
        self.wait(person_to_move)

    def wait(self, person_to_move: bool) -> None:
        """Continue the turn after a person sat down or left, without new time for the move."""
        self.pause()
        self.waiting = person_to_move
        self.resume()

    def pause(self) -> None:
        elapsed = self._running_for()
        self._spent += elapsed
        self._spent_on_move += elapsed
        self._since = None

    def resume(self) -> None:
        if self.waiting and self._since is None:
            self._since = self._now()

    def left(self) -> dict[str, float | None]:
        """Return the seconds left for the sitting and for the move, rounded to tenths."""
        return {"sitting": _left(self.sitting, self.spent), "move": _left(self.move, self.spent_on_move)}

    def as_dict(self) -> dict:
        return {"move": self.move, "spent": self.spent, "spent_on_move": self.spent_on_move, "waiting": self.waiting}

    def restore(self, data: dict) -> None:
        """Restore the state that `as_dict` described, paused."""
        self.pause()
        self.move, self.waiting = data["move"], data["waiting"]
        self._spent, self._spent_on_move = data["spent"], data["spent_on_move"]

    def _running_for(self) -> float:
        return 0.0 if self._since is None else self._now() - self._since


def _left(limit: float | None, spent: float) -> float | None:
    return None if limit is None else round(max(0.0, limit - spent), 1)
