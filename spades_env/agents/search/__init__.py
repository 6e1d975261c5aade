"""Agents that try their actions: what each is worth in worlds that the seat to move may be in."""
