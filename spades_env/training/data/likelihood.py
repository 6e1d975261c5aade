"""How likely an agent was to choose an action, over the random numbers that it draws.

    likelihood(agent, batch, legal, choices, actions)     float32[N]

An agent that draws none was sure of its choice: 1 for that, 0 for anything else. `random` and networks at a temperature
draw from probabilities that are known. What a search, a program or a function of somebody's own would have chosen with
other random numbers, nobody can say: NaN.
"""

import numpy as np

from spades_env.agents import Agent, Batch
from spades_env.agents.compiled import RANDOM, Compiled
from spades_env.agents.network.player import NetworkAgent, log_probs
from spades_env.agents.onnx_player import OnnxAgent
from spades_env.agents.pair import Pair
from spades_env.game.state import BID


def likelihood(agent: Agent, batch: Batch, legal: np.ndarray, choices: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Return float32[N]: how likely each of these actions was. legal: bool[N, 70]; choices, actions: int64[N]."""
    sure = (choices == actions).astype(np.float32)
    if isinstance(agent, Compiled):
        by_chance = np.where(batch.tables.phase <= BID, agent.bidding, agent.playing) == RANDOM
        return np.where(by_chance, 1 / legal.sum(axis=1), sure)
    if isinstance(agent, NetworkAgent | OnnxAgent):
        return _sampled(agent, batch, actions) if agent.temperature else sure
    if isinstance(agent, Pair):
        out, early = np.empty(len(batch), np.float32), agent._early(batch)
        for part, which in ((agent.first, early), (agent.second, ~early)):
            if which.any():
                out[which] = likelihood(part, batch.take(which), legal[which], choices[which], actions[which])
        return out
    return np.full(len(batch), np.nan, np.float32)


def _sampled(agent: NetworkAgent | OnnxAgent, batch: Batch, actions: np.ndarray) -> np.ndarray:
    logits, legal = agent._think(batch)
    return np.exp(log_probs(logits / agent.temperature, legal))[np.arange(len(batch)), actions]
