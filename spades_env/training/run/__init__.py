"""The folder of a run: its checkpoints, metrics and curves."""
