"""Lessons in the terminal: the overview, the steps of the tutorial, the drills."""
