"""How long a new process takes until it can play, with and without machine code on disk; memory per table."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks.measure import Row, spread_of
from spades_env import SpadesVectorEnv
from spades_env.game.state import STATE

IMPORT = "import spades_env"
FIRST_RESET = "from spades_env import spades_v0; env = spades_v0.env(); env.reset(seed=1); env.last()"
FIRST_VECTOR = "import spades_env as s; e = s.SpadesVectorEnv(64, seed=1); e.reset(); e.step(e.random_actions())"


def measure(repeats: int) -> list[Row]:
    """Measure the seconds of whole processes, less those of an empty one, and bytes per table."""
    empty = statistics.median(_seconds("pass", None, repeats))
    rows = []
    with tempfile.TemporaryDirectory() as kept:
        for name, code, budget in (
            ("first PettingZoo reset and observation, compiling", FIRST_RESET, 15),
            ("first vector step, compiling what is left", FIRST_VECTOR, 15),
        ):
            rows.append(_row(name, _seconds(code, kept, 1), empty, budget))
        for name, code, budget in (
            ("import spades_env, warm", IMPORT, 1),
            ("import, PettingZoo reset and observation, warm", FIRST_RESET, None),
            ("import, vector reset and step, warm", FIRST_VECTOR, None),
        ):
            rows.append(_row(name, _seconds(code, kept, repeats), empty, budget))
    return rows + _memory()


def _row(name: str, seconds: list[float], empty: float, budget: float | None) -> Row:
    net = [value - empty for value in seconds]
    return spread_of("start", name, net, "s", budget)


def _seconds(code: str, cache: str | None, repeats: int) -> list[float]:
    environment = os.environ | ({"XDG_CACHE_HOME": cache} if cache else {})
    environment.pop("NUMBA_CACHE_DIR", None)
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        seconds.append(time.perf_counter() - start)
    return seconds


def _memory() -> list[Row]:
    tables = 256
    env = SpadesVectorEnv(tables, seed=0)
    per_table = sum(array.nbytes for array in env._arrays().values()) / tables
    return [
        Row("memory", "one table's STATE record", STATE.itemsize, STATE.itemsize, STATE.itemsize, "bytes"),
        Row("memory", "SpadesVectorEnv, per table, all arrays", per_table, per_table, per_table, "bytes"),
    ]
