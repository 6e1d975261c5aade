"""`spades train` and `spades export`, and the same for `python -m spades_env.training`.

spades train quick                                     a recipe of configs/train, into runs/quick
spades train my.toml --out runs/mine --set seed=3 --set stage.1.iterations=2000
spades train my.toml --out runs/mine --resume          from where it was stopped
spades train quick --seeds 5                           five runs, and their mean
spades train quick --workers 1                         in one process; by default a CPU has two workers
torchrun --no-python --nproc-per-node 2 spades train quick      workers on one machine or several, a GPU for each
spades export runs/quick --out quick.safetensors --onnx quick.onnx
spades export runs/mine --out mine.onnx                a network of your own
"""

import argparse
import importlib
from functools import partial
from pathlib import Path
from typing import Any

from spades_env.agents.atomic_files import write_whole
from spades_env.agents.digest import weights_digest
from spades_env.checks import whole
from spades_env.errors import SpadesError
from spades_env.extras import needed
from spades_env.shipped import shipped_folder

MOST_THREADS = 1024
LEVEL_SUFFIX = ".safetensors"
NEEDED = "training needs torch and more: pip install 'spades-env[train]' ({missing} is missing)"


def add_train_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `spades train`."""
    parser.add_argument("recipe", help=f"a file, or one of {', '.join(recipe_names())}")
    parser.add_argument("--out", type=Path, help="the run's folder (default: runs/ and the recipe's name)")
    parser.add_argument("--resume", action="store_true", help="continue from the last checkpoint in the folder")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a key of the recipe")
    parser.add_argument("--seeds", type=int, metavar="N", help="follow it with N seeds, and sum up what they come to")
    parser.add_argument("--wandb", metavar="PROJECT", default="", help="log to this project of Weights & Biases, too")
    parser.add_argument("--device", help="cpu, cuda or cuda:1 (default: a GPU when there is one)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes that learn as one (default: two on a CPU)")
    parser.add_argument("--threads", type=int, help="for each worker (default: one; several workers share the cores)")


def run_train(options: argparse.Namespace) -> int:
    recipes = importlib.import_module("spades_env.training.recipe")
    recipe = recipes.Recipe.load(recipe_file(options.recipe), _changes(options.set))
    use_threads(options.threads)
    trainer, launch = training("spades_env.training.trainer"), training("spades_env.training.run.launch")
    count = launch.worker_count(options.workers, options.device)
    folder, say = options.out or Path("runs") / recipe.name, partial(print, flush=True)
    common = {"device": options.device, "say": say, "wandb": options.wandb}

    def train_one(recipe: Any, folder: Path, resume: bool, **common) -> Path:
        with launch.launched(count, _arguments(options, recipe.seed, folder, resume), options.threads):
            return trainer.train(recipe, folder, resume, **common)

    if options.seeds is not None:
        runs = training("spades_env.training.seeds.runs")
        runs.train_seeds(recipe, folder, options.seeds, options.resume, **common, train_one=train_one)
    else:
        train_one(recipe, folder, options.resume, **common)
    return 0


def _arguments(options: argparse.Namespace, seed: int, folder: Path, resume: bool) -> list[str]:
    """Return the options of a single run as its other workers take them."""
    given = {"--out": folder, "--device": options.device, "--threads": options.threads}
    named = [text for name, value in given.items() if value is not None for text in (name, str(value))]
    changes = [text for change in [*options.set, f"seed={seed}"] for text in ("--set", change)]
    return [options.recipe, *named, *changes, *(["--resume"] if resume else [])]


def use_threads(count: int | None, name: str = "threads") -> None:
    """Set how many threads this process learns with: one by default, as several mostly wait for each other."""
    training("torch").set_num_threads(1 if count is None else whole(name, count, 1, MOST_THREADS))
    importlib.import_module("spades_env.training.parallel").grant(count)


def add_export_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `spades export`."""
    parser.add_argument("source", type=Path, help="a run's folder, or one of its checkpoints")
    parser.add_argument("--out", type=Path, required=True, help="the level file, NAME.safetensors, or NAME.onnx")
    parser.add_argument("--name", default="", help="what the level is called (default: as the file)")
    parser.add_argument("--style", default="", help="a sentence on how it plays")
    parser.add_argument("--onnx", type=Path, help="write it as ONNX as well")
    parser.add_argument("--full", action="store_true", help="as float32, twice as large")


def run_export(options: argparse.Namespace) -> int:
    if options.out.suffix == ".onnx":
        return _export_graph(options)
    if options.out.suffix != LEVEL_SUFFIX:
        raise SpadesError(f"--out must end with {LEVEL_SUFFIX} or .onnx, not {options.out.name!r}")
    level = training("spades_env.training.export").export(
        options.source, options.name or options.out.stem, options.style
    )
    level.write(options.out, half=not options.full)
    print(f"{options.out}: {level!r}; play against it with its path as an agent's name")
    print(f"weights {weights_digest(options.out.read_bytes())}")
    for name, rating in level.ratings.items():
        low, high = rating["ci"]
        won = f"{rating['won']:.1%} [{low:.1%}, {high:.1%}] of {rating['games']:,} games against {name}"
        print(
            f"in its run, after {rating['iterations']:,} iterations, it won {won}, "
            f"{rating['points']:+.1f} points a hand"
        )
    if options.onnx:
        training("spades_env.training.onnx_file").write_onnx(level, options.onnx)
        print(f"{options.onnx}: the same for ONNX runtimes")
    return 0


def _export_graph(options: argparse.Namespace) -> int:
    if options.onnx:
        raise SpadesError("--onnx is for a level: here --out is an ONNX file already")
    content = training("spades_env.training.onnx_file").export_graph(
        options.source, options.name or options.out.stem, options.style
    )
    write_whole(options.out, content)
    print(f"{options.out}: a network for ONNX runtimes; play against it with its path as an agent's name")
    return 0


def recipe_names() -> list[str]:
    return sorted(path.stem for path in (shipped_folder("configs") / "train").glob("*.toml"))


def recipe_file(name: str) -> Path:
    """Return the file of a shipped recipe, given by name, or of any other, given by path."""
    if name in recipe_names():
        return shipped_folder("configs") / "train" / f"{name}.toml"
    if Path(name).name == name and not Path(name).suffix and not Path(name).exists():
        raise SpadesError(f"unknown recipe {name!r}; expected a file, or one of {', '.join(recipe_names())}")
    return Path(name)


def _changes(texts: list[str]) -> dict[str, str]:
    changes = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise SpadesError(f"--set takes KEY=VALUE, such as stage.1.iterations=200, not {text!r}")
        changes[key.strip()] = value.strip()
    return changes


def training(module: str) -> Any:
    """Import a module that needs torch; say how to install it if it is missing."""
    return needed(module, NEEDED)
