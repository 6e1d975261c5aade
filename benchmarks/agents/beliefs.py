"""How much do bids and cards tell about the hidden hands? python benchmarks/agents/beliefs.py

    --hands N    hands for each table of four (60)
    --write      write docs/beliefs.json

At a quarter of the decisions on a card, 512 determinizations are dealt for 128 that a search would try, and the true
deal is put beside them. They are dealt at random and weighed as `+likely` does, or dealt by the odds of the belief
network and weighed as `+believe` does. The gain is by how many nats the true deal becomes likelier than at random. The
effective size says how many of the 512 the weights leave.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import write_record  # noqa: E402
from spades_env import SpadesVectorEnv  # noqa: E402
from spades_env._jit import njit  # noqa: E402
from spades_env.agents import load  # noqa: E402
from spades_env.agents.base import Batch  # noqa: E402
from spades_env.agents.network.beliefs import chances, shipped_beliefs  # noqa: E402
from spades_env.agents.worlds.determinize import count_worlds, deal_world, plan_worlds  # noqa: E402
from spades_env.agents.worlds.likely import WorldPool, effective_size, new_pool, power_of  # noqa: E402
from spades_env.agents.worlds.past import look_back  # noqa: E402
from spades_env.agents.worlds.weight import NOBODY, forget, weigh_world  # noqa: E402
from spades_env.checks import whole  # noqa: E402
from spades_env.errors import SpadesError  # noqa: E402
from spades_env.game.state import PLAY  # noqa: E402
from spades_env.vector.env import STAY  # noqa: E402

TABLES = (  # who sits there, and under which rules
    (("standard",) * 4, "match"),
    (("standard",) * 4, "house"),
    (("standard", "club") * 2, "match"),
    (("club",) * 4, "match"),
    (("pimc:20", "standard") * 2, "match"),
)
SEED, HANDS, TRIED, SHARE = 77, 60, 128, 0.25
RESULTS = ROOT / "docs" / "beliefs.json"


def decisions(four: Sequence[str], rules: str, hands: int) -> Iterator[tuple[Batch, np.recarray]]:
    """Yield decisions on a card, as the seats see them and with all cards."""
    env, rng = SpadesVectorEnv(hands, rules, "hand", seed=SEED, autoreset=False), np.random.default_rng(SEED)
    bots = [load(name, seed=SEED) for name in four]
    env.reset()
    while not env.terminated.all():
        some = ~env.terminated & (env.tables.phase == PLAY) & (rng.random(hands) < SHARE)
        yield Batch.at(env).take(some), env.tables[some].copy().view(np.recarray)
        actions = np.full(hands, STAY)
        for seat, bot in enumerate(bots):
            at = np.flatnonzero(~env.terminated & (env.turn == seat))
            if len(at):
                actions[at] = bot.act_at_tables(env, at)
        env.step(actions)


@njit
def _weigh(views, i, r, true, pool, x):
    """Deal worlds and weigh them; return the weight of the true deal and, if dealt by odds, the log of its share."""
    plan, past, kept, me = pool.plan[0], pool.past[0], pool.kept[0], np.int64(views[i].turn)
    plan_worlds(views[i], r, plan)
    forget(kept)
    look_back(true[i], r, plan, past)
    for j in range(len(pool.worlds)):
        x = deal_world(views, i, r, plan, pool.worlds, j, x)
        pool.weights[j] = weigh_world(pool.worlds[j], r, past, kept, NOBODY, -np.inf, pool.hands)
    share = 0.0
    if plan.by_odds:
        share -= log(plan.ways_on[0, np.int64(plan.room[(me + 1) & 3]), np.int64(plan.room[(me + 2) & 3])])
        for k in range(plan.starts[4]):
            for seat in range(3):
                if true[i].hands[(me + 1 + seat) & 3] >> np.uint64(plan.cards[k]) & np.uint64(1):
                    share += log(plan.odds[k, seat])
    return weigh_world(true[i], r, past, kept, NOBODY, -np.inf, pool.hands), share


def gain_of(weight: float, pool: WorldPool) -> tuple[float, float]:
    """Return by how many nats the weights make the true deal likelier than a dealt one, and the effective size."""
    best = pool.weights.max()
    power = power_of(pool, best)
    mean = log(np.exp(power * (pool.weights - best)).mean())
    return power * (weight - best) - mean, effective_size(pool.weights, best, power)


def measured(four: Sequence[str], rules: str, hands: int) -> dict[str, Any]:
    pool, net = new_pool(TRIED), shipped_beliefs()
    gains: dict[str, list[float]] = {"likely": [], "network": [], "both": []}
    sizes: dict[str, list[float]] = {"likely": [], "both": []}
    for batch, true in decisions(four, rules, hands):
        seen = chances(net, batch)
        for i, view in enumerate(batch.views()):
            decision = batch.tables, i, view.compiled_rules[0], true, pool, np.uint64(1 + len(gains["both"]))
            pool.plan[0].by_odds, pool.plan[0].chances[:] = False, seen[i]
            by_weight, size = gain_of(_weigh(*decision)[0], pool)
            gains["likely"].append(by_weight)
            sizes["likely"].append(size)
            pool.plan[0].by_odds = True
            weight, share = _weigh(*decision)
            by_weight, size = gain_of(weight, pool)
            by_network = share + log(count_worlds(view))
            gains["network"].append(by_network)
            gains["both"].append(by_network + by_weight)
            sizes["both"].append(size)
    count = len(gains["both"])
    return {
        "seats": list(four),
        "rules": rules,
        "decisions": count,
        "gains": {name: [float(np.mean(g)), float(1.96 * np.std(g) / count**0.5)] for name, g in gains.items()},
        "effective_sizes": {name: float(np.mean(some)) for name, some in sizes.items()},
    }


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(argv)
    try:
        hands = whole("hands", given.hands, 1, 10_000)
    except SpadesError as error:
        parser.error(str(error))
    rows = []
    for four, rules in TABLES:
        rows.append(measured(four, rules, hands))
        print(rows[-1], flush=True)
    if given.write:
        write_record(RESULTS, {"tried": TRIED, "hands": hands, "seed": SEED, "tables": rows})


if __name__ == "__main__":
    main()
