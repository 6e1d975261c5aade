"""What learns: a policy and its average, a critic, and their optimisers.

learner.sample(rows, legal, rng)       actions and log-probabilities
learner.improve(loss, rate)            a step of the policy, which its average follows
learner.improve_critic(loss, rate)
"""

import math
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import pad
from torch.optim.swa_utils import get_ema_multi_avg_fn

from spades_env.game.cards import BID_ZERO, NUM_CARDS
from spades_env.training import data_parallel
from spades_env.training.nets import Critic, Policy
from spades_env.training.own.critic import OwnCritic, critic_of
from spades_env.training.own.kept import Kept
from spades_env.training.own.network import AnyPolicy, OwnPolicy, policy_of
from spades_env.training.recipe import NetworkShape
from spades_env.training.run.checkpoints import Checkpoint, RunError, layout
from spades_env.training.self_play.choices import favourite, sample_calls
from spades_env.training.self_play.inputs import OBSERVATIONS, OPEN_ROWS, ROWS, STATES, Inputs
from spades_env.training.self_play.kernels import sample_actions

GRAIN = 64  # batches are multiples of it: preparing matrix products takes long, for every new size
NETWORKS = ("policy.", "average.", "critic.")  # how the names of their tensors begin,
OF_CRITIC = ("critic.", "adam.critic.")  # … and of those that change when the critic learns
KEPT = 0.9985  # what averaged weights keep at each step,
EARLY = 10  # … less in the first steps: as if the average were of a tenth of them


def device_named(name: str | None) -> torch.device:
    """Return the device of this name, by default a GPU if there is one; raise RunError if there is none."""
    name = name or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(1, device=device).cpu()
    except (RuntimeError, AssertionError, NotImplementedError):  # torch raises any of these
        raise RunError(f"unknown device {name!r}; expected cpu, or cuda where torch finds a GPU") from None
    return device


