"""Play the JAX game and the compiled engine in lock-step for many hands, and compare everything at every step.

    PYTHONPATH=.:tests python tests/many_hands.py 100000            # minutes; daily in CI
    PYTHONPATH=.:tests python tests/many_hands.py 1000000 --tables 4096   # on a GPU: `make gpu`

With several devices the tables are shared out among them.
"""

import argparse
import sys
import time
from itertools import count

import jax
import jax.numpy as jnp
import numpy as np
from support.game.twins import GAMES, HANDS, LAST_SEEN, MORE, Twins

MODES = (GAMES, HANDS | LAST_SEEN, *MORE)
HANDS_A_TABLE = 6  # then other rules


def shared_out(rules):
    """Return the rules on all devices, each with its share of the tables."""
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("tables",))
    return jax.device_put(rules, jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("tables")))


def main(hands: int, tables: int, modes: int, seed: int) -> int:
    """Return how many hands differed in something."""
    done, began = 0, time.monotonic()
    wide = "on" if jnp.arange(1).dtype == jnp.int64 else "off"
    where = f"{len(jax.devices())} × {jax.devices()[0].device_kind}, x64 {wide}"
    for number in count(seed):
        options = MODES[number % modes]
        twins = Twins(number, options, tables, place=shared_out)
        while twins.hands < HANDS_A_TABLE * tables and done + twins.hands < hands:
            twins.play(20)
            if twins.differences:
                print(f"seed {number}, {options}: {dict(twins.differences)}, first {twins.first}")
                return 1
        done += twins.hands
        print(f"{done:,} hands without a difference on {where}, {time.monotonic() - began:.0f} s", flush=True)
        if done >= hands:
            return 0
    return 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hands", type=int)
    parser.add_argument("--tables", type=int, default=512)
    parser.add_argument("--modes", type=int, default=len(MODES), help="how many kinds of episode, the first ones")
    parser.add_argument("--seed", type=int, default=0)
    sys.exit(main(**vars(parser.parse_args())))
