"""TorchRL's fast recipe: its wrapper of the vector environment, as docs/frameworks.md has it."""

import pytest
from gymnasium.vector import AutoresetMode

from spades_env import SpadesGymVectorEnv

torchrl_envs = pytest.importorskip("torchrl.envs")
tensordict_nn = pytest.importorskip("tensordict.nn")
torch = pytest.importorskip("torch")


def test_the_wrapped_vector_environment_masks_integer_actions():
    base = SpadesGymVectorEnv(4, "match", autoreset_mode=AutoresetMode.DISABLED)
    env = torchrl_envs.TransformedEnv(
        torchrl_envs.GymWrapper(base, categorical_action_encoding=True),
        torchrl_envs.DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]),
    )

    def choose(mask):
        return torch.multinomial(mask.float(), 1).squeeze(-1)

    seen = env.rollout(20, tensordict_nn.TensorDictModule(choose, in_keys=["action_mask"], out_keys=["action"]))
    assert seen["action_mask"].dtype == torch.bool
    assert seen["action_mask"].gather(-1, seen["action"].unsqueeze(-1)).all()
    assert seen["next", "reward"].isfinite().all()
