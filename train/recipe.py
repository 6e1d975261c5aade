"""A training recipe: a TOML file of sections, every key known, every value checked.

seed, tables, start, checkpoint       how much is played at once, from where, and how often it is kept
heed, heed_blind                      how much a level heeds the rule bot's advice
nil_doubt                             how much surer than of another bid a level must be of a nil
[network]                             how large the networks are
[reward]                              what a hand pays
[rules]                               the situations hands start from (train/situations.py)
[[stage]]                             what is learned, in order: kind = "imitate", "foresee" or "selfplay"
[pool]                                who sits against the learner
[evaluate]                            what is measured as it goes
"""

import difflib
import math
from collections.abc import Iterator
from dataclasses import MISSING, Field, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from agents import AgentError, load
from spades_env import Rules
from spades_env.plain import PlainError, from_toml
from spades_env.rules import RulesError
from train.situations import Situations


class RecipeError(ValueError):
    """A recipe that cannot be followed; the message names the key and what is allowed."""


@dataclass(frozen=True)
class Network:
    """How wide the layers are."""

    width: int = 256  # of what the policy makes of the whole table,
    suit_width: int = 128  # … and of a suit
    critic_width: int = 256  # 0: no critic, where no stage is self-play
    bfloat16: bool = True  # where the device has units for it


@dataclass(frozen=True)
class Reward:
    """What a hand pays: points (a hundred each) and the chance of winning the game; and a style (train/rewards.py)."""

    points: float = 0.0  # where cards to play are tried in more worlds than one, of bids and passed cards only
    equity: float = 6.0
    bold: float = 0.0  # for each trick that the seat bids, up to six,
    nil: float = 0.0  # … for a nil,
    bags: float = 0.0  # … charged for each bag of its side,
    hunt: float = 0.0  # … for each nil of others that fails; below 0: the other way round


@dataclass(frozen=True)
class Imitate:
    """A stage that learns what an agent does, or weighs."""

    agent: str = "rule"
    hands: int = 100  # rounds of one hand at every table
    player: str = "agent"  # who plays the hands: the agent, or the learner while the agent comments
    soft: float = 0.0  # 0: what it does; else how it weighs its actions, at this temperature (in their own spread),
    # and what it does where it weighs none
    soften: float = 0.1  # of what it does: the share that all legal actions have, as what is never tried is not learned
    noise: float = 0.1  # share of random actions among those played, so that more is seen than the agent's own lines
    share: float = 1.0  # of the decisions that the agent is asked about: slow ones about few
    rate: float = 1e-3
    last_rate: float = 1e-4
    passes: int = 1
    minibatch: int = 2048
    value_weight: float = 0.5
    gradient: float = 1.0


@dataclass(frozen=True)
class Foresee:
    """A stage that learns what every action would have brought, had the rule bot played on (train/foresight.py)."""

    hands: int = 200  # rounds of one hand at every table
    worlds: int = 1  # that a card is tried in: 1, the cards as they lay; more, deals that fit what the seat has seen,
    # of the chance of winning; deeds that [reward] pays are still told by the cards as they lay
    dealt: int = 1  # deals for each of these worlds; of more, those are tried that fit what was bid and played,
    stirs: int = 0  # … and of these each is offered so many exchanges of cards, so that it may fit better
    temperature: float = 0.03  # of the policy, in rewards: what is worse by so much is e times as rare
    noise: float = 0.03  # share of random actions among those played,
    blind: float = 0.4  # … and where a blind nil is offered, so that it and what follows is seen often enough
    rate: float = 5e-4
    last_rate: float = 5e-5
    passes: int = 1
    minibatch: int = 2048
    bid_weight: float = 0.2  # of bids, which matter more and tell less surely, against other decisions
    value_weight: float = 0.05  # of the estimates of how hands end
    gradient: float = 1.0


@dataclass(frozen=True)
class SelfPlay:
    """A stage of masked PPO."""

    hands: int = 400  # rounds of one hand at every table
    rate: float = 3e-4  # of learning, at the start; falls linearly to `last_rate`
    last_rate: float = 3e-5
    passes: int = 1  # over each round's decisions
    minibatch: int = 4096
    lam: float = 0.95  # of generalised advantage estimation
    clip: float = 0.2
    entropy: float = 0.01  # its weight at the start; falls linearly to `last_entropy`
    last_entropy: float = 0.003
    bid_weight: float = 1.0  # of bids, against other decisions
    value_weight: float = 0.5
    own_value_weight: float = 0.1  # of the policy's own estimate
    gradient: float = 1.0  # the norm it is clipped to


@dataclass(frozen=True)
class Pool:
    """Who sits against the learner, by shares of the tables; at the other tables it plays itself."""

    agents: dict[str, float] = field(default_factory=dict)  # name -> share
    past: float = 0.2  # against past selves, those that do well most often
    keep: int = 10  # past selves
    every: int = 100  # rounds between two of them
    partner: float = 0.25  # of those tables where the other also sits opposite the learner


