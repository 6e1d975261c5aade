"""What each idea of selfplay.py is worth: the loop with one change, for the same core time.

    pip install ".[train,onnx]"
    python train/run_all.py loop           # the loop as it is, 20 core-minutes, five seeds
    python train/run_all.py ablations      # … and with each change, 10 core-minutes, three seeds

Minutes are those of one core, without evaluations.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
import torch
from selfplay import GRAIN, OPPONENTS, Learner, Settings, measured, run
from torch import Tensor
from torch.nn.functional import pad

from spades_env.agents.atomic_files import write_whole
from spades_env.training.nets import Critic, Policy
from spades_env.training.run.folder import lock_folder, unlock_folder
from spades_env.training.self_play.inputs import ROWS
from spades_env.training.self_play.kernels import sample_actions
from spades_env.training.self_play.tables import Decisions, GameTables

LAST_GAMES = 2000  # of the last evaluation, against each opponent
FREE = 1e-9  # the cost of a full tally of bags: as good as none, but its logarithm can be fitted, which leaves it there


class ClosedCritic(Critic):
    reads = Policy.reads


class OneNumber(Critic):
    def forward(self, x: Tensor, ends: Tensor) -> tuple[Tensor, Tensor]:
        return super().forward(x, 0 * ends)  # as if none were worth anything; NaN, which cannot come, stays NaN


def late_bags(*given: Any) -> GameTables:
    tables = GameTables(*given)
    tables.numbers = tables.numbers._replace(tally=FREE)
    return tables


class GradientCalls(Learner):
    @torch.no_grad()
    def choose(self, rows: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        actions, log_probs = np.empty(len(rows), np.int64), np.zeros(len(rows), np.float32)
        with self.quick():
            logits = self.policy(pad(self.batch(rows), (0, 0, 0, -len(rows) % GRAIN))).cpu().numpy()
        sample_actions(logits[: len(rows)], legal, self.rng.random(len(rows)), actions, log_probs)
        return actions, log_probs

    def _call_loss(self, d: Decisions, calls: np.ndarray, advantage: np.ndarray, logits: Tensor) -> Tensor:
        return -self._gain(d, calls, advantage, logits)[0].sum() / max(1, len(calls))


@dataclass(frozen=True)
class Variant:
    """The loop with one change: of a setting, of how it learns, or of the tables."""

    about: str
    changed: dict[str, Any] = field(default_factory=dict)
    learner: Callable[..., Learner] = Learner
    tables: Callable[..., GameTables] = GameTables

    def train(self, settings: Settings, folder: Path) -> None:
        """Run to the end, and evaluate what was learned once more."""
        lock_folder(folder)
        rmtree(folder / "checkpoints", ignore_errors=True)  # of a run that was stopped
        (folder / "checkpoints").mkdir()
        run(settings, folder, self.learner, self.tables)
        log = [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
        result = {
            "options": asdict(settings),
            "decisions": log[-1]["decisions"],
            "minutes": log[-1]["minutes"],
            "last": measured(folder, replace(settings, games=LAST_GAMES)),
            "curve": [_curve_row(row) for row in log],
        }
        write_whole(folder / "result.json", json.dumps(result, indent=1))
        unlock_folder(folder)


def _curve_row(row: dict[str, Any]) -> dict[str, float]:
    found = {key: row[key] for key in ("decisions", "minutes", "explained")}
    found |= {"bid": row["rule"]["mean_bid"], "nil": row["rule"]["nil_rate"]}
    for name in OPPONENTS:
        found |= {f"wins/{name}": row[name]["win_rate"], f"points/{name}": row[name]["points_per_hand"]}
    return found


VARIANTS = {
    "loop": Variant("the loop as it is"),
    "closed": Variant(
        "the critic sees what the seat sees, not all hands",
        learner=partial(Learner, critic_kind=ClosedCritic),
        tables=partial(GameTables, critic_reads=ROWS),
    ),
    "one-number": Variant(
        "the critic predicts the reward itself, not ends that the rules value",
        {"trick_weight": 0.0},
        partial(Learner, critic_kind=OneNumber),
    ),
    "late-bags": Variant("bags cost nothing before the tenth", tables=late_bags),
    "no-quota": Variant("no nil and no blind call must be tried", {"tried": 0.0}),
    "gradient-calls": Variant("calls are sampled and learned as cards are, by policy gradient", learner=GradientCalls),
    "wide": Variant("networks of 256 and 128 units from the start, not 128 and 64", {"width": 256, "suit_width": 128}),
}
