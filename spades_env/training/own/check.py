"""Check all that a recipe imports before its run begins; Learner checks the network."""

from spades_env.training.own.critic import critic_of
from spades_env.training.own.graph import graph_of
from spades_env.training.own.loss import check_loss
from spades_env.training.own.network import OwnPolicy, policy_of
from spades_env.training.own.reward import reward_function
from spades_env.training.recipe import Recipe, SelfPlay


def check_imports(recipe: Recipe) -> None:
    """Raise RecipeError or RunError for the first import path that leads to something a run cannot use."""
    for stage in recipe.stage:
        if type(stage) is SelfPlay:
            check_loss(stage, recipe.network)
    if recipe.reward.function:
        reward_function(recipe.reward.function)
    if recipe.network.has_own_critic:
        critic_of(recipe.network)
    if recipe.network.is_own:
        policy = policy_of(recipe.network)
        if isinstance(policy, OwnPolicy) and not policy.plays_by_itself:
            graph_of(policy, {})  # else hours of training could end without a file
