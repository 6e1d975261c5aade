"""Would the lock-step notice a wrong line of the JAX game? Change spades_env/xla at random places, one by one, and see.

    python tests/xla_mutants.py --sample 60          # about ten seconds of CPU a mutant

A mutant is one operator exchanged or one number changed by one. Each is tried in a process of its own: it plays beside
the compiled engine, with everything compared at every step. A survivor is then tried by tests/xla, and printed.
"""

import argparse
import importlib
import io
import os
import random
import signal
import sys
import tempfile
import tokenize
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
sys.dont_write_bytecode = True
sys.pycache_prefix = tempfile.mkdtemp()  # else what was compiled from the code as it is would be taken
os.environ |= {"SPADES_TEST_SCALE": "0.1", "XLA_FLAGS": "--xla_backend_optimization_level=0"}
OPERATORS = (  # what each becomes stands below it
    "<  <= >  >= == != + - * // & | ^ << >> %  += |= &=",
    "<= <  >= >  != == - + + *  | & | >> << // -= &= |=",
)
OTHERS = {"~": ""} | dict(zip(*map(str.split, OPERATORS), strict=True))
SIGNATURES = "def ", "class ", "import ", "from "
FILES = "bidding", "dealing", "env", "observe", "playing", "rules", "scoring", "table", "u64"
MODES = "GAMES", "HANDS"
HANDS, SECONDS = 250, 900
TESTS = "scoring", "env", "adapters", "hidden", "lockstep"
QUIET = "ignore::pytest.PytestAssertRewriteWarning"  # of what was imported before the processes part
KILLED, SURVIVED = 0, 1


class Mutant(NamedTuple):
    """One change of one line."""

    path: Path
    line: int
    before: str
    after: str

    def source(self) -> bytes:
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        lines[self.line] = self.after
        return "".join(lines).encode()


def mutants(path: Path) -> list[Mutant]:
    """Return all changes of a file."""
    code, found = path.read_text(encoding="utf-8"), []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        others = [OTHERS[token.string]] if token.string in OTHERS else []
        if token.type == tokenize.NUMBER:
            others = [str(int(token.string, 0) + by) for by in (1, -1)]
        (row, start), (_, end) = token.start, token.end
        if not token.line.lstrip().startswith(SIGNATURES):
            found += [Mutant(path, row - 1, token.line, token.line[:start] + new + token.line[end:]) for new in others]
    return found


def survives(mutant: Mutant, by_hands: bool) -> bool:
    """Try a mutant in a process of its own; one that never ends is killed, too."""
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            os._exit(try_out(mutant, by_hands))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == SURVIVED


def try_out(mutant: Mutant, by_hands: bool) -> int:
    """Play by the changed code; any error kills the mutant. by_hands: the hands alone are to find it."""
    read, changed = SourceFileLoader.get_data, mutant.source()
    SourceFileLoader.get_data = lambda self, path: changed if Path(path) == mutant.path else read(self, path)
    try:
        twins = importlib.import_module("support.game.twins")
        for seed, mode in enumerate(MODES):
            both = twins.Twins(seed, getattr(twins, mode))
            while both.hands < HANDS and not both.differences:
                both.play(1)
            if both.differences:
                return KILLED
        if by_hands:
            return SURVIVED
        files = [str(ROOT / "tests" / "xla" / f"test_{name}.py") for name in TESTS]
        ended = importlib.import_module("pytest").main(["-q", "-x", "-p", "no:cacheprovider", "-W", QUIET, *files])
    except BaseException:
        return KILLED
    return KILLED if ended else SURVIVED


def main() -> None:
    """Try mutants drawn at random; exit with 1 if one survives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hands", action="store_true", help="leave the tests out: what survives is a suspect only")
    options = parser.parse_args()
    for name in ("jax", "pytest", "hypothesis", "support.strategies"):
        importlib.import_module(name)  # before the processes part; jax starts its threads later
    env = importlib.import_module("spades_env").SpadesVectorEnv(4, "classic", threads=1)
    env.reset()
    env.step(env.random_actions())
    found = [mutant for name in FILES for mutant in mutants(ROOT / "spades_env" / "xla" / f"{name}.py")]
    print(f"{len(found)} mutants", flush=True)
    if not survives(found[0]._replace(after=found[0].before), by_hands=True):
        sys.exit("the code as it is does not pass: no mutant would tell anything")
    survivors = 0
    for number, mutant in enumerate(random.Random(options.seed).sample(found, options.sample), 1):
        if survives(mutant, options.hands):
            survivors += 1
            print(f"{mutant.path.name}:{mutant.line + 1}\n- {mutant.before}+ {mutant.after}", flush=True)
        if number % 10 == 0:
            print(f"{number} tried, {survivors} survived", flush=True)
    sys.exit(bool(survivors))


if __name__ == "__main__":
    main()
