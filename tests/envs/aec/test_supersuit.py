"""SuperSuit's wrappers of observations and rewards keep the mask, and the game."""

from typing import Any

import numpy as np
import supersuit

from spades_env import spades_v0
from spades_env.game.observe import NUM_FEATURES

FRAMES, REWARD_LIMIT = 3, 1


def test_wrappers_keep_masks_and_stack_what_a_seat_saw(rng):
    bare: Any = spades_v0.env("match", mask_in="info", episode="hand")
    env: Any = spades_v0.env("match", mask_in="info", episode="hand")
    env = supersuit.dtype_v0(env, np.float32)
    env = supersuit.frame_stack_v1(env, FRAMES)
    env = supersuit.clip_reward_v0(env, -REWARD_LIMIT, REWARD_LIMIT)
    bare.reset(seed=3)
    env.reset(seed=3)
    seen = {agent: [np.zeros(NUM_FEATURES)] * FRAMES for agent in env.possible_agents}
    rewards = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        plain, plain_reward, *_, plain_info = bare.last()
        assert reward == np.clip(plain_reward, -REWARD_LIMIT, REWARD_LIMIT)
        rewards.append(reward)
        if terminated or truncated:
            assert any(rewards)
            return
        assert observation.dtype == np.float32
        seen[agent] = [*seen[agent][1:], plain]
        assert (observation == np.concatenate(seen[agent])).all()
        mask = info["action_mask"]
        assert (mask == plain_info["action_mask"]).all()
        action = int(rng.choice(np.flatnonzero(mask)))
        env.step(action)
        bare.step(action)
    raise AssertionError("the hand never ended")
