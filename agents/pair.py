"""The bidding of one agent with the card play of another."""

import numpy as np

from agents.base import Agent, Batch, Hint
from agents.compiled import Compiled
from spades_env.state import BID


def pair(name: str, bidder: Agent, player: Agent) -> Agent:
    """One agent that asks the bidder until the bids are made, then the player."""
    if isinstance(bidder, Compiled) and isinstance(player, Compiled):
        return Compiled(name, bidder.bidding, player.playing, bidder.seed)
    return Pair(name, bidder, player)


class Pair(Agent):
    """Two agents, one for each part of a hand."""

    def __init__(self, name: str, bidder: Agent, player: Agent):
        super().__init__(name, bidder.seed)
        self.bidder, self.player = bidder, player
        self.cheats = bidder.cheats or player.cheats

    def _choose(self, batch: Batch) -> np.ndarray:
        bidding = batch.tables.phase <= BID
        if bidding.all() or not bidding.any():
            return self._ask(self._who(bidding[0]), batch)
        out = np.empty(len(batch), np.int64)
        for which, agent in ((bidding, self.bidder), (~bidding, self.player)):
            out[which] = self._ask(agent, batch.take(which))
        return out

    def _weigh(self, batch: Batch) -> Hint:
        agent = self._who(batch.tables.phase[0] <= BID)
        return agent._weigh(self._seen_by(agent, batch))

    def _ask(self, agent: Agent, batch: Batch) -> np.ndarray:
        return agent._choose(self._seen_by(agent, batch))

    def _seen_by(self, agent: Agent, batch: Batch) -> Batch:
        """One of the two may cheat and the other not."""
        return batch.blanked() if self.cheats and not agent.cheats else batch

    def _who(self, bidding: bool) -> Agent:
        return self.bidder if bidding else self.player
