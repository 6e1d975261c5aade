"""How fast agents decide and how well they play, and whether the coach's grades and reasons hold."""
