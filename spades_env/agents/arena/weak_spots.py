"""An agent's weak spots: its regret by kind of decision, and the hands that cost it most, to be replayed.

    found = weak_spots.find("mine:policy")
    found.report.gaps["nil"].lost_a_hand      agents/arena/gaps.py says what is measured
    found.hands[0].text, found.hands[0].mistakes[0].position

The games are other ones than those of the benchmark, which are there to report by, not to learn from. The worst of
many hands look worse than they are: among so many estimates the largest are also the luckiest.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spades_env._jit import njit
from spades_env.agents.arena import gaps, lockstep
from spades_env.agents.base import Agent
from spades_env.game.cards import SEATS, action_name
from spades_env.game.engine import random_action
from spades_env.game.game import Game
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.state import plain

AGAINST, RULES = "rule", "match"
GAMES, SEED = 40, 1
WORST = 10  # hands
MOST_MISTAKES = 5  # shown of a hand
LEAST = 0.05  # hundredths of a game: mistakes that cost less are not shown


@dataclass(frozen=True)
class Mistake:
    """A decision that the judge would make otherwise. lost: hundredths of a game; position: a line of Python."""

    seat: str
    kind: str
    trick: int | None
    did: str
    better: str
    lost: float
    position: str


@dataclass(frozen=True)
class WorstHand:
    """A hand that cost much. lost: hundredths of a game, at both of its seats; text: its block of the game's record."""

    game: int
    hand: int
    seats: tuple[str, ...]
    lost: float
    text: str
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True)
class WeakSpots:
    """The regret of an agent by kind of decision, and its worst hands, the worst first."""

    report: gaps.Report
    hands: tuple[WorstHand, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        return self.report.as_dict() | {"worst_hands": [asdict(hand) for hand in self.hands]}


def find(
    agent: str | Agent,
    against: str | Agent = AGAINST,
    rules: RulesSource = RULES,
    games: int = GAMES,
    seed: int = SEED,
    judge: str = gaps.JUDGE,
    jobs: int | None = None,
    progress: gaps.Progress | None = None,
) -> WeakSpots:
    """Play a match of duplicate games, and judge all decisions of the first of the two."""
    judged = gaps.judge_match(agent, against, rules, games, seed, judge, jobs, progress)
    return WeakSpots(judged.report(), _worst_hands(judged))


def replayed(rules: Rules, seed: int, number: int, moves: list[int]) -> Game:
    """Return a game of a match with this seed after these moves; for an illegal one the arena's choice is played."""
    game = Game(rules, seed=int(lockstep.derived_seed(np.uint64(seed), number >> 1)))
    for action in moves:
        if action not in game.legal_actions():
            action = _instead(plain(game.state), plain(game.view(game.turn).compiled_rules))
        game.apply(int(action))
    return game


def _worst_hands(judged: gaps.Judged) -> tuple[WorstHand, ...]:
    hand_of = np.stack([judged.places[:, 0], judged.batch.tables.hand_number], axis=1)
    hands, which = np.unique(hand_of, axis=0, return_inverse=True)
    which = which.reshape(-1)
    lost = np.bincount(which, judged.lost, len(hands))
    worst = [i for i in np.argsort(-lost, kind="stable")[:WORST].tolist() if lost[i] > 0]
    numbers = hands.tolist()
    return tuple(_worst_hand(judged, numbers[i][0], numbers[i][1], np.flatnonzero(which == i)) for i in worst)


def _worst_hand(judged: gaps.Judged, number: int, hand: int, rows: np.ndarray) -> WorstHand:
    result, moves = judged.result, judged.moves[number]
    game = replayed(result.rules, result.seed, number, moves)
    block = next(part for part in game.record().split("\n\n") if part.startswith(f"hand {hand + 1},"))
    costly = sorted((row for row in rows.tolist() if 100 * judged.lost[row] >= LEAST), key=lambda i: -judged.lost[i])
    mistakes = tuple(_mistake(judged, row) for row in costly[:MOST_MISTAKES])
    seats = tuple(name for seat, name in enumerate(SEATS) if lockstep.agent_at(number, seat) == 0)
    return WorstHand(number, hand, seats, float(100 * judged.lost[rows].sum()), block.rstrip(), mistakes)


def _mistake(judged: gaps.Judged, row: int) -> Mistake:
    number, move = judged.places[row].tolist()
    game = replayed(judged.result.rules, judged.result.seed, number, judged.moves[number][:move])
    return Mistake(
        seat=SEATS[game.turn],
        kind=str(judged.kinds[row]),
        trick=len(game.tricks_played) + 1 if game.phase == "play" else None,
        did=action_name(int(judged.actions[row])),
        better=action_name(int(judged.best[row])),
        lost=float(100 * judged.lost[row]),
        position=repr(game),
    )


@njit
def _instead(tables, rules):
    return random_action(tables[0], rules[0], lockstep.chance(tables[0]))
