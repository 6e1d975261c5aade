"""A whole recipe: its keys and sections, read from TOML and checked together.

seed, tables, start, checkpoint       how much is played at once, from where, and how often it is saved
heed, heed_blind, nil_doubt           what an exported level adds to its logits
[network]                             how large the networks are
[reward]                              what a hand pays
[rules]                               the situations hands start from (training/recipe/start_situations.py)
[[stage]]                             what is learned, in order: kind = "imitate", "rollout", "selfplay" or MODULE:NAME
[pool]                                who sits against the learner
[evaluate]                            what is measured along the way
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from spades_env.agents.network.level import BONUSES
from spades_env.import_path import is_import_path
from spades_env.plain import PlainError, from_toml
from spades_env.training.recipe.imports import imported_stage, made_stage
from spades_env.training.recipe.keys import RecipeError, change, not_negative, positive, read_by, read_section
from spades_env.training.recipe.sections import (
    Evaluate,
    Imitate,
    NetworkShape,
    PoolShares,
    Reward,
    RolloutImprovement,
    SelfPlay,
)
from spades_env.training.recipe.start_situations import Situations

Stage = Any  # Imitate, RolloutImprovement, SelfPlay, or a dataclass of your own with `iterations` and learn(round)
KINDS = {"imitate": Imitate, "rollout": RolloutImprovement, "selfplay": SelfPlay}


def kind_of(stage: Stage) -> str:
    """Return what a recipe calls the stage: imitate, rollout, selfplay, or its class's import path."""
    own = f"{type(stage).__module__}:{type(stage).__qualname__}"
    return next((kind for kind, cls in KINDS.items() if isinstance(stage, cls)), own)


def _read_stages(value: Any) -> tuple[Stage, ...]:
    if not isinstance(value, list):
        raise RecipeError("stages are written [[stage]]")
    stages = []
    for i, table in enumerate(value):
        if not isinstance(table, dict):
            raise RecipeError(f"stage.{i} must be a section, written [[stage]], not {table!r}")
        kind = table.get("kind")
        if not isinstance(kind, str) or not (kind in KINDS or is_import_path(kind)):
            raise RecipeError(f"stage.{i}.kind must be one of {', '.join(KINDS)}, or MODULE:NAME, not {kind!r}")
        rest = {key: item for key, item in table.items() if key != "kind"}
        if kind in KINDS:
            stages.append(read_section(KINDS[kind], rest, f"stage.{i}."))
            continue
        own = imported_stage(f"stage.{i}.kind", kind)
        stages.append(made_stage(f"stage.{i}.kind", kind, partial(read_section, own, rest, f"stage.{i}.")))
    return tuple(stages)


@dataclass(frozen=True)
class Recipe:
    """Everything that decides a run, except the machine."""

    name: str = "unnamed"
    about: str = ""
    seed: int = not_negative(0)
    tables: int = positive(512)  # of each worker
    start: str = ""  # a level, a checkpoint, or a run (its last one) to begin with; else random weights
    heed: float = not_negative(0.0)  # at export: a bonus on the logit of the rule bot's action
    heed_blind: float = not_negative(0.0)  # at export: the same where a blind nil is offered or cards are passed
    nil_doubt: float = not_negative(0.0)  # at export: a penalty on the logit of a bid of 0
    stage: tuple[Stage, ...] = read_by(_read_stages, default=())
    network: NetworkShape = field(default_factory=NetworkShape)
    reward: Reward = field(default_factory=Reward)
    rules: Situations = field(default_factory=Situations)
    pool: PoolShares = field(default_factory=PoolShares)
    evaluate: Evaluate = field(default_factory=Evaluate)
    checkpoint: int = positive(50)  # rounds between two checkpoints
    callbacks: tuple[str, ...] = ()  # MODULE:NAME of each: functions or objects of your own, called during the run

    @property
    def rounds(self) -> int:
        """The rounds of all stages together; a round is one hand at every table."""
        return sum(stage.iterations for stage in self.stage)

    def moments(self, first: int = 0) -> Iterator[tuple[int, Stage, float]]:
        """Yield every round from `first` on: its number, its stage, and how much of the stage is over (0 to 1)."""
        number = 0
        for stage in self.stage:
            for i in range(stage.iterations):
                if number >= first:
                    yield number, stage, i / stage.iterations
                number += 1

    def stage_before(self, rounds: int) -> Stage:
        """Return the stage that the last of these rounds belongs to; without rounds, the first stage."""
        ends = accumulate(stage.iterations for stage in self.stage)
        return next((stage for stage, end in zip(self.stage, ends, strict=True) if rounds <= end), self.stage[-1])

    def as_dict(self) -> dict[str, Any]:
        """Return the recipe as plain data, which `Recipe.of` reads."""
        stages = [{"kind": kind_of(stage), **asdict(stage)} for stage in self.stage]
        return asdict(self) | {"stage": stages}

    @classmethod
    def load(cls, path: Path | str, changes: dict[str, str] | None = None) -> "Recipe":
        """Read a recipe's file, with changes such as {"stage.1.iterations": "50"}."""
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
        """Read plain data, such as the content of a TOML file. Raise RecipeError if it can't be followed."""
        if not isinstance(table, dict):
            raise RecipeError(f"a recipe is a table of sections, not {table!r:.80}")
        recipe = read_section(cls, table, "")
        if not recipe.stage:
            raise RecipeError("the recipe has no [[stage]]: there is nothing to learn")
        if not recipe.network.has_critic and any(isinstance(stage, SelfPlay) for stage in recipe.stage):
            raise RecipeError("self-play needs a critic: network.critic_width must be more than 0")
        if recipe.network.is_own and any(getattr(recipe, name) for name in BONUSES):
            raise RecipeError(
                f"{', '.join(BONUSES)} are for levels of the network suits: they are 0 with "
                f"network.kind = {recipe.network.kind!r}"
            )
        if not recipe.network.rule_inputs and (recipe.heed or recipe.heed_blind):
            raise RecipeError("heed and heed_blind follow the rule bot: they are 0 with network.rule_inputs = false")
        for path in recipe.callbacks:
            if not is_import_path(path):
                raise RecipeError(f"callbacks must be import paths, written MODULE:NAME, not {path!r}")
        for i, stage in enumerate(recipe.stage):
            if recipe.reward.function and isinstance(stage, RolloutImprovement) and stage.determinizations > 1:
                raise RecipeError(
                    f"stage.{i}.determinizations must be 1 with a reward.function: in more, cards are valued by the "
                    "chance of winning alone"
                )
        return recipe
