"""An iteration: who sits where, what the learner learns from, and what is noted of its opponents."""

from dataclasses import replace

import numpy as np
import pytest
from support.strategies import scaled

torch = pytest.importorskip("torch")

from support.train.runs import STAGE, tiny  # noqa: E402

from spades_env import SpadesVectorEnv  # noqa: E402
from spades_env.agents import load  # noqa: E402
from spades_env.agents.base import Batch  # noqa: E402
from spades_env.game.rules import Rules  # noqa: E402
from spades_env.game.state import NO_NIL  # noqa: E402
from spades_env.training.learner import Learner  # noqa: E402
from spades_env.training.nets import Policy  # noqa: E402
from spades_env.training.opponent_pool import OpponentPool  # noqa: E402
from spades_env.training.recipe import Recipe  # noqa: E402
from spades_env.training.rewards import GUESS  # noqa: E402
from spades_env.training.self_play import tables  # noqa: E402
from spades_env.training.stages.iteration import Iteration  # noqa: E402
from spades_env.training.stages.selfplay import annealed  # noqa: E402

TABLES = scaled(16)
NO_POOL = {"past": 0.0}


def new_learner(recipe: Recipe) -> Learner:
    return Learner(recipe.network, torch.device("cpu"), seed=0)


def iteration_of(recipe: Recipe, learner: Learner | None = None, number: int = 3, pool: OpponentPool | None = None):
    pool = pool or OpponentPool(recipe.pool, recipe.seed)
    return Iteration(recipe, learner or new_learner(recipe), pool, number, GUESS)


def play(one: Iteration):
    return one.play(one.learner.sampler(one.rng))


def test_an_iteration_is_the_same_whenever_it_is_played():
    recipe = tiny(pool=NO_POOL)
    first, again, other, seeded = (
        play(iteration_of(one, number=number))
        for one, number in ((recipe, 3), (recipe, 3), (recipe, 4), (tiny(pool=NO_POOL, seed=1), 3))
    )
    assert (first.rows.tobytes(), first.action.tobytes()) == (again.rows.tobytes(), again.action.tobytes())
    assert first.rows.tobytes() not in (other.rows.tobytes(), seeded.rows.tobytes())


def test_a_named_agent_plays_at_its_seats():
    recipe = tiny(pool={"agents": {"rule": 1.0}, "past": 0.0, "partner": 0.5}, tables=2 * TABLES)
    one, rule, asked = iteration_of(recipe), load("rule", seed=recipe.seed), []
    (opponent,) = one.seated.opponents

    def checked(env, which):
        actions = opponent(env, which)
        assert (actions == rule.act_batch(Batch.at(env).take(which))).all()
        asked.append((which, env.turn[which]))
        return actions

    one.seated = one.seated._replace(opponents=[checked])
    d = play(one)
    seats = one.seated.seats
    assert asked
    assert all((seats[which, turn] == 1).all() for which, turn in asked)
    assert (seats[d.table, d.seat] == 0).all()
    assert one.acted == d.actions


def test_past_selves_play_by_their_own_weights(monkeypatch):
    """Of any width."""
    recipe = tiny(pool={"past": 1.0, "partner": 0.0})
    pool, learner = OpponentPool(recipe.pool, recipe.seed), new_learner(recipe)
    policy = new_learner(recipe).policy
    assert isinstance(policy, Policy)
    past = policy.widened(24, 16)
    asked, read = [], past.read
    monkeypatch.setattr(past, "read", lambda x: asked.append(len(x)) or read(x))
    pool.add("000002", past)
    one = iteration_of(recipe, learner, pool=pool)
    d = play(one)
    assert asked
    assert (one.seated.seats == 1).sum() == 2 * recipe.tables
    assert (one.seated.seats[d.table, d.seat] == 0).all()


def test_past_selves_play_their_favourites():
    """However the random numbers fall."""
    recipe = tiny(pool={"past": 1.0, "partner": 0.0})
    pool, learner = OpponentPool(recipe.pool, recipe.seed), new_learner(recipe)
    pool.add("000002", new_learner(recipe).policy)
    one = iteration_of(recipe, learner, pool=pool)
    (opponent,) = one.seated.opponents
    env = SpadesVectorEnv(TABLES, "match")
    env.reset()
    first = opponent(env, np.arange(TABLES))
    assert all((opponent(env, np.arange(TABLES)) == first).all() for _ in range(5))
    assert env.mask[np.arange(TABLES), first].all()


