"""Losses of your own: a function of a minibatch in place of the loss of the policy.

    def loss(step):                                      step: Minibatch
        chosen = step.log_probs.gather(1, step.action[:, None])[:, 0]
        return -(step.weight * chosen * step.advantage).mean()     a scalar, or (a scalar, numbers to be logged by name)

Calls are then sampled by their logits, and learned from as cards are. The loss of the critic stays; so does the bonus
on the entropy, weighed by `entropy`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from spades_env.game.cards import NUM_ACTIONS
from spades_env.import_path import error_line
from spades_env.training.recipe import RecipeError, SelfPlay
from spades_env.training.recipe.imports import imported_function

Loss = Callable[["Minibatch"], tuple[Tensor, dict[str, Tensor]]]
RETURNS = "a loss must return a scalar tensor that depends on the logits, or (such a tensor, {name: number})"
PROBED = 4  # decisions
ILLEGAL = -1e9  # as a logit


@dataclass(frozen=True)
class Minibatch:
    """A minibatch of B decisions.

    logits, log_probs   float32[B, 70]; log_probs of illegal actions are about -1e9
    mask                bool[B, 70], the legal actions
    stage               the stage's section of the recipe, a dataclass
    action              int64[B], what was played
    old_log_prob        float32[B], its log-probability when it was played
    advantage           float32[B], in rewards, not normalised
    weight              float32[B]: decisions that matter less are drawn less often, and weigh more
    """

    logits: Tensor
    log_probs: Tensor
    mask: Tensor
    stage: Any
    action: Tensor
    old_log_prob: Tensor
    advantage: Tensor
    weight: Tensor


def log_policy(logits: Tensor, mask: Tensor) -> Tensor:
    """Return log-probabilities; those of illegal actions (mask: bool, of the same shape) are about ILLEGAL."""
    return torch.log_softmax(logits.masked_fill(~mask, ILLEGAL), -1)


def loss_of(stage: SelfPlay) -> Loss | None:
    """Return the loss of your own that a stage names, if it does."""
    if not stage.loss:
        return None
    said, function = f"loss = {stage.loss!r}", imported_function("loss", stage.loss, "a training.Minibatch")

    def checked(step: Minibatch) -> tuple[Tensor, dict[str, Tensor]]:
        try:
            answer: Any = function(step)
        except Exception as error:
            raise RecipeError(f"{said} failed: {error_line(error)}") from error
        loss, numbers = answer if _is_pair(answer) else (answer, {})
        if not isinstance(loss, Tensor) or loss.shape or not loss.requires_grad or not isinstance(numbers, Mapping):
            given = f"float{list(loss.shape)}" if isinstance(loss, Tensor) else repr(loss)
            raise RecipeError(f"{said} returned {given:.60}: {RETURNS}")
        return loss, {"loss_own": loss.detach(), **{name: _number(said, name, one) for name, one in numbers.items()}}

    return checked


def check_loss(stage: SelfPlay) -> None:
    """Ask a stage's own loss about some made-up decisions; raise RecipeError if it cannot be used."""
    loss = loss_of(stage)
    if not loss:
        return
    logits = torch.zeros(PROBED, NUM_ACTIONS, requires_grad=True)
    mask = torch.ones(PROBED, NUM_ACTIONS, dtype=torch.bool)
    one = torch.ones(PROBED)
    loss(Minibatch(logits, log_policy(logits, mask), mask, stage, torch.arange(PROBED), -one, -one, one))


def _is_pair(answer: Any) -> bool:
    return isinstance(answer, tuple) and len(answer) == 2


def _number(said: str, name: Any, number: Any) -> Tensor:
    try:
        return torch.as_tensor(number).detach().float().reshape(())
    except (TypeError, ValueError, RuntimeError):
        raise RecipeError(f"{said} wants to log {name!r} as {number!r:.60}: it must be a single number") from None
