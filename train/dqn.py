"""Double DQN with masks in self-play, from the 824 observed features.

One network plays all four seats, at random now and then. It learns from a memory of hands: what an action is worth is
what the target network says of the seat's best legal action in its next turn, and after the last turn the reward.

    pip install ".[train,onnx]"
    python train/dqn.py --seed 0
"""

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from hands import ILLEGAL, TURNS, Net
from harness import Options, Run, main, option
from torch import Tensor, nn

from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.observe import NUM_FEATURES
from spades_env.rollout import Trajectories


@dataclass(frozen=True)
class DqnOptions(Options):
    memory: int = option(10_000, 1, 10_000_000, "hands of a seat that are remembered")
    reuse: float = option(2.0, 0.01, 100.0, "how often a decision is learned from, on average")
    target: int = option(200, 1, 1_000_000, "steps of learning until the target network is renewed")
    random: float = option(0.05, 0.0, 1.0, "share of random actions, reached after a fifth of the run")


class Memory:
    """The last hands of seats: a ring with a row for each, and 14 turns in a row."""

    def __init__(self, rows: int):
        self.observation = torch.zeros(rows, TURNS, NUM_FEATURES, dtype=torch.int8)
        self.mask = torch.zeros(rows, TURNS, NUM_ACTIONS, dtype=torch.bool)
        self.action = torch.zeros(rows, TURNS, dtype=torch.int64)
        self.reward = torch.zeros(rows)
        self.seen = 0

    def add(self, hands: Trajectories) -> None:
        rows = (torch.arange(len(hands.reward)) + self.seen) % len(self.reward)
        self.seen += len(rows)
        for kept, new in ((self.observation, hands.observation), (self.mask, hands.mask), (self.action, hands.action)):
            kept[rows] = new.transpose(0, 1)
        self.reward[rows] = hands.reward

    def sample(self, count: int) -> tuple[Tensor, Tensor]:
        """Return the rows and the turns of random decisions."""
        return torch.randint(min(self.seen, len(self.reward)), (count,)), torch.randint(TURNS, (count,))


class Learner:
    """A network of action values, its target and its memory."""

    def __init__(self, run: Run, options: DqnOptions):
        self.run, self.options = run, options
        self.net = Net(options.width, NUM_ACTIONS)
        self.target, self.optimiser = deepcopy(self.net), run.optimiser(self.net)
        self.memory, self.steps = Memory(options.memory), 0

    def choose(self, observation: Tensor, mask: Tensor) -> Tensor:
        """Return the best actions, or random ones now and then, int64[N]."""
        best = self.net(observation)[0].masked_fill(~mask, ILLEGAL).argmax(1)
        share = max(self.options.random, 1 - 5 * self.run.done * (1 - self.options.random))
        return torch.where(torch.rand(len(best)) < share, torch.multinomial(mask.float(), 1)[:, 0], best)

    def learn(self, hands: Trajectories) -> dict[str, float]:
        """Remember an iteration and learn from the memory; return what is logged."""
        self.memory.add(hands)
        losses = []
        for _ in range(max(1, round(self.options.reuse * hands.action.numel() / self.options.minibatch))):
            losses.append(self._step())
        return {"loss": sum(losses) / len(losses)}

    def _step(self) -> float:
        memory, (row, turn) = self.memory, self.memory.sample(self.options.minibatch)
        last, after = turn == TURNS - 1, (turn + 1).clamp(max=TURNS - 1)
        with torch.no_grad():
            observation, mask = memory.observation[row, after], memory.mask[row, after]
            best = self.net(observation)[0].masked_fill(~mask, ILLEGAL).argmax(1, keepdim=True)
            wanted = torch.where(last, memory.reward[row], self.target(observation)[0].gather(1, best)[:, 0])
        values = self.net(memory.observation[row, turn])[0].gather(1, memory.action[row, turn][:, None])[:, 0]
        loss = nn.functional.smooth_l1_loss(values, wanted)
        self.run.improve(self.optimiser, loss)
        self.steps += 1
        if self.steps % self.options.target == 0:
            self.target.load_state_dict(self.net.state_dict())
        return loss.item()


def train(options: DqnOptions, folder: Path) -> dict[str, Any]:
    run = Run("dqn", options, folder)
    learner = Learner(run, options)
    while run.done < 1:
        hands = run.play(lambda observation, mask, turn: (learner.choose(observation, mask),))
        run.log(learner.net, hands, learner.learn(hands))
    return run.finish()


if __name__ == "__main__":
    main(DqnOptions, train, __doc__)
