"""Training: imitation, rollouts, self-play, export. The only package that imports torch; levels play in `agents`."""
