"""Trained levels: their files, the inputs of their networks, and how they play."""
