"""Masked PPO in self-play, from the 824 observed features.

One policy plays all four seats and learns from all of them; its value is a second output of the same network. With
--pull-bids or --pull-cards above 0 it is also pulled towards an average of its own past weights: a penalty on the
divergence from the policy that those weights make. Without it, bids stop varying early (docs/training_results.md).

    pip install ".[train,onnx]"
    python train/ppo.py --seed 0
    python train/ppo.py --seed 0 --pull-bids 1 --pull-cards 0.05 --out runs/ppo-average-0
"""

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from hands import Net, draw, log_policy
from harness import Options, Run, main, option
from torch import Tensor, nn
from torch.optim import Optimizer

from spades_env.game.cards import BID_ZERO, NUM_ACTIONS
from spades_env.rollout import Trajectories

TRACE = 0.95  # lambda of GAE; the discount is 1


@dataclass(frozen=True)
class PpoOptions(Options):
    epochs: int = option(3, 1, 100, "over the decisions of an iteration")
    clip: float = option(0.2, 0.0, 10.0, "how far a probability may move, as a share of it")
    entropy: float = option(0.01, 0.0, 10.0, "weight of the bonus on entropy")
    value: float = option(0.5, 0.0, 100.0, "weight of the value's loss")
    pull_bids: float = option(0.0, 0.0, 100.0, "weight of the divergence of bids from the averaged policy")
    pull_cards: float = option(0.0, 0.0, 100.0, "weight of the divergence of cards")
    average: float = option(0.995, 0.0, 1.0, "share of the averaged weights that an iteration keeps")


def learn(
    run: Run, options: PpoOptions, net: Net, averaged: Net, optimiser: Optimizer, hands: Trajectories
) -> dict[str, float]:
    """Take some epochs over the decisions of an iteration; return what is logged."""
    free = hands.free
    old, values = (part[free] for part in hands.kept)
    advantage = hands.advantages(hands.kept[1], TRACE)[free]
    target = advantage + values
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    observation, mask, action = hands.observation[free], hands.mask[free], hands.action[free]
    bids = action >= BID_ZERO
    with torch.no_grad():
        magnet = log_policy(averaged(observation)[0], mask)
    pull = torch.where(bids, options.pull_bids, options.pull_cards)
    noted = []
    for _ in range(options.epochs):
        for part in torch.randperm(len(action)).split(options.minibatch):
            logits, value = net(observation[part])
            log_probs = log_policy(logits, mask[part])
            probs = log_probs.exp()
            ratio = (log_probs.gather(1, action[part, None])[:, 0] - old[part]).exp()
            clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
            policy_loss = -torch.min(ratio * advantage[part], clipped * advantage[part]).mean()
            value_loss = (value[:, 0] - target[part]).square().mean()
            entropy = -(probs * log_probs).sum(1)
            divergence = (probs * (log_probs - magnet[part])).sum(1)
            regularised = (pull[part] * divergence - options.entropy * entropy).mean()
            run.improve(optimiser, policy_loss + options.value * value_loss + regularised)
            of_bids = bids[part]
            noted.append([one.mean().item() for one in (entropy[of_bids], entropy[~of_bids], divergence[of_bids])])
    for mean, weight in zip(averaged.parameters(), net.parameters(), strict=True):
        mean.data.lerp_(weight.data, 1 - options.average)
    means = torch.tensor(noted).nanmean(0).tolist()
    return dict(zip(("entropy_of_bids", "entropy_of_cards", "divergence_of_bids"), means, strict=True))


def train(options: PpoOptions, folder: Path) -> dict[str, Any]:
    run = Run("ppo-average" if options.pull_bids or options.pull_cards else "ppo", options, folder)
    net = Net(options.width, NUM_ACTIONS, 1)
    nn.init.normal_(net.heads[0].get_parameter("weight"), std=1e-3)  # at first all legal actions are about as likely
    averaged, optimiser = deepcopy(net), run.optimiser(net)

    def choose(observation: Tensor, mask: Tensor, turn: Tensor) -> tuple[Tensor, ...]:
        logits, value = net(observation)
        log_probs = log_policy(logits, mask)
        action = draw(log_probs)
        return action, log_probs.gather(1, action[:, None])[:, 0], value[:, 0]

    while run.done < 1:
        hands = run.play(choose)
        run.log(net, hands, learn(run, options, net, averaged, optimiser, hands))
    return run.finish()


if __name__ == "__main__":
    main(PpoOptions, train, __doc__)
