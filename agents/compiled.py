"""Agents that are kernels throughout: a way of bidding with a way of playing, each a number to the kernel.

    choose(s, r, bidding, playing, x)   the action of the seat to move; x begins a walk of random numbers

The kernels read nothing of a table that the seat to move may not know, so they run on views and on whole tables alike:
search uses them for roll-outs.
"""

import numpy as np

from agents.base import Agent, Batch
from agents.bis import bis_bid
from agents.club_bid import club_bid, club_goes_blind
from agents.club_play import club_card, club_pass
from agents.names import Word
from agents.rb import rb_bid
from agents.rule_bid import rule_bid
from agents.rule_play import USUAL, rule_card
from agents.simple import simple_card, simple_pass
from spades_env._jit import njit
from spades_env.cards import BID_ZERO, BLIND_NIL, LOOK
from spades_env.engine import mix, random_action
from spades_env.state import BID, BLIND, PASS

RANDOM, SIMPLE, RB, BIS, RULE, CLUB = range(6)  # ways: to bid, to play the cards, or both


class Compiled(Agent):
    """A way of bidding with a way of playing."""

    def __init__(self, name: str, bidding: int, playing: int, seed: int = 0):
        super().__init__(name, seed)
        self.bidding, self.playing = bidding, playing

    def _choose(self, batch: Batch) -> np.ndarray:
        out = np.empty(len(batch), np.int64)
        by_chance = RANDOM in (self.bidding, self.playing)
        walks = batch.walks(self.seed) if by_chance else np.zeros(len(batch), np.uint64)
        _choose_all(*batch.for_kernels, self.bidding, self.playing, walks, out)
        return out


WAYS = {  # name -> bidding, playing
    "random": (RANDOM, RANDOM),
    "rb": (RB, SIMPLE),
    "bis": (BIS, SIMPLE),
    "rule": (RULE, RULE),
    "club": (CLUB, CLUB),
}


def make(word: Word, seed: int) -> Agent:
    """The agent of this name; it takes no setting and no options."""
    if word.setting or word.options:
        raise word.refuse("it takes no settings")
    return Compiled(word.text, *WAYS[word.name], seed)


@njit
def choose(s, r, bidding, playing, x):
    """What the seat to move does."""
    if s.phase <= BID:
        return choose_bid(s, r, bidding, x)
    return choose_card(s, r, playing, x)


@njit
def choose_bid(s, r, bidding, x):
    """Look, blind nil or a bid."""
    if bidding == RANDOM:
        return random_action(s, r, mix(x))
    if bidding == RULE:
        return rule_bid(s, r, USUAL)
    if bidding == CLUB:
        return _club_bid(s, r)
    if s.phase == BLIND:
        return LOOK
    return BID_ZERO + (rb_bid(s, r) if bidding == RB else bis_bid(s, r))


@njit
def choose_card(s, r, playing, x):
    """A card to play or to pass."""
    if playing == RANDOM:
        return random_action(s, r, mix(x))
    if playing == RULE:
        return np.int64(r.card_at[rule_card(s, r, USUAL)])
    if playing == CLUB:
        return np.int64(r.card_at[club_pass(s, r) if s.phase == PASS else club_card(s, r)])
    return np.int64(r.card_at[simple_pass(s, r) if s.phase == PASS else simple_card(s, r)])


@njit
def _club_bid(s, r):
    if s.phase == BLIND:
        return BLIND_NIL if club_goes_blind(s, r) else LOOK
    return BID_ZERO + club_bid(s, r)


@njit
def _choose_all(tables, rules, rules_of, bidding, playing, walks, out):
    for i in range(len(tables)):
        out[i] = choose(tables[i], rules[rules_of[i]], bidding, playing, walks[i])
