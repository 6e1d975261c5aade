"""Endings: positions with a few cards left in each hand."""

import random
from collections.abc import Sequence

import numpy as np
from support.game.tables import random_game
from support.strategies import sensible_action

from spades_env import Game, Rules
from spades_env.agents import Batch
from spades_env.game.cards import cards
from spades_env.game.engine import begin_hand, new_game, play
from spades_env.game.state import PLAY, compile_rules, new_tables


def ending(hands: Sequence[str], table: str, *, leader: int, bids, tricks, rules="pagat", scores=(0, 0)) -> Batch:
    """Return a late position: the cards each seat still holds, South first, and the cards on the table.

    The other cards were played before, in some order.
    """
    rules = Rules.of(rules)
    compiled, state = compile_rules(rules), new_tables(1)
    s, r = state[0], compiled[0]
    new_game(s, r, np.uint64(0))
    s.scores[: len(scores)] = scores
    begin_hand(s, r)
    places = [[int(r.place[card]) for card in cards(hand)] for hand in hands]
    on_table = [int(r.place[card]) for card in cards(table)]
    out = sum(1 << place for place in sum(places, on_table))
    gone = [place for place in r.deck.tolist() if not out >> place & 1]
    s.hands[:] = [sum(1 << place for place in hand) for hand in places]
    for k, place in enumerate(gone):
        s.plays[k] = place
    s.num_plays, s.num_bids, s.broken, s.phase, s.turn, s.leader = len(gone), 4, 1, PLAY, leader, leader
    s.bids[:], s.tricks[:] = bids, tricks
    s.nils[:] = [bid == 0 for bid in bids]
    s.played = sum(1 << place for place in gone)
    assert len(gone) % 4 == 0
    put_on_table(s, r, on_table)
    return Batch(state, compiled, np.zeros(1, np.int32)).blanked()


def put_on_table(s, r, places: list[int]) -> None:
    for place in places:
        s.hands[s.turn] |= np.uint64(1 << place)
        play(s, r, place)


def random_ending(rng: random.Random, cards_left: int, **fixed) -> Game:
    """Return a game with this many cards left, under random rules; the seats mostly bid and play like beginners."""
    game = random_game(rng, **fixed)
    while game.phase != "play" or game.cards_played < 52 - cards_left:
        legal = game.legal_actions()
        sensible = rng.random() < 0.8
        game.apply(sensible_action(rng, game, legal, game.rules.trumps) if sensible else rng.choice(legal))
    return game
