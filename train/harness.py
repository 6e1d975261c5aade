"""What the baselines share beside their algorithms: options, tables, the clock, files and evaluation.

All seats learn from what a seat may observe, 824 features, and from nothing else: no computed inputs, no open cards, no
teacher (except in bc.py).

    FOLDER/policy.onnx    the policy as it is now; its path is its name wherever an agent is named
    FOLDER/curve.csv      a line for each evaluation
    FOLDER/provenance.jsonl   a line for each start: code, libraries, command
    FOLDER/result.json    options, cost, the curve and the last evaluation; it is there once the run is finished
"""

import argparse
import csv
import io
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime  # noqa: F401 — evaluations need it: without it, stop at once
import torch
from hands import Chooser, Net, habits, play
from torch import Tensor, nn

from spades_env import SpadesVectorEnv
from spades_env.agents import arena
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.digest import BLANK, KEY, filled
from spades_env.agents.network.level import MARKS
from spades_env.errors import SpadesError
from spades_env.rollout import Trajectories
from spades_env.training.own.graph import traced
from spades_env.training.run.folder import lock_folder, unlock_folder
from spades_env.training.run.provenance import note_start

RULES = "match"  # the benchmark's
DEALS_APART = 10_000_019  # between the first deals of two seeds, none of them the benchmark's
REWARD_SCALE = 0.01  # a hand pays about a hundred points
OPPONENTS = ("rule", "rb", "random")  # on the way all but the last, whom every policy soon beats
MEASURED_ON = 2718  # the seed of the evaluations' deals, which are none of training's or the benchmark's


def option(default: Any, low: float, high: float, about: str) -> Any:
    """Declare an option: its default, the least and the greatest value, and what it is."""
    return field(default=default, metadata={"low": low, "high": high, "help": about})


@dataclass(frozen=True)
class Options:
    """What every baseline can be given."""

    seed: int = option(0, 0, 10_000, "of deals, weights and samples")
    decisions: int = option(1_000_000, 1, 10**10, "of all four seats, forced ones included")
    tables: int = option(64, 1, 16_384, "hands played at once")
    width: int = option(128, 1, 8_192, "of the two hidden layers")
    rate: float = option(1e-3, 0.0, 1.0, "learning rate at first; it falls to 0")
    minibatch: int = option(512, 1, 1_000_000, "decisions")
    evaluations: int = option(6, 1, 1_000, "on the way, evenly spaced")
    games: int = option(100, 2, 1_000_000, "of an evaluation on the way, against each opponent; an even number")
    last_games: int = option(300, 2, 1_000_000, "of the last evaluation; an even number")

    def __post_init__(self):
        for one in fields(self):
            value, low, high = getattr(self, one.name), one.metadata["low"], one.metadata["high"]
            if not low <= value <= high:
                raise SpadesError(f"{one.name} must be from {low:,} to {high:,}, not {value}")
        for name in ("games", "last_games"):
            if getattr(self, name) % 2:
                raise SpadesError(f"{name} must be an even number, as each deal is played twice with seats swapped")


class Logits(nn.Module):
    """A network without its other outputs, such as its value."""

    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net

    def forward(self, observation: Tensor) -> Tensor:
        return self.net(observation)[0]


