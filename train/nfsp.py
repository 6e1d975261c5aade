"""Neural fictitious self-play (Heinrich and Silver 2016), from the 824 observed features.

In each hand every seat plays either its best response, a DQN, or its average policy. All hands go into the memory of
the DQN. The decisions of best responses also go into a reservoir, an even sample of all of them since the beginning,
from which the average policy learns. That policy is the result, and it plays as it learned: by sampling.

    pip install ".[train,onnx]"
    python train/nfsp.py --seed 0
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from dqn import DqnOptions, Learner
from hands import Net, draw, log_policy
from harness import Run, main, option
from torch import Tensor

from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.game.observe import NUM_FEATURES
from spades_env.rollout import Trajectories


@dataclass(frozen=True)
class NfspOptions(DqnOptions):
    response: float = option(0.1, 0.0, 1.0, "share of seats that play their best response in a hand")
    reservoir: int = option(100_000, 1, 100_000_000, "decisions of best responses that are kept")


class Reservoir:
    """An even sample of all decisions that were offered."""

    def __init__(self, size: int):
        self.observation = torch.zeros(size, NUM_FEATURES, dtype=torch.int8)
        self.mask = torch.zeros(size, NUM_ACTIONS, dtype=torch.bool)
        self.action = torch.zeros(size, dtype=torch.int64)
        self.seen = 0

    def add(self, observation: Tensor, mask: Tensor, action: Tensor) -> None:
        number = self.seen + torch.arange(len(action))
        place = torch.where(number < self.size, number, (torch.rand(len(action)) * (number + 1)).long())
        kept = place < self.size
        self.seen += len(action)
        self.observation[place[kept]] = observation[kept]
        self.mask[place[kept]] = mask[kept]
        self.action[place[kept]] = action[kept]

    @property
    def size(self) -> int:
        return len(self.action)

    def sample(self, count: int) -> tuple[Tensor, Tensor, Tensor]:
        which = torch.randint(min(self.seen, self.size), (count,))
        return self.observation[which], self.mask[which], self.action[which]


def imitate(run: Run, net: Net, optimiser: torch.optim.Optimizer, reservoir: Reservoir, steps: int) -> dict[str, float]:
    """Learn the average policy; return what is logged."""
    losses = []
    for _ in range(steps if reservoir.seen else 0):
        observation, mask, action = reservoir.sample(run.options.minibatch)
        loss = -log_policy(net(observation)[0], mask).gather(1, action[:, None]).mean()
        run.improve(optimiser, loss)
        losses.append(loss.item())
    return {"loss_average": sum(losses) / max(1, len(losses))}


def offer(reservoir: Reservoir, hands: Trajectories) -> None:
    """Put the decisions of best responses into the reservoir."""
    wanted = hands.free & hands.kept[0]
    reservoir.add(hands.observation[wanted], hands.mask[wanted], hands.action[wanted])


def train(options: NfspOptions, folder: Path) -> dict[str, Any]:
    run = Run("nfsp", options, folder, temperature=1.0)
    learner, average = Learner(run, options), Net(options.width, NUM_ACTIONS)
    optimiser, reservoir = run.optimiser(average), Reservoir(options.reservoir)
    tables = torch.arange(options.tables)
    while run.done < 1:
        responds = torch.rand(options.tables, NUM_SEATS) < options.response

        def choose(observation: Tensor, mask: Tensor, turn: Tensor, responds: Tensor = responds) -> tuple[Tensor, ...]:
            own = responds[tables, turn]
            usual = draw(log_policy(average(observation)[0], mask))
            return torch.where(own, learner.choose(observation, mask), usual), own

        hands = run.play(choose)
        offer(reservoir, hands)
        steps = max(1, round(options.reuse * hands.action.numel() / options.minibatch))
        numbers = learner.learn(hands) | imitate(run, average, optimiser, reservoir, steps)
        run.log(average, hands, numbers)
    return run.finish()


if __name__ == "__main__":
    main(NfspOptions, train, __doc__)