def test_what_the_learner_got_is_noted_against_each():
    recipe = tiny(pool={"agents": {"rule": 0.5, "random": 0.5}, "past": 0.0}, tables=2 * TABLES)
    one = iteration_of(recipe)
    numbers = one.learn(recipe.stage[1], 0.0)
    seats, reward = one.seated.seats, np.mean(one.rewards, axis=0)
    for k, name in ((1, "rule"), (2, "random")):
        theirs = (seats == k).any(1)
        assert numbers[f"against/{name}"] == pytest.approx(reward[theirs][seats[theirs] == 0].mean())


def test_hands_of_an_iteration_go_on_with_the_same_games(monkeypatch):
    recipe = tiny(pool=NO_POOL, stage=[STAGE | {"iterations": 4, "hands": 3}])
    one, began = iteration_of(recipe), []
    monkeypatch.setattr(one.tables, "_begin", lambda real=one.tables._begin: began.append(1) or real())
    numbers = one.learn(recipe.stage[0], 0.5)
    assert len(began) == 1
    assert len(one.rewards) == 3
    assert one.done == pytest.approx(0.5 + 2 / 12)  # rates fall with every hand
    assert numbers["learning_rate"] == pytest.approx(np.mean([annealed(1e-3, 4e-5, 0.5 + k / 12) for k in range(3)]))


def test_points_alone_are_paid_until_the_chance_of_winning_is_known(monkeypatch):
    """It is fitted to the games of an iteration in which it is paid."""
    monkeypatch.setattr(tables, "FEWEST_GAMES", 1)
    recipe = tiny(
        pool=NO_POOL,
        tables=scaled(8),
        rules={"main": "match max_hands=2", "main_share": 1.0},
        reward={"points": 0.3, "winning": 3.0, "nil": 0.25},
    )
    points, both = recipe.stage
    first, later = iteration_of(recipe), iteration_of(recipe)
    first.learn(points, 0.0)
    assert first.weights[:4] == (1.0, 0.0, 0.0, 0.25)
    assert first.winning == GUESS
    later.learn(replace(both, hands=tables.HANDS), 0.0)
    assert later.weights[:4] == (0.3, 3.0, 0.0, 0.25)
    assert later.winning != GUESS


def test_it_is_not_fitted_to_a_few_hands(monkeypatch):
    """Only short games end within a few hands, and luck decides those."""
    monkeypatch.setattr(tables, "FEWEST_GAMES", 1)
    recipe = tiny(pool=NO_POOL, rules={"main": "match max_hands=1", "main_share": 1.0})
    one = iteration_of(recipe)
    one.learn(replace(recipe.stage[1], hands=2), 0.0)
    assert one.weights.winning
    assert one.tables.games
    assert one.winning == GUESS


@pytest.mark.parametrize("main_only", [True, False])
def test_a_stage_may_keep_to_the_main_rules(main_only):
    recipe = tiny(pool=NO_POOL, rules={"main": "match max_hands=2", "main_share": 0.0, "also": {"solo": 0.5}})
    one = iteration_of(recipe)
    one.learn(replace(recipe.stage[0], main_only=main_only), 0.0)
    assert (one.tables.env.distinct_rules == (Rules.of("match max_hands=2"),)) == main_only


def test_a_style_is_learned():
    """Where only nils are paid for, nil is what is bid."""
    stage = STAGE | {"iterations": 1, "hands": 12, "learning_rate": 5e-3, "last_learning_rate": 5e-3}
    recipe = tiny(
        pool=NO_POOL,
        tables=2 * TABLES,
        rules={"main": "match blind_nil_deficit=off blind_bid=off", "main_share": 1.0},
        reward={"points": 0.0, "winning": 0.0, "nil": 1.0},
        stage=[stage],
    )
    one = iteration_of(recipe)
    before = (play(one).finished.nils != NO_NIL).mean()
    one.learn(recipe.stage[0], 0.0)
    assert not play(one).zero_sum.any()
    assert (play(one).finished.nils != NO_NIL).mean() > before + 0.4