@dataclass(frozen=True)
class Evaluate:
    """Duplicate games under the main rules."""

    every: int = 100  # rounds
    against: tuple[str, ...] = ("rule",)
    games: int = 400


ROUNDING = 1e-9  # of a sum of shares
PLAYERS = ("agent", "learner")
DEEPEST_KEY = 4  # dots in what --set names: stage.1.reward.bags has three
KINDS = {"imitate": Imitate, "foresee": Foresee, "selfplay": SelfPlay}
Stage = Imitate | Foresee | SelfPlay


@dataclass(frozen=True)
class Recipe:
    """All that decides a run, but for the machine."""

    name: str = "unnamed"
    about: str = ""
    seed: int = 0
    tables: int = 512  # of each worker
    start: str = ""  # a level, a checkpoint, or a run (its last) to begin with; else from nothing
    heed: float = 0.0  # what a level adds to the logit of the rule bot's advice: it differs where it is surer than that
    heed_blind: float = 0.0  # … where a blind nil is offered or cards are passed
    nil_doubt: float = 0.0  # what a level takes from the logit of a bid of 0
    stage: tuple[Stage, ...] = ()
    network: Network = field(default_factory=Network)
    reward: Reward = field(default_factory=Reward)
    rules: Situations = field(default_factory=Situations)
    pool: Pool = field(default_factory=Pool)
    evaluate: Evaluate = field(default_factory=Evaluate)
    checkpoint: int = 50  # rounds between two checkpoints

    @property
    def rounds(self) -> int:
        """Of all stages together; a round is one hand at every table."""
        return sum(stage.hands for stage in self.stage)

    def moments(self, first: int = 0) -> Iterator[tuple[int, Stage, float]]:
        """Every round from `first` on: its number, its stage, and how much of the stage is over (0 to 1)."""
        number = 0
        for stage in self.stage:
            for i in range(stage.hands):
                if number >= first:
                    yield number, stage, i / stage.hands
                number += 1

    def as_dict(self) -> dict[str, Any]:
        """As plain data that `of` reads, each stage with its kind."""
        stages = [{"kind": kind_of(stage), **asdict(stage)} for stage in self.stage]
        return asdict(self) | {"stage": stages}

    @classmethod
    def load(cls, path: Path | str, changes: dict[str, str] | None = None) -> "Recipe":
        """From a file, with changes such as {"stage.1.hands": "50"}."""
        try:
            table = from_toml(Path(path).read_bytes())
        except OSError as error:
            raise RecipeError(f"cannot read the recipe {path}: {error.strerror}") from None
        except PlainError as error:
            raise RecipeError(f"{path} is not TOML: {error}") from None
        table.setdefault("name", Path(path).stem)
        for key, text in (changes or {}).items():
            _change(table, key, text)
        return cls.of(table)

    @classmethod
    def of(cls, table: dict[str, Any]) -> "Recipe":
        """From plain data, such as a TOML file holds; RecipeError where it cannot be followed."""
        if not isinstance(table, dict):
            raise RecipeError(f"a recipe is a table of sections, not {table!r:.80}")
        recipe = _section(cls, table, "")
        if not recipe.stage:
            raise RecipeError("the recipe has no [[stage]]: there is nothing to learn")
        if any(isinstance(one, Imitate) and one.share < 1 and one.player == "agent" for one in recipe.stage):
            raise RecipeError("share must be 1 where the agent plays, as it is asked about every decision")
        if not recipe.network.critic_width and any(isinstance(stage, SelfPlay) for stage in recipe.stage):
            raise RecipeError("self-play needs a critic: network.critic_width must be more than 0")
        if sum(recipe.pool.agents.values()) + recipe.pool.past > 1 + ROUNDING:
            raise RecipeError("the shares in [pool] add up to more than 1")
        if recipe.evaluate.games % 2 or recipe.evaluate.games < 4:
            raise RecipeError(
                f"evaluate.games must be an even number from 4 up, as each deal is played twice, "
                f"not {recipe.evaluate.games}"
            )
        for name in (*recipe.pool.agents, *recipe.evaluate.against, *_teachers(recipe)):
            _known_agent(name)
        for stage in recipe.stage:
            if isinstance(stage, Foresee) and stage.dealt > 1 and stage.worlds == 1:
                raise RecipeError(
                    "of one world, the cards as they lay, none is chosen: dealt must be 1, or worlds more"
                )
            if isinstance(stage, Foresee) and stage.stirs and stage.dealt == 1:
                raise RecipeError("only worlds that are to fit are stirred: stirs must be 0, or dealt more than 1")
            if isinstance(stage, Imitate) and stage.soft and not load(stage.agent).weighs:
                raise RecipeError(
                    f"{stage.agent} does not weigh actions: soft must be 0, or the agent a search by trials of a fixed "
                    "number (mc:8x8, LEVEL+search:8, LEVEL+trial:8), perhaps within a pair (rule/mc:8x8)"
                )
        try:
            Rules.parse(recipe.rules.main)
        except RulesError as error:
            raise RecipeError(f"rules.main: {error}") from None
        return recipe


