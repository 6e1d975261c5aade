"""Manners: mistakes that people do not forgive a partner, tested in positions where all good players agree.

`faults(agent)` lists an agent's mistakes. The positions are in manners.txt, each manner under a heading; you are South,
and your partner is North. `positions` explains the notation. By default the rules are `classic`, and the game and the
hand have just begun.
"""

from pathlib import Path

from spades_env.agents.arena.positions import PosedPosition, read_sections
from spades_env.agents.base import Agent
from spades_env.game.cards import NUM_SEATS

MANNERS = read_sections(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"))
POSITIONS = [(manner, position) for manner, positions in MANNERS.items() for position in positions]


def faults(agent: Agent) -> list[str]:
    """Return an agent's mistakes at any seat, at most one for each position."""
    found = [(manner, _fault(agent, position)) for manner, position in POSITIONS]
    return [f"{manner}: {fault}" for manner, fault in found if fault]


def _fault(agent: Agent, position: PosedPosition) -> str:
    return next(filter(None, (position.fault(agent, seat) for seat in range(NUM_SEATS))), "")
