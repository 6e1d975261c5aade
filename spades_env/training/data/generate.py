"""Play hands between agents and return every decision as rows of data.

    played = play_shard(plan, 3, plan.agents())

A plan says who plays how many hands by which rules. Its shards are independent, so any thread plays any of them, in any
order, with the same result. In a shard games run at many tables side by side; a table stops when it has played its
share of hands, but finishes its last game, so that the winner of the game is known for every hand.

Rows are in the order of hand and step. `observation` and `mask` in `decisions` hold what the seat to move may know;
only `hidden_deals` has the cards of all four, and only `hands` the seeds, which give them away.

With `epsilon` a random legal action is played instead of the agent's in this share of the decisions, so that a bot
which always answers the same visits more than its own games. `probability` counts both.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from spades_env.agents import Agent, Batch, load
from spades_env.agents.arena.benchmark import RESERVED
from spades_env.agents.arena.lockstep import derived_seed
from spades_env.agents.arena.match import MOST_HANDS
from spades_env.agents.cluster.shipment import Load
from spades_env.checks import LARGEST_SEED, whole
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_SEATS, NUM_TRICKS, SEATS
from spades_env.game.rules import Rules
from spades_env.training.data.likelihood import likelihood
from spades_env.training.self_play.tables import LAST_PLAY, after_last_card
from spades_env.vector.env import STAY, SpadesVectorEnv

HANDS_OF_TABLE = 16  # of each table in a shard; the last one may have fewer
SHARD_HANDS = 2048
MOST_HANDS_IN_ALL = 1_000_000_000
UNKNOWN = -128  # the winner of a game that was cut
OWN_DEALS = 0x5BADE5 << 32  # changes a seed, so that no match of the same seed has a deal of the dataset
Columns = dict[str, np.ndarray]
Played = dict[str, Columns]  # the rows of a shard: for each of three tables, columns of equal length


class PlanError(SpadesError):
    """A plan that cannot be generated."""


@dataclass(frozen=True)
class DatasetPlan:
    """Who plays how many hands by which rules. `names`: one agent for each seat, South first."""

    names: tuple[str, str, str, str]
    rules: Rules
    hands: int
    seed: int = 0
    shard_hands: int = SHARD_HANDS
    epsilon: float = 0.0  # share of the decisions that are made at random

    def __post_init__(self):
        whole("hands", self.hands, 1, MOST_HANDS_IN_ALL)
        whole("shard-hands", self.shard_hands, 1, 1_000_000)
        if not 0 <= self.epsilon <= 1:
            raise PlanError(f"epsilon must be from 0 to 1, not {self.epsilon}")
        if whole("seed", self.seed, 0, LARGEST_SEED) in RESERVED:
            kept = f"from {RESERVED[0]} to {RESERVED[-1]}"
            raise PlanError(f"seeds {kept} are the benchmark's, and nothing may learn from them: choose another")

    @classmethod
    def of(
        cls,
        names: list[str],
        rules: Rules,
        hands: int,
        seed: int = 0,
        shard_hands: int = SHARD_HANDS,
        epsilon: float = 0.0,
    ) -> "DatasetPlan":
        """Seat one name everywhere, two as the sides South & North and West & East, four at the seats."""
        if len(names) not in (1, 2, NUM_SEATS):
            seats = ", ".join(SEATS)
            raise PlanError(f"one agent, two (for the sides) or four (for {seats}) can play, not {len(names)}")
        first, second, third, fourth = (names[seat % len(names)] for seat in range(NUM_SEATS))
        return cls((first, second, third, fourth), rules, hands, seed, shard_hands, epsilon)

    @property
    def shards(self) -> int:
        return -(-self.hands // self.shard_hands)

    def hands_of(self, shard: int) -> int:
        return min(self.shard_hands, self.hands - shard * self.shard_hands)

    def agents(self, load: Load = load) -> tuple[Agent, ...]:
        """Return an agent for each seat, one for each name; none has the seed of a deal."""
        key = np.uint64(~self.seed & LARGEST_SEED)
        found = {name: load(name, int(derived_seed(key, self.names.index(name)))) for name in dict.fromkeys(self.names)}
        return tuple(found[name] for name in self.names)


class Shard:
    """A shard in play, with games at many tables."""

    def __init__(self, plan: DatasetPlan, number: int):
        self.plan, self.first_hand = plan, number * plan.shard_hands
        hands = plan.hands_of(number)
        first = np.arange(0, hands, HANDS_OF_TABLE)
        key = np.uint64(plan.seed ^ OWN_DEALS)
        seeds = [int(derived_seed(key, self.first_hand + int(hand))) for hand in first]
        self.env = SpadesVectorEnv(len(first), plan.rules, seed=seeds, truncate_after=MOST_HANDS, threads=1)
        self.env.reset()
        self.quota = np.minimum(HANDS_OF_TABLE, hands - first)  # hands that each table must finish,
        self.hand = np.zeros(len(first), np.int64)  # … has finished,
        self.begun = np.full(len(first), -1)  # … and the last one it has begun
        self.game = np.zeros(len(first), np.int64)
        self.active = np.ones(len(first), bool)
        self.starts, self.steps, self.ends = list[Columns](), list[Columns](), list[Columns]()
        self.winners: dict[tuple[int, int], int] = {}  # table, game -> side
        self._rng = np.random.default_rng([plan.seed, number])

    def step(self, agents: tuple[Agent, ...]) -> None:
        """Make one decision at every active table."""
        env, tables = self.env, self.env.tables
        kept = self.active & (self.hand < self.quota)
        dealt = np.flatnonzero(kept & (self.begun < self.hand))
        self.begun[dealt] = self.hand[dealt]
        start = {"table": np.arange(env.num_envs), "game": self.game, "seed": env.seeds}
        start |= {name: tables[name] for name in ("hand_number", "dealer", "scores", "bags", "hands")}
        self._note(self.starts, dealt, start)
        choices, actions, probabilities = self._decided(agents, tables)
        decision = {"seat": env.turn, "phase": tables.phase, "choice": choices, "action": actions}
        decision["probability"] = probabilities
        self._note(self.steps, np.flatnonzero(kept), decision | {"observation": env.observation, "mask": env.mask})
        last = self.active & (tables.num_plays == LAST_PLAY)
        ending = np.flatnonzero(last & kept)
        after = after_last_card(env, ending, actions)
        env.step(actions)
        self._note(self.ends, ending, {"reward": env.reward})
        if len(ending):
            names = ("bids", "nils", "tricks", "points", "overtricks", "scores", "bags")
            self.ends[-1] |= {name: after[name] for name in names}
        self.hand += last
        for table in np.flatnonzero(env.done & self.active):
            self.winners[int(table), int(self.game[table])] = UNKNOWN if env.truncated[table] else env.winner[table]
        self.game += env.done & self.active
        self.active &= ~(env.done & (self.hand >= self.quota))

    def _note(self, rows: list[Columns], which: np.ndarray, columns: Columns) -> None:
        if len(which):
            hands = self.first_hand + which * HANDS_OF_TABLE + self.hand[which]
            rows.append({"hand_id": hands} | {name: column[which] for name, column in columns.items()})

    def _decided(self, agents: tuple[Agent, ...], tables: np.recarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what agents choose and what is played, int64[N], STAY at finished tables; how likely, float32[N]."""
        env, epsilon = self.env, self.plan.epsilon
        choices, legal = np.full(env.num_envs, STAY, np.int64), env.mask.astype(bool)
        actions, probabilities = self._at_random(legal), np.ones(env.num_envs, np.float32)
        views = Batch.at(env)
        for agent in dict.fromkeys(agents):
            seats = [seat for seat, one in enumerate(agents) if one is agent]
            which = np.flatnonzero(self.active & np.isin(env.turn, seats))
            if len(which):
                batch = Batch.at(env, tables) if agent.cheats else views
                batch = batch if len(which) == len(batch) else batch.take(which)
                choices[which] = agent.act_batch(batch)
                actions[which] = np.where(actions[which] == STAY, choices[which], actions[which])
                probabilities[which] = likelihood(agent, batch, legal[which], choices[which], actions[which])
        return choices, actions, (1 - epsilon) * probabilities + epsilon / np.maximum(1, legal.sum(axis=1))

    def _at_random(self, legal: np.ndarray) -> np.ndarray:
        """Return a random legal action where one is played instead of the agent's, int64[N]; STAY elsewhere."""
        actions = np.full(len(legal), STAY, np.int64)
        if self.plan.epsilon:
            which = np.flatnonzero(self.active & (self._rng.random(len(legal)) < self.plan.epsilon))
            actions[which] = (legal[which] * self._rng.random((len(which), legal.shape[1]))).argmax(axis=1)
        return actions

    def played(self) -> Played:
        """Return all rows in their order."""
        starts, ends = _by_hand(self.starts), _by_hand(self.ends)
        first = starts["hand_id"][0]
        games = zip(starts["table"].tolist(), starts["game"].tolist(), strict=True)
        winner = np.array([self.winners[game] for game in games], np.int8)
        deals = {"hand_id": starts["hand_id"]}
        deals |= {name.lower(): _cards(starts["hands"][:, seat], self.env) for seat, name in enumerate(SEATS)}
        hands = {name: starts[name] for name in ("hand_id", "seed", "hand_number", "dealer")}
        hands |= {f"{name}_before": starts[name] for name in ("scores", "bags")}
        hands |= {name: ends[name] for name in ("bids", "nils", "tricks", "points", "overtricks", "reward")}
        hands |= {f"{name}_after": ends[name] for name in ("scores", "bags")} | {"winner": winner}
        decisions = _by_hand(self.steps)
        of, seat = decisions["hand_id"] - first, decisions["seat"]
        decisions["step"] = np.arange(len(of)) - np.searchsorted(of, of)
        decisions["hand_number"] = hands["hand_number"][of]
        for name, column in (("bid", "bids"), ("nil", "nils"), ("tricks", "tricks"), ("reward", "reward")):
            decisions[name] = hands[column][of, seat]
        decisions["won"] = _won(winner[of], seat % self.plan.rules.sides)
        return {"decisions": decisions, "hands": hands, "hidden_deals": deals}


def play_shard(
    plan: DatasetPlan, number: int, agents: tuple[Agent, ...], stopped: Callable[[], bool] = bool
) -> Played | None:
    """Play a shard from its first decision to its last; return None if `stopped` turns true."""
    shard = Shard(plan, number)
    while shard.active.any():
        if stopped():
            return None
        shard.step(agents)
    return shard.played()


def _by_hand(rows: list[Columns]) -> Columns:
    columns = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
    order = np.argsort(columns["hand_id"], kind="stable")
    return {name: column[order] for name, column in columns.items()}


def _cards(hands: np.ndarray, env: SpadesVectorEnv) -> np.ndarray:
    """Return the cards of dealt hands (uint64[N]) as int8[N, 13]."""
    bits = np.unpackbits(np.ascontiguousarray(hands).view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    places = np.nonzero(bits)[1].reshape(-1, NUM_TRICKS)
    return env.compiled_rules[0].card_at[0][places].astype(np.int8)


def _won(winner: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return 1 where the side won, −1 where another did, 0 in a draw, UNKNOWN where the game was cut: int8[N]."""
    decided = np.where(winner < 0, 0, np.where(winner == side, 1, -1))
    return np.where(winner == UNKNOWN, UNKNOWN, decided).astype(np.int8)
