"""Critics of your own: any torch module that maps a position to the expected reward of the hand.

    class Value(torch.nn.Module):
        def forward(self, states):             float32[B, STATE_SIZE]: an observation, and all four hands
            return value                       float32[B]

Where the recipe says `network.critic = "mine:Value"`, Value is called with [network.critic_options].
"""

from torch import Tensor, nn

from spades_env.game.observe import STATE_SIZE
from spades_env.training.nets import Critic
from spades_env.training.own.module import PROBED, made_module, tried
from spades_env.training.recipe import NetworkShape, RecipeError


class OwnCritic(nn.Module):
    """A critic of your own."""

    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net

    def forward(self, states: Tensor, ends: Tensor) -> tuple[Tensor, None]:
        """Map states, [B, STATE_SIZE], to values, float32[B]; it says nothing of tricks, and needs no ends."""
        return self.net(states.float()).float().reshape(-1), None


AnyCritic = Critic | OwnCritic


def critic_of(network: NetworkShape) -> AnyCritic:
    """Return a recipe's critic with random weights; raise RecipeError if one of yours cannot be used."""
    if not network.has_own_critic:
        return Critic(network.width, network.suit_width)
    said = f"network.critic = {network.critic!r}"
    critic = OwnCritic(made_module("network.critic", network.critic, "network.critic_options", network.critic_options))
    _check_answer(said, critic)
    return critic


def _check_answer(said: str, critic: OwnCritic) -> None:
    """Ask it about a few empty positions, and check what it answers."""
    answer = tried(said, critic.net, STATE_SIZE)
    if not isinstance(answer, Tensor) or tuple(answer.shape) not in ((PROBED,), (PROBED, 1)):
        given = list(answer.shape) if isinstance(answer, Tensor) else type(answer).__name__
        raise RecipeError(f"{said} answers {PROBED} positions with {given}: forward must return values, float32[B]")
    if not answer.is_floating_point() or not answer.isfinite().all():
        raise RecipeError(f"{said} answers with numbers that are not finite floats")
