"""A training recipe: a TOML file of sections, every key known, every value checked.

seed, tables, start, checkpoint       how much is played at once, from where, and how often it is saved
heed, heed_blind                      how much a level heeds the rule bot's advice
nil_doubt                             how much surer than of another bid a level must be of a nil
[network]                             how large the networks are
[reward]                              what a hand pays
[rules]                               the situations hands start from (train/situations.py)
[[stage]]                             what is learned, in order: kind = "imitate", "foresee" or "selfplay"
[pool]                                who sits against the learner
[evaluate]                            what is measured along the way
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from agents import AgentError, load
from spades_env import Rules
from spades_env.plain import PlainError, from_toml
from spades_env.rules import RulesError
from train.keys import (
    RecipeError,
    any_number,
    change,
    fraction,
    not_negative,
    one_of,
    positive,
    read_by,
    read_section,
)
from train.situations import Situations

ROUNDING = 1e-9  # of a sum of shares


@dataclass(frozen=True)
class Network:
    """How wide the layers are."""

    width: int = positive(256)  # of what the policy makes of the whole table,
    suit_width: int = positive(128)  # … and of a suit
    critic_width: int = not_negative(256)  # 0: no critic, where no stage is self-play
    bfloat16: bool = True  # where the device has units for it


@dataclass(frozen=True)
class Reward:
    """What a hand pays: points (a hundred each) and the chance of winning the game; and a style (train/rewards.py)."""

    points: float = not_negative(0.0)  # where cards are tried in more worlds than one, of bids and passed cards only
    equity: float = not_negative(6.0)
    bold: float = any_number(0.0)  # for each trick that the seat bids, up to six,
    nil: float = any_number(0.0)  # … for a nil,
    bags: float = any_number(0.0)  # … charged for each bag of its side,
    hunt: float = any_number(0.0)  # … for each nil of others that fails; below 0: the other way round


@dataclass(frozen=True)
class Imitate:
    """A stage that learns what an agent does, or weighs."""

    agent: str = "rule"
    hands: int = positive(100)  # rounds of one hand at every table
    player: str = one_of("agent", "learner")  # who plays the hands: the agent, or the learner while the agent comments
    soft: float = not_negative(0.0)  # 0: what it does; else how it weighs its actions, at this temperature (in their
    # own spread), and what it does where it weighs none
    soften: float = fraction(0.1)  # of what it does: the share that all legal actions have, so that
    # all are tried
    noise: float = fraction(0.1)  # share of random actions, so that more is seen than the agent's own lines
    share: float = fraction(1.0, zero=False)  # of the decisions that the agent is asked about: slow ones about few
    rate: float = positive(1e-3)
    last_rate: float = positive(1e-4)
    passes: int = positive(1)
    minibatch: int = positive(2048)
    value_weight: float = not_negative(0.5)
    gradient: float = positive(1.0)

    def check(self) -> None:
        """Raise RecipeError where the agent cannot teach what is asked."""
        if self.share < 1 and self.player == "agent":
            raise RecipeError("share must be 1 where the agent plays, as it is asked about every decision")
        check_agent(self.agent)
        if self.soft and not load(self.agent).weighs:
            raise RecipeError(
                f"{self.agent} does not weigh actions: soft must be 0, or the agent a search by trials of a fixed "
                "number (mc:8x8, LEVEL+search:8, LEVEL+trial:8), perhaps within a pair (rule/mc:8x8)"
            )


@dataclass(frozen=True)
class Foresee:
    """A stage that learns what every action would have brought, had the rule bot played on (stages/foresight.py)."""

    hands: int = positive(200)  # rounds of one hand at every table
    worlds: int = positive(1)  # that a card is tried in: 1, the true deal; more, deals that fit what the seat has
    # seen, for the chance of winning; what [reward] pays for a style is still read off the true deal
    dealt: int = positive(1)  # deals for each of these worlds; of more, those that fit bids and cards are tried,
    stirs: int = not_negative(0)  # … and of these each is offered so many exchanges of cards, so that it may fit better
    temperature: float = positive(0.03)  # of the policy, in rewards: what is worse by so much is e times as rare
    noise: float = fraction(0.03)  # share of random actions among those played,
    blind: float = fraction(0.4)  # … and where a blind nil is offered, so that it and what follows is seen often enough
    rate: float = positive(5e-4)
    last_rate: float = positive(5e-5)
    passes: int = positive(1)
    minibatch: int = positive(2048)
    bid_weight: float = positive(0.2)  # of bids, which matter more and vary more, against other decisions
    value_weight: float = not_negative(0.05)  # of the estimates of how hands end
    gradient: float = positive(1.0)

    def check(self) -> None:
        """Raise RecipeError where the numbers of worlds contradict each other."""
        if self.dealt > 1 and self.worlds == 1:
            raise RecipeError("of one world, the cards as they lay, none is chosen: dealt must be 1, or worlds more")
        if self.stirs and self.dealt == 1:
            raise RecipeError("only worlds that are to fit are stirred: stirs must be 0, or dealt more than 1")


@dataclass(frozen=True)
class SelfPlay:
    """A stage of masked PPO."""

    hands: int = positive(400)  # rounds of one hand at every table
    rate: float = positive(3e-4)  # of learning, at the start; falls linearly to `last_rate`
    last_rate: float = positive(3e-5)
    passes: int = positive(1)  # over each round's decisions
    minibatch: int = positive(4096)
    lam: float = fraction(0.95)  # of generalised advantage estimation
    clip: float = fraction(0.2, zero=False)
    entropy: float = not_negative(0.01)  # its weight at the start; falls linearly to `last_entropy`
    last_entropy: float = not_negative(0.003)
    bid_weight: float = positive(1.0)  # of bids, against other decisions
    value_weight: float = not_negative(0.5)
    own_value_weight: float = not_negative(0.1)  # of the policy's own estimate
    gradient: float = positive(1.0)  # the norm it is clipped to

    def check(self) -> None:
        """Accept any numbers within their ranges."""


@dataclass(frozen=True)
class Pool:
    """Who sits against the learner, by shares of the tables; at the other tables it plays itself."""

    agents: dict[str, float] = field(default_factory=dict)  # name -> share
    past: float = fraction(0.2)  # against past selves, those that do well most often
    keep: int = positive(10)  # past selves
    every: int = positive(100)  # rounds between two of them
    partner: float = fraction(0.25)  # of those tables where the other also sits opposite the learner

    def check(self) -> None:
        """Raise RecipeError where more than all tables are taken, or by agents that cannot be had."""
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

    def check(self) -> None:
        """Raise RecipeError where these games cannot be played."""
        if self.games % 2 or self.games < 4:
            raise RecipeError(
                f"evaluate.games must be an even number from 4 up, as each deal is played twice, not {self.games}"
            )
        for name in self.against:
            check_agent(name)


def check_agent(name: str) -> None:
    """Raise RecipeError where there is no such agent, or it sees all cards."""
    try:
        agent = load(name)
    except AgentError as error:
        raise RecipeError(f"the recipe names an agent that cannot be had: {error}") from None
    if agent.cheats:
        raise RecipeError(f"{name} sees all cards: nothing is learned from it or against it")


KINDS = {"imitate": Imitate, "foresee": Foresee, "selfplay": SelfPlay}
Stage = Imitate | Foresee | SelfPlay


def kind_of(stage: Stage) -> str:
    """Return what a recipe calls the stage: imitate, foresee or selfplay."""
    return next(kind for kind, cls in KINDS.items() if isinstance(stage, cls))


def _read_stages(value: Any) -> tuple[Stage, ...]:
    if not isinstance(value, list):
        raise RecipeError("stages are written [[stage]]")
    stages = []
    for i, table in enumerate(value):
        if not isinstance(table, dict):
            raise RecipeError(f"stage.{i} must be a section, written [[stage]], not {table!r}")
        kind = table.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise RecipeError(f"stage.{i}.kind must be one of {', '.join(KINDS)}, not {kind!r}")
        rest = {key: item for key, item in table.items() if key != "kind"}
        stages.append(read_section(KINDS[kind], rest, f"stage.{i}."))
    return tuple(stages)


@dataclass(frozen=True)
class Recipe:
    """All that decides a run, but for the machine."""

    name: str = "unnamed"
    about: str = ""
    seed: int = not_negative(0)
    tables: int = positive(512)  # of each worker
    start: str = ""  # a level, a checkpoint, or a run (its last) to begin with; else from nothing
    heed: float = not_negative(0.0)  # what a level adds to the logit of the rule bot's advice
    heed_blind: float = not_negative(0.0)  # … where a blind nil is offered or cards are passed
    nil_doubt: float = not_negative(0.0)  # what a level takes from the logit of a bid of 0
    stage: tuple[Stage, ...] = read_by(_read_stages, default=())
    network: Network = field(default_factory=Network)
    reward: Reward = field(default_factory=Reward)
    rules: Situations = field(default_factory=Situations)
    pool: Pool = field(default_factory=Pool)
    evaluate: Evaluate = field(default_factory=Evaluate)
    checkpoint: int = positive(50)  # rounds between two checkpoints

    @property
    def rounds(self) -> int:
        """The rounds of all stages together; a round is one hand at every table."""
        return sum(stage.hands for stage in self.stage)

    def moments(self, first: int = 0) -> Iterator[tuple[int, Stage, float]]:
        """Yield every round from `first` on: its number, its stage, and how much of the stage is over (0 to 1)."""
        number = 0
        for stage in self.stage:
            for i in range(stage.hands):
                if number >= first:
                    yield number, stage, i / stage.hands
                number += 1

    def as_dict(self) -> dict[str, Any]:
        """Return plain data that `of` reads, each stage with its kind."""
        stages = [{"kind": kind_of(stage), **asdict(stage)} for stage in self.stage]
        return asdict(self) | {"stage": stages}

    @classmethod
    def load(cls, path: Path | str, changes: dict[str, str] | None = None) -> "Recipe":
        """Read a file, with changes such as {"stage.1.hands": "50"}."""
        try:
            table = from_toml(Path(path).read_bytes())
        except OSError as error:
            raise RecipeError(f"cannot read the recipe {path}: {error.strerror}") from None
        except PlainError as error:
            raise RecipeError(f"{path} is not TOML: {error}") from None
        table.setdefault("name", Path(path).stem)
        for key, text in (changes or {}).items():
            change(table, key, text)
        return cls.of(table)

    @classmethod
    def of(cls, table: dict[str, Any]) -> "Recipe":
        """Read plain data, such as a TOML file holds; RecipeError where it cannot be followed."""
        if not isinstance(table, dict):
            raise RecipeError(f"a recipe is a table of sections, not {table!r:.80}")
        recipe = read_section(cls, table, "")
        recipe.check()
        return recipe

    def check(self) -> None:
        """Raise RecipeError where the sections cannot be followed together, or one of them by itself."""
        if not self.stage:
            raise RecipeError("the recipe has no [[stage]]: there is nothing to learn")
        if not self.network.critic_width and any(isinstance(stage, SelfPlay) for stage in self.stage):
            raise RecipeError("self-play needs a critic: network.critic_width must be more than 0")
        for section in (self.pool, self.evaluate, *self.stage):
            section.check()
        try:
            Rules.parse(self.rules.main)
        except RulesError as error:
            raise RecipeError(f"rules.main: {error}") from None
