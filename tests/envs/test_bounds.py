"""The bounds of a hand's reward: no hand goes beyond them, and one gets there."""

import random

import pytest
from support.strategies import random_options

from spades_env import Rules, spades_v0
from spades_env.envs.bounds import most_points
from spades_env.game.cards import BID_ZERO, BLIND_NIL

NIL, THIRTEEN = BID_ZERO, BID_ZERO + 13


def rewards_of(rules: Rules, choose) -> dict[str, float]:
    """Play a first hand in which `choose` picks each action, and return its rewards."""
    env = spades_v0.raw_env(rules, episode="hand")
    env.reset(seed=random.randrange(2**32))
    paid = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        if env.terminations[env.agent_selection]:
            env.step(None)
            continue
        env.step(choose(env))
        paid = {agent: paid[agent] + env.rewards[agent] for agent in paid}
    return paid


def extreme(env) -> int:
    """Bid nil or high, as often as not; play any card."""
    legal = env.observe(env.agent_selection)["action_mask"].nonzero()[0]
    wanted = [action for action in legal if action in (NIL, THIRTEEN, BLIND_NIL)]
    return int(random.choice(wanted or list(legal)))


@pytest.mark.parametrize("number", range(6))
def test_no_hand_goes_beyond(number):
    random.seed(number)
    rules = Rules(**random_options(random.Random(number)) | {"partners": True})
    most = most_points(rules)
    for _ in range(10):
        assert max(map(abs, rewards_of(rules, extreme).values())) <= most


def test_a_hand_gets_there():
    """South has all thirteen spades and bids them; North bids nil; West and East bid thirteen each."""
    clubs, diamonds, hearts, spades = ([13 * suit + rank for rank in range(13)] for suit in range(4))
    env = spades_v0.raw_env("classic", episode="hand")
    env.reset(seed=0, options={"deal": [spades, clubs, hearts, diamonds], "dealer": 3})
    for _ in range(4):
        env.step(NIL if env.agent_selection == "player_2" else THIRTEEN)
    while not env.terminations["player_0"]:
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert list(env.rewards.values()) == [490, -490, 490, -490]
    assert most_points("classic") == 490


@pytest.mark.parametrize(
    ("rules", "most"),
    [
        ("pagat", 520),  # a nil is broken with ten tricks, ten bags, beside a thirteen that is missed
        ("classic nil=false", 390),
        ("classic blind_nil_deficit=0", 887),
        ("classic bag_penalty_to=opponents", 490),
    ],
)
def test_other_rules_have_other_bounds(rules, most):
    assert most_points(rules) == most


def test_solo_rules_are_refused():
    with pytest.raises(ValueError, match="for partners only"):
        most_points("solo")
