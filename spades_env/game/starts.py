"""Where the episodes of an environment begin: its argument `start`.

start="beginning"                                  a new game: no points, no bags
start="situations"                                 anywhere in a game, drawn by its seed (`game.random_situations`)
start={"scores": [430, 380], "bags": [8, 2]}       always there; also "dealer" and "hand_number", as `Game` takes them
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import numpy as np

from spades_env.checks import nearest
from spades_env.errors import SpadesError
from spades_env.game.game import Game
from spades_env.game.random_situations import ANY_DEALER, AS_DRAWN, AS_FIXED, AT_BEGINNING, START, situation
from spades_env.game.rules import Rules

BEGINNING: Final = "beginning"
SITUATIONS: Final = "situations"
StartSource = Literal["beginning", "situations"] | Mapping[str, Any]
FACTS = ("scores", "bags", "dealer", "hand_number")


class Start:
    """The argument, checked against all rules that are played by. `record` is START[1], for kernels."""

    def __init__(self, start: StartSource, rules: Iterable[Rules]):
        self.drawn = isinstance(start, str) and start == SITUATIONS
        self.fixed: dict[str, Any] = {}
        self.record = np.zeros(1, START).view(np.ndarray)
        if isinstance(start, Mapping):
            self._fix(start, rules)
        elif not isinstance(start, str) or start not in (BEGINNING, SITUATIONS):
            raise SpadesError(
                f'start must be "{BEGINNING}", "{SITUATIONS}" or a dict of {", ".join(FACTS)}, not {start!r}'
            )
        self.record["kind"] = AS_DRAWN if self.drawn else AS_FIXED if self.fixed else AT_BEGINNING

    def setup(self, rules: Rules, seed: int) -> dict[str, Any]:
        """Return what `Game` takes besides these rules and this seed; nothing at the beginning."""
        return situation(rules, seed) if self.drawn else dict(self.fixed)

    def _fix(self, start: Mapping[str, Any], rules: Iterable[Rules]) -> None:
        for name in start:
            if name not in FACTS:
                raise SpadesError(f"start has no {name!r}{nearest(str(name), FACTS)}: it takes {', '.join(FACTS)}")
        self.fixed = {name: value for name, value in start.items() if value is not None}
        for own in rules:
            try:
                s = Game(own, 0, **self.fixed).state[0]
            except SpadesError as error:
                raise SpadesError(f"start does not fit the rules {own}: {error}") from None
            for name in ("scores", "bags", "hand_number"):
                self.record[name][0] = s[name]
        self.record["dealer"] = self.fixed.get("dealer", ANY_DEALER)
