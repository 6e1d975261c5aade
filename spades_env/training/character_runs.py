"""The characters' runs: `spades roster train` follows their recipes, `spades roster build` takes the levels from them.

    runs/roster/milly/        the run of configs/train/roster/milly.toml

Finished runs are left alone; unfinished ones continue.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spades_env.agents.network.level import Level
from spades_env.agents.roster import Character
from spades_env.shipped import shipped_folder
from spades_env.training.recipe import Recipe
from spades_env.training.run import is_begun
from spades_env.training.run.checkpoints import RunError, Say
from spades_env.training.run.folder import flat, read_recipe


@dataclass(frozen=True)
class CharacterRun:
    """A character's run: its folder and its recipe."""

    character: Character
    folder: Path
    recipe: Recipe

    @classmethod
    def of(cls, character: Character, runs: Path) -> "CharacterRun":
        """Read a character's recipe. runs: the folder of all runs."""
        return cls(character, runs / "roster" / character.key, Recipe.load(recipe_of(character)))

    @property
    def begun(self) -> bool:
        return is_begun(self.folder)

    @property
    def finished(self) -> bool:
        return (self.folder / "level.safetensors").exists()

    @property
    def as_it_is(self) -> bool:
        """Whether the run's recipe still learns what the character's does."""
        return flat(read_recipe(self.folder)) == flat(self.recipe)


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
            train(plan.recipe, plan.folder, plan.begun, device, say)
        except RunError as error:
            missed.append(f"{name} has not learned: {error}")
            say(missed[-1])
    return missed


def level_from(character: Character, runs: Path) -> Level:
    """Return the level of a character's last checkpoint."""
    from spades_env.training.export import export

    return export(CharacterRun.of(character, runs).folder, character.name, character.style)
