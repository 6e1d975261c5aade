"""Rollouts: they end the hand, loose nils duck, and seats stray at the given share."""

import random

import numpy as np
import pytest
from support.game.tables import moments
from support.strategies import scaled

from spades_env import Game
from spades_env._jit import JIT_ON
from spades_env.agents.compiled import RULE
from spades_env.agents.search.playouts import LOOSE, finish_hand, play_until, strays
from spades_env.game.cards import BID_ZERO, cards
from spades_env.game.scoring import living_nil
from spades_env.game.state import GOES_ON, PLAY


@pytest.mark.parametrize("playing", [LOOSE, RULE])
def test_a_playout_ends_the_hand(playing):
    for number, game in enumerate(moments(f"playing {playing}", scaled(80))):
        finish_hand(game._s, game._compiled[0], playing, np.uint64(number))
        assert game._s.num_plays == 52
        assert not game._s.hands.any()


def test_a_playout_stops_before_its_last_tricks():
    """Or at once, where fewer are left; what follows is as if it had not stopped."""
    for game in moments("stopping", scaled(60), wanted=lambda game: game._s.phase == PLAY):
        r, played = game._compiled[0], game.cards_played
        whole, s = game._s.copy(), game._s
        finish_hand(whole, r, RULE, np.uint64(7))
        assert play_until(s, r, np.uint64(7), 0.0, 4) == GOES_ON
        assert s.num_plays == max(played, 36)
        play_until(s, r, np.uint64(8), 0.0, 0)
        assert s.tobytes() == whole.tobytes()


def test_a_loose_nil_ducks():
    kept = 0
    deals = scaled(100)
    for seed in range(deals):
        hands = [cards("2S 3S 4H 3H 2H 5D 4D 3D 2D 5C 4C 3C 2C"), [], [], []]
        rest = sorted(set(range(52)) - set(hands[0]), key=lambda card: (card * 7919 + seed * 31) % 101)
        hands[1:] = rest[:13], rest[13:26], rest[26:]
        game = Game("pagat", deal=hands, dealer=3)
        for bid in (0, 4, 4, 4):
            game.apply(BID_ZERO + bid)
        finish_hand(game._s, game._compiled[0], LOOSE, np.uint64(seed))
        kept += game._s.tricks[0] == 0
    assert kept > 0.9 * deals


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_seats_stray_at_their_share_but_for_living_nils(share):
    rng, strayed, nils = random.Random(11), [], 0
    for game in moments("straying", scaled(2000), wanted=lambda game: game._s.phase == PLAY):
        does = bool(strays(game._s, np.uint64(rng.getrandbits(64)), share))
        if living_nil(game._s, game.turn):
            nils += 1
            assert not does
        else:
            strayed.append(does)
    assert nils or not JIT_ON
    assert abs(np.mean(strayed) - share) < 0.05 or not JIT_ON


def test_without_a_share_nobody_strays():
    """Then `rule` plays on, whatever the random numbers; with a share of cards, it does not."""
    others, tried = 0, scaled(60)
    for game in moments("steady", tried, wanted=lambda game: game._s.phase == PLAY and game.cards_played <= 36):
        ends = []
        for share, walk in ((0.0, 1), (0.0, 2), (0.3, 1), (0.3, 1)):
            table = game._s.copy()
            finish_hand(table, game._compiled[0], RULE, np.uint64(walk), share)
            ends.append(table.tobytes())
        assert ends[0] == ends[1]
        assert ends[2] == ends[3]
        others += ends[0] != ends[2]
    assert others > tried / 2 or not JIT_ON
