"""Behaviour cloning of the bot `rule`, from the 824 observed features.

The bot plays all four seats. The network learns its actions by cross-entropy over the legal ones, each hand once. The
bot computes what it needs for its moves itself; the network is given the observation alone.

    pip install ".[train,onnx]"
    python train/bc.py --seed 0
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from hands import Net, log_policy
from harness import Options, Run, main, option
from torch import Tensor

from spades_env import agents
from spades_env.agents.base import Batch
from spades_env.game.cards import NUM_ACTIONS
from spades_env.rollout import Trajectories

TEACHER = "rule"


@dataclass(frozen=True)
class BcOptions(Options):
    noise: float = option(0.05, 0.0, 1.0, "share of decisions played at random instead; the teacher's is learned")


def learn(run: Run, net: Net, optimiser: torch.optim.Optimizer, hands: Trajectories) -> dict[str, float]:
    """Learn the teacher's decisions of an iteration; return what is logged."""
    free = hands.free
    observation, mask, wanted = hands.observation[free], hands.mask[free], hands.kept[0][free]
    losses, agreed = [], []
    for part in torch.randperm(len(wanted)).split(run.options.minibatch):
        log_probs = log_policy(net(observation[part])[0], mask[part])
        loss = -log_probs.gather(1, wanted[part, None]).mean()
        run.improve(optimiser, loss)
        losses.append(loss.item())
        agreed.append((log_probs.argmax(1) == wanted[part]).float().mean().item())
    return {"loss": sum(losses) / len(losses), "agreement": sum(agreed) / len(agreed)}


def train(options: BcOptions, folder: Path) -> dict[str, Any]:
    run = Run("bc", options, folder)
    net = Net(options.width, NUM_ACTIONS)
    optimiser, teacher = run.optimiser(net), agents.load(TEACHER, seed=options.seed)

    def choose(observation: Tensor, mask: Tensor, turn: Tensor) -> tuple[Tensor, ...]:
        taught = torch.from_numpy(teacher.act_batch(Batch.at(run.env)))
        astray = torch.rand(len(turn)) < options.noise
        return torch.where(astray, torch.multinomial(mask.float(), 1)[:, 0], taught), taught

    while run.done < 1:
        hands = run.play(choose)
        run.log(net, hands, learn(run, net, optimiser, hands))
    return run.finish()


if __name__ == "__main__":
    main(BcOptions, train, __doc__)
