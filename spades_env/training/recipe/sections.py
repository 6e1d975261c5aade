"""The sections and stages of a recipe. Each refuses numbers that contradict each other when it is made.

The comments beside the fields are printed in docs/recipes.md.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from spades_env.agents import AgentError, load
from spades_env.game.observe import NUM_FEATURES
from spades_env.plain import PlainError, from_json
from spades_env.training.recipe.imports import import_path, word_or_import
from spades_env.training.recipe.keys import (
    RecipeError,
    any_number,
    fraction,
    not_negative,
    one_of,
    positive,
    table_read_by,
)

ROUNDING = 1e-9  # of a sum of shares


def _reader(key: str) -> Callable[[Any], dict[str, Any]]:
    """Return a function that returns the arguments of a network, if JSON can hold them."""

    def read(value: Any) -> dict[str, Any]:
        try:
            fits = isinstance(value, dict) and from_json(json.dumps(value, allow_nan=False)) == value
        except (PlainError, TypeError, ValueError):
            fits = False
        if not fits:
            raise RecipeError(f"{key} must be a table of texts, numbers and lists, not {value!r:.80}")
        return value

    return read


@dataclass(frozen=True)
class NetworkShape:
    """The networks: which one the policy is, and how wide the layers are."""

    kind: str = word_or_import("suits")  # suits (training/nets.py), or MODULE:NAME: a torch module of your own,
    options: Mapping[str, Any] = table_read_by(_reader("network.options"))  # … called with these arguments
    width: int = positive(256)  # of the layers of suits that read the whole table,
    suit_width: int = positive(128)  # … and of those that read one suit
    rule_inputs: bool = True  # whether suits reads what the rule bot computes: its move, chances and values
    critic: str = word_or_import("open")  # open: three layers that see all hands, or MODULE:NAME: one of your own,
    critic_options: Mapping[str, Any] = table_read_by(_reader("network.critic_options"))  # … called with these
    critic_width: int = not_negative(256)  # of open; 0: no critic, where no stage is self-play
    bfloat16: bool = True  # where the device has units for it

    def __post_init__(self):
        if self.options and not self.is_own:
            raise RecipeError("network.options are for a network of your own: they must be empty where kind is suits")
        if self.is_own and not self.rule_inputs:
            raise RecipeError(f"network.rule_inputs is for suits: give a network of your own inputs = {NUM_FEATURES}")
        if self.critic_options and not self.has_own_critic:
            raise RecipeError("network.critic_options are for a critic of your own: they must be empty with open")

    @property
    def is_own(self) -> bool:
        return ":" in self.kind

    @property
    def has_own_critic(self) -> bool:
        return ":" in self.critic

    @property
    def has_critic(self) -> bool:
        return self.has_own_critic or self.critic_width > 0


@dataclass(frozen=True)
class Reward:
    """The weights of a hand's reward: points, the chance of winning the game, and a style (training/rewards.py)."""

    points: float = not_negative(0.0)  # per hundred points; with several determinizations, of bids and passes only
    equity: float = not_negative(6.0)  # of the change in the chance of winning
    bold: float = any_number(0.0)  # for each trick that the seat bids, up to six,
    nil: float = any_number(0.0)  # … for a nil,
    bags: float = any_number(0.0)  # … charged for each bag of its side,
    hunt: float = any_number(0.0)  # … for each nil of others that fails; below 0: charged for it
    function: str = import_path()  # MODULE:NAME: a function of your own that computes the reward instead


@dataclass(frozen=True)
class Imitate:
    """A stage that learns an agent's actions, or how it weighs them."""

    agent: str = "rule"
    iterations: int = positive(100)  # of one hand at every table
    player: str = one_of("agent", "learner")  # who plays the hands; the agent labels the decisions of either
    soft_temperature: float = not_negative(0.0)  # 0: learn its actions; else soft targets, a softmax of how it weighs
    # actions, at this temperature (in units of their own spread); its action where it weighs none
    label_smoothing: float = fraction(0.1)  # the share of the target that is spread over all legal actions
    noise: float = fraction(0.1)  # share of random actions, so that more is seen than the agent's own lines
    labelled: float = fraction(1.0, zero=False)  # share of the decisions that the agent labels: less for slow agents
    learning_rate: float = positive(1e-3)  # at the start; falls linearly to `last_learning_rate`
    last_learning_rate: float = positive(1e-4)
    epochs: int = positive(1)  # over each iteration's decisions
    minibatch: int = positive(2048)
    value_weight: float = not_negative(0.5)
    max_grad_norm: float = positive(1.0)
    loss: str = import_path()  # MODULE:NAME: a function of your own in place of the policy's loss

    def __post_init__(self):
        if self.labelled < 1 and self.player == "agent":
            raise RecipeError("labelled must be 1 where the agent plays, as it is asked about every decision")
        check_agent(self.agent)
        if self.soft_temperature and not load(self.agent).weighs:
            raise RecipeError(
                f"{self.agent} does not weigh actions: soft_temperature must be 0, or the agent a search by trials of "
                "a fixed number (mc:8x8, LEVEL+trial:8), perhaps within a pair (rule/mc:8x8)"
            )


