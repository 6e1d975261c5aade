"""PPO with TorchRL's parts, at the PettingZoo environment.

Shows two partners who learn with one policy against two opponents who play at random. TorchRL's wrapper pays all four
seats in every step, whoever moves; so a decision is worth what its seat is paid from then on, and only the decisions
of the seat to move count (the wrapper's own `mask` says whose turn it is).

    pip install ".[torchrl]"
    python examples/torchrl_ppo.py --updates 40
"""

import argparse
import warnings

import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss

from spades_env import spades_v0
from spades_env.game.observe import NUM_FEATURES

HANDS, FRAMES = 16, 56  # in a rollout; in a hand: four bids and 52 cards
GROUPS = {"learners": ["player_0", "player_2"], "others": ["player_1", "player_3"]}


class Net(nn.Module):
    """Returns logits or a value."""

    def __init__(self, outputs: int):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(NUM_FEATURES, 128), nn.Tanh(), nn.Linear(128, outputs))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.layers(features * 0.1)


def actor(net: nn.Module, *group: str) -> ProbabilisticActor:
    """Return an actor that samples legal actions; its keys are in a group of seats, or at the top level."""
    logits = TensorDictModule(net, [(*group, "observation", "observation")], [(*group, "logits")])
    keys = {"logits": (*group, "logits"), "mask": (*group, "action_mask")}
    return ProbabilisticActor(
        logits, in_keys=keys, out_keys=[(*group, "action")], distribution_class=MaskedCategorical,
        return_log_prob=True, log_prob_key=(*group, "action_log_prob"),
    )  # fmt: skip


def decisions(rollout: TensorDict) -> TensorDict:
    """Return the learners' single decisions, each with its seat's return, in hundreds of points."""
    paid = rollout["next", "learners", "reward"].reshape(HANDS, FRAMES, 2, 1) / 100
    to_come = paid.flip(1).cumsum(1).flip(1).flatten(0, 1)
    seats = rollout["learners"].select("observation", "action_mask", "action", "action_log_prob")
    return seats.set("value_target", to_come)[rollout["learners", "mask"]]


def main(updates: int, seed: int) -> None:
    torch.set_num_threads(1)  # faster with a network as small as this
    torch.manual_seed(seed)
    warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested")
    table = spades_v0.raw_env(episode="hand", obs_dtype="float32")  # raises at an illegal action
    env = PettingZooWrapper(table, use_mask=True, group_map=GROUPS, seed=seed)
    policy, at_random = Net(70), Net(70).requires_grad_(False)
    nn.init.zeros_(at_random.layers[-1].weight)
    players = TensorDictSequential(actor(policy, "learners"), actor(at_random, "others"))
    critic = TensorDictModule(Net(1), [("observation", "observation")], ["state_value"])
    loss = ClipPPOLoss(actor(policy), critic, entropy_coeff=0.01, normalize_advantage=True)
    optimiser = torch.optim.Adam(loss.parameters(), 1e-3)
    history = []
    frames = HANDS * FRAMES
    settings = {"frames_per_batch": frames, "total_frames": updates * frames, "auto_register_policy_transforms": False}
    for rollout in Collector(env, players, **settings):
        batch = decisions(rollout)
        with torch.no_grad():
            batch["advantage"] = batch["value_target"] - critic(batch.copy())["state_value"]
        for _ in range(8):
            for part in torch.randperm(len(batch)).split(128):
                terms = loss(batch[part])
                optimiser.zero_grad()
                (terms["loss_objective"] + terms["loss_critic"] + terms["loss_entropy"]).backward()
                optimiser.step()
        history.append(rollout["next", "learners", "reward"][:, 0].sum().item() / HANDS)
        print(f"{len(history) * HANDS} hands: {history[-1]:+.1f} points a hand, value loss {terms['loss_critic']:.2f}")
    quarter = max(1, len(history) // 4)
    print(f"reward: {np.mean(history[:quarter]):+.1f} at first, {np.mean(history[-quarter:]):+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
