"""The hidden cards, dealt in all ways that fit what a seat knows."""
