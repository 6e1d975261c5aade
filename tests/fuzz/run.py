"""Fuzz one kind of input, guided by what the code has reached: `python tests/fuzz/run.py rules --seconds 60`.

Needs atheris (pip install 'spades-env[fuzz]'). An input that breaks something is left in the folder given by --out,
and the exit status is not 0. `make fuzz` runs all targets one after the other.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"  # so that the rules are seen, too
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import atheris  # noqa: E402

with atheris.instrument_imports(include=["spades_env", "agents", "play", "train"]):
    from fuzz.targets import targets


def void(read: bool) -> None:
    """Drop whether an input was read: the fuzzer wants to hear of faults alone."""


def main() -> None:
    """Give the time to one target."""
    known = targets()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", choices=sorted(known))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="where an input that fails is left")
    options = parser.parse_args()
    target = known[options.target]
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        for i, example in enumerate(target.examples):
            (Path(corpus) / str(i)).write_bytes(example)
        longest = 4 * max(map(len, target.examples))
        prefix = f"{options.out}/{options.target}-"
        flags = [f"-max_total_time={options.seconds}", f"-max_len={longest}", f"-artifact_prefix={prefix}"]
        atheris.Setup([sys.argv[0], *flags, "-timeout=20", corpus], lambda data: void(target.try_input(data)))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
