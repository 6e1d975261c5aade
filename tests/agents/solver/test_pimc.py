"""`pimc`: the solver's mean over worlds in the last tricks, `club` before."""

import random
from itertools import permutations

import numpy as np
import pytest
from support.game.endings import ending, random_ending
from support.game.tables import moments
from support.strategies import scaled

from spades_env import Game, agents
from spades_env._jit import JIT_ON
from spades_env.agents.base import AgentError, Batch
from spades_env.agents.solver import pimc
from spades_env.agents.solver.alpha_beta import new_solver, prepare, solve
from spades_env.agents.solver.outcomes import EQUITY
from spades_env.game.cards import card


def worths_by_hand(game: Game) -> dict[int, float]:
    """The share of the win of each legal card, the mean over every way in which the hidden cards may lie."""
    rules, r, me = game.rules, game._compiled[0], game.turn
    others = [seat for seat in range(4) if seat != me]
    voids = game.view(me).state.voids[0]
    hidden = [card for seat in others for card in game.hands[seat]]
    ends = np.cumsum([len(game.hands[seat]) for seat in others])
    totals, worlds = np.zeros(len(game.legal_actions())), set()
    for order in permutations(hidden):
        worlds.add(tuple(frozenset(part.tolist()) for part in np.split(np.array(order, int), ends[:-1])))
    possible = 0
    for world in worlds:
        places = [[int(r.place[c]) for c in hand] for hand in world]
        if any(int(voids[seat]) >> (p >> 4) & 1 for seat, hand in zip(others, places, strict=True) for p in hand):
            continue
        table, solver, values = game.state, new_solver(), np.zeros(13)
        for seat, hand in zip(others, places, strict=True):
            table[0].hands[seat] = sum(1 << place for place in hand)
        prepare(solver[0], table, 0, r, rules.side(me), EQUITY)
        totals += values[: solve(solver[0], table[0], r, values)]
        possible += 1
    legal = sorted(game.legal_actions(), key=lambda c: r.place[c])
    return dict(zip(legal, (totals / possible / pimc.MILLION).tolist(), strict=True))


def test_a_card_is_worth_its_mean_over_all_worlds():
    rng, agent = random.Random(1), agents.load("pimc:3000" if JIT_ON else "pimc:5")
    for _ in range(scaled(8)):
        game = random_ending(rng, rng.randint(5, 8), blind_nil_pass=0)
        hint = dict(agent.hint(game.view(game.turn)))
        assert hint.keys() == set(game.legal_actions())
        if JIT_ON:
            assert hint == pytest.approx(worths_by_hand(game), abs=0.03)


def test_before_the_last_tricks_it_is_club():
    one, other = agents.load("pimc:2"), agents.load("club")
    for game in moments("early", scaled(50), wanted=lambda game: game.cards_played < 4 * (13 - pimc.SOLVED)):
        view = game.view(game.turn)
        assert one.act(view) == other.act(view)
        assert one.hint(view) == other.hint(view)


def test_the_first_of_its_hint_is_its_answer():
    rng, agent = random.Random(3), agents.load("pimc:4", seed=6)
    for _ in range(scaled(30)):
        game = random_ending(rng, rng.randint(1, 24 if JIT_ON else 8))
        assert agent.hint(game.view(game.turn))[0][0] == agent.act(game.view(game.turn))


@pytest.mark.parametrize("trumps", ["nyc", "deuces"])
def test_a_hint_with_sixteen_trumps(trumps):
    agent = agents.load("pimc:2")
    for seed in range(scaled(12)):
        game = Game(f"match trumps={trumps}", seed=seed)
        while not game.results:
            view = game.view(game.turn)
            if len(view.tricks_played) >= 7:
                assert agent.hint(view)[0][0] == agent.act(view)
            game.apply(game.legal_actions()[0])


def test_of_equal_cards_it_plays_clubs_else_the_lowest():
    table = Game("classic", seed=1).state[0]
    legal = np.uint64(0b1011)
    totals = np.array([5, 7, 7] + [0] * 10)
    assert pimc.best_card(legal, np.int64(3), totals) == 3
    assert pimc.best_card(legal, np.int64(0), totals) == 1
    assert not pimc.is_solved(table)


def test_it_takes_the_trick_that_makes_the_bid():
    """South needs both tricks: its ace now, the spade later."""
    batch = ending(["AH 2S", "3C 4C", "5C 6C", "7C"], "KH", leader=3, bids=(4, 3, 4, 2), tricks=(3, 3, 3, 2))
    assert answer(batch, "pimc:5") == card("AH")


def test_it_saves_a_partners_nil():
    """North's nil is winning, and only South's king can take the trick."""
    batch = ending(["KH 2H", "3C", "5C", "7C"], "4H 9H 5H", leader=1, bids=(4, 3, 0, 3), tricks=(4, 4, 0, 3))
    assert answer(batch, "pimc:5") == card("KH")


def answer(batch: Batch, name: str) -> int:
    return int(agents.load(name).act_batch(batch)[0])


@pytest.mark.parametrize(
    "name",
    ["pimc", "pimc:", "pimc:0", "pimc:-1", "pimc:20x3", "pimc:10001", "pimc:200ms", "pimc:3+rule", "pimc:3+", "pimc:٣"],
)
def test_strings_that_are_refused(name):
    with pytest.raises(AgentError, match=r"invalid agent .*; expected pimc:W$"):
        agents.load(name)
