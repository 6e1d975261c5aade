"""The characters' runs: `spades roster train` follows their recipes, `spades roster build` takes the levels from them.

    runs/roster/milly/        the run of configs/train/roster/milly.toml

Finished runs are left alone; unfinished ones continue. A recipe's `start` of `runs/NAME` means the run of that name
in the same folder of runs, wherever that is.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spades_env.agents.network.level import Level
from spades_env.agents.roster import Character
from spades_env.plain import from_json
from spades_env.shipped import shipped_folder
from spades_env.training.recipe import Recipe
from spades_env.training.run.checkpoints import RunError, Say
from spades_env.training.run.folder import flat, read_recipe

RUNS = "runs"


@dataclass(frozen=True)
class CharacterRun:
    """A character's run: its folder and its recipe."""

    character: Character
    folder: Path
    recipe: Recipe

    @classmethod
    def of(cls, character: Character, runs: Path) -> "CharacterRun":
        """Read a character's recipe. runs: the folder of all runs, which may hold its start."""
        path = recipe_of(character)
        recipe = Recipe.load(path)
        if recipe.start.startswith(f"{RUNS}/"):
            recipe = replace(recipe, start=str(runs / recipe.start.removeprefix(f"{RUNS}/")))
        return cls(character, runs / "roster" / character.key, recipe)

    @property
    def begun(self) -> bool:
        return (self.folder / "config.json").exists()

    @property
    def finished(self) -> bool:
        return (self.folder / "level.safetensors").exists()

    @property
    def as_begun(self) -> Recipe:
        """The recipe to continue with: that of the run, if both learn the same."""
        return read_recipe(self.folder) if self.begun and self.as_it_is else self.recipe

    @property
    def as_it_is(self) -> bool:
        """Whether the run's recipe still learns what the character's does."""
        aside = {"start": None}
        then, now = flat(read_recipe(self.folder)), flat(self.recipe)
        same_start = Path(then["start"]).name == Path(now["start"]).name
        return same_start and then | aside == now | aside


def recipe_of(character: Character) -> Path:
    return shipped_folder("configs") / "train" / f"{character.recipe}.toml"


def train_all(characters: Sequence[Character], runs: Path, device: str | None = None, say: Say = print) -> list[str]:
    """Finish all runs that are not finished; return a line for each that fails."""
    from spades_env.training.trainer import train

    plans = [CharacterRun.of(one, runs) for one in characters]
    missed = []
    for i, plan in enumerate(plans):
        name, of_all = plan.character.name, f"{i + 1} of {len(plans)}"
        if plan.finished and plan.as_it_is:
            say(f"{name} ({of_all}) has learned already: {plan.folder}")
            continue
        say(f"{name} ({of_all}): {plan.character.style}")
        try:
            train(plan.as_begun, plan.folder, plan.begun, device, say)
        except RunError as error:
            missed.append(f"{name} has not learned: {error}")
            say(missed[-1])
    return missed


def level_from(character: Character, runs: Path) -> Level:
    """Return the level of a character's last checkpoint."""
    from spades_env.training.export import export

    plan = CharacterRun.of(character, runs)
    level = export(plan.folder, character.name, character.style)
    recipe = from_json(level.recipe) | {"start": Recipe.load(recipe_of(character)).start}
    return replace(level, recipe=json.dumps(recipe))
