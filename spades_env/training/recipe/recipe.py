"""A whole recipe: its keys and sections, read from TOML and checked together.

seed, tables, start, checkpoint       how much is played at once, from where, and how often it is saved
[network]                             how large the networks are
[reward]                              what a hand pays
[rules]                               the situations hands start from (training/recipe/start_situations.py)
[[stage]]                             what is learned, in order: kind = "selfplay" or MODULE:NAME
[pool]                                who sits against the learner
[evaluate]                            what is measured along the way
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from spades_env.checks import LARGEST_SEED
from spades_env.import_path import is_import_path
from spades_env.plain import PlainError, from_json, from_toml
from spades_env.training.recipe.imports import imported_stage, made_stage
from spades_env.training.recipe.keys import RecipeError, change, not_negative, positive, read_by, read_section
from spades_env.training.recipe.sections import (
    Evaluate,
    NetworkShape,
    PoolShares,
    Reward,
    SelfPlay,
)
from spades_env.training.recipe.start_situations import Situations

Stage = Any  # SelfPlay, or a dataclass of your own with `iterations` and learn(iteration)
KINDS = {"selfplay": SelfPlay}


def kind_of(stage: Stage) -> str:
    """Return what a recipe calls the stage: selfplay, or its class's import path."""
    own = f"{type(stage).__module__}:{type(stage).__qualname__}"
    return next((kind for kind, cls in KINDS.items() if type(stage) is cls), own)


def named_in(recipe: "Recipe") -> list[str]:
    """Return the agents and import paths that a recipe names."""
    own = [recipe.network.kind, recipe.network.critic, recipe.reward.function, *recipe.callbacks]
    own += [kind_of(stage) for stage in recipe.stage]
    own += [stage.loss for stage in recipe.stage if isinstance(stage, SelfPlay)]
    return [*filter(is_import_path, own), *recipe.pool.agents, *recipe.evaluate.against]


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
        _check_kept(f"stage.{i}", stages[-1])
    return tuple(stages)


def _check_kept(key: str, stage: Stage) -> None:
    """Raise RecipeError unless a stage of your own can be written to the run's folder and read back."""
    known = asdict(stage)
    try:
        again = asdict(read_section(type(stage), from_json(json.dumps(known)), f"{key}."))
    except (RecipeError, PlainError, TypeError, ValueError) as error:
        raise RecipeError(f"{key} cannot be read back from JSON: {error}") from None
    if changed := next((name for name in known if again[name] != known[name]), None):
        raise RecipeError(f"{key}.{changed} cannot be read back from JSON: {known[changed]!r:.60} comes back changed")


@dataclass(frozen=True)
class Recipe:
    """Everything that decides a run, except the machine. Read one with `Recipe.load` or `Recipe.of`.

    Args:
        name: Of the run, and of its level.
        about: A sentence on how the level plays.
        seed: Of weights, deals and samples.
        tables: How many play at once, of all workers; under torchrun of each.
        start: A level (its file, or the name of one of ours), a checkpoint, or a run's folder to begin with; else
            random weights.
        stage: What is learned, in order.
        network: How large the networks are, or whose.
        reward: What a hand pays.
        rules: The situations hands start from.
        pool: Who sits against the learner.
        evaluate: What is measured along the way.
        checkpoint: Iterations between two checkpoints.
        callbacks: MODULE:NAME of each: functions or objects of your own, called during the run.

    Examples:
        >>> from spades_env.training import Recipe
        >>> recipe = Recipe.of({"tables": 64, "stage": [{"kind": "selfplay", "iterations": 100}]})
        >>> recipe.iterations
        100
    """

    name: str = "unnamed"
    about: str = ""
    seed: int = not_negative(0, most=LARGEST_SEED)
    tables: int = positive(1024)  # of all workers; under torchrun of each
    start: str = ""  # a level, one of ours by its name, a checkpoint or a run to begin with; else random weights
    stage: tuple[Stage, ...] = read_by(_read_stages, default=())
    network: NetworkShape = field(default_factory=NetworkShape)
    reward: Reward = field(default_factory=Reward)
    rules: Situations = field(default_factory=Situations)
    pool: PoolShares = field(default_factory=PoolShares)
    evaluate: Evaluate = field(default_factory=Evaluate)
    checkpoint: int = positive(5)  # iterations between two checkpoints
    callbacks: tuple[str, ...] = ()  # MODULE:NAME of each: functions or objects of your own, called during the run

    @property
    def iterations(self) -> int:
        """The iterations of all stages together; each plays some hands at every table."""
        return sum(stage.iterations for stage in self.stage)

    def moments(self, first: int = 0) -> Iterator[tuple[int, Stage, float]]:
        """Yield every iteration from `first` on: its number, its stage, and how much of the stage is over (0 to 1)."""
        number = 0
        for stage in self.stage:
            for i in range(stage.iterations):
                if number >= first:
                    yield number, stage, i / stage.iterations
                number += 1

    def stage_before(self, iterations: int) -> Stage:
        """Return the stage that the last of these iterations belongs to; without iterations, the first stage."""
        ends = accumulate(stage.iterations for stage in self.stage)
        return next((stage for stage, end in zip(self.stage, ends, strict=True) if iterations <= end), self.stage[-1])

    def widths_in(self, last: Stage) -> tuple[int, int]:
        """Return how wide the networks are in a stage of the recipe."""
        widths = self.network.width, self.network.suit_width
        for stage in self.stage:
            widths = _widths(stage, widths)
            if stage is last:
                break
        return widths

    def as_dict(self) -> dict[str, Any]:
        """Return the recipe as plain data, which `Recipe.of` reads."""
        stages = [{"kind": kind_of(stage), **asdict(stage)} for stage in self.stage]
        return asdict(self) | {"stage": stages}

    @classmethod
    def load(cls, path: Path | str, changes: dict[str, str] | None = None) -> "Recipe":
        """Read a recipe's file.

        Args:
            path: A TOML file.
            changes: By key, as texts: {"stage.1.iterations": "50"}.

        Raises:
            RecipeError: It can't be read or followed; the message names the key.
        """
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
        _check_widths(recipe)
        for path in recipe.callbacks:
            if not is_import_path(path):
                raise RecipeError(f"callbacks must be import paths, written MODULE:NAME, not {path!r}")
        return recipe


def _check_widths(recipe: Recipe) -> None:
    """Raise RecipeError where a stage would make the networks narrower, or wider if they are of your own."""
    widths = recipe.network.width, recipe.network.suit_width
    for i, stage in enumerate(recipe.stage):
        asked = _widths(stage, widths)
        if asked != widths and recipe.network.is_own:
            raise RecipeError(f"stage.{i}.width and suit_width are for network.kind = 'suits'")
        if any(new < old for old, new in zip(widths, asked, strict=True)):
            raise RecipeError(
                f"stage.{i} asks for networks {asked} wide, but they are {widths} before it: they only widen"
            )
        widths = asked


def _widths(stage: Stage, before: tuple[int, int]) -> tuple[int, int]:
    return getattr(stage, "width", 0) or before[0], getattr(stage, "suit_width", 0) or before[1]
