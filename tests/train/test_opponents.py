"""Who sits against the learner, and how often."""

import json

import numpy as np
import pytest

pytest.importorskip("torch")

from spades_env.training.opponent_pool import OpponentPool
from spades_env.training.recipe import PoolShares

TABLES = 4000
LEARNER = 0


def pool_of(selves: int = 0, /, **shares) -> OpponentPool:
    """A pool with this many past selves, past0 being the oldest."""
    pool = OpponentPool(PoolShares(**shares), seed=1)
    for number in range(selves):
        pool.add(f"past{number}")
    return pool


def seated(pool: OpponentPool, seed: int = 2):
    """Who is met, and where they sit."""
    met = pool.meet(np.random.default_rng(seed))
    return [member.name for member in met], pool.seats(np.random.default_rng(seed), TABLES, met)


def shares_of(seats: np.ndarray, met: list[str]) -> list[float]:
    """Of the tables, the share with each of those met."""
    return [float((seats == k).any(1).mean()) for k in range(1, len(met) + 1)]


def how_often_met(pool: OpponentPool) -> dict[str, float]:
    iterations = [seated_names(pool, seed) for seed in range(1000)]
    return {member.name: float(np.mean([member.name in names for names in iterations])) for member in pool.past}


def seated_names(pool: OpponentPool, seed: int) -> list[str]:
    return [member.name for member in pool.meet(np.random.default_rng(seed))]


# Seats


def test_the_learner_sits_at_every_table():
    _, seats = seated(pool_of(3, agents={"rule": 0.5, "bis": 0.2}, past=0.3))
    assert seats.shape == (TABLES, 4)
    assert (seats == LEARNER).any(1).all()
    assert all(len(set(table) - {LEARNER}) <= 1 for table in seats.tolist())


def test_shares_of_the_tables():
    met, seats = seated(pool_of(1, agents={"rule": 0.3, "bis": 0.1}, past=0.2))
    assert met == ["rule", "bis", "past0"]
    assert shares_of(seats, met) == pytest.approx([0.3, 0.1, 0.2], abs=0.03)
    assert (seats == LEARNER).all(1).mean() == pytest.approx(0.4, abs=0.03)


def test_past_selves_divide_their_share():
    met, seats = seated(pool_of(2, past=0.6))
    assert sorted(met) == ["past0", "past1"]
    assert shares_of(seats, met) == pytest.approx([0.3, 0.3], abs=0.03)


def test_as_long_as_there_is_no_past_the_learner_plays_itself():
    met, seats = seated(pool_of(0, agents={"rule": 0.3}, past=0.7))
    assert met == ["rule"]
    assert (seats == LEARNER).all(1).mean() == pytest.approx(0.7, abs=0.03)


def test_who_has_no_share_is_not_met():
    assert seated(pool_of(3, agents={"rule": 0.5}, past=0.0))[0] == ["rule"]
    assert not seated(pool_of(0, agents={}, past=0.0))[1].any()


@pytest.mark.parametrize("shares", [[0.24, 0.16, 0.46, 0.14], [0.12, 0.17, 0.02, 0.69], [0.1, 0.2, 0.7, 0.0]])
def test_shares_that_fill_all_tables(shares):
    """… though their sum is a hair beside 1."""
    *named, past = shares
    met, seats = seated(pool_of(2, agents=dict(zip(["rule", "bis", "rb"], named, strict=True)), past=past))
    found = shares_of(seats, met)
    assert found[:3] == pytest.approx(named, abs=0.03)
    assert sum(found) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("partner", [0.0, 0.25, 1.0])
def test_the_other_may_also_sit_opposite(partner):
    _, seats = seated(pool_of(agents={"rule": 1.0}, past=0.0, partner=partner))
    mine = (seats == LEARNER).sum(1)
    assert (mine == 1).mean() == pytest.approx(partner, abs=0.03)
    pairs = seats[mine == 2]
    assert ((pairs[:, 0] == pairs[:, 2]) & (pairs[:, 1] == pairs[:, 3])).all()
    for side in (0, 1):
        assert abs(float((seats[:, side] == LEARNER).mean()) - 0.5) < 0.03


# Past selves


def note(pool: OpponentPool, name: str, won: bool, times: int = 20) -> None:
    """A member loses or wins all its hands for some iterations."""
    met = [member for member in [*pool.members, *pool.past] if member.name == name]
    seats = np.array([[LEARNER, 1, LEARNER, 1]])
    reward = np.where(seats == LEARNER, 1.0, -1.0).astype(np.float32) * (1 if won else -1)
    for _ in range(times):
        pool.note(seats, met, reward[None])


def test_the_hard_ones_are_met_most():
    pool = pool_of(5, past=0.5)
    for name, won in (("past0", True), ("past1", False), ("past2", True), ("past3", True)):
        note(pool, name, won)
    often = how_often_met(pool)
    assert often["past1"] > 0.9
    assert often["past1"] > often["past4"] > often["past0"]
    assert all(0.05 < often[name] < 0.5 for name in ("past0", "past2", "past3"))
    assert sum(often.values()) == pytest.approx(2)


def test_the_easiest_leaves_but_never_the_newest():
    pool = pool_of(3, past=0.5, keep=3)
    note(pool, "past1", True)
    note(pool, "past0", False)
    assert pool.add("past3") == "past1"
    assert [member.name for member in pool.past] == ["past0", "past2", "past3"]
    note(pool, "past3", True)
    assert pool.add("past4") == "past3"


def test_only_one_is_kept():
    pool = pool_of(1, past=0.5, keep=1)
    assert pool.add("new") == "past0"
    assert [member.name for member in pool.past] == ["new"]


def test_how_the_learner_did():
    pool = pool_of(agents={"rule": 0.5, "bis": 0.2}, past=0.0)
    met = pool.meet(np.random.default_rng(1))
    seats = np.array([[0, 1, 0, 1], [1, 1, 0, 1], [0, 0, 0, 0], [1, 0, 1, 0]])
    reward = np.array([[2, -2, 2, -2], [3, -3, 3, -3], [5, -5, 5, -5], [1, -1, 1, -1]], np.float32)
    numbers = pool.note(seats, met, np.stack([reward, -0.5 * reward]))
    assert numbers["against/rule"] == pytest.approx(0.5 * (2 + 2 + 3 - 1 - 1) / 10)
    rule, bis = pool.members
    assert rule.won == pytest.approx(0.9 * 0.5 + 0.1 * (3 + 2) / 10)  # hand by hand
    assert bis.won == 0.5


def test_a_draw_is_half_won():
    pool = pool_of(agents={"rule": 0.5}, past=0.0)
    pool.note(np.array([[0, 1, 0, 1]]), pool.members, np.zeros((1, 1, 4), np.float32))
    assert pool.members[0].won == pytest.approx(0.5)


def test_a_checkpoint_brings_it_back():
    pool = pool_of(4, agents={"rule": 0.2}, past=0.5)
    note(pool, "rule", True)
    note(pool, "past2", False)
    other = pool_of(2, agents={"rule": 0.2}, past=0.5)
    other.restore(json.loads(json.dumps(pool.state())), {})
    assert other.state() == pool.state()
    assert how_often_met(other) == how_often_met(pool)
    assert seated(other)[0] == seated(pool)[0]
    assert (seated(other)[1] == seated(pool)[1]).all()
