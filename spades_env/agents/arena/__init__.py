"""Matches between agents, and what is measured by them: `arena.play(a, b)`."""

from spades_env.agents.arena.match import Jobs, Player, Progress, play, players
from spades_env.agents.cluster.ray_cluster import Cluster
from spades_env.agents.elo import Sprt

__all__ = ["Cluster", "Jobs", "Player", "Progress", "Sprt", "play", "players"]
