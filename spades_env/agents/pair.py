"""Two agents in one: one bids and one plays, or one takes over near the end or while a nil lives."""

from collections.abc import Callable

import numpy as np

from spades_env.agents.base import Agent, Batch, Hint
from spades_env.agents.compiled import Compiled
from spades_env.game.cards import NUM_SEATS, NUM_TRICKS
from spades_env.game.scoring import living_nils
from spades_env.game.state import BID, PLAY

Early = Callable[[Batch], np.ndarray]  # bool[N]: does the first of the two decide?


def pair(name: str, bidder: Agent, player: Agent) -> Agent:
    """Join a bidder and a player, who decides after the bidding."""
    if isinstance(bidder, Compiled) and isinstance(player, Compiled):
        return Compiled(name, bidder.bidding, player.playing, bidder.seed)
    return Pair(name, bidder, player, lambda batch: batch.tables.phase <= BID)


def with_cards(name: str, first: Agent, player: Agent) -> Agent:
    """Join an agent for bids and passes with one for the cards played."""
    return Pair(name, first, player, lambda batch: batch.tables.phase < PLAY)


def with_ending(name: str, player: Agent, finisher: Agent, tricks: int) -> Agent:
    """Join a player with a finisher for the cards of the last tricks."""
    return Pair(name, player, finisher, lambda batch: ~_is_late(batch, tricks))


def with_hunt(name: str, player: Agent, hunter: Agent) -> Agent:
    """Join a player with a hunter for the cards while another side has a living nil."""
    return Pair(name, player, hunter, lambda batch: ~_is_hunt(batch))


class Pair(Agent):
    """Two agents, each for a part of the decisions."""

    def __init__(self, name: str, first: Agent, second: Agent, early: Early):
        super().__init__(name, first.seed)
        self.first, self.second, self._early = first, second, early
        self.cheats = first.cheats or second.cheats
        self.weighs = first.weighs or second.weighs

    @property
    def failures(self) -> dict[str, int]:
        """Failures of both agents."""
        return {reason: count + self.second.failures[reason] for reason, count in self.first.failures.items()}

    @property
    def tokens(self) -> dict[str, int]:
        """Tokens of both agents."""
        return {kind: count + self.second.tokens[kind] for kind, count in self.first.tokens.items()}

    def close(self) -> None:
        self.first.close()
        self.second.close()

    def _choose(self, batch: Batch) -> np.ndarray:
        return self._answers(batch, lambda agent, part: agent._choose(part))

    def _worths(self, batch: Batch) -> np.ndarray:
        return self._answers(batch, lambda agent, part: agent._worths(part))

    def _answers(self, batch: Batch, ask: Callable[[Agent, Batch], np.ndarray]) -> np.ndarray:
        """Ask each agent about its positions; return the answers in the order of the batch."""
        early = self._early(batch)
        if early.all() or not early.any():
            agent = self._asked(early[0])
            return ask(agent, self._seen_by(agent, batch))
        first, second = (
            ask(agent, self._seen_by(agent, batch.take(which)))
            for agent, which in ((self.first, early), (self.second, ~early))
        )
        out = np.empty((len(batch), *first.shape[1:]), first.dtype)
        out[early], out[~early] = first, second
        return out

    def _hint(self, batch: Batch) -> Hint:
        agent = self._asked(self._early(batch)[0])
        return agent._hint(self._seen_by(agent, batch))

    def _hint_measure(self, batch: Batch) -> str:
        return self._asked(self._early(batch)[0])._hint_measure(batch)

    def _seen_by(self, agent: Agent, batch: Batch) -> Batch:
        """Hide the hidden cards from an agent that does not cheat if the other does."""
        return batch.blanked() if self.cheats and not agent.cheats else batch

    def _asked(self, early: np.bool_) -> Agent:
        return self.first if early else self.second


def _is_hunt(batch: Batch) -> np.ndarray:
    tables, seats = batch.tables, np.arange(NUM_SEATS)
    side = batch.rules.side_mask[batch.rules_of][:, None]
    foes = (seats & side) != (tables.turn[:, None] & side)
    return (tables.phase == PLAY) & (foes & living_nils(tables)).any(axis=1)


def _is_late(batch: Batch, tricks: int) -> np.ndarray:
    return (batch.tables.phase == PLAY) & (NUM_TRICKS - batch.tables.tricks.sum(axis=1) <= tricks)
