"""Print the progress of a run: its metrics, its evaluations, and the time left of the stage."""

import time
from collections import deque
from pathlib import Path
from statistics import mean

from spades_env.agents.arena.match_result import Result
from spades_env.training import data_parallel
from spades_env.training.learner import Learner
from spades_env.training.recipe import Recipe, SelfPlay, Stage, kind_of
from spades_env.training.run.checkpoints import Say

LATEST = 9  # iterations of the stage, whose mean time predicts that of the others
SAY_S = 10.0  # seconds between two lines of progress
SHOWN = ("loss_own", "entropy", "explained", "nils", "nils_kept")  # metrics in a line of progress
MOST_SHOWN = 6  # of a stage of your own


class Reporter:
    """Prints lines of progress, and times the iterations of each stage."""

    def __init__(self, recipe: Recipe, say: Say):
        self.recipe, self.say = recipe, say
        self._said = 0.0
        self._stage: Stage | None = None
        self._seconds: deque[float] = deque(maxlen=LATEST)

    def note(self, stage: Stage, seconds: float) -> None:
        """Record the time of an iteration; the first of a stage, which may compile kernels, does not count."""
        if stage is self._stage:
            self._seconds.append(seconds)
        else:
            self._stage = stage
            self._seconds.clear()

    def seconds_left(self, stage: Stage, done: float) -> float | None:
        """Return the seconds left of the stage after its iteration at `done` (0 to 1); None if unknown."""
        iterations = stage.iterations - round(done * stage.iterations) - 1
        return mean(self._seconds) * iterations if self._seconds else None

    def announce(self, learner: Learner, folder: Path, iterations: int) -> None:
        """Print what begins; `iterations` were played before a resume."""
        recipe, precision = self.recipe, "bfloat16" if learner.bfloat16 else "float32"
        together = f", {data_parallel.count()} workers" if data_parallel.count() > 1 else ""
        begun = f", from iteration {iterations}" if iterations else ""
        weights = sum(weight.numel() for weight in learner.policy.parameters())
        self.say(
            f"{recipe.name}: {recipe.iterations} iterations of hands at {recipe.tables} tables on {learner.device} "
            f"({precision}{together}), policy of {weights:,} weights{begun}; "
            f"all is kept in {folder}"
        )

    def progress(self, stage: Stage, done: float, iterations: int, numbers: dict[str, float], rate: float) -> None:
        """Print how far the run has come, at most every few seconds."""
        if time.monotonic() - self._said <= SAY_S:
            return
        self._said = time.monotonic()
        left, of_all = self.seconds_left(stage, done), self.recipe.iterations
        still = "" if left is None else f", about {clock(left)} left of this stage"
        own = [name for name in numbers if "/" not in name][:MOST_SHOWN]  # a / is in names of opponents' results
        shown = [name for name in SHOWN if name in numbers] if type(stage) is SelfPlay else own
        metrics = ", ".join(f"{name} {numbers[name]:.3f}" for name in shown)
        self.say(
            f"{100 * iterations / of_all:5.1f} %  iteration {iterations}/{of_all}  {kind_of(stage):9s} "
            f"{rate:,.0f} decisions/s{still}  {metrics}"
        )

    def evaluation(self, name: str, result: Result) -> None:
        rate, (low, high), points = result.win_rate, result.win_rate_ci, result.points_per_hand
        self.say(f"         wins {rate:.1%} [{low:.1%}, {high:.1%}] against {name}, {points:+.1f} points a hand")

    def finished(self, decisions: int, seconds: float, level: Path) -> None:
        is_level = level.stem == "level"
        kept = f"the level is {level}" if is_level else f"training.load_network({str(level)!r}) has the network"
        self.say(f"done: {decisions:,} decisions in {clock(seconds)}; {kept}")


def clock(seconds: float) -> str:
    """Return the time as 1:02:03 or 2:03."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
