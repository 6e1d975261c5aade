"""Comparing actions in worlds: legal ones only, blind to hidden cards, and the favourite unless another is better."""

import random

import pytest
from support.game.redeals import redealt
from support.game.tables import moments
from support.strategies import scaled

from spades_env import Game
from spades_env._jit import JIT_ON
from spades_env.agents import AgentError
from spades_env.agents.search.compare import LOYALTY, candidates, compare
from spades_env.errors import SpadesError
from spades_env.game.cards import BID_ZERO
from spades_env.game.view import View
from spades_env.play.coach.known import Sight

WORLDS = 64 if JIT_ON else 2


def test_hidden_cards_do_not_matter_and_means_are_equities():
    rng = random.Random(3)
    for game in moments("compare", scaled(20), after=40):
        view = game.view(game.turn)
        other = View(game.rules, redealt(game, game.turn, rng), game.turn, game.results)
        tried = candidates(view)
        if len(tried) < 2:
            continue
        assert set(tried) <= set(view.legal_actions())
        found = compare(view, tried, worlds=3, seed=1)
        assert found.means.tolist() == compare(other, tried, worlds=3, seed=1).means.tolist()
        assert ((found.means >= 0) & (found.means <= 1)).all()
        gap, error = found.difference(0, 1)
        assert gap == pytest.approx(found.means[0] - found.means[1])
        assert error >= 0


@pytest.mark.skipif(not JIT_ON, reason="too few worlds without the compiler")
def test_the_usual_action_is_left_only_for_a_better_one():
    game = Game("pagat", seed=1)
    view = game.view(game.turn)
    bids = [BID_ZERO + number for number in (3, 13)]
    assert compare(view, bids, usual=bids[1], worlds=WORLDS).answer == 0
    close = [BID_ZERO + number for number in (4, 5)]
    found = compare(view, close, usual=close[0], worlds=8)
    gap, error = found.difference(0, 1)
    assert abs(gap) < LOYALTY * error  # so whichever is usual is the answer
    for number, usual in enumerate(close):
        assert compare(view, close, usual=usual, worlds=8).answer == number


def test_the_usual_card_counts_beside_a_lower_one_that_is_like_it():
    seen = 0
    for game in moments("equals", 40, after=20, wanted=lambda game: game.phase == "play"):
        view = game.view(game.turn)
        sight, tried = Sight(view), candidates(view)
        higher = next((one for one in view.legal_actions() if one not in tried and sight.alike(one, tried[0])), None)
        if higher is not None and len(tried) > 1:
            assert compare(view, [tried[1], higher], usual=higher, worlds=8).trial.favourite == 1
            seen += 1
    assert seen


@pytest.mark.parametrize(
    "actions", [[], [BID_ZERO + 3], 2 * [BID_ZERO + 3], [0, BID_ZERO], [BID_ZERO + i % 14 for i in range(15)]]
)
def test_what_cannot_be_compared(actions):
    game = Game("pagat", seed=1)
    with pytest.raises(AgentError, match="2 to 14 different legal actions can be compared"):
        compare(game.view(game.turn), actions)


def test_numbers_out_of_range_and_a_game_are_refused():
    game = Game("pagat", seed=1)
    view, bids = game.view(game.turn), [BID_ZERO + 3, BID_ZERO + 4]
    for worlds in (0, -1, 2.5):
        with pytest.raises(SpadesError, match="worlds must be a whole number from 1"):
            compare(view, bids, worlds=worlds)  # pyright: ignore[reportArgumentType]
    with pytest.raises(SpadesError, match="seed must be a whole number from 0"):
        compare(view, bids, seed=-1)
    for action in (-13, 70):
        with pytest.raises(AgentError, match="legal actions can be compared"):
            compare(view, [BID_ZERO + 3, action])
    for usual in (-5, 0, 70):
        with pytest.raises(AgentError, match="usual must be a legal action"):
            compare(view, bids, usual=usual)
    with pytest.raises(SpadesError, match="the number of an action must be a whole number from 0 to 1"):
        compare(view, bids, worlds=2).difference(0, 2)
    with pytest.raises(AgentError, match="candidates are those of the seat to move"):
        candidates(game.view((game.turn + 1) % 4))
    with pytest.raises(AgentError, match="by what a seat sees"):
        compare(game, bids)  # pyright: ignore[reportArgumentType]
