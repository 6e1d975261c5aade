"""Learns how much each clue to a world counts: by how well true deals stand out among deals that might have been.

    python -m agents.fit_likely             prints agents/likely_numbers.py, and how far true deals stand out
    python -m agents.fit_likely --write     writes it
    python -m agents.fit_likely --hands 4000 --seed 2

The data: hands at scores of all kinds, half of them under the usual rules, half under every preset and trump mode. Each
side is one of PLAYERS, at three tables of ten each seat. At some of the decisions about a card a pool of
worlds is dealt, all of which the seat to move may be in, and the true one is put among them. Their clues are read
(agents/likely_hands.py), and the factors are those that make the true ones as likely as can be: a logistic regression
of one among many. What is gained is told in nats: 0 for dealing evenly, log(pool + 1) for knowing the deal.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import agents
from agents.base import Batch
from agents.files import write_whole
from agents.likely import new_bench, next_world
from agents.likely_hands import NUM_CLUES, OTHER_CARD, look_back, read_bid, read_cards
from agents.worlds import plan_worlds
from spades_env import Rules, SpadesVectorEnv
from spades_env._jit import njit, wrap_around
from spades_env.checks import usable_cores
from spades_env.engine import mix
from spades_env.rules import CHOICES
from spades_env.state import PLAY
from spades_env.vector_env import STAY

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
MIXED = 0.3  # of the tables: every seat somebody else
STEPS = 30  # of Newton's
PRIOR = 1e-4  # holds a factor that nothing is known of near 0
LEAST_FACTOR = 0.01
FILE = Path(__file__).with_name("likely_numbers.py")
TEXT = '''"""How much each clue to a world counts. Written by `python -m agents.fit_likely --write`, which tells how."""

import numpy as np

LEARNED_FROM = {source}  # hands, worlds in a pool, seed
FACTORS = np.array({factors})  # in the order of agents.likely_hands
'''


@dataclass
class Lesson:
    """N decisions. clues: float32[N, pool + 1, NUM_CLUES], those of true deals last; left: int64[N], tricks to come."""

    clues: np.ndarray
    left: np.ndarray


def learn(hands: int, pool: int, seed: int) -> str:
    """The text of likely_numbers.py."""
    lesson = lessons(hands, pool, seed)
    factors = fit_factors(lesson.clues)
    if min(factors) < LEAST_FACTOR:  # a clue would speak for a world: weighing could not stop early
        raise SystemExit(f"these hands are too few: factors must be at least {LEAST_FACTOR}, not {factors.round(3)}")
    fresh = lessons(max(TABLES, hands // 4), pool, seed + 1)
    _report(factors, fresh)
    return TEXT.format(source=(hands, pool, seed), factors=[round(float(factor), 2) for factor in factors])


def lessons(hands: int, pool: int, seed: int, players: tuple[str, ...] = PLAYERS) -> Lesson:
    """So many hands (in full batches of TABLES), and what their true deals look like among others."""
    rng = np.random.default_rng(seed)
    asked = [agents.load(name, seed=seed) for name in players]
    parts = [_batch(asked, pool, rng) for _ in range(-(-hands // TABLES))]
    return Lesson(np.concatenate([part.clues for part in parts]), np.concatenate([part.left for part in parts]))


def gains(factors: np.ndarray, clues: np.ndarray) -> np.ndarray:
    """float64[N]: by how many nats the true deal is likelier than one of many that are alike."""
    chances, _ = _chances(factors, clues)
    return np.log(np.maximum(chances[:, -1], 1e-300)) + np.log(clues.shape[1])


def fit_factors(clues: np.ndarray) -> np.ndarray:
    """float64[NUM_CLUES]: under which the true deals, last in each pool, are as likely as can be; by Newton's way."""
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
    """Of each world of a pool, and the mean clues by them."""
    worth = clues @ factors
    chances = np.exp(worth - worth.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    return chances, np.einsum("nk,nkc->nc", chances, clues)


def _batch(asked: list, pool: int, rng: np.random.Generator) -> Lesson:
    """A hand at each of TABLES tables."""
    chosen = _rules(rng)
    env = SpadesVectorEnv(TABLES, chosen, seed=int(rng.integers(1 << 62)), truncate_after=None, autoreset=False)
    targets = np.array([[own.target or USUAL.target] for own in chosen])
    scores = 10 * (rng.uniform(*SCORES, (TABLES, 4)) * targets // 10).astype(np.int32)
    counted = np.array([[own.bag_limit is not None] for own in chosen])
    env.reset(scores=scores, bags=counted * rng.integers(0, MOST_BAGS + 1, (TABLES, 4), np.int32))
    rules, rules_of = env.compiled_rules
    sides = rng.integers(len(asked), size=(TABLES, 2))
    seats = np.where(
        rng.random((TABLES, 1)) < MIXED, rng.integers(len(asked), size=(TABLES, 4)), sides[:, [0, 1, 0, 1]]
    )
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
            actions[which] = asked[number].act_batch(Batch(env.views(), rules, rules_of).take(which))
        env.step(actions)
        playing &= ~env.done & (env.hand_numbers == started)
    views, true, of = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    return _read(views.view(np.recarray), true.view(np.recarray), rules, of, pool, np.uint64(rng.integers(1 << 62)))


def _rules(rng: np.random.Generator) -> list[Rules]:
    """One set for each table."""
    others = [*map(Rules.preset, Rules.presets()), *(Rules(trumps=mode) for mode in CHOICES["trumps"])]
    return [USUAL if rng.random() < 0.5 else others[rng.integers(len(others))] for _ in range(TABLES)]


def _read(views: np.recarray, true: np.recarray, rules: np.recarray, of: np.ndarray, pool: int, x: np.uint64) -> Lesson:
    out = np.zeros((len(views), pool + 1, NUM_CLUES), np.float32)

    def part(which: np.ndarray) -> None:
        read_pools(views, true, rules, of, which, new_bench(1), x, out)

    with ThreadPoolExecutor(usable_cores(), initializer=wrap_around) as threads:
        list(threads.map(part, np.array_split(np.arange(len(views)), usable_cores())))
    return Lesson(out, 13 - (views.num_plays.astype(np.int64) >> 2))


@njit
def read_pools(views, true, rules, rules_of, which, bench, x, out):
    """The clues of a pool of worlds and of the true one, for each of these decisions."""
    for i in which:
        r = rules[rules_of[i]]
        walk = mix(x + np.uint64(i))
        plan_worlds(views[i], r, bench.plan[0])
        last = out.shape[1] - 1
        for j in range(last + 1):
            if j < last:
                walk = next_world(views, i, r, False, bench, walk)
            else:
                bench.tables[0] = true[i]
            if j == 0:
                look_back(bench.tables[0], r, bench.plan[0], bench.past[0], bench.moments, bench.tables[1:])
            read_world(bench.tables[0], r, bench.past[0], bench.moments, out[i, j])


@njit
def read_world(w, r, past, moments, clues):
    """The clues of all hands of a world together."""
    past.clues[:] = 0
    for seat in range(4):
        read_bid(w, r, past, moments, seat)
        past.clues[OTHER_CARD] += read_cards(w, r, past, moments, seat, np.inf)
    clues[:] = past.clues


def main() -> None:
    """Fit, and print or write the numbers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hands", type=int, default=3_072, help=f"in batches of {TABLES}")
    parser.add_argument("--pool", type=int, default=256, help="worlds to which a true deal is compared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    options = parser.parse_args()
    text = learn(options.hands, options.pool, options.seed)
    print(text)
    if options.write:
        write_whole(FILE, text)


def _report(factors: np.ndarray, lesson: Lesson) -> None:
    """What is gained in hands that were not learned from, by the tricks to come."""
    found = gains(factors, lesson.clues)
    print(f"# {len(found)} decisions, {found.mean():.3f} nats of {np.log(lesson.clues.shape[1]):.3f}")
    for low, high in ((11, 13), (8, 10), (5, 7), (2, 4)):
        rows = (lesson.left >= low) & (lesson.left <= high)
        print(f"# {low} to {high} tricks to come: {rows.sum()} decisions, {found[rows].mean():.3f} nats")


if __name__ == "__main__":
    main()
