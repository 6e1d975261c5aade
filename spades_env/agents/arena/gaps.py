"""Find where an agent loses: its decisions in whole games, each compared with that of a long search.

    from spades_env.agents.arena import gaps
    report = gaps.judge_match("standard", "rule", games=40).report()
    report.gaps["their nil"].lost_a_hand        in hundredths of a game

This is regret analysis. The judge, a search, values every decision twice, in different worlds: the first values choose,
the second measure how much better its choice is than the agent's. So its luck in the first worlds does not count, and
where it knows no better than the agent, the mean regret is 0. Its rollouts have `rule` at all seats, so the regret is
that among players like `rule`.
"""

from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from spades_env._jit import njit, wrap_around
from spades_env.agents import arena
from spades_env.agents.arena.match import seated
from spades_env.agents.arena.match_result import Result
from spades_env.agents.base import NOT_TRIED, Agent, AgentError, Batch
from spades_env.agents.registry import load
from spades_env.agents.search.monte_carlo import MonteCarlo
from spades_env.checks import usable_cores
from spades_env.game.cards import BID_ZERO, NUM_ACTIONS, NUM_SEATS
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.scoring import contract, living_nils
from spades_env.game.state import BID, BLIND, PASS

JUDGE = "mc:100x1+rule+likely"
FIRST, SECOND = 1, 2  # the seeds of the judge
AT_ONCE = 32  # decisions that a thread judges between two reports
CLOSE = 150  # points from the target or the floor, within which the score decides what is right

KINDS = {  # kind -> what it holds; the first that fits
    "blind": "a blind nil is offered",
    "nil": "bids, where the agent or the judge bids nil",
    "bid": "other bids",
    "pass": "cards to pass",
    "own nil": "cards, with a nil of one's own to keep",
    "partner's nil": "cards, with a partner's nil to cover",
    "their nil": "cards, with a nil to set",
    "contract": "cards, while tricks are still needed",
    "bags": "cards, when one's side has its tricks",
}
SCORES = {
    "open": "no side is near an end of the game",
    "close": f"a side is within {CLOSE} points of an end, or two hands are left",
}

Progress = Callable[[int, int], Any]  # decisions judged, decisions in all


@dataclass(frozen=True)
class Gap:
    """What some decisions lose.

    otherwise   how many the judge would decide differently
    lost        match equity
    doubt       its standard error, as if decisions were independent (those of one hand are not quite)
    """

    hands: int
    decisions: int
    otherwise: int
    lost: float
    doubt: float

    @property
    def lost_a_hand(self) -> float:
        """What is lost in a hand, in hundredths of a game."""
        return 100 * self.lost / max(1, self.hands)

    @property
    def doubt_a_hand(self) -> float:
        """Half of its 95 % interval."""
        return 196 * self.doubt / max(1, self.hands)

    @property
    def lost_a_hand_ci(self) -> tuple[float, float]:
        return self.lost_a_hand - self.doubt_a_hand, self.lost_a_hand + self.doubt_a_hand

    def as_dict(self) -> dict[str, Any]:
        counts = {"decisions": self.decisions, "otherwise": self.otherwise}
        lost = {"lost_a_hand": self.lost_a_hand, "lost_a_hand_ci": list(self.lost_a_hand_ci)}
        return counts | lost | {"doubt_a_hand": self.doubt_a_hand}


@dataclass(frozen=True)
class Report:
    """What an agent loses in a match. unjudged: decisions that the judge does not consider, and illegal ones."""

    agent: str
    against: str
    judge: str
    rules: Rules
    seed: int
    games: int
    hands: int
    total: Gap
    gaps: dict[str, Gap]
    by_score: dict[str, Gap]
    unjudged: int

    def as_dict(self) -> dict[str, Any]:
        names = ("agent", "against", "judge", "seed", "games", "hands", "unjudged")
        facts = {name: getattr(self, name) for name in names}
        facts |= {"rules": str(self.rules), "total": self.total.as_dict()}
        parts = {"gaps": self.gaps, "by_score": self.by_score}
        return facts | {part: {name: gap.as_dict() for name, gap in found.items()} for part, found in parts.items()}


