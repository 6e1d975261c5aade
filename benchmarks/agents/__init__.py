"""How fast agents decide, how well they play, and whether the coach's grades of a play hold."""
