"""Graded tasks: the learner decides its part alone, and `rule` the rest as it always does."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from spades_env import TASKS, Game, SpadesGymVectorEnv, agents
from spades_env.envs.gym_env import SpadesEnv

HANDS = [task for task, settings in TASKS.items() if settings.get("episode") == "hand"]
DECIDED = {"SpadesBids-v0": {"blind", "bid"}, "SpadesCards-v0": {"pass", "play"}}
PASSING = "classic blind_nil_deficit=0 blind_nil_pass=1"


def play(env: gymnasium.Env, seed: int, choose) -> tuple[float, set[str]]:
    """Play an episode; return what the learner was paid, and the phases in which it was asked."""
    table = env.unwrapped
    assert isinstance(table, SpadesEnv)
    env.reset(seed=seed)
    paid, phases, ended = 0.0, set(), False
    while not ended:
        view = table.view()
        phases.add(view.phase)
        _, reward, terminated, truncated, _ = env.step(choose(view))
        paid, ended = paid + float(reward), terminated or truncated
    return paid, phases


@pytest.mark.parametrize("task", TASKS)
def test_the_learner_decides_its_part_alone(task):
    env = gymnasium.make(f"spades_env:{task}", rules=PASSING, illegal="raise")
    asked = set.union(*(play(env, seed, lambda view: view.legal_actions()[-1])[1] for seed in range(3)))
    assert asked <= DECIDED.get(task, {"blind", "bid", "pass", "play"})


@pytest.mark.parametrize("task", HANDS)
def test_the_rest_is_as_rule_decides_it(task):
    """So a learner that decides as `rule` does is paid as in a hand of four `rule`."""
    rule = agents.load("rule")
    for seed in range(3):
        game = Game("classic", seed=seed)
        while not game.results:
            game.apply(rule.act(game.view(game.turn)))
        ours, theirs = game.results[0].points
        assert play(gymnasium.make(task, illegal="raise"), seed, rule.act)[0] == ours - theirs


@pytest.mark.parametrize("task", TASKS)
def test_many_tables_play_as_one_does(task):
    envs = gymnasium.make_vec(task, 3, rules=PASSING, autoreset_mode=AutoresetMode.SAME_STEP, illegal="raise")
    assert isinstance(envs, SpadesGymVectorEnv)
    observations, _ = envs.reset(seed=5)
    paid, playing = np.zeros(3), np.ones(3, bool)
    while playing.any():
        observations, rewards, terminated, truncated, _ = envs.step(observations["action_mask"].argmax(axis=1))
        paid += rewards * playing
        playing &= ~(terminated | truncated)
    one = gymnasium.make(task, rules=PASSING, illegal="raise")
    assert paid.tolist() == [play(one, 5 + i, lambda view: view.legal_actions()[0])[0] for i in range(3)]


BLIND = {"rules": "house first_hand=bid", "start": {"scores": [0, 300]}, "decides": "bids", "opponents": "random"}


def test_a_hand_whose_bid_a_partner_has_made_gives_way_to_the_next():
    env = SpadesEnv(episode="hand", **BLIND)
    dealt_on = 0
    for seed in range(20):
        env.reset(seed=seed)
        assert env.view().phase in ("blind", "bid")
        dealt_on += env.game_seed != seed
    assert 0 < dealt_on < 20


@pytest.mark.parametrize("mode", AutoresetMode)
def test_at_many_tables_every_episode_begins_with_a_decision(mode):
    envs = SpadesGymVectorEnv(20, episode="hand", autoreset_mode=mode, **BLIND)
    envs.reset(seed=0)
    began = np.ones(20, bool)
    for _ in range(4):
        assert all(envs.view(i).phase in ("blind", "bid") for i in np.flatnonzero(began).tolist())
        mask = envs.action_masks()
        _, rewards, terminated, truncated, _ = envs.step(mask.argmax(1))
        ended = terminated | truncated
        if mode == AutoresetMode.NEXT_STEP:
            _, rewards, terminated, truncated, _ = envs.step(envs.action_masks().argmax(1))
            assert not rewards[ended].any()
            assert not (terminated | truncated)[ended].any()
        elif mode == AutoresetMode.DISABLED and ended.any():
            envs.reset(options={"reset_mask": ended})
        began = ended


def test_an_episode_in_which_there_is_nothing_to_decide_is_refused():
    env = gymnasium.make("SpadesBids-v0", rules="classic first_hand=bids_itself")
    with pytest.raises(ValueError, match="the learner has no bids to decide in this episode"):
        env.reset(seed=1)
    envs = gymnasium.make_vec("SpadesBids-v0", 2, rules="classic first_hand=bids_itself")
    with pytest.raises(ValueError, match="the learners have nothing to decide"):
        envs.reset(seed=1)
    with pytest.raises(ValueError, match="decides must be one of all, bids, cards, not 'tricks'"):
        SpadesEnv(decides="tricks")  # pyright: ignore
