"""The command line options that `python benchmarks/run.py` and `spades bench` share."""

import argparse

REPEATS = 7
PARTS = ("kernels", "environments", "bots", "learning", "openspiel", "startup", "xla", "table")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add options for how much to measure, and where the results go."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--quick", action="store_true", help="only the first lines, in a few seconds")
    what.add_argument(
        "--write", action="store_true", help="also write docs/benchmarks.md, its plot and docs/benchmarks.json"
    )
    parser.add_argument(
        "--repeats", type=int, default=REPEATS, help=f"repeats of each measurement (default: {REPEATS})"
    )
    parser.add_argument("--only", choices=PARTS, help="one part; with --write its sections alone are written")
    parser.add_argument("--json", action="store_true", help="all rows as JSON, alone on the output")
