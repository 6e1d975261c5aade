"""Manners: good players have them, and the positions they are asked in are what they say."""

import numpy as np
import pytest

from spades_env import agents
from spades_env.agents.arena.manners import MANNERS, POSITIONS, faults
from spades_env.agents.arena.positions import PosedPosition
from spades_env.game.cards import SEATS

AGENTS = ("rule", "club")  # who must have all of them

EACH = pytest.mark.parametrize(("manner", "position"), POSITIONS, ids=[f"{m}: {p.asked}" for m, p in POSITIONS])


@EACH
@pytest.mark.parametrize("name", AGENTS)
def test_manners(name: str, manner: str, position: PosedPosition):
    agent = agents.load(name)
    found = [position.fault(agent, seat) for seat in range(4)]
    where = " & ".join(seat for seat, fault in zip(SEATS, found, strict=True) if fault)
    assert not where, f"{name} {manner} (as {where}): {max(found)}\n{position.game().view(0)}"


@EACH
def test_positions_are_as_told(manner: str, position: PosedPosition):
    for seat in range(4):
        game = position.game(seat)
        held, partners = game.hands[seat], game.tricks[seat] + game.tricks[(seat + 2) % 4]
        assert not position.hand or sorted(position.hand) == held
        if position.out:
            others = [card for hand in game.hands for card in hand if card not in held]
            assert sorted(position.out) == sorted(others + [card for _, card in game.table])
            assert position.taken == (partners, sum(game.tricks) - partners)


@EACH
def test_positions_leave_a_choice(manner: str, position: PosedPosition):
    legal = set(position.game().legal_actions())
    assert position.named <= legal, "what is named must be legal"
    assert set() < position.right(legal) < legal, "something must be right, and something wrong"


def test_each_manner_has_three_positions():
    assert min(map(len, MANNERS.values())) >= 3


def test_faults_are_found_at_every_seat():
    """Whose answer depends on where it sits."""
    rule = agents.load("rule")

    class Odd(agents.Agent):
        def _choose(self, batch):
            rude = batch.tables.turn == 3
            return np.where(rude, agents.load("random")._choose(batch), rule._choose(batch))

    assert faults(rule) == []
    assert len(faults(Odd("odd", 0))) > len(POSITIONS) // 10


def test_faults_are_told():
    found = faults(agents.load("random"))
    assert len(found) > len(POSITIONS) // 10
    assert all(fault.startswith(tuple(MANNERS)) for fault in found)
