"""What can be asked of the benchmarks, by `python benchmarks/run.py` and `spades bench`."""

import argparse

REPEATS = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How much to measure, and where it goes."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--quick", action="store_true", help="only the first lines, in a few seconds")
    what.add_argument("--write", action="store_true", help="also write docs/benchmarks.md and its plot")
    parser.add_argument(
        "--repeats", type=int, default=REPEATS, help=f"repeats of each measurement (default: {REPEATS})"
    )
    parser.add_argument("--json", action="store_true", help="all rows as JSON, alone on the output")