@dataclass(frozen=True)
class RolloutImprovement:
    """A stage of rollout policy improvement: every action is valued by playing the hand out (stages/rollout.py)."""

    iterations: int = positive(200)  # of one hand at every table
    determinizations: int = positive(1)  # deals a card is tried in: 1, the true one; more, deals that fit what the
    # seat has seen, valued by the chance of winning; [reward]'s style still comes from the true deal
    candidates: int = positive(1)  # deals drawn for each determinization; with more than 1, the likeliest are tried,
    swaps: int = not_negative(0)  # … each after this many Metropolis steps, proposed exchanges of cards
    temperature: float = positive(0.03)  # of the policy, in rewards: an action worse by this is e times as rare
    noise: float = fraction(0.03)  # share of random actions among those played,
    blind: float = fraction(0.4)  # … and where a blind nil is offered, so that it is seen often enough
    learning_rate: float = positive(5e-4)  # at the start; falls linearly to `last_learning_rate`
    last_learning_rate: float = positive(5e-5)
    epochs: int = positive(1)  # over each iteration's decisions
    minibatch: int = positive(2048)
    bid_weight: float = positive(0.2)  # of bids, which matter more and vary more, against other decisions
    value_weight: float = not_negative(0.05)  # of the estimates of the hand's reward
    max_grad_norm: float = positive(1.0)
    loss: str = import_path()  # MODULE:NAME: a function of your own in place of the policy's loss

    def __post_init__(self):
        if self.candidates > 1 and self.determinizations == 1:
            raise RecipeError("one determinization is the true deal: candidates must be 1, or determinizations more")
        if self.swaps and self.candidates == 1:
            raise RecipeError("swaps are for deals chosen by likelihood: swaps must be 0, or candidates more than 1")


@dataclass(frozen=True)
class SelfPlay:
    """A stage of masked PPO."""

    iterations: int = positive(400)  # of one hand at every table
    learning_rate: float = positive(3e-4)  # at the start; falls linearly to `last_learning_rate`
    last_learning_rate: float = positive(3e-5)
    epochs: int = positive(1)  # over each iteration's decisions
    minibatch: int = positive(4096)
    gae_lambda: float = fraction(0.95)  # λ of generalised advantage estimation
    clip: float = fraction(0.2, zero=False)
    entropy: float = not_negative(0.01)  # its weight at the start; falls linearly to `last_entropy`
    last_entropy: float = not_negative(0.003)
    bid_weight: float = positive(1.0)  # of bids, against other decisions
    value_weight: float = not_negative(0.5)
    own_value_weight: float = not_negative(0.1)  # of the policy's own estimate
    max_grad_norm: float = positive(1.0)  # the norm it is clipped to
    loss: str = import_path()  # MODULE:NAME: a function of your own in place of PPO's clipped loss


@dataclass(frozen=True)
class PoolShares:
    """Who sits against the learner, by shares of the tables; at the other tables it plays itself."""

    agents: dict[str, float] = field(default_factory=dict)  # name -> share
    past: float = fraction(0.2)  # against past selves, most often those that do well
    keep: int = positive(10)  # past selves
    every: int = positive(100)  # rounds between two of them
    partner: float = fraction(0.25)  # of those tables, where the other also sits opposite the learner

    def __post_init__(self):
        if sum(self.agents.values()) + self.past > 1 + ROUNDING:
            raise RecipeError("the shares in [pool] add up to more than 1")
        for name in self.agents:
            check_agent(name)


@dataclass(frozen=True)
class Evaluate:
    """Duplicate games under the main rules."""

    every: int = not_negative(100)  # rounds
    against: tuple[str, ...] = ("rule",)
    games: int = positive(400)

    def __post_init__(self):
        if self.games % 2 or self.games < 4:
            raise RecipeError(
                f"evaluate.games must be an even number from 4 up, as each deal is played twice, not {self.games}"
            )
        for name in self.against:
            check_agent(name)


def check_agent(name: str) -> None:
    """Raise RecipeError for an unknown agent, and for one that sees all cards."""
    try:
        agent = load(name)
    except AgentError as error:
        raise RecipeError(f"the recipe names an agent that cannot be loaded: {error}") from None
    if agent.cheats:
        raise RecipeError(f"{name} sees all cards: nothing is learned from it or against it")
