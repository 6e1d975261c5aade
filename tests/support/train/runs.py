"""Small training runs for tests; as a program, one worker of such a run, which may be killed midway.

python tests/support/train/runs.py FOLDER         the tiny recipe, from the start or on; torchrun starts several
python tests/support/train/runs.py FOLDER 7       killed at the seventh touch of its folder after a checkpoint
python tests/support/train/runs.py FOLDER 0 wide  wider than `quick`, in bfloat16 where there are units for it
"""

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import torch
from support.paths import ROOT
from support.strategies import scaled

from spades_env.training import data_parallel, trainer
from spades_env.training.recipe import Recipe
from spades_env.training.self_play import tables
from spades_env.training.trainer import Training

TOUCHES = ("open", "os.rename", "os.remove")  # what Python tells its auditors of files
STAGE = {"kind": "selfplay", "hands": 1, "minibatch": 64}
TINY = {
    "name": "tiny",
    "tables": scaled(16),
    "checkpoint": 1,
    "network": {"width": 12, "suit_width": 8, "bfloat16": False},
    "rules": {"main": "match max_hands=2", "main_share": 0.8},
    "stage": [STAGE | {"iterations": 2, "points_only": True}, STAGE | {"iterations": 4, "width": 16}],
    "pool": {"agents": {"rule": 0.3}, "past": 0.4, "every": 2, "keep": 2},
    "evaluate": {"every": 3, "games": 4},
}
WIDE = TINY | {
    "name": "wide",
    "tables": scaled(32),
    "network": {"width": 256, "suit_width": 128},
    "stage": [STAGE | {"iterations": 2, "minibatch": 512}],
    "evaluate": {"every": 0},
}
RUNS = {"tiny": (TINY, 1), "wide": (WIDE, 1)}  # recipe, threads

torch.set_num_threads(1)  # the cores are shared, and sums are the same
trainer.DRAW_S = 1e9  # curves are drawn at the first checkpoint and at the end, however slow the machine is
tables.FEWEST_GAMES = 2  # the chance of winning is fitted to the games of a few hands


def tiny(**changes) -> Recipe:
    """Return the tiny recipe with some of its sections replaced."""
    return Recipe.of(TINY | changes)


def training(recipe: Recipe, folder: Path, resume: bool = False) -> Training:
    """Return a run that prints nothing."""
    return Training(recipe, folder, resume, torch.device("cpu"), lambda text: None)


def run_here(recipe: Recipe, folder: Path, resume: bool = False) -> Path:
    """Run the recipe to its end in this process."""
    return training(recipe, folder, resume).finish()


def run_elsewhere(*arguments, launcher: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
    """Start this file as a program."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    patient = {"OMP_WAIT_POLICY": "PASSIVE"}  # threads that spin for one another hold up those of other tests
    command = [sys.executable, *launcher, __file__, *map(str, arguments)]
    return subprocess.run(
        command,
        env=os.environ | patient | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def kill_at(folder: Path, moment: int) -> None:
    """Kill this process without cleanup."""
    left = moment

    def audit(event: str, arguments: tuple) -> None:
        nonlocal left
        if event not in TOUCHES or not str(arguments[0]).startswith(str(folder)):
            return
        left -= any((folder / "checkpoints").glob("*.safetensors"))
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(audit)


def weights_text(run: Training) -> str:
    """Return a checksum of all networks."""
    parts = [tensor.numpy().tobytes() for tensor in run.state.learner.networks().values()]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def main(folder: Path, moment: str = "0", name: str = "tiny") -> None:
    """Start the workers; the first one is killed."""
    recipe, threads = RUNS[name]
    torch.set_num_threads(threads)
    data_parallel.start(torch.device("cpu"))
    if int(moment) and not data_parallel.rank():
        kill_at(folder, int(moment))
    run = training(Recipe.of(recipe), folder, resume=(folder / "config.json").exists())
    run.finish()
    (folder / f"worker-{data_parallel.rank()}-of-{data_parallel.count()}").write_text(weights_text(run))
    data_parallel.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
