"""Losses of your own: a function of a minibatch in place of the loss of the policy.

    def loss(step):                                      step: Minibatch
        chosen = step.log_probs.gather(1, step.action[:, None])[:, 0]
        return -(step.weight * chosen * step.advantage).mean()     a scalar, or (a scalar, numbers to be logged by name)

Calls are then sampled by their logits, and learned from as cards are. The loss of the critic stays; so does the bonus
on the entropy, weighed by `entropy`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from spades_env.game.cards import NUM_ACTIONS
from spades_env.import_path import error_line
from spades_env.training.own.kept import Kept
from spades_env.training.own.network import policy_of
from spades_env.training.recipe import NetworkShape, RecipeError, SelfPlay
from spades_env.training.recipe.imports import imported_function
from spades_env.training.self_play.inputs import OBSERVATIONS, ROWS

Loss = Callable[["Minibatch"], tuple[Tensor, dict[str, Tensor]]]
RETURNS = "a loss must return a scalar tensor that depends on the logits, or (such a tensor, {name: number})"
TAKEN = ("iteration", "stage", "evaluation", "decisions", "seconds", "per_second")  # in a line of metrics.jsonl
PROBED = 4  # decisions
ILLEGAL = -1e9  # as a logit


@dataclass(frozen=True)
class Minibatch:
    """A minibatch of B decisions, which a loss of your own is called with.

    Attributes:
        features: What the policy reads: with a network of your own float32[B, 824], the observation.
        logits: float32[B, 70], what the policy answers to `features`, for gradients to flow through.
        log_probs: float32[B, 70]; those of illegal actions are about -1e9.
        mask: bool[B, 70], the legal actions.
        action: int64[B], what was played.
        old_log_prob: float32[B], its log-probability when it was played.
        value: float32[B], the reward that the critic expected then.
        returns: float32[B], what the critic learns: λ-returns, by the stage's `critic_lambda`.
        advantage: float32[B], GAE by the stage's `gae_lambda`, in rewards, not normalised.
        weight: float32[B]: decisions that matter less are drawn less often, and weigh more.
        stage: The stage's section of the recipe, a dataclass.
        policy: The network that learns, a module: `policy(features)` are the logits.
        keep: `keep(name, make)` returns an object of your own that checkpoints hold, as `Iteration.keep` does.

    Examples:
        >>> def pulled(step):  # a policy gradient, with a penalty on the divergence from earlier weights
        ...     magnet = step.keep("magnet", lambda: deepcopy(step.policy))
        ...     with torch.no_grad():
        ...         before = log_policy(magnet(step.features), step.mask)
        ...     chosen = step.log_probs.gather(1, step.action[:, None])[:, 0]
        ...     divergence = (step.log_probs.exp() * (step.log_probs - before)).sum(1)
        ...     return (step.weight * (0.1 * divergence - chosen * step.advantage)).mean()
    """

    features: Tensor
    logits: Tensor
    log_probs: Tensor
    mask: Tensor
    action: Tensor
    old_log_prob: Tensor
    value: Tensor
    returns: Tensor
    advantage: Tensor
    weight: Tensor
    stage: Any
    policy: nn.Module
    keep: Callable[[str, Callable[[], Any]], Any]


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
        check_names(said, numbers)
        return loss, {"loss_own": loss.detach(), **{name: _number(said, name, one) for name, one in numbers.items()}}

    return checked


def check_loss(stage: SelfPlay, network: NetworkShape) -> None:
    """Ask a stage's own loss about some made-up decisions; raise RecipeError if it cannot be used."""
    loss = loss_of(stage)
    if not loss:
        return
    policy = policy_of(network)
    features = torch.zeros(PROBED, (OBSERVATIONS if network.is_own else ROWS).size)
    logits = policy(features)
    mask, one = torch.ones(PROBED, NUM_ACTIONS, dtype=torch.bool), torch.ones(PROBED)
    played = torch.arange(PROBED), -one, one, 0 * one, -one, one
    loss(Minibatch(features, logits, log_policy(logits, mask), mask, *played, stage, policy, Kept().keep))


def _is_pair(answer: Any) -> bool:
    return isinstance(answer, tuple) and len(answer) == 2


def check_names(said: str, names: Iterable[str]) -> None:
    """Raise RecipeError if what a recipe's own code logs has a name of the run's own."""
    if name := next((one for one in names if one in TAKEN), None):
        raise RecipeError(f"{said} logs {name!r}: choose another name; {', '.join(TAKEN)} are reserved")


def _number(said: str, name: Any, number: Any) -> Tensor:
    try:
        return torch.as_tensor(number).detach().float().reshape(())
    except (TypeError, ValueError, RuntimeError):
        raise RecipeError(f"{said} wants to log {name!r} as {number!r:.60}: it must be a single number") from None
