"""Data-parallel training in several processes: torch.distributed, under `torchrun` or `spades train --workers`.

Each worker plays tables of its own. Gradients are averaged, so all hold the same weights after every step; or each of
two workers takes steps of its own, `apart`, and they `swap` what they need. Where there is one worker, the other
functions do nothing.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor

SHARE = "SPADES_SHARE"  # set where the workers share the recipe's tables (training/run/launch.py)
PATIENCE = timedelta(hours=6)  # all wait while the first of them plays its evaluations


_apart = False


def start(device: torch.device) -> torch.device:
    """Join the other workers, if torchrun started this one; return its device."""
    if "RANK" not in os.environ or dist.is_initialized():
        return device
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo", timeout=PATIENCE)
    return device


def stop() -> None:
    if dist.is_initialized():
        dist.destroy_process_group()


def wait() -> None:
    """Wait until all workers have called this."""
    if dist.is_initialized():
        dist.barrier()


def rank() -> int:
    """Return this worker's number; worker 0 writes the files."""
    return dist.get_rank() if dist.is_initialized() else 0


def count() -> int:
    return dist.get_world_size() if dist.is_initialized() else 1


def share(total: int) -> int:
    """Return this worker's share of a recipe's tables, or all of them where each worker has as many (torchrun)."""
    if SHARE not in os.environ:
        return total
    return max(1, total // count() + (rank() < total % count()))


def average_gradients(weights: Iterable[Tensor]) -> None:
    """Replace every worker's gradients by their mean; a weight that a worker has not used has a gradient of 0."""
    if count() == 1 or _apart:
        return
    learned = [weight for weight in weights if weight.requires_grad]
    flat = torch.cat([(torch.zeros_like(one) if one.grad is None else one.grad).reshape(-1) for one in learned])
    dist.all_reduce(flat)
    flat /= count()
    for weight, part in zip(learned, flat.split([one.numel() for one in learned]), strict=True):
        weight.grad = part.view_as(weight)


@contextmanager
def apart() -> Iterator[None]:
    """Let each worker take steps of its own: gradients are not averaged."""
    global _apart
    _apart = True
    try:
        yield
    finally:
        _apart = False


def swap(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Send tensors to the other of two workers; return those that it sends."""
    other, heads = 1 - rank(), [{}, {}]
    dist.all_gather_object(heads, {name: (one.shape, one.dtype) for name, one in tensors.items()})
    got = {name: torch.empty(shape, dtype=kind) for name, (shape, kind) in heads[other].items()}
    work = [dist.isend(_bytes(one), other) for one in tensors.values()]
    work += [dist.irecv(_bytes(one), other) for one in got.values()]
    for one in filter(None, work):
        one.wait()
    return got


def _bytes(tensor: Tensor) -> Tensor:
    return tensor.contiguous().view(-1).view(torch.uint8)


def mean(numbers: dict[str, float]) -> dict[str, float]:
    """Return the mean of each number over the workers that have it."""
    if count() == 1:
        return numbers
    gathered: list[dict[str, float]] = [{}] * count()
    dist.all_gather_object(gathered, numbers)
    names = dict.fromkeys(name for one in gathered for name in one)
    known = {name: [one[name] for one in gathered if name in one] for name in names}
    return {name: sum(values) / len(values) for name, values in known.items()}
