"""Fit the weight of each clue in belief weighting, by how well true deals stand out among other consistent deals.

The data: hands at scores of all kinds, half of them under the usual rules, half under every preset and trump mode. Each
side is one of PLAYERS, or, at three tables of ten, each seat. At some of the decisions about a card a pool of worlds
that fit the view is dealt, and the true one is put among them. Their clues are read (agents/worlds/weight.py), and the
factors maximise the likelihood of the true ones: a multinomial logistic regression. The gain is measured in nats: 0 for
uniform dealing, log(pool + 1) for knowing the deal.
"""

from dataclasses import dataclass

import numpy as np

from spades_env import agents
from spades_env._jit import njit
from spades_env.agents.base import Agent, Batch
from spades_env.agents.worlds.determinize import plan_worlds
from spades_env.agents.worlds.likely import new_pool, next_world
from spades_env.agents.worlds.past import look_back
from spades_env.agents.worlds.weight import NUM_CLUES, OTHER_CARD, forget, read_bid, read_cards
from spades_env.game.engine import mix
from spades_env.game.rules import CHOICES, Rules
from spades_env.game.state import PLAY
from spades_env.training.parallel import in_shares
from spades_env.vector.env import STAY, SpadesVectorEnv

PLAYERS = (
    "rule",
    "rb",
    "bis",
    "bis/mc:30x30",
    "bis/ismcts:1000",
    "mc:20x8+rule",
    "standard",
    "standard/mc:20x8+rule",
)
USUAL = Rules(blind_nil_deficit=None)
TABLES = 256  # hands side by side
SHARE = 0.25  # of the decisions about cards
SCORES = (-0.3, 0.9)  # from and to, in targets
MOST_BAGS = 4
MIXED = 0.3  # of the tables: a bot of its own at every seat
STEPS = 30  # of Newton's method
PRIOR = 1e-4  # keeps a factor near 0 that the data do not determine
LEAST_FACTOR = 0.01
OPTIONS = {  # name -> default, help
    "hands": (3_072, f"in batches of {TABLES}"),
    "pool": (256, "worlds to which a true deal is compared"),
}


@dataclass
class Clues:
    """Clues at N decisions. clues: float32[N, pool + 1, NUM_CLUES], true deals last; left: int64[N], tricks to come."""

    clues: np.ndarray
    left: np.ndarray


