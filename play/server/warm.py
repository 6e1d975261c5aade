"""What bots compile or load when it is needed first, made ready before anybody waits for it."""

from collections.abc import Iterator

from agents import AgentError
from play.choices import default_bots, offered
from play.review import decisions, steps
from play.table import Table
from spades_env._jit import JIT_ON

RULES = "classic target=off max_hands=1 blind_nil_deficit=0 blind_nil_pass=1"


def warm(adviser: str) -> Iterator[bool]:
    """A hand of those who sit at most tables, with hints and a review; then some moves of everybody else. In steps."""
    if not JIT_ON:
        return
    table = Table(RULES, default_bots(), {0: "You"}, seed=1, adviser=adviser)
    while not table.over:
        yield True
        if not table.step():
            if table.game.phase != "play" or not table.game.tricks_played:
                table.hint(0)
            table.act(0, table.view(0)["legal"][0])
    [hand] = table.finished
    steps(table.rules, hand)
    for _ in decisions(table.rules, hand, 0, "random", worlds=1):
        yield True
    for one in offered():
        yield from _some_moves(one.key)


def _some_moves(bot: str) -> Iterator[bool]:
    try:
        table = Table("classic", [bot] * 4, {}, seed=1)
    except AgentError:  # its file has gone
        return
    while not table.game.table:
        yield table.step()
