"""The stages of a recipe: how each plays and learns."""