class Run:
    """One run: its tables, its clock and its files. temperature: at which the policy plays; 0 is its favourite."""

    def __init__(self, name: str, options: Options, folder: Path, temperature: float = 0.0):
        lock_folder(folder)
        if (folder / "result.json").exists():
            raise SpadesError(f"{folder} holds a finished run: name another folder with --out")
        torch.set_num_threads(1)  # faster with a network as small as this
        torch.manual_seed(options.seed)
        note_start(folder, 0, {"program": name, **asdict(options)})
        self.name, self.options, self.folder, self.temperature = name, options, folder, temperature
        self.decisions, self._rate = 0, options.rate
        self.last: dict[str, dict[str, Any]] = {}  # of the last evaluation, by opponent
        self.curve: list[dict[str, float]] = []
        self._learning = self._evaluating = 0.0
        self._since: list[dict[str, float]] = []
        self._started = time.process_time()
        self.env = SpadesVectorEnv(
            options.tables, RULES, "hand", (options.seed + 1) * DEALS_APART, start="situations", threads=1,
            reward_scale=REWARD_SCALE,
        )  # fmt: skip
        self.env.reset()

    @property
    def done(self) -> float:
        """The share of the run that is over."""
        return min(1.0, self.decisions / self.options.decisions)

    def play(self, choose: Chooser) -> Trajectories:
        """Play an iteration: a hand at every table."""
        self._rate = self.options.rate * (1 - self.done)
        hands = play(self.env, choose)
        self.decisions += hands.action.numel()
        return hands

    def optimiser(self, net: nn.Module) -> torch.optim.Optimizer:
        return torch.optim.Adam(net.parameters(), self.options.rate, eps=1e-5)

    def improve(self, optimiser: torch.optim.Optimizer, loss: Tensor) -> None:
        """Take a step at the iteration's learning rate."""
        for group in optimiser.param_groups:
            group["lr"] = self._rate
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(optimiser.param_groups[0]["params"], 0.5)
        optimiser.step()

    def log(self, net: Net, hands: Trajectories, numbers: dict[str, float]) -> None:
        """Note an iteration of learning; evaluate the policy, the first output of the net, if it is time."""
        self._since.append(numbers | habits(hands))
        if self.decisions * self.options.evaluations >= (len(self.curve) + 1) * self.options.decisions:
            self._evaluate(net)

    def finish(self) -> dict[str, Any]:
        """Write result.json, and return what it holds."""
        result = {
            "name": self.name,
            "options": asdict(self.options),
            "decisions": self.decisions,
            "minutes": self._learning / 60,
            "minutes_of_evaluation": self._evaluating / 60,
            "last": self.last,
            "curve": self.curve,
        }
        write_whole(self.folder / "result.json", json.dumps(result, indent=1))
        unlock_folder(self.folder)
        return result

    def _evaluate(self, net: Net) -> None:
        before, options = time.process_time(), self.options
        self._learning += before - self._started
        path = self.folder / "policy.onnx"
        write_whole(path, self._onnx(net))
        row = {"decisions": self.decisions, "minutes": self._learning / 60}
        finished = self.done == 1
        games, opponents = (options.last_games, OPPONENTS) if finished else (options.games, OPPONENTS[:-1])
        self.last = {name: measured(path, name, games) for name in opponents}
        for name in OPPONENTS[:-1]:
            one = self.last[name]
            row |= {f"wins/{name}": one["win_rate"], f"points/{name}": one["points_per_hand"]}
        row |= {key: float(np.mean([numbers[key] for numbers in self._since])) for key in self._since[0]}
        self.curve.append(row)
        self._since.clear()
        write_whole(self.folder / "curve.csv", _csv(self.curve))
        told = ", ".join(f"{one['win_rate']:.1%} of games against {name}" for name, one in self.last.items())
        print(f"{self.name}, seed {self.options.seed}: {self.decisions:,} decisions, {told}", flush=True)
        self._started = time.process_time()
        self._evaluating += self._started - before

    def _onnx(self, net: Net) -> bytes:
        """Return the policy as an ONNX file, with what it says of itself."""
        model = onnx.load_from_string(traced(Logits(net)))
        about = {"name": self.name, "rules": RULES, "temperature": str(self.temperature)}
        trained = json.dumps({"decisions": self.decisions, "options": asdict(self.options)})
        about |= {mark: MARKS[mark] for mark in ("env", "layout")} | {"trained": trained}
        onnx.helper.set_model_props(model, {KEY: BLANK} | about)
        return filled(model.SerializeToString())


def measured(path: Path, opponent: str, games: int) -> dict[str, Any]:
    """Return the figures of a duplicate match between the file and an opponent."""
    found = arena.play(str(path), opponent, RULES, games, seed=MEASURED_ON, jobs=1).as_dict()
    wanted = ("games", "win_rate", "win_rate_ci", "points_per_hand", "points_per_hand_ci")
    own = {key: found["stats"]["a"][key] for key in ("mean_bid", "nil_rate", "nil_kept", "set_rate", "bags_per_hand")}
    return {key: found[key] for key in wanted} | own


def _csv(rows: list[dict[str, float]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {key: f"{value:.6g}" if isinstance(value, float) else value for key, value in row.items()} for row in rows
    )
    return text.getvalue()


def main(kind: type[Options], train: Callable[[Any, Path], dict[str, Any]], about: str | None) -> None:
    """Read options from the command line and train."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=None, help="the folder of the run (default: runs/PROGRAM-SEED)")
    for one in fields(kind):
        said = f"{one.metadata['help']} (default: {one.default})"
        parser.add_argument(f"--{one.name.replace('_', '-')}", type=type(one.default), default=one.default, help=said)
    given = vars(parser.parse_args())
    folder = given.pop("out") or Path("runs") / f"{Path(parser.prog).stem}-{given['seed']}"
    try:
        train(kind(**given), folder)
    except SpadesError as error:
        parser.error(str(error))
    print(f"finished: spades arena {folder / 'policy.onnx'} rule --rules match")
