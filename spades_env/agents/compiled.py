"""Agents made of kernels alone: a style of bidding and a style of card play, each a number.

    choose(s, r, bidding, playing, x)   the action of the seat to move; x: its first random number

The kernels read nothing that the seat to move may not know, so they work on views and on whole tables: searches use
them for rollouts.
"""

import numpy as np

from spades_env._jit import njit
from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import Agent, Batch
from spades_env.agents.baselines.bis import bis_bid
from spades_env.agents.baselines.rb import rb_bid
from spades_env.agents.baselines.simple import simple_card, simple_pass
from spades_env.agents.club.bid import club_bid, club_call
from spades_env.agents.club.play import club_card, club_pass
from spades_env.agents.rule.bid import rule_bid
from spades_env.agents.rule.play import USUAL, rule_card
from spades_env.game.cards import BID_ZERO, LOOK
from spades_env.game.engine import mix, random_action
from spades_env.game.state import BID, BLIND, PASS

RANDOM, SIMPLE, RB, BIS, RULE, CLUB = range(6)  # styles of bidding, card play, or both


class Compiled(Agent):
    """A style of bidding with a style of card play."""

    def __init__(self, name: str, bidding: int, playing: int, seed: int = 0):
        super().__init__(name, seed)
        self.bidding, self.playing = bidding, playing

    def _choose(self, batch: Batch) -> np.ndarray:
        out = np.empty(len(batch), np.int64)
        by_chance = RANDOM in (self.bidding, self.playing)
        walks = batch.walks(self.seed) if by_chance else np.zeros(len(batch), np.uint64)
        _choose_all(*batch.for_kernels, self.bidding, self.playing, walks, out)
        return out


STYLES = {  # name -> bidding, playing
    "random": (RANDOM, RANDOM),
    "rb": (RB, SIMPLE),
    "bis": (BIS, SIMPLE),
    "rule": (RULE, RULE),
    "club": (CLUB, CLUB),
}


def make(name: AgentName, seed: int) -> Agent:
    if name.setting or name.options:
        raise name.refuse("it takes no settings")
    return Compiled(name.text, *STYLES[name.name], seed)


@njit
def choose(s, r, bidding, playing, x):
    if s.phase <= BID:
        return choose_bid(s, r, bidding, x)
    return choose_card(s, r, playing, x)


@njit
def choose_bid(s, r, bidding, x):
    """Return a bid, or before the cards are seen LOOK, a blind nil or a blind bid."""
    if bidding == RANDOM:
        return random_action(s, r, mix(x))
    if bidding == RULE:
        return rule_bid(s, r, USUAL)
    if s.phase == BLIND:
        return club_call(s, r) if bidding == CLUB else LOOK
    if bidding == CLUB:
        return BID_ZERO + club_bid(s, r)
    return BID_ZERO + (rb_bid(s, r) if bidding == RB else bis_bid(s, r))


@njit
def choose_card(s, r, playing, x):
    """Return a card to play or to pass."""
    if playing == RANDOM:
        return random_action(s, r, mix(x))
    if playing == RULE:
        return np.int64(r.card_at[rule_card(s, r, USUAL)])
    if playing == CLUB:
        return np.int64(r.card_at[club_pass(s, r) if s.phase == PASS else club_card(s, r)])
    return np.int64(r.card_at[simple_pass(s, r) if s.phase == PASS else simple_card(s, r)])


@njit
def _choose_all(tables, rules, rules_of, bidding, playing, walks, out):
    for i in range(len(tables)):
        out[i] = choose(tables[i], rules[rules_of[i]], bidding, playing, walks[i])
