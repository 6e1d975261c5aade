"""Fit the numbers of a bot to games.

    python -m spades_env.training.fit bis                  prints the numbers, and how well they fit games not fitted to
    python -m spades_env.training.fit bis --write          also stores them in agents/fitted/NAME.safetensors
    python -m spades_env.training.fit equity --agent rule --games 20000 --seed 1

NAME is bis, equity, rule or worlds; each module here says what it fits to what.
"""

import argparse

import numpy as np

from spades_env.agents.fitted import fitted_file, write_fitted
from spades_env.training.fit import bis, equity, rule, worlds

FITS = {"bis": bis, "equity": equity, "rule": rule, "worlds": worlds}


def main(arguments: list[str] | None = None) -> None:
    """Fit the numbers of the named bot; print them, and write them if asked to."""
    parser = argparse.ArgumentParser(
        "python -m spades_env.training.fit", description="Fit the numbers of a bot to games."
    )
    names = parser.add_subparsers(dest="name", metavar="NAME", required=True)
    for name, module in FITS.items():
        about = (module.__doc__ or "").split("\n")[0]
        fit = names.add_parser(name, help=about, description=about)
        for option, (default, words) in module.OPTIONS.items():
            fit.add_argument(f"--{option}", type=type(default), default=default, help=words)
        fit.add_argument("--seed", type=int, default=1)
        fit.add_argument("--write", action="store_true", help=f"write {fitted_file(name)}")
    options = vars(parser.parse_args(arguments))
    name, write = options.pop("name"), options.pop("write")
    tables = FITS[name].learn(**options)
    with np.printoptions(precision=4, suppress=True):
        for part, table in tables.items():
            print(f"{part} {table}" if np.ndim(table) == 0 else f"{part}\n{table}")
    if write:
        write_fitted(name, tables, options)


if __name__ == "__main__":
    main()
