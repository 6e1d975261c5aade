"""Losses of your own: a function of a minibatch in place of the loss of a stage's policy.

    def loss(step):                                      step: Minibatch
        chosen = step.log_probs.gather(1, step.action[:, None])[:, 0]
        return -(chosen * step.advantage).mean()         a scalar, or (a scalar, numbers to be logged by name)

The losses of the critic and of the policy's own value stay, weighed by `value_weight`; so does the bonus on the entropy
in self-play, weighed by `entropy`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from spades_env.game.cards import NUM_ACTIONS
from spades_env.import_path import error_line
from spades_env.training.losses import log_policy
from spades_env.training.recipe import Imitate, RecipeError, RolloutImprovement, SelfPlay
from spades_env.training.recipe.imports import imported_function

Loss = Callable[["Minibatch"], tuple[Tensor, dict[str, Tensor]]]
RETURNS = "a loss must return a scalar tensor that depends on the logits, or (such a tensor, {name: number})"
PROBED = 4  # decisions


@dataclass(frozen=True)
class Minibatch:
    """A minibatch of B decisions; what a stage doesn't have is None.

    logits, log_probs   float32[B, 70]; log_probs of illegal actions are about -1e9
    mask                bool[B, 70], the legal actions
    stage               the stage's section of the recipe, a dataclass
    target              imitate: float32[B, 70], the probabilities to be learned
    gain                rollout: float32[B, 70], the expected rewards of legal actions, less their mean
    action              selfplay: int64[B], what was played
    old_log_prob        selfplay: float32[B], its log-probability when it was played
    advantage           selfplay: float32[B], scaled to mean 0 and deviation 1 over the round
    weight              imitate, selfplay: float32[B], how much each decision counts
    """

    logits: Tensor
    log_probs: Tensor
    mask: Tensor
    stage: Any
    target: Tensor | None = None
    gain: Tensor | None = None
    action: Tensor | None = None
    old_log_prob: Tensor | None = None
    advantage: Tensor | None = None
    weight: Tensor | None = None


def loss_of(stage: Imitate | RolloutImprovement | SelfPlay) -> Loss | None:
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


def check_loss(stage: Imitate | RolloutImprovement | SelfPlay) -> None:
    """Ask a stage's own loss about some made-up decisions; raise RecipeError if it cannot be used."""
    loss = loss_of(stage)
    if not loss:
        return
    logits = torch.zeros(PROBED, NUM_ACTIONS, requires_grad=True)
    mask = torch.ones(PROBED, NUM_ACTIONS, dtype=torch.bool)
    one = torch.full((PROBED,), -1.0)
    known: dict[str, Tensor] = {}
    match stage:
        case Imitate():
            known = {"target": torch.full((PROBED, NUM_ACTIONS), 1 / NUM_ACTIONS), "weight": -one}
        case RolloutImprovement():
            known = {"gain": torch.zeros(PROBED, NUM_ACTIONS)}
        case SelfPlay():
            action = torch.arange(PROBED)
            known = {"action": action, "old_log_prob": one, "advantage": one, "weight": -one}
    loss(Minibatch(logits, log_policy(logits, mask), mask, stage, **known))


def _is_pair(answer: Any) -> bool:
    return isinstance(answer, tuple) and len(answer) == 2


def _number(said: str, name: Any, number: Any) -> Tensor:
    try:
        return torch.as_tensor(number).detach().float().reshape(())
    except (TypeError, ValueError, RuntimeError):
        raise RecipeError(f"{said} wants to log {name!r} as {number!r:.60}: it must be a single number") from None