def has_bfloat16(device: torch.device) -> bool:
    """Return whether the device multiplies bfloat16 matrices in hardware."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)()


class Learner:
    """What a run trains: a policy, its average and a critic, each with what it takes to improve it.

    Attributes:
        policy: The network that plays and learns, a module: what it reads → logits, float[B, 70].
        average: Its weights averaged over the steps so far. It is evaluated, and becomes the level.
        critic: A module: what it reads, with all four hands, and the ends of the hand → values, and more.
        kept: State of your own (`Iteration.keep`).
        device: Where all of them are.

    Examples:
        >>> def learn(self, iteration):  # of a stage: REINFORCE
        ...     learner = iteration.learner
        ...     hands = iteration.play(learner.sampler(iteration.rng))
        ...     rows, legal, action = (learner.to_device(x) for x in (hands.rows, hands.legal, hands.action))
        ...     logits = learner.policy(rows.float()).masked_fill(~legal, -1e9)
        ...     chosen = logits.log_softmax(-1).gather(1, action[:, None])[:, 0]
        ...     reward = learner.to_device(hands.reward[hands.table, hands.seat]).float()
        ...     return {"grad_norm": learner.improve(-(chosen * reward).mean(), rate=1e-3)}
    """

    def __init__(self, shape: NetworkShape, device: torch.device, seed: int):
        torch.manual_seed(seed)
        self.kept = Kept()
        self.shape, self.seed, self.device = shape, seed, device
        self.bfloat16 = shape.bfloat16 and has_bfloat16(device)
        self._take(policy_of(shape), critic_of(shape))

    def _take(self, policy: AnyPolicy, critic: Critic | OwnCritic, average: AnyPolicy | None = None) -> None:
        """Learn with these networks from now on."""
        self.policy, self.critic = policy.to(self.device), critic.to(self.device)
        self.average, self.steps = (average or deepcopy(policy)).to(self.device), 0
        self.optimizers = {
            name: torch.optim.Adam(net.parameters(), lr=1e-3, eps=1e-5, fused=True)
            for name, net in (("policy", policy), ("critic", critic))
        }

    @property
    def widths(self) -> tuple[int, int]:
        return self.shape.width, self.shape.suit_width

    def widen(self, width: int, suit_width: int) -> None:
        """Widen the networks without changing how they play, and reset their optimisers."""
        if (width, suit_width) == self.widths:
            return
        wider = []
        for net in (self.policy, self.average):
            assert isinstance(net, Policy)  # a recipe widens no others
            torch.manual_seed(self.seed)  # the new units of the policy and of its average are the same
            wider.append(net.widened(width, suit_width))
        critic = self.critic.widened(width, suit_width) if isinstance(self.critic, Critic) else self.critic
        self.shape, steps = replace(self.shape, width=width, suit_width=suit_width), self.steps
        self._take(wider[0], critic, wider[1])
        self.steps = steps

    def _resize(self, width: int, suit_width: int) -> None:
        """Replace the networks by untrained ones of this size."""
        self.shape = replace(self.shape, width=width, suit_width=suit_width)
        self._take(policy_of(self.shape), critic_of(self.shape))

    # What networks read

    @property
    def reads(self) -> Inputs:
        return OBSERVATIONS if isinstance(self.policy, OwnPolicy) else ROWS

    @property
    def critic_reads(self) -> Inputs:
        return STATES if isinstance(self.critic, OwnCritic) else OPEN_ROWS

    def batch(self, rows: np.ndarray) -> Tensor:
        """Return int8 inputs as a batch for a network, bfloat16 or float32: both hold small whole numbers exactly."""
        return self.to_device(rows).to(torch.bfloat16 if self.bfloat16 else torch.float32)

    def to_device(self, array: np.ndarray) -> Tensor:
        """Return an array as a tensor where the networks are."""
        return torch.from_numpy(array).to(self.device, non_blocking=True)

    def quick(self) -> torch.autocast:
        """Return a context in which hidden layers run in the chosen precision."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16)

    # Choosing

    @torch.no_grad()
    def sample(
        self,
        rows: np.ndarray,
        legal: np.ndarray,
        rng: np.random.Generator,
        tau: float | None = None,
        policy: AnyPolicy | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Sample an action of every row, with the network in evaluation mode.

        Args:
            rows: int8[N, …], what the policy reads.
            legal: bool[N, 70].
            rng: A generator, such as `iteration.rng`.
            tau: Of calls, the temperature: they are sampled by their advantages, and some explored. 0: the favourite.
                None: by their logits, as cards are.
            policy: Who chooses, if not the learner's own.

        Returns:
            Actions, int64[N], and their log-probabilities, float32[N]; 0 for calls that are sampled by advantages.
        """
        net = policy or self.policy
        actions, log_probs = np.empty(len(rows), np.int64), np.zeros(len(rows), np.float32)
        calls = legal[:, NUM_CARDS:].any(1)
        x = pad(self.batch(rows), (0, 0, 0, -len(rows) % GRAIN))
        learning = net.training
        net.eval()
        with self.quick():
            if tau is None or not calls.all():
                logits = (net if tau is None else net.card_logits)(x).float().cpu().numpy()
                sample_actions(logits[: len(rows)], legal, rng.random(len(rows)), actions, log_probs)
            if tau is not None and calls.any():
                advantage, allowed = net.call_advantages(x).cpu().numpy()[: len(rows)], legal[calls, NUM_CARDS:]
                advantage = advantage[calls]
                drawn = sample_calls(advantage, allowed, tau, rng) if tau else favourite(advantage, allowed)
                actions[calls] = BID_ZERO + drawn
        net.train(learning)
        return actions, log_probs

    def sampler(self, rng: np.random.Generator, tau: float | None = None) -> Callable:
        """Return `sample` as a function of inputs and legal actions."""
        return lambda rows, legal: self.sample(rows, legal, rng, tau)

    # Learning

    def improve(self, loss: Tensor, rate: float, clip: float = 0.5, kept: float = KEPT) -> float:
        """Take a step of Adam with the policy, and move its average. Gradients are averaged over all workers.

        Args:
            loss: A scalar that depends on the policy.
            rate: The learning rate.
            clip: The largest norm of the gradient.
            kept: The share of the averaged weights that this step keeps.

        Returns:
            The norm of the gradient before it was clipped.
        """
        norm = self._step("policy", self.policy, loss, rate, clip)
        kept = min(kept, (1 + self.steps) / (EARLY + self.steps))
        self.steps += 1
        with torch.no_grad():
            get_ema_multi_avg_fn(kept)(list(self.average.parameters()), list(self.policy.parameters()), 0)
            for mine, own in zip(self.average.buffers(), self.policy.buffers(), strict=True):
                mine.copy_(own)
        return norm

    def improve_critic(self, loss: Tensor, rate: float, clip: float = 1.0) -> float:
        """Take a step of the critic, as `improve` does of the policy."""
        return self._step("critic", self.critic, loss, rate, clip)

    def _step(self, name: str, net: nn.Module, loss: Tensor, rate: float, clip: float) -> float:
        optimizer = self.optimizers[name]
        optimizer.zero_grad()
        loss.backward()
        data_parallel.average_gradients(net.parameters())
        norm = float(nn.utils.clip_grad_norm_(net.parameters(), clip))
        if not math.isfinite(norm):
            raise RunError(f"the gradient of the {name} is not finite: lower its learning rate, or look at your loss")
        optimizer.param_groups[0]["lr"] = rate
        optimizer.step()
        return norm

    def swap_networks(self) -> None:
        """Take the network that the other of two workers has improved: the critic is the second one's."""
        tensors, second = self.tensors(), data_parallel.rank() == 1
        mine = {name: tensor for name, tensor in tensors.items() if name.startswith(OF_CRITIC) == second}
        self.restore(Checkpoint(Path(), tensors | data_parallel.swap(mine), {}))

    # Checkpoints

    @property
    def nets(self) -> dict[str, nn.Module]:
        return {"policy": self.policy, "average": self.average, "critic": self.critic}

    def networks(self) -> dict[str, Tensor]:
        return {f"{name}.{key}": t for name, net in self.nets.items() for key, t in net.state_dict().items()}

    def tensors(self) -> dict[str, Tensor]:
        out = self.networks() | {"steps": torch.tensor(self.steps)}
        for name, optimizer in self.optimizers.items():
            for i, weight in enumerate(self.nets[name].parameters()):
                out |= {f"adam.{name}.{i}.{key}": value for key, value in optimizer.state.get(weight, {}).items()}
        return out

    def check(self, checkpoint: Checkpoint) -> None:
        """Raise RunError for a checkpoint of other networks."""
        networks = {name: t for name, t in checkpoint.tensors.items() if name.startswith(NETWORKS)}
        if layout(networks) != layout(self.networks()):
            raise RunError(f"{checkpoint.path} is of another size than the recipe")

    def begin_with(self, checkpoint: Checkpoint) -> None:
        """Take the networks of a checkpoint, widened to the learner's size, without their optimisers."""
        widths = self.widths
        if not self.shape.is_own and "policy.table.bias" in checkpoint.tensors:
            width, suit_width = (len(checkpoint.tensors[f"policy.{layer}.bias"]) for layer in ("table", "suits"))
            self._resize(*self._narrower(width, suit_width, checkpoint.path))
        self.check(checkpoint)
        self._load(checkpoint)
        self.steps = int(checkpoint.tensors["steps"])
        self.widen(*widths)

    def begin_with_policy(self, policy: Policy) -> None:
        """Take a policy, widened to the learner's size."""
        policy = policy.widened(*self.widths) if self._narrower(*policy.widths, "the level") != self.widths else policy
        self._take(policy, critic_of(self.shape))

    def _narrower(self, width: int, suit_width: int, source: Path | str) -> tuple[int, int]:
        """Return the widths of a start; raise RunError if they are not within the learner's."""
        if width > self.shape.width or suit_width > self.shape.suit_width:
            sizes = f"{(width, suit_width)} wide, more than the recipe's {self.widths}"
            raise RunError(f"{source} has networks {sizes}: raise network.width and network.suit_width")
        return width, suit_width

    def _load(self, checkpoint: Checkpoint) -> None:
        for name, net in self.nets.items():
            net.load_state_dict(checkpoint.under(f"{name}."))

    def restore(self, checkpoint: Checkpoint) -> None:
        """Take all of a checked checkpoint."""
        self._load(checkpoint)
        self.steps = int(checkpoint.tensors["steps"])
        for name, optimizer in self.optimizers.items():
            for i, weight in enumerate(self.nets[name].parameters()):
                if state := checkpoint.under(f"adam.{name}.{i}."):
                    optimizer.state[weight] = {key: t.to(self.device) for key, t in state.items()}


def means(steps: list[dict]) -> dict[str, float]:
    """Return the mean of each number over the steps that have it. A mean of no decisions, nan, doesn't count."""
    known: dict[str, list[float]] = {}
    for numbers in steps:
        for name, number in numbers.items():
            if not math.isnan(number):
                known.setdefault(name, []).append(float(number))
    return {name: float(np.mean(numbers)) for name, numbers in known.items()}
