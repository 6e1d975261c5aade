"""`spades bench`: measures the speed of everything. The benchmarks are in the source, not in the packages."""

import argparse
import importlib

from spades_env.play.commands.parsing import UsageError

MISSING = "the speed benchmarks come with the source, not with the package: run spades bench in a clone of it"


def add_bench_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `python benchmarks/run.py`; without the source there are none."""
    try:
        importlib.import_module("benchmarks.options").add_arguments(parser)
    except ModuleNotFoundError:
        parser.set_defaults(missing=True)


def run_bench(options: argparse.Namespace) -> int:
    if getattr(options, "missing", False):
        raise UsageError(MISSING)
    return importlib.import_module("benchmarks.run").run(options)
