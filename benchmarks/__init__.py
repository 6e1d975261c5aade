"""What the budgets say, measured. `python benchmarks/run.py --help`."""
