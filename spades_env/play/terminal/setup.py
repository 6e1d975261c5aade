"""The setup of a new game: rules, bots, and the seconds for a move."""

from typing import Any, NamedTuple

from spades_env.game.rules import Rules
from spades_env.play.table.choices import default_bots
from spades_env.play.terminal.client import TableClient


class GameSetup(NamedTuple):
    """What a person chooses. bots: from South, where the person sits; fair: the opponents follow the results."""

    rules: Rules
    bots: list[str]
    move_seconds: float | None
    fair: bool = False

    def as_fields(self) -> dict[str, Any]:
        """Return the fields of the request for such a game."""
        return self._asdict() | {"rules": str(self.rules), "seat": 0}


def usual_game(client: TableClient) -> GameSetup:
    """Return the last game's setup, rotated so that the person sits South; defaults if a bot isn't there."""
    hello = client.hello
    last, offered = hello["last"], [one["key"] for one in hello["roster"]]
    if last is None or not set(last["bots"]) <= set(offered):
        return GameSetup(Rules(), default_bots(), None)
    bots, seat = last["bots"], last["seat"]
    return GameSetup(
        Rules.parse(last["rules"]), [*bots[seat:], *bots[:seat]], last["move_seconds"], last.get("fair", False)
    )
