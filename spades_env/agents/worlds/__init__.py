"""Determinizations: the hidden cards dealt in ways that fit what a seat knows."""
