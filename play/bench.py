"""`spades bench`: the speed of everything, measured. The benchmarks stand beside the packages, in the source alone."""

import argparse
import importlib

from play.parsing import UsageError

MISSING = "the speed benchmarks come with the source, not with the package: run spades bench in a clone of it"


def add_bench_arguments(parser: argparse.ArgumentParser) -> None:
    """As `python benchmarks/run.py` takes them; without the source there are none."""
    try:
        importlib.import_module("benchmarks.options").add_arguments(parser)
    except ModuleNotFoundError:
        parser.set_defaults(missing=True)


def run_bench(options: argparse.Namespace) -> int:
    """Measure, print."""
    if getattr(options, "missing", False):
        raise UsageError(MISSING)
    return importlib.import_module("benchmarks.run").run(options)
