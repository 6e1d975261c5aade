"""Learning: self-play, imitation, export. The only package that imports torch; what plays afterwards is in `agents`."""