def judge_match(
    agent: str | Agent,
    against: str | Agent,
    rules: RulesSource = "classic",
    games: int = 40,
    seed: int = 0,
    judge: str = JUDGE,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> "Judged":
    """Play a match of duplicate games, and judge all decisions of the first agent."""
    judges = [_judge(judge, number) for number in (FIRST, SECOND)]
    log = DecisionLog()
    with seated(agent, against, seed) as (player, other):
        if player.cheats:
            why = "only decisions of players that see their own can be judged"
            raise AgentError(f"{player.name} sees all cards: {why}")
        result = arena.play(player, other, rules, games=games, seed=seed, jobs=jobs, watch=log.watch)
    batch, actions, places = log.decisions()
    weighed = _weighed(judges, batch, usable_cores() if jobs is None else jobs, progress)
    return Judged.of(result, judge, log.moves, batch, actions, places, *weighed)


class DecisionLog:
    """Records every move of a match, and what the first of two agents was asked. Illegal answers stay as they were."""

    def __init__(self):
        self.moves: defaultdict[int, list[int]] = defaultdict(list)  # game -> all actions of both
        self._asked: list[tuple[Batch, np.ndarray, np.ndarray]] = []

    def watch(self, who: int, batch: Batch, actions: np.ndarray, games: np.ndarray) -> None:
        """Record some decisions."""
        places = np.array([(game, len(self.moves[game])) for game in games.tolist()])
        for game, action in zip(games.tolist(), actions.tolist(), strict=True):
            self.moves[game].append(action)
        if who == 0:
            copied = Batch(batch.tables.copy(), batch.rules, batch.rules_of, batch.named)
            self._asked.append((copied, actions, places))

    def decisions(self) -> tuple[Batch, np.ndarray, np.ndarray]:
        """Return all that was asked, in an order that no thread decides, the answers, and game and move, int[N, 2]."""
        last = self._asked[-1][0]
        batches, actions, places = zip(*self._asked, strict=True)
        tables = np.concatenate([batch.tables for batch in batches]).view(np.recarray)
        batch = Batch(tables, last.rules, np.zeros(len(tables), np.int32), last.named)
        order = np.argsort(batch.walks(0), kind="stable")
        return batch.take(order), np.concatenate(actions)[order], np.concatenate(places)[order]


def _judge(name: str, seed: int) -> MonteCarlo:
    judge = load(name, seed)
    if not isinstance(judge, MonteCarlo) or judge.seconds is not None:
        raise AgentError(f"the judge must be a search by trials of a fixed number, such as {JUDGE}, not {name}")
    return judge


def _weighed(judges: list[MonteCarlo], batch: Batch, jobs: int, progress: Progress | None) -> list[np.ndarray]:
    """Return each judge's values of all actions, float32[N, 70] each."""
    parts = [slice(start, start + AT_ONCE) for start in range(0, len(batch), AT_ONCE)]
    done = []
    with ThreadPoolExecutor(jobs, initializer=wrap_around) as pool:
        for found in pool.map(lambda part: [judge.weigh_batch(batch.take(part)) for judge in judges], parts):
            done.append(found)
            if progress:
                progress(min(len(batch), AT_ONCE * len(done)), len(batch))
    return [np.concatenate([found[k] for found in done]) for k in range(len(judges))]


@dataclass(frozen=True)
class Judged:
    """A match of which every decision of the first agent is judged; arrays have a row for each.

    moves     game -> all actions of both agents
    places    int[N, 2], the game of a decision and its number among the game's moves
    best      int[N], what the judge would do
    judged    bool[N]; elsewhere there is no choice, or the judge did not try what was done
    lost      float[N], match equity; 0 where the judge would do the same
    """

    result: Result
    judge: str
    moves: dict[int, list[int]]
    batch: Batch
    actions: np.ndarray
    places: np.ndarray
    best: np.ndarray
    judged: np.ndarray
    otherwise: np.ndarray
    lost: np.ndarray
    kinds: np.ndarray
    unjudged: int

    @classmethod
    def of(
        cls,
        result: Result,
        judge: str,
        moves: dict[int, list[int]],
        batch: Batch,
        actions: np.ndarray,
        places: np.ndarray,
        first: np.ndarray,
        second: np.ndarray,
    ) -> "Judged":
        """Compare what was done with what is best in the first worlds, by its worth in the second ones."""
        rows = np.arange(len(batch))
        open_choice = (first > NOT_TRIED).sum(axis=1) > 1
        known = (actions >= 0) & (actions < NUM_ACTIONS)  # agents made elsewhere may answer anything
        actions = np.where(known, actions, 0)
        judged = open_choice & known & (first[rows, actions] > NOT_TRIED)
        best = first.argmax(axis=1)
        otherwise = judged & (first[rows, best] > first[rows, actions])
        lost = np.where(otherwise, second[rows, best] - second[rows, actions], 0).astype(np.float64)
        kinds, unjudged = kinds_of(batch, actions, best), int((open_choice & ~judged).sum())
        return cls(result, judge, moves, batch, actions, places, best, judged, otherwise, lost, kinds, unjudged)

    def report(self) -> Report:
        """Return what was lost by kinds of decisions and by scores."""
        result, close = self.result, close_to_an_end(self.batch)
        return Report(
            agent=result.a,
            against=result.b,
            judge=self.judge,
            rules=result.rules,
            seed=result.seed,
            games=result.games,
            hands=result.hands,
            total=self._gap(self.judged),
            gaps={kind: self._gap(self.kinds == kind) for kind in KINDS},
            by_score={score: self._gap(close == (score == "close")) for score in SCORES},
            unjudged=self.unjudged,
        )

    def _gap(self, which: np.ndarray) -> Gap:
        which = which & self.judged
        some = self.lost[which]
        doubt = np.sqrt(len(some)) * some.std() if len(some) else 0.0
        return Gap(self.result.hands, len(some), int(self.otherwise[which].sum()), float(some.sum()), float(doubt))


def kinds_of(batch: Batch, actions: np.ndarray, best: np.ndarray) -> np.ndarray:
    """Return which of KINDS each decision is, str[N]."""
    s, rows = batch.tables, np.arange(len(batch))
    side_mask = batch.rules.side_mask[batch.rules_of][:, None]
    seats = np.arange(NUM_SEATS)
    own = seats == s.turn[:, None]
    mates = (seats & side_mask) == (s.turn[:, None] & side_mask)
    alive = living_nils(s)
    nil = (batch.rules.zero_is_nil[batch.rules_of] > 0) & ((actions == BID_ZERO) | (best == BID_ZERO))
    fits = {
        "blind": s.phase == BLIND,
        "nil": (s.phase == BID) & nil,
        "bid": s.phase == BID,
        "pass": s.phase == PASS,
        "own nil": alive[rows, s.turn],
        "partner's nil": (alive & mates & ~own).any(axis=1),
        "their nil": (alive & ~mates).any(axis=1),
        "contract": _lack_tricks(s, batch.rules, batch.rules_of),
        "bags": np.ones(len(batch), bool),
    }
    return np.select(list(fits.values()), list(fits), "")


@njit
def _lack_tricks(tables, rules, rules_of):
    """Return whether the side of the seat to move lacks tricks to its bid, bool[N]."""
    out = np.empty(len(tables), np.bool_)
    for i in range(len(tables)):
        r = rules[rules_of[i]]
        bid, made = contract(tables[i], r, tables[i].turn & r.side_mask)
        out[i] = made < bid
    return out


def close_to_an_end(batch: Batch) -> np.ndarray:
    """Return where the score decides what is right, bool[N]."""
    s, r = batch.tables, batch.rules[batch.rules_of].view(np.recarray)
    playing = np.arange(NUM_SEATS) < r.sides[:, None]
    high = np.where(playing, s.scores, np.iinfo(np.int32).min).max(axis=1).astype(np.int64)
    low = np.where(playing, s.scores, np.iinfo(np.int32).max).min(axis=1).astype(np.int64)
    return (high >= r.target - CLOSE) | (low <= r.floor + CLOSE) | (r.max_hands - s.hand_number <= 2)
