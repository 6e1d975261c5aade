"""The sections and stages of a recipe. Each refuses numbers that contradict each other when it is made.

The comments beside the fields are printed in docs/training.md.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from spades_env.agents import AgentError, load
from spades_env.plain import PlainError, from_json
from spades_env.training.recipe.imports import import_path, word_or_import
from spades_env.training.recipe.keys import (
    RecipeError,
    any_number,
    fraction,
    not_negative,
    positive,
    share_table,
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
    """The networks: which ones they are, and how wide the layers are."""

    kind: str = word_or_import("suits")  # suits (training/nets.py), or MODULE:NAME: a torch module of your own,
    options: Mapping[str, Any] = table_read_by(_reader("network.options"))  # … called with these arguments
    width: int = positive(128)  # of the layers of suits that read the whole table,
    suit_width: int = positive(64)  # … and of those that read one suit; the critic has the same
    critic: str = word_or_import("open")  # open: as suits, but it sees all hands; or MODULE:NAME: one of your own,
    critic_options: Mapping[str, Any] = table_read_by(_reader("network.critic_options"))  # … called with these
    bfloat16: bool = True  # where the device has units for it

    def __post_init__(self):
        if self.options and not self.is_own:
            raise RecipeError("network.options are for a network of your own: they must be empty where kind is suits")
        if self.critic_options and not self.has_own_critic:
            raise RecipeError("network.critic_options are for a critic of your own: they must be empty with open")

    @property
    def is_own(self) -> bool:
        return ":" in self.kind

    @property
    def has_own_critic(self) -> bool:
        return ":" in self.critic


@dataclass(frozen=True)
class Reward:
    """The weights of a hand's reward: points, the chance of winning the game, and a style (training/rewards.py)."""

    points: float = not_negative(0.3)  # per hundred points
    winning: float = not_negative(3.0)  # of the change in the chance of winning
    bold: float = any_number(0.0)  # per trick bid by the seat itself, up to six
    nil: float = any_number(0.0)  # per nil bid by the seat itself
    bags: float = any_number(0.0)  # charged for every bag that its side takes, on top of the rules
    hunt: float = any_number(0.0)  # per nil of another side that fails
    function: str = import_path()  # MODULE:NAME: a function of your own (training/own/reward.py), in place of all this


@dataclass(frozen=True)
class SelfPlay:
    """A stage of self-play (stages/selfplay.py). What has a last value falls to it over the stage, slowly at first."""

    iterations: int = positive(100)  # of some hands at every table
    hands: int = positive(32)  # in a row at each table, under the same rules; after 32 or more the chance of
    # winning is fitted to the games that have ended
    width: int = not_negative(0)  # the layers of suits become as wide when the stage begins;
    suit_width: int = not_negative(0)  # … 0: they stay
    main_only: bool = False  # all tables play the main rules: at first, one kind of game is learned faster than many
    points_only: bool = False  # before the chance of winning is fitted: a hundred points pay 1, winning nothing
    learning_rate: float = positive(1e-3)
    last_learning_rate: float = positive(4e-5)
    critic_rate: float = positive(1e-3)
    last_critic_rate: float = positive(1e-4)
    temperature: float = positive(0.15)  # of calls: one worse by this much reward is e times as rare
    last_temperature: float = positive(0.01)
    entropy: float = not_negative(0.015)  # weight of the bonus on the entropy of cards
    last_entropy: float = not_negative(0.0006)
    minibatch: int = positive(512)
    keep: float = fraction(0.5, zero=False)  # share of the cards learned from, those that matter most; at least 0.15
    critic_keep: float = fraction(0.6, zero=False)  # share of the decisions that the critic learns from
    gae_lambda: float = fraction(0.9)  # λ of the advantages,
    critic_lambda: float = fraction(0.97)  # … and of the critic's targets
    clip: float = fraction(0.2, zero=False)  # of the ratio of new to old probabilities of cards
    call_weight: float = positive(0.1)  # of the loss of calls
    trick_weight: float = not_negative(0.05)  # of the tricks in the critic's loss
    average: float = fraction(0.9985)  # what the averaged weights keep at each step
    critic_first: int = not_negative(0)  # iterations at first where only the critic learns
    loss: str = import_path()  # MODULE:NAME: a function of your own in place of the policy's loss


@dataclass(frozen=True)
class PoolShares:
    """Who sits against the learner, by shares of the tables; at the other tables it plays itself."""

    agents: Mapping[str, float] = share_table()  # name -> share
    past: float = fraction(0.0)  # against past selves, most often those that do well
    keep: int = positive(10)  # past selves
    every: int = positive(10)  # iterations between two of them
    partner: float = fraction(0.25)  # of those tables, where the other also sits opposite the learner

    def __post_init__(self):
        if sum(self.agents.values()) + self.past > 1 + ROUNDING:
            raise RecipeError("the shares in [pool] add up to more than 1")
        for name in self.agents:
            check_agent(name)


@dataclass(frozen=True)
class Evaluate:
    """Duplicate games under the main rules."""

    every: int = not_negative(10)  # iterations
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