def learn(hands: int, pool: int, seed: int) -> dict[str, np.ndarray]:
    """Fit the factors; print their gain on fresh hands."""
    factors = fit_factors(read_clues(hands, pool, seed).clues)
    if min(factors) < LEAST_FACTOR:  # weighing stops early only if no clue makes a world likelier
        raise SystemExit(f"these hands are too few: factors must be at least {LEAST_FACTOR}, not {factors.round(3)}")
    _report(factors, read_clues(max(TABLES, hands // 4), pool, seed + 1))
    return {"factors": np.array([round(float(factor), 2) for factor in factors])}


def read_clues(hands: int, pool: int, seed: int, players: tuple[str, ...] = PLAYERS) -> Clues:
    """Play hands, in full batches of TABLES; return the clues of their true deals and of others."""
    rng = np.random.default_rng(seed)
    bots = [agents.load(name, seed=seed) for name in players]
    parts = [_play_batch(bots, pool, rng) for _ in range(-(-hands // TABLES))]
    return Clues(np.concatenate([part.clues for part in parts]), np.concatenate([part.left for part in parts]))


def gains(factors: np.ndarray, clues: np.ndarray) -> np.ndarray:
    """Return by how many nats each true deal is likelier than under uniform dealing, float64[N]."""
    chances, _ = _chances(factors, clues)
    return np.log(np.maximum(chances[:, -1], 1e-300)) + np.log(clues.shape[1])


def fit_factors(clues: np.ndarray) -> np.ndarray:
    """Return the factors that make the true deals likeliest, float64[NUM_CLUES], by Newton's method."""
    factors = np.zeros(clues.shape[-1])
    for _ in range(STEPS):
        chances, means = _chances(factors, clues)
        slope = (clues[:, -1] - means).mean(0) - PRIOR * factors
        spread = np.einsum("nk,nkc,nkd->cd", chances, clues, clues, optimize=True) / len(clues)
        bend = spread - means.T @ means / len(clues) + PRIOR * np.eye(len(factors))
        step = np.linalg.solve(bend, slope)
        factors = factors + step / max(1.0, float(np.abs(step).max()))
    return factors


def _chances(factors: np.ndarray, clues: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the chances of each pool's worlds, and the mean clues under them."""
    worth = clues @ factors
    chances = np.exp(worth - worth.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    return chances, np.einsum("nk,nkc->nc", chances, clues)


def _play_batch(bots: list[Agent], pool: int, rng: np.random.Generator) -> Clues:
    """Play a hand at each of TABLES tables; return the clues at some of its decisions."""
    chosen = _rules(rng)
    env = SpadesVectorEnv(TABLES, chosen, seed=int(rng.integers(1 << 62)), truncate_after=None, autoreset=False)
    targets = np.array([[own.target or USUAL.target] for own in chosen])
    scores = 10 * (rng.uniform(*SCORES, (TABLES, 4)) * targets // 10).astype(np.int32)
    counted = np.array([[own.bag_limit is not None] for own in chosen])
    env.reset(scores=scores, bags=counted * rng.integers(0, MOST_BAGS + 1, (TABLES, 4), np.int32))
    rules, rules_of = env.compiled_rules
    sides = rng.integers(len(bots), size=(TABLES, 2))
    seats = np.where(rng.random((TABLES, 1)) < MIXED, rng.integers(len(bots), size=(TABLES, 4)), sides[:, [0, 1, 0, 1]])
    started, playing = env.hand_numbers.copy(), np.ones(TABLES, bool)
    kept = []
    while playing.any():
        actions = np.where(playing, env.mask.argmax(1), STAY)
        free = playing & (env.mask.sum(1) > 1)
        some = np.flatnonzero(free & (env.tables.phase == PLAY) & (rng.random(TABLES) < SHARE))
        kept.append((env.views()[some].copy(), env.tables[some].copy(), rules_of[some]))
        who = np.where(free, seats[np.arange(TABLES), env.turn], -1)
        for number in np.unique(who[free]):
            which = np.flatnonzero(who == number)
            actions[which] = bots[number].act_batch(Batch(env.views(), rules, rules_of).take(which))
        env.step(actions)
        playing &= ~env.done & (env.hand_numbers == started)
    views, true, of = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    return _clues_of(views.view(np.recarray), true.view(np.recarray), rules, of, pool, np.uint64(rng.integers(1 << 62)))


def _rules(rng: np.random.Generator) -> list[Rules]:
    others = [*map(Rules.preset, Rules.presets()), *(Rules(trumps=mode) for mode in CHOICES["trumps"])]
    return [USUAL if rng.random() < 0.5 else others[rng.integers(len(others))] for _ in range(TABLES)]


def _clues_of(
    views: np.recarray, true: np.recarray, rules: np.recarray, of: np.ndarray, pool: int, x: np.uint64
) -> Clues:
    """Read the clues of N decisions from their views and full tables. of: the number of each table's rules."""
    out = np.zeros((len(views), pool + 1, NUM_CLUES), np.float32)

    def part(low: int, high: int) -> None:
        read_pools(views, true, rules, of, np.arange(low, high), new_pool(1), x, out)

    in_shares(part, len(views))
    return Clues(out, 13 - (views.num_plays.astype(np.int64) >> 2))


@njit
def read_pools(views, true, rules, rules_of, which, pool, x, out):
    """Read the clues of a pool of worlds and of the true one, for each of these decisions."""
    for i in which:
        r = rules[rules_of[i]]
        walk = mix(x + np.uint64(i))
        plan_worlds(views[i], r, pool.plan[0])
        last = out.shape[1] - 1
        for j in range(last + 1):
            if j < last:
                walk = next_world(views, i, r, False, pool, walk)
            else:
                pool.tables[0] = true[i]
            if j == 0:
                forget(pool.kept[0])
                look_back(pool.tables[0], r, pool.plan[0], pool.past[0])
            read_world(pool.tables[0], r, pool.past[0], pool.kept[0], out[i, j])


@njit
def read_world(w, r, past, kept, clues):
    """Sum up the clues of all hands of a world."""
    total = np.zeros(NUM_CLUES)
    for seat in range(4):
        read_bid(w, r, past, kept, seat, total)
        total[OTHER_CARD] += read_cards(w, r, past, seat, np.inf)
    clues[:] = total


def _report(factors: np.ndarray, fresh: Clues) -> None:
    """Print the gain on fresh hands, by the tricks to come."""
    nats = gains(factors, fresh.clues)
    print(f"{len(nats)} decisions, {nats.mean():.3f} nats of {np.log(fresh.clues.shape[1]):.3f}")
    for low, high in ((11, 13), (8, 10), (5, 7), (2, 4)):
        rows = (fresh.left >= low) & (fresh.left <= high)
        print(f"  {low} to {high} tricks to come: {rows.sum()} decisions, {nats[rows].mean():.3f} nats")
