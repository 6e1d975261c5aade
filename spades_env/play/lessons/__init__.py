"""Teaches Spades: a tutorial in ten played steps, a drill for bids and one for nils, and what a person has learnt."""
