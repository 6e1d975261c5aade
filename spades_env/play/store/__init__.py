"""Saved games, results and settings, in one file."""
