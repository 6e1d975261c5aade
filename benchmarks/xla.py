"""The JAX environment beside the compiled one, and Pgx's bridge bidding if `pgx` is installed: one run, one device.

    python benchmarks/xla.py                      # 1,024 and 8,192 tables
    python benchmarks/xla.py --tables 65536       # … on a GPU: `make gpu`

Random legal decisions a second, with observation and mask, the choice included. JAX compiles first; that isn't counted.
On a CPU all are limited to one core.
"""

import argparse
import contextlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_cpu_multi_thread_eigen=false"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

from benchmarks.environments import vector_steps  # noqa: E402
from benchmarks.measure import Row, human, machine, rate  # noqa: E402
from spades_env.xla import Spades, random_action  # noqa: E402

STEPS = 56  # of a call: about a hand


def games(env, tables: int, observe: Callable | None) -> Callable[[], int]:
    """Time steps of a Pgx-like environment in one scan. observe: what is asked before each step, if anything."""

    def one(state, key):
        seen = jnp.zeros(()) if observe is None else jax.vmap(observe)(state).sum(dtype=jnp.float32)
        bits = jax.random.bits(key, (tables,), jnp.uint32)
        state = jax.vmap(env.step)(state, jax.vmap(random_action)(state.legal_action_mask, bits))
        return state, seen

    @jax.jit
    def play(state, key):
        return jax.lax.scan(one, state, jax.random.split(key, STEPS))

    begun = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), tables))

    def work() -> int:
        nonlocal begun
        begun, seen = play(begun, jax.random.key(1))
        jax.block_until_ready(seen)
        return STEPS * tables

    return work


class Bridge:
    """Pgx's bridge bidding, the only other bidding in JAX, with its auto-reset and made-up double-dummy results."""

    def __init__(self):
        from pgx.bridge_bidding import BridgeBidding
        from pgx.experimental.wrappers import auto_reset

        with tempfile.TemporaryDirectory() as folder:
            made_up = np.random.default_rng(0).integers(0, 4**13, (2, 100_000, 4), np.int32)
            np.save(f"{folder}/results.npy", made_up)
            env = BridgeBidding(f"{folder}/results.npy")
        self.init, self._step = env.init, auto_reset(env.step, env.init)

    def step(self, state, action):
        """Reset to the same deal each time: a new key for each would be one more cost."""
        return self._step(state, action, jax.random.key(0))


def rows(tables: int, repeats: int) -> list[Row]:
    ours = Spades("classic", auto_reset=True, observes=False, trusted=True)
    name = f"{tables:,} tables"
    found = [
        rate("xla", f"JAX, {name}", games(ours, tables, ours.observe), repeats),
        rate("xla", f"JAX without observations, {name}", games(ours, tables, None), repeats),
    ]
    if importlib.util.find_spec("pgx"):
        found.append(rate("xla", f"Pgx's bridge bidding, {name}", games(Bridge(), tables, None), repeats))
    return [*found, rate("xla", f"SpadesVectorEnv, 1 thread, {name}", vector_steps(tables, 1, 0.5), repeats)]


def measure(repeats: int) -> list[Row]:
    with on_one_core():
        return [row for tables in (1024, 8192) for row in rows(tables, repeats)]


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """Bind this thread, and those that JAX starts from it, to one core where the system allows it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=[1024, 8192])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    about = f"{machine()}; jax {jax.__version__}"
    with on_one_core():
        print(f"{about} on {jax.devices()[0].device_kind}", flush=True)
        for tables in options.tables:
            for row in rows(tables, options.repeats):
                spread = f"[{human(row.low, row.unit)} … {human(row.high, row.unit)}]"
                print(f"  {row.name:45}  {human(row.median, row.unit):>10}  {spread}", flush=True)


if __name__ == "__main__":
    main()