def kind_of(stage: Stage) -> str:
    """What a recipe calls it: imitate, foresee or selfplay."""
    return next(kind for kind, cls in KINDS.items() if isinstance(stage, cls))


def _teachers(recipe: Recipe) -> list[str]:
    return [stage.agent for stage in recipe.stage if isinstance(stage, Imitate)]


def _known_agent(name: str) -> None:
    try:
        agent = load(name)
    except AgentError as error:
        raise RecipeError(f"the recipe names an agent that cannot be had: {error}") from None
    if agent.cheats:
        raise RecipeError(f"{name} sees all cards: nothing is learned from it or against it")


def _change(table: dict[str, Any], key: str, text: str) -> None:
    """table[a][b] = value, for the key a.b; stages are counted from 0."""
    *path, last = key.split(".")
    place: Any = table
    try:
        value = from_toml(f"value = {text}")["value"]
    except PlainError:
        value = text
    if len(path) > DEEPEST_KEY:
        raise RecipeError(f"{key:.80} … names no place in the recipe")
    try:
        for step in path:
            place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
        place[last] = value
    except (IndexError, ValueError, TypeError, AttributeError):
        raise RecipeError(f"{key} names no place in the recipe") from None


def _section(cls: type, table: dict[str, Any], where: str) -> Any:
    """The dataclass that a table describes; an unknown key or a value of another kind is refused."""
    known = {one.name: one for one in fields(cls)}
    for key in table:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            nearest = f"; did you mean {close[0]}?" if close else "."
            raise RecipeError(f"{where}{key} is no key of a recipe{nearest} There are {', '.join(known)}")
    return cls(**{key: _value(known[key], value, f"{where}{key}") for key, value in table.items()})


def _value(one: Field, value: Any, where: str) -> Any:
    if one.name == "stage":
        return _stages(value)
    default = one.default if one.default is not MISSING else one.default_factory()  # type: ignore[misc]
    if hasattr(default, "__dataclass_fields__"):
        if not isinstance(value, dict):
            raise RecipeError(f"{where} must be a section, not {value!r}")
        return _section(type(default), value, f"{where}.")
    if isinstance(default, tuple):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise RecipeError(f"{where} must be a list of strings, not {value!r}")
        return tuple(value)
    if isinstance(default, dict):
        if not isinstance(value, dict) or not all(_is_share(share) for share in value.values()):
            raise RecipeError(f"{where} must give every agent a share from 0 to 1, not {value!r}")
        return {name: float(share) for name, share in value.items()}
    return _scalar(type(default), value, where)


def _stages(value: Any) -> tuple[Stage, ...]:
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
        stages.append(_section(KINDS[kind], rest, f"stage.{i}."))
    return tuple(stages)


AT_MOST_ONE = ("noise", "blind", "soften", "share", "past", "partner", "fresh", "changes", "main_share", "lam", "clip")
STYLES = ("reward.bold", "reward.nil", "reward.bags", "reward.hunt")  # of any sign
MAY_BE_ZERO = (
    *("seed", "heed", "heed_blind", "nil_doubt", "noise", "blind", "soft", "soften", "stirs"),
    *("entropy", "last_entropy", "lam"),
    *("value_weight", "own_value_weight", "points", "equity", "critic_width"),
    *("past", "partner", "fresh", "changes", "main_share", "evaluate.every"),
)


def _scalar(kind: type, value: Any, where: str) -> Any:
    name = where.rpartition(".")[2]
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not kind:
        raise RecipeError(f"{where} must be of the kind {kind.__name__}, not {value!r}")
    if name == "player" and value not in PLAYERS:
        raise RecipeError(f"{where} must be one of {', '.join(PLAYERS)}, not {value!r}")
    if kind in (int, float):
        return _checked_number(name, value, where)
    return value


def _checked_number(name: str, value: Any, where: str) -> Any:
    if where in STYLES and math.isfinite(value):
        return value
    may_be_zero = name in MAY_BE_ZERO or where in MAY_BE_ZERO
    if not math.isfinite(value) or value < 0 or (value == 0 and not may_be_zero):
        raise RecipeError(f"{where} must be {'at least' if may_be_zero else 'more than'} 0, not {value!r}")
    if value > 1 and name in AT_MOST_ONE:
        raise RecipeError(f"{where} must be at most 1, not {value!r}")
    return value


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
