"""Measurements against the speed budgets. `python benchmarks/run.py --help`."""
