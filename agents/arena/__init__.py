"""Matches between agents, and what is measured by them: `arena.play(a, b)`."""

from agents.arena.match import Progress, play, players

__all__ = ["Progress", "play", "players"]
