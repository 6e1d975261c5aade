"""What agents lose by their cards in the last eight tricks, exactly: python benchmarks/agents/exact.py

    --positions N     how many decisions are solved (20,000)
    --rules RULES     of the games (match)
    --write           write docs/exact.json

`standard` plays whole games with itself. Of each decision on a card among the last eight tricks, the solver finds the
chance to win of every card with all hands open and all four seats playing perfectly from there on. Each agent is asked
about the same positions, of which it sees what its seat may know. What its card is worth less than the best is its
loss. Nobody who sees one hand can avoid all of it, so losses tell agents apart; none says how far one is from perfect.
"""

import argparse
import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import write_record  # noqa: E402
from spades_env import Game  # noqa: E402
from spades_env._jit import njit  # noqa: E402
from spades_env.agents import load  # noqa: E402
from spades_env.agents.arena.gaps import KINDS, kinds_of  # noqa: E402
from spades_env.agents.base import Batch  # noqa: E402
from spades_env.agents.solver.alpha_beta import new_solver  # noqa: E402
from spades_env.agents.solver.oracle import ILLEGAL, SOLVED, solve_cards  # noqa: E402
from spades_env.agents.solver.outcomes import EQUITY, MILLION  # noqa: E402
from spades_env.checks import whole  # noqa: E402
from spades_env.errors import SpadesError  # noqa: E402
from spades_env.game.cards import NUM_ACTIONS  # noqa: E402
from spades_env.game.rules import Rules  # noqa: E402

AGENTS = ("random", "rb", "rule", "club", "standard", "zofia")
PLAYER, SEED = "standard", 4321
POSITIONS = 20_000
RESULTS = ROOT / "docs" / "exact.json"


class Positions:
    """Decisions on late cards.

    seen      as the seats to move see them
    opened    with all cards
    hand      int[N], the number of the hand
    """

    def __init__(self, rules: Rules, count: int):
        seen, opened, self.hand = [], [], np.empty(count, np.int64)
        for number, (hand, game) in zip(range(count), _late_cards(rules), strict=False):
            seen.append(game.view(game.turn))
            opened.append(game.state)
            self.hand[number] = hand
        self.seen = Batch.of(seen)
        tables = np.concatenate(opened).view(np.recarray)
        self.opened = Batch(tables, self.seen.rules, self.seen.rules_of, self.seen.named)

    def worths(self) -> np.ndarray:
        """Return the chance to win after every legal card, float64[N, 70], and less than any elsewhere."""
        worths = np.full((len(self.seen), NUM_ACTIONS), ILLEGAL)
        _solve_all(*self.opened.for_kernels, new_solver(), worths)
        return worths / MILLION

    @property
    def left(self) -> np.ndarray:
        """The tricks left, with the one on the table."""
        return 13 - self.seen.tables.num_plays.astype(np.int64) // 4


def _late_cards(rules: Rules) -> Iterator[tuple[int, Game]]:
    """Yield games of PLAYER with itself whenever a late card has to be chosen, with a number for each hand."""
    player, hands = load(PLAYER, seed=SEED), 0
    for seed in itertools.count(SEED):
        game, before = Game(rules, seed=seed), hands
        while not game.over:
            hands, legal = before + len(game.results), game.legal_actions()
            if len(legal) > 1 and game.phase == "play" and game.cards_played >= 4 * (13 - SOLVED):
                yield hands, game
            game.apply(legal[0] if len(legal) == 1 else player.act(game.view(game.turn)))
        hands += 1


@njit
def _solve_all(tables, rules, rules_of, solver, worths):
    for i in range(len(tables)):
        solve_cards(tables, i, rules[rules_of[i]], EQUITY, solver, worths[i])


def measured(rules: Rules, count: int, names: Sequence[str] = AGENTS) -> dict[str, Any]:
    """Return what each agent loses, in all, by tricks left and by kind."""
    began = time.perf_counter()
    found = Positions(rules, count)
    worths = found.worths()
    report: dict[str, Any] = {"rules": str(rules), "player": PLAYER, "seed": SEED, "positions": count}
    report |= {"hands": int(found.hand.max()) + 1, "solved_seconds": time.perf_counter() - began, "agents": {}}
    best = worths.max(1)
    kinds, rows = kinds_of(found.seen, worths.argmax(1), worths.argmax(1)), np.arange(count)
    for name in names:
        lost = best - worths[rows, load(name, seed=SEED).act_batch(found.seen)]
        parts = {"all": np.ones(count, bool)} | {f"{left} left": found.left == left for left in range(SOLVED, 1, -1)}
        parts |= {kind: kinds == kind for kind in KINDS if (kinds == kind).any()}
        report["agents"][name] = {part: loss(lost[which], found.hand[which]) for part, which in parts.items()}
        print(f"{name}: {report['agents'][name]['all']}", flush=True)
    return report


def loss(lost: np.ndarray, hand: np.ndarray) -> dict[str, float]:
    """Return the mean loss of a decision in hundredths of a game, half its 95 % interval, and the share with a loss.

    hand: int[N]; the interval allows for decisions of one hand depending on each other
    """
    off = lost - lost.mean()
    error = np.sqrt(np.square(np.bincount(hand, off)).sum()) / len(lost)
    shares = {"decisions": len(lost), "faults": float((lost > 0).mean())}
    return shares | {"lost": 100 * float(lost.mean()), "doubt": 196 * float(error)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--rules", default="match")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    try:
        rules = Rules.of(given.rules)
        if not rules.partners:
            raise SpadesError("the solver values sides: it takes rules with partners, not partners=false")
        report = measured(rules, whole("--positions", given.positions, 1, 10**7))
    except SpadesError as error:
        parser.error(str(error))
    if given.write:
        write_record(RESULTS, report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
