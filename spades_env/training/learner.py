"""The learner: its networks, their optimiser, and the device and precision they run in.

On CPUs and GPUs with bfloat16 units the hidden layers run in bfloat16, which is twice as fast; the weights, the losses
and the optimiser stay in float32.
"""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn

from spades_env.training import data_parallel
from spades_env.training.collect import Moment, Rollout
from spades_env.training.losses import log_policy
from spades_env.training.own.critic import critic_of
from spades_env.training.own.network import inputs_of, policy_of
from spades_env.training.recipe import NetworkShape
from spades_env.training.run.checkpoints import Checkpoint, RunError, layout

NETWORKS = ("policy.", "critic.")  # how the names of their tensors begin
CHUNK = 8192  # decisions at once where no gradient is needed
GRAIN = 64  # batches are multiples of it: preparing matrix products takes long, for every new size


def device_named(name: str | None) -> torch.device:
    """Return the device of this name, by default a GPU if there is one; raise RunError if there is none."""
    name = name or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError):  # torch raises any of these
        raise RunError(f"unknown device {name!r}; expected cpu, or cuda where torch finds a GPU") from None
    return device


def has_bfloat16(device: torch.device) -> bool:
    """Return whether the device multiplies bfloat16 matrices in hardware."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    return getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)()


class Learner:
    """The policy and the critic, with their optimiser."""

    def __init__(self, sizes: NetworkShape, device: torch.device, seed: int):
        torch.manual_seed(seed)
        self.device, self.bfloat16 = device, sizes.bfloat16 and has_bfloat16(device)
        self.policy = policy_of(sizes).to(device)
        critic = critic_of(sizes)
        self.critic = critic.to(device) if critic else None
        self.weights = [weight for net in self.nets.values() for weight in net.parameters()]
        self.optimizer = torch.optim.Adam(self.weights, lr=1e-3, eps=1e-5, fused=True)

    @property
    def nets(self) -> dict[str, nn.Module]:
        found: dict[str, nn.Module] = {"policy": self.policy}
        return found | {"critic": self.critic} if self.critic else found

    def arranged(self, states: np.ndarray) -> Tensor:
        """Return the policy's inputs from states or features: int8[n, NUM_ARRANGED], or those of a network of your own.

        No hidden card is among them, though states have all.
        """
        return self.to_device(inputs_of(self.policy, states))

    def quick(self) -> torch.autocast:
        """Return a context in which hidden layers run in the chosen precision."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16)

    def generator(self, *seed: int) -> torch.Generator:
        return torch.Generator(self.device).manual_seed(
            int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
        )

    def to_device(self, array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).to(self.device, non_blocking=True)

    @torch.no_grad()
    def log_probs(self, arranged: Tensor, mask: np.ndarray, policy: nn.Module | None = None) -> Tensor:
        """Return the log-probabilities of the policy, or of another one: [n, 70]."""
        padded = torch.nn.functional.pad(arranged, (0, 0, 0, -len(arranged) % GRAIN))
        net = policy or self.policy
        learning = net.training
        net.eval()
        with self.quick():
            logits, _ = net(padded)
        net.train(learning)
        return log_policy(logits[: len(arranged)], self.to_device(mask))

    def sampler(self, generator: torch.Generator, policy: nn.Module | None = None):
        """Return a chooser that samples from the policy, or from another one."""

        def choose(moment: Moment) -> np.ndarray:
            return draw(self.log_probs(self.arranged(moment.states), moment.mask, policy), generator).cpu().numpy()

        return choose

    @torch.no_grad()
    def values(self, states: Tensor) -> Tensor:
        """Return the critic's values, [M]."""
        assert self.critic
        with self.quick():
            return torch.cat([self.critic(part) for part in states.split(CHUNK)])

    def networks(self) -> dict[str, Tensor]:
        return {f"{name}.{key}": t for name, net in self.nets.items() for key, t in net.state_dict().items()}

    def tensors(self) -> dict[str, Tensor]:
        out = self.networks()
        for i, weight in enumerate(self.weights):
            out |= {f"adam.{i}.{key}": value for key, value in self.optimizer.state.get(weight, {}).items()}
        return out

    def check(self, checkpoint: Checkpoint) -> None:
        """Raise RunError for a checkpoint of other networks."""
        networks = {name: t for name, t in checkpoint.tensors.items() if name.startswith(NETWORKS)}
        if layout(networks) != layout(self.networks()):
            raise RunError(f"{checkpoint.path} is of another size than the recipe")

    def begin_with(self, checkpoint: Checkpoint) -> None:
        """Take the networks of a checked checkpoint, without its optimiser."""
        for name, net in self.nets.items():
            net.load_state_dict(checkpoint.under(f"{name}."))

    def restore(self, checkpoint: Checkpoint) -> None:
        self.begin_with(checkpoint)
        for i, weight in enumerate(self.weights):
            if state := checkpoint.under(f"adam.{i}."):
                self.optimizer.state[weight] = {key: t.to(self.device) for key, t in state.items()}

    def improve(self, loss: Tensor, rate: float, clip: float) -> float:
        """Take a gradient step, clipped for each network; return the norm of the policy's gradient before."""
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        data_parallel.average_gradients(self.weights)
        norm = nn.utils.clip_grad_norm_(self.policy.parameters(), clip)
        if self.critic:
            nn.utils.clip_grad_norm_(self.critic.parameters(), clip)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        return float(norm)


def draw(log_probs: Tensor, generator: torch.Generator) -> Tensor:
    """Sample an action from each row, int64[n]."""
    noise = torch.empty_like(log_probs).exponential_(generator=generator)
    return (log_probs.exp() / noise).argmax(-1)


def between(first: float, last: float, done: float) -> float:
    return first + done * (last - first)


def means(steps: list[dict]) -> dict[str, float]:
    names = dict.fromkeys(name for numbers in steps for name in numbers)
    return {name: float(np.mean([float(numbers[name]) for numbers in steps if name in numbers])) for name in names}


def sequences(rollout: Rollout) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each seat's decisions in order: rows int64[S, L] (numbers of decisions, 0 beyond the end), lengths
    int64[S], and whose they are, int64[S] as in `Rollout.seat`.
    """
    order = np.argsort(rollout.seat, kind="stable")
    owners, first, lengths = np.unique(rollout.seat[order], return_index=True, return_counts=True)
    steps = np.arange(lengths.max())
    rows = np.where(steps < lengths[:, None], first[:, None] + np.minimum(steps, lengths[:, None] - 1), 0)
    return np.where(steps < lengths[:, None], order[rows], 0), lengths, owners


def minibatches(count: int, size: int, generator: torch.Generator) -> Iterator[Tensor]:
    """Yield all numbers below count, shuffled, in parts of about this size.

    All workers yield the same number of parts, some of them empty; none if no worker has any decisions.
    """
    each = data_parallel.mean({"count": float(count)})["count"]
    shuffled = torch.randperm(count, generator=generator, device=generator.device)
    parts = max(1, round(each / size))
    grain = GRAIN if count / parts >= 16 * GRAIN else 1
    ends = [round(i * count / parts / grain) * grain for i in range(1, parts)]
    yield from shuffled.tensor_split(ends) if each else ()
