"""Datasets of self-play, for learners of any kind."""
