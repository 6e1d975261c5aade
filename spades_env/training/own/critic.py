"""Critics of your own: any torch module that maps a position to the expected reward of the hand.

    class Value(torch.nn.Module):
        inputs = NUM_OPEN_INPUTS               all four hands, too; or NUM_INPUTS or NUM_FEATURES, as a policy reads

        def forward(self, features):           float32[B, inputs]
            return value                       float32[B]

Where the recipe says `network.critic = "mine:Value"`, Value is called with [network.critic_options].
"""

from torch import Tensor, nn

from spades_env.agents.network.insight import NUM_INPUTS, NUM_OPEN_INPUTS
from spades_env.game.observe import NUM_FEATURES
from spades_env.training.nets import Critic
from spades_env.training.own.module import PROBED, made_module, tried
from spades_env.training.recipe import NetworkShape, RecipeError

ALLOWED = (NUM_FEATURES, NUM_INPUTS, NUM_OPEN_INPUTS)


class OwnCritic(nn.Module):
    """A critic of your own. It reads int8[B, NUM_OPEN_INPUTS], of which its network gets the first columns."""

    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net
        self.inputs: int = getattr(net, "inputs", NUM_OPEN_INPUTS)

    def forward(self, states: Tensor) -> Tensor:
        """Map int8[B, NUM_OPEN_INPUTS] to float32[B]."""
        return self.net(states[:, : self.inputs].float()).float().reshape(-1)


def critic_of(network: NetworkShape) -> Critic | OwnCritic | None:
    """Return a recipe's critic with random weights, if it has one; raise RecipeError if one of yours cannot be used."""
    if not network.has_own_critic:
        return Critic(network.critic_width, network.rule_inputs) if network.critic_width else None
    said = f"network.critic = {network.critic!r}"
    critic = OwnCritic(made_module("network.critic", network.critic, "network.critic_options", network.critic_options))
    if critic.inputs not in ALLOWED:
        raise RecipeError(
            f"{said} has inputs = {critic.inputs!r:.60}, it must be one of {', '.join(map(str, ALLOWED))}"
        )
    _check_answer(said, critic)
    return critic


def _check_answer(said: str, critic: OwnCritic) -> None:
    """Ask it about a few empty positions, and check what it answers."""
    answer = tried(said, critic.net, critic.inputs)
    if not isinstance(answer, Tensor) or tuple(answer.shape) not in ((PROBED,), (PROBED, 1)):
        given = list(answer.shape) if isinstance(answer, Tensor) else type(answer).__name__
        raise RecipeError(f"{said} answers {PROBED} positions with {given}: forward must return values, float32[B]")
    if not answer.is_floating_point() or not answer.isfinite().all():
        raise RecipeError(f"{said} answers with numbers that are not finite floats")
