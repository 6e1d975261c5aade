"""Several seeds of one recipe: their runs, and what they come to together."""
