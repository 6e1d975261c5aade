"""Episodes of one seat: which game a seed names, what a step pays, and when an episode ends."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from support.game.envs import (
    ALL_RULES,
    BLIND_PASSING,
    LastLegal,
    all_rules,
    all_seats,
    choose,
    episode,
    first_legal,
    same,
)
from support.strategies import scaled

from spades_env import Game, Rules, spades_v0
from spades_env.envs.aec import AGENTS
from spades_env.envs.gym_env import SpadesEnv
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_ACTIONS


@all_rules
@all_seats
def test_a_seed_plays_that_game(rules, seat, rng):
    """Compare with a Game whose other seats are played by the same agents."""
    env = SpadesEnv(rules, seat, (first_legal, LastLegal()), LastLegal(), truncate_after=4)
    agents = {(seat + 1) % 4: first_legal, (seat + 2) % 4: LastLegal().act, (seat + 3) % 4: LastLegal().act}
    for seed in range(scaled(3)):
        game = Game(rules, seed)
        observation, _ = env.reset(seed=seed)
        total, terminated, truncated = 0.0, False, False
        while not (terminated or truncated):
            others_play(game, agents, most_hands=4)
            features, mask = game.view(seat).observation()
            assert game.turn == seat
            assert same(observation, {"observation": features, "action_mask": mask})
            action = choose(rng, mask)
            game.apply(action)
            observation, reward, terminated, truncated, _ = env.step(action)
            total += reward
        others_play(game, agents, most_hands=4)
        assert (terminated, truncated) == (game.over, not game.over)
        assert total == pytest.approx(lead(game, seat), abs=1e-2)


def others_play(game: Game, agents: dict, most_hands: int) -> None:
    while not game.over and game.turn in agents and len(game.results) < most_hands:
        game.apply(agents[game.turn](game.view(game.turn)))


def lead(game: Game, seat: int) -> float:
    """Return the points of a seat's side minus the mean of the others'."""
    own = game.scores[game.rules.side(seat)]
    return own - (sum(game.scores) - own) / (game.rules.sides - 1)


@pytest.mark.parametrize("reward", ["points", "win"])
@all_seats
def test_the_learner_gets_what_its_seat_is_paid(seat, reward, rng):
    """Compare with the PettingZoo env: a step's reward is the sum of all rewards since the last step."""
    env = SpadesEnv("solo", seat, first_legal, reward=reward, truncate_after=8)
    aec = spades_v0.raw_env("solo", reward=reward, truncate_after=8)
    env.reset(seed=4)
    aec.reset(seed=4)
    agent = AGENTS[seat]
    terminated = truncated = False
    while not (terminated or truncated):
        while aec.agent_selection != agent:
            aec.step(first_legal(aec.view(aec.agent_selection)))
        action = choose(rng, aec.observe(agent)["action_mask"])
        _, reward_here, terminated, truncated, _ = env.step(action)
        aec.step(action)
        while aec.agent_selection != agent and not any(aec.terminations.values()) and not any(aec.truncations.values()):
            aec.step(first_legal(aec.view(aec.agent_selection)))
        assert reward_here == pytest.approx(aec._cumulative_rewards[agent])
    assert aec.terminations[agent] == terminated
    assert aec.truncations[agent] == truncated


def test_the_last_observation_is_the_end(rng):
    *_, (observation, reward, terminated, truncated, info) = episode(SpadesEnv(episode="hand"), rng, seed=2)
    assert (terminated, truncated) == (True, False)
    assert reward
    assert observation["action_mask"].all()
    assert info["action_mask"].all()


def test_no_step_after_the_end(rng):
    env = SpadesEnv(episode="hand")
    with pytest.raises(ResetNeeded):
        env.step(57)
    episode(env, rng, seed=2)
    with pytest.raises(ResetNeeded):
        env.step(57)
    assert env.action_masks().all()
    env.reset()
    assert not env.action_masks().all()


def test_truncation(rng):
    steps = episode(SpadesEnv(truncate_after=2, opponents=first_legal), rng, seed=2)
    *_, terminated, truncated, _ = steps[-1]
    assert (terminated, truncated) == (False, True)
    assert len(steps) > 2 * 13


def test_blind_bids_and_passes_are_steps(rng):
    env = SpadesEnv(BLIND_PASSING, truncate_after=2)
    seen = set()
    for seed in range(20):
        for observation, *_ in episode(env, rng, seed=seed)[:-1]:
            mask = observation["action_mask"]
            hand = observation["observation"][:54]
            if mask[LOOK]:
                assert set(np.flatnonzero(mask)) == {BLIND_NIL, LOOK}
                assert not hand.any()
                seen.add("blind")
            elif mask[BID_ZERO]:
                assert hand.sum() == 13
                seen.add("bid")
            else:
                seen.add("play")
                seen |= {"pass"} if env.view().phase == "pass" else set()
    assert {"blind", "bid", "play"} <= seen
    _, info = env.reset(seed=1)
    passed = 0
    while not passed:
        _, _, terminated, truncated, info = env.step(int(np.flatnonzero(env.action_masks())[0]))  # blind nil
        passed += env.view().phase == "pass"
        if terminated or truncated:
            env.reset()
    assert info["action_mask"][:54].any()


def test_reset_options():
    deal = Game(seed=99).hands
    setup = {"deal": deal, "dealer": 2, "scores": [120, -30], "bags": [3, 9], "hand_number": 4}
    env = SpadesEnv(seat=1, opponents=first_legal)
    observation, _ = env.reset(seed=5, options=setup | {"unknown": 1})
    game = Game(seed=5, **setup)
    others_play(game, dict.fromkeys((0, 2, 3), first_legal), 1)
    assert same(observation["observation"], game.view(1).features)
    env.reset(options={"rules": "solo", "seed": 8})
    assert env.game_seed == 8
    assert env.view().rules == Rules.preset("solo")
    env.reset()
    assert env.view().rules == Rules()


@pytest.mark.parametrize("options", [5, [], "dealer", ("dealer", 1), 0])
@pytest.mark.parametrize("wrapped", [False, True])
def test_options_are_a_dict(wrapped, options):
    env: Any = gymnasium.make("Spades-v0") if wrapped else SpadesEnv()
    before, _ = env.reset(seed=5)
    with pytest.raises(ValueError, match="options must be a dict or None, not "):
        env.reset(seed=6, options=options)
    assert env.unwrapped.game_seed == 5
    assert same(env.unwrapped.view().features, before["observation"])
    env.step(57)  # the game goes on


def test_without_a_seed_the_generator_goes_on():
    env = SpadesEnv()
    seeds = []
    seed: Any
    for seed in (np.int64(11), None, None, 11, None):
        env.reset(seed=seed)
        seeds.append(env.game_seed)
    assert seeds[0] == seeds[3] == 11
    assert seeds[1] == seeds[4]
    assert len(set(seeds)) == 3


def test_soak(rng):
    """Play many hands under all rules, a third of the actions drawn from all, legal or not."""
    for rules in ALL_RULES:
        env = SpadesEnv(rules, truncate_after=3)
        for _ in range(scaled(10)):
            _, info = env.reset()
            ended = False
            while not ended:
                assert info["action_mask"].any()
                blind = rng.random() < 1 / 3
                action = int(rng.integers(NUM_ACTIONS)) if blind else choose(rng, info["action_mask"])
                legal = bool(info["action_mask"][action])
                _, reward, terminated, truncated, info = env.step(action)
                assert info["illegal"] != legal
                assert np.isfinite(reward)
                ended = terminated or truncated
