"""Would the tests notice a wrong rule? Change the scoring and the engine in one place after the other, and see.

    pip install 'spades-env[mutation]'
    python tests/mutants.py spades_env/game/scoring.py spades_env/game/engine.py

Cosmic Ray makes the mutants. Each is tried in a process of its own, without the compiler: first for some hands beside
the plain reference, which finds most of them in a second, then by the tests. What survives is printed as a diff.
"""

import argparse
import difflib
import importlib
import os
import random
import signal
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path

os.environ |= {"NUMBA_DISABLE_JIT": "1", "SPADES_TEST_SCALE": "0.01"}
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
sys.dont_write_bytecode = True
TESTS = ("engine_state", "engine", "observe", "scoring", "game", "golden", "lockstep")  # those that end soon come first
HANDS, SECONDS = 300, 300
QUICK_SECONDS = 20  # for the hands: a mutant that never ends is dead by then
KILLED, SURVIVED = 0, 1
QUIET = "ignore::pytest.PytestAssertRewriteWarning"  # of what was imported before the processes part
LEFT_OUT = (
    "core/RemoveDecorator",
    "core/Variable",
)  # no decorator does anything here; names of variables are asked for


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    path: Path
    operator: str
    before: str
    after: str

    def diff(self) -> str:
        lines = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), lineterm="", n=1)
        return "\n".join(list(lines)[2:])


def mutants(path: Path) -> list[Mutant]:
    """Return all changes of a file that Cosmic Ray knows, each once."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    code, found = path.read_text(encoding="utf-8"), {}
    for name in operator_names():
        if name.startswith(LEFT_OUT):
            continue
        for occurrence in range(1000):
            after = mutate_code(code, get_operator(name)(), occurrence)
            if after is None:
                break
            if after != code:
                found.setdefault(after, Mutant(path, name, code, after))
    return list(found.values())


def survives(mutant: Mutant, by_hands: bool = False) -> bool:
    """Try a mutant in a process of its own; one that never ends is killed, too."""
    child = os.fork()
    if not child:
        signal.alarm(QUICK_SECONDS)
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            os._exit(try_out(mutant, by_hands))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == SURVIVED


def try_out(mutant: Mutant, by_hands: bool) -> int:
    """Play by the changed rules; any error kills the mutant. by_hands: the hands alone are to find it."""
    read = SourceFileLoader.get_data
    changed = mutant.after.encode()
    SourceFileLoader.get_data = lambda self, path: changed if Path(path) == mutant.path else read(self, path)
    try:
        play_beside_reference()
        if by_hands:
            return SURVIVED
        signal.alarm(SECONDS)
        pytest = importlib.import_module("pytest")
        files = [str(ROOT / "tests" / "game" / f"test_{name}.py") for name in TESTS]
        ended = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-W", QUIET, *files])
    except BaseException:
        return KILLED
    return SURVIVED if ended == 0 else KILLED


def play_beside_reference() -> None:
    """Some hands by rules of all kinds."""
    lockstep = importlib.import_module("game.test_lockstep")
    rng, left = random.Random(7), HANDS
    while left > 0:
        player = rng.choice((lockstep.random_action, lockstep.sensible_action))
        left -= max(1, lockstep.LockStep(rng).play(player, rng, 4))


def part(text: str) -> tuple[int, int]:
    """Read 1/2 as (0, 2): where to begin, and how far to go."""
    first, _, step = text.partition("/")
    if not (first.isdigit() and step.isdigit() and 1 <= int(first) <= int(step)):
        raise argparse.ArgumentTypeError(f"{text!r} is no part: 1/2 or 2/2, say")
    return int(first) - 1, int(step)


def main() -> None:
    """Try all mutants of the files; exit with 1 if one survives."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="only count them")
    parser.add_argument("--part", type=part, default=(0, 1), metavar="I/N", help="every N-th mutant, from the I-th on")
    parser.add_argument("--hands", action="store_true", help="leave the tests out: what survives is a suspect only")
    options = parser.parse_args()
    for name in ("numpy", "numba", "hypothesis", "pytest", "gymnasium", "pettingzoo"):
        importlib.import_module(name)  # before the processes part, so that each begins at once
    survivors = 0
    scoring = ROOT / "spades_env" / "game" / "scoring.py"
    if not survives(Mutant(scoring, "", "", scoring.read_text(encoding="utf-8")), options.hands):
        sys.exit("the code as it is does not pass: no mutant would tell anything")
    for path in options.files:
        first, step = options.part
        found, began = mutants(path.resolve())[first::step], time.monotonic()
        print(f"{path}: {len(found)} mutants", flush=True)
        if options.list:
            continue
        for number, mutant in enumerate(found, 1):
            if number % 50 == 0:
                print(f"{number} tried, {time.monotonic() - began:.0f} s", flush=True)
            if survives(mutant, options.hands):
                survivors += 1
                print(f"\n{mutant.operator}\n{mutant.diff()}", flush=True)
        print(f"\n{path}: {time.monotonic() - began:.0f} s", flush=True)
    print(f"{survivors} survived")
    sys.exit(bool(survivors))


if __name__ == "__main__":
    main()
