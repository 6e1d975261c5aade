"""The stages of a recipe: how each learns from a rollout."""
