"""Fits of the bots' numbers to games: `python -m train.fit NAME`."""
