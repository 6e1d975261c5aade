"""Would the tests notice a wrong rule? Change the scoring and the engine, or their twins in JAX, and see.

    pip install 'spades-env[mutation]'
    python tests/mutants.py spades_env/game/scoring.py spades_env/game/engine.py
    python tests/mutants.py spades_env/xla/*.py --sample 60         # some at random: each takes ten seconds or more

Cosmic Ray makes the mutants. Each is tried in a process of its own: first for some hands, which find most of them, the
engine without the compiler beside the plain reference, the game in JAX beside the engine; then by the tests. What
survives is printed as a diff.
"""

import argparse
import difflib
import importlib
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from importlib.machinery import SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
sys.dont_write_bytecode = True
sys.pycache_prefix = tempfile.mkdtemp()  # else what was compiled from the code as it is would be taken
HANDS = 300
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


def survives(mutant: Mutant, subject: "Subject", by_hands: bool) -> bool:
    """Try a mutant in a process of its own; one that never ends is killed, too."""
    child = os.fork()
    if not child:
        signal.alarm(subject.quick_seconds)
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            os._exit(try_out(mutant, subject, by_hands))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == SURVIVED


def try_out(mutant: Mutant, subject: "Subject", by_hands: bool) -> int:
    """Play by the changed rules; any error kills the mutant. by_hands: the hands alone are to find it."""
    read, changed = SourceFileLoader.get_data, mutant.after.encode()
    SourceFileLoader.get_data = lambda self, path: changed if Path(path) == mutant.path else read(self, path)
    try:
        subject.play()
        if by_hands:
            return SURVIVED
        signal.alarm(subject.seconds)
        files = [str(ROOT / "tests" / name) for name in subject.tests]
        ended = importlib.import_module("pytest").main(["-q", "-x", "-p", "no:cacheprovider", "-W", QUIET, *files])
    except BaseException:
        return KILLED
    return SURVIVED if ended == 0 else KILLED


def play_beside_reference() -> None:
    """Play some hands by rules of all kinds."""
    lockstep = importlib.import_module("game.test_lockstep")
    rng, left = random.Random(7), HANDS
    while left > 0:
        player = rng.choice((lockstep.random_action, lockstep.sensible_action))
        left -= max(1, lockstep.LockStep(rng).play(player, rng, 4))


def play_beside_engine() -> None:
    """Play some games, then some hands, by rules of all kinds."""
    twins = importlib.import_module("support.game.twins")
    for seed, mode in enumerate((twins.GAMES, twins.HANDS)):
        both = twins.Twins(seed, mode)
        while both.hands < HANDS:
            both.play(1)
            assert not both.differences


@dataclass(frozen=True)
class Subject:
    """What is changed: how it is imported, who plays beside it, and which tests then try it."""

    environment: dict[str, str]
    imports: tuple[str, ...]  # before the processes part, so that each begins at once
    play: Callable[[], None]
    quick_seconds: int  # to play: a mutant that never ends is dead by then
    tests: tuple[str, ...]  # those that end soon come first
    seconds: int


GAME_TESTS = ("scoring", "new_games", "facts", "illegal_actions", "game_text", "golden", "lockstep")
GAME = Subject(
    {"NUMBA_DISABLE_JIT": "1", "SPADES_TEST_SCALE": "0.01"},
    ("numpy", "numba", "hypothesis", "pytest", "gymnasium", "pettingzoo"),
    play_beside_reference,
    20,
    ("game/engine", "game/observe", *(f"game/test_{name}.py" for name in GAME_TESTS)),
    300,
)
XLA = Subject(
    {"SPADES_TEST_SCALE": "0.1", "XLA_FLAGS": "--xla_backend_optimization_level=0"},
    ("jax", "hypothesis", "pytest", "support.strategies"),  # jax starts its threads later
    play_beside_engine,
    900,
    tuple(f"xla/test_{name}.py" for name in ("scoring", "env", "adapters", "hidden", "lockstep")),
    900,
)


def part(text: str) -> tuple[int, int]:
    """Read 1/2 as (0, 2): where to begin, and how far to go."""
    first, _, step = text.partition("/")
    if not (first.isdigit() and step.isdigit() and 1 <= int(first) <= int(step)):
        raise argparse.ArgumentTypeError(f"invalid part {text!r}; expected 1/2 or 2/2, say")
    return int(first) - 1, int(step)


def main() -> None:
    """Try mutants of the files; exit with 1 if one survives."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="only count them")
    parser.add_argument("--part", type=part, default=(0, 1), metavar="I/N", help="every N-th mutant, from the I-th on")
    parser.add_argument("--sample", type=int, help="how many to draw at random (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--hands", action="store_true", help="leave the tests out: what survives is a suspect only")
    options = parser.parse_args()
    in_jax = {path.resolve().parent.name == "xla" for path in options.files}
    if len(in_jax) > 1:
        parser.error("the game and its twin in JAX are tried apart")
    subject = XLA if in_jax.pop() else GAME
    os.environ |= subject.environment
    found = [mutant for path in options.files for mutant in mutants(path.resolve())]
    if options.sample is not None:
        found = random.Random(options.seed).sample(found, min(options.sample, len(found)))
    first, step = options.part
    found = found[first::step]
    print(f"{len(found)} mutants", flush=True)
    if not options.list:
        sys.exit(bool(try_all(found, subject, options.hands)))


def try_all(found: list[Mutant], subject: Subject, by_hands: bool) -> int:
    """Print the mutants that survive; return how many."""
    for name in subject.imports:
        importlib.import_module(name)
    if not survives(replace(found[0], after=found[0].before), subject, by_hands):
        sys.exit("the code as it is does not pass: no mutant would tell anything")
    survivors, began = 0, time.monotonic()
    for number, mutant in enumerate(found, 1):
        if survives(mutant, subject, by_hands):
            survivors += 1
            print(f"\n{mutant.path.name}, {mutant.operator}\n{mutant.diff()}", flush=True)
        if number % 10 == 0 or number == len(found):
            print(f"{number} tried, {survivors} survived, {time.monotonic() - began:.0f} s", flush=True)
    return survivors


if __name__ == "__main__":
    main()
