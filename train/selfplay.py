"""Learn Spades from nothing: from random weights, what a seat sees and the rules. No bot is asked anything.

    pip install ".[train]"
    python train/selfplay.py --minutes 20                  # of core time
    spades arena runs/selfplay-0/level.safetensors rule --rules match
    python train/selfplay.py --minutes 60 --start runs/selfplay-0 --width 256 --suit-width 128 --out runs/wider

One policy plays all four seats of many tables, and learns from every decision that had an alternative.

calls       bids, blind bids and the look are no policy gradient: nils, which fail at first, would die out. A head
            regresses the advantage of the call that was made, and play is a softmax of it. A quota keeps nils tried
cards       a clipped policy gradient, on the decisions that matter most
critic      sees all hands; predicts tricks and broken nils. What these are worth follows from the rules
reward      points at first, then the chance of winning, too, which is fitted again and again to the games played here
annealing   learning rates, the temperature of calls and entropy fall together: the favourite is far stronger than
            what is sampled, and bids must suit the play of the favourite
averaging   the level that is measured and kept has averaged weights

The folder gets level.safetensors, checkpoints (to start from), log.jsonl (a line for each evaluation), curve.svg and
provenance.jsonl (code, libraries, command).
It runs on one core, or on a GPU. `spades train` follows the same loop on two cores, and goes on after a stop.
"""

import argparse
import json
import time
from copy import deepcopy
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import nll_loss, pad
from torch.optim.swa_utils import get_ema_multi_avg_fn

from spades_env.agents import arena
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.equity import Numbers
from spades_env.agents.network.level import Level
from spades_env.checks import LARGEST_SEED, whole
from spades_env.errors import SpadesError
from spades_env.game.cards import BID_ZERO, NUM_CARDS
from spades_env.training.learner import device_named, has_bfloat16, means
from spades_env.training.nets import CALLS_GAIN, Critic, Policy, level_tensors
from spades_env.training.recipe import Situations
from spades_env.training.rewards import RewardWeights
from spades_env.training.run.checkpoints import Checkpoint, checkpoint_files, last_whole, write_checkpoint
from spades_env.training.run.folder import lock_folder
from spades_env.training.run.pictures import panels
from spades_env.training.run.provenance import note_start
from spades_env.training.self_play.choices import TRIED, sample_calls, that_matter
from spades_env.training.self_play.kernels import advantages, sample_actions
from spades_env.training.self_play.tables import HANDS, Decisions, GameTables
from spades_env.training.stages.selfplay import annealed, explained

GRAIN = 64  # batches are multiples of it: preparing matrix products for a new size takes long
LEAST_TABLES = 16
MOST_AT_ONCE = 4096  # rows where no gradient is needed
EARLY_HANDS = 4  # of games, before winning is rewarded: a policy that knows nothing soon has −1,000 points
OPPONENTS = ("rb", "rule")  # measured against, never learned from
EVALUATION_SEED = 2718
Noted = dict[str, float]  # what is logged


@dataclass(frozen=True)
class Settings:
    seed: int = 0
    minutes: float = 20.0  # of core time, without evaluations
    tables: int = 1024
    rules: str = "match"  # the main rules,
    main_share: float = 0.75  # … and their share of the tables, after points only; elsewhere presets, options redrawn
    width: int = 128  # of the layers that read the table
    suit_width: int = 64  # of those that read a suit
    rate: tuple[float, float] = (1e-3, 4e-5)  # learning rate, at first and at last: it falls slowly at first,
    critic_rate: tuple[float, float] = (1e-3, 1e-4)
    tau: tuple[float, float] = (0.15, 0.01)  # … like the temperature of calls, in rewards,
    entropy: tuple[float, float] = (0.015, 0.0006)  # … and the weight of the bonus on the entropy of cards
    tried: float = TRIED  # of the hands that are least bad for a nil, the share that must bid it; so with blind calls
    points_only: float = 0.2  # share of the run before the chance of winning is rewarded, too
    points: tuple[float, float] = (1.0, 0.3)  # weight of a hundred points before and after
    winning: float = 3.0  # weight of the chance of winning
    fits: int = 8  # of the chance of winning
    trace: float = 0.9  # λ of the advantages,
    critic_trace: float = 0.97  # … and of the critic's targets
    clip: float = 0.2
    minibatch: int = 512
    keep: float = 0.5  # share of the cards that are learned from,
    critic_keep: float = 0.6  # … and of the decisions that the critic learns from
    call_weight: float = 0.1
    trick_weight: float = 0.05  # of the tricks in the critic's loss
    average: float = 0.9985  # what the averaged weights keep at each step
    evaluations: int = 8
    games: int = 200  # of an evaluation, against each opponent
    start: str = ""  # the folder of a run to go on from, its networks widened if these are wider
    device: str = field(default_factory=lambda: "cuda" if torch.cuda.is_available() else "cpu")

    def __post_init__(self):
        for name in ("minutes", "width", "suit_width", "fits", "evaluations"):
            if not getattr(self, name) > 0:
                raise SpadesError(f"{name} must be more than 0, not {getattr(self, name)}")
        for name in ("rate", "critic_rate", "tau"):
            if not all(end > 0 for end in getattr(self, name)):
                raise SpadesError(f"both of {name} must be more than 0, not {getattr(self, name)}")
        if not all(end >= 0 for end in self.entropy):
            raise SpadesError(f"entropy must be 0 or more, not {self.entropy}")
        whole("seed", self.seed, 0, LARGEST_SEED)
        for name, least in (("tables", LEAST_TABLES), ("minibatch", GRAIN)):
            if getattr(self, name) < least:
                raise SpadesError(f"{name} must be {least} or more, not {getattr(self, name)}")
        if self.games < 4 or self.games % 2:
            raise SpadesError(f"games must be an even number from 4 up, not {self.games}")
        if self.start and not checkpoint_files(Path(self.start)):
            raise SpadesError(f"there is no run to start from in {self.start!r}: it has no checkpoints")
        Situations(self.rules, self.main_share)
        device_named(self.device)


class Learner:
    """The networks: how they choose, and how they learn."""

    def __init__(self, settings: Settings, device: torch.device, critic_kind: type[Critic] = Critic):
        torch.manual_seed(settings.seed)
        self.settings, self.device, self.bfloat16 = settings, device, has_bfloat16(device)
        self.rng = np.random.default_rng([settings.seed, 1])
        widths = settings.width, settings.suit_width
        self.policy, self.critic = Policy(*widths), critic_kind(*widths)
        self.average = deepcopy(self.policy)
        if settings.start:
            self._begin_with(start_of(settings), widths)
        for net in (self.policy, self.average, self.critic):
            net.to(device)
        self.policy_steps = torch.optim.Adam(self.policy.parameters(), eps=1e-5, fused=True)
        self.critic_steps = torch.optim.Adam(self.critic.parameters(), eps=1e-5, fused=True)
        self.done = 0.0  # share of the run that is over

    def _begin_with(self, start: Checkpoint, widths: tuple[int, int]) -> None:
        for name, kind in (("policy", Policy), ("average", Policy), ("critic", type(self.critic))):
            torch.manual_seed(self.settings.seed)  # the new units of the policy and of its average are the same
            own = start.under(f"{name}.")
            net = kind(len(own["table.bias"]), len(own["suits.bias"]))
            net.load_state_dict(own)
            if any(old > new for old, new in zip(net.widths, widths, strict=True)):
                raise SpadesError(f"the networks of {start.path} are {net.widths} wide: they cannot become {widths}")
            setattr(self, name, net if net.widths == widths else net.widened(*widths))

    def annealed(self, ends: tuple[float, float]) -> float:
        """Return a number that falls from the first to the last, slowly at first."""
        return annealed(*ends, min(self.done, 1.0))

    @property
    def weights(self) -> RewardWeights:
        """The weights of points and of the chance of winning in the reward."""
        first, later = self.settings.points
        early = self.done < self.settings.points_only
        return RewardWeights(first, 0.0) if early else RewardWeights(later, self.settings.winning)

    @torch.no_grad()
    def choose(self, rows: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return an action for every row, and its log-probability if it is a card."""
        of, actions, log_probs = self.settings, np.empty(len(rows), np.int64), np.zeros(len(rows), np.float32)
        calls = legal[:, NUM_CARDS:].any(1)
        x = pad(self.batch(rows), (0, 0, 0, -len(rows) % GRAIN))
        with self.quick():
            if not calls.all():
                logits = self.policy.card_logits(x).cpu().numpy()
                sample_actions(logits[: len(rows)], legal, self.rng.random(len(rows)), actions, log_probs)
            if calls.any():
                advantage = self.policy.call_advantages(x).cpu().numpy()[: len(rows)][calls]
                tau = self.annealed(of.tau)
                actions[calls] = BID_ZERO + sample_calls(advantage, legal[calls, NUM_CARDS:], tau, self.rng, of.tried)
        return actions, log_probs

    def learn(self, d: Decisions) -> Noted:
        """Learn from a hand at every table; return what is logged."""
        of, value = self.settings, self._values(d)
        for optimizer, rate in ((self.policy_steps, of.rate), (self.critic_steps, of.critic_rate)):
            optimizer.param_groups[0]["lr"] = self.annealed(rate)
        advantage, target = np.zeros((2, len(value)), np.float32)
        advantages(d.row_of, d.seat, d.zero_sum, value, d.reward, of.trace, of.critic_trace, advantage, target)
        calls = np.flatnonzero(d.action >= BID_ZERO)
        cards, weight = np.flatnonzero(d.action < BID_ZERO), np.zeros(len(value), np.float32)
        matter, weight[cards] = that_matter(advantage[cards], d.log_prob[cards], of.keep, self.rng)
        cards = cards[matter]
        critic_rows = self.rng.permutation(len(value))[: int(of.critic_keep * len(value))]
        steps = max(1, round(len(cards) / of.minibatch))
        noted = []
        parts = (np.array_split(self.rng.permutation(one), steps) for one in (cards, calls, critic_rows))
        for on_cards, on_calls, seen in zip(*parts, strict=True):
            on_policy = self._improve_policy(d, on_cards, on_calls, advantage, weight)
            noted.append(on_policy | self._improve_critic(d, _whole(seen), target))
        got = d.reward[d.table, d.seat]
        explains = {"explained": explained(got, value), "explained_calls": explained(got[calls], value[calls])}
        return means(noted) | explains

    def _improve_policy(
        self, d: Decisions, cards: np.ndarray, calls: np.ndarray, advantage: np.ndarray, weight: np.ndarray
    ) -> Noted:
        of, cards = self.settings, cards[: max(GRAIN, len(cards) - (len(cards) + len(calls)) % GRAIN)]
        with self.quick():
            logits = self.policy(self.batch(d.rows[np.concatenate([cards, calls])]))
        gain, noted = self._gain(d, cards, advantage, logits[: len(cards), :NUM_CARDS])
        call_loss = self._call_loss(d, calls, advantage, logits[len(cards) :])
        loss = of.call_weight * call_loss - (self._tensor(weight[cards]) * gain).mean()
        self._step(self.policy_steps, self.policy, loss, 0.5)
        get_ema_multi_avg_fn(of.average)(list(self.average.parameters()), list(self.policy.parameters()), 0)
        return noted | {"calls": call_loss.item()}

    def _gain(self, d: Decisions, rows: np.ndarray, advantage: np.ndarray, logits: Tensor) -> tuple[Tensor, Noted]:
        """Return the clipped gain of these decisions with the bonus on entropy, and what is logged."""
        clip, legal = self.settings.clip, self._tensor(d.legal[rows, : logits.shape[1]])
        action, a, old = (self._tensor(x[rows]) for x in (d.action, advantage, d.log_prob))
        log_probs = logits.masked_fill(~legal, -1e9).log_softmax(-1)
        ratio = (log_probs.gather(1, action[:, None])[:, 0] - old).exp()
        gain = torch.min(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
        entropy, clipped = -(log_probs.exp() * log_probs).sum(1), ((ratio - 1).abs() > clip).float()
        noted = {"entropy": entropy.mean().item(), "clipped": clipped.mean().item()}
        return gain + self.annealed(self.settings.entropy) * entropy, noted

    def _call_loss(self, d: Decisions, calls: np.ndarray, advantage: np.ndarray, logits: Tensor) -> Tensor:
        """Return the mean squared error of the advantages of these calls."""
        made = logits.gather(1, self._tensor(d.action[calls])[:, None])[:, 0] / CALLS_GAIN
        return (made - self._tensor(advantage[calls])).square().sum() / max(1, len(calls))

    def _improve_critic(self, d: Decisions, rows: np.ndarray, target: np.ndarray) -> Noted:
        with self.quick():
            value, tricks = self.critic(self.batch(d.open_rows[rows]), self._tensor(d.ends[rows]))
        value_loss = (value - self._tensor(target[rows])).square().mean()
        trick_loss = nll_loss(tricks, self._tensor(d.tricks_to_come[rows]))
        self._step(self.critic_steps, self.critic, value_loss + self.settings.trick_weight * trick_loss, 1.0)
        return {"value": value_loss.item(), "tricks": trick_loss.item()}

    def _step(self, optimizer: torch.optim.Optimizer, net: nn.Module, loss: Tensor, clip: float) -> None:
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), clip)
        optimizer.step()

    @torch.no_grad()
    def _values(self, d: Decisions) -> np.ndarray:
        """Return the critic's value of every decision, float32[M]."""
        parts = []
        with self.quick():
            for start in range(0, len(d.action), MOST_AT_ONCE):
                some = slice(start, start + MOST_AT_ONCE)
                parts.append(self.critic(self.batch(d.open_rows[some]), self._tensor(d.ends[some]))[0].cpu())
        return torch.cat(parts).numpy()

    def batch(self, rows: np.ndarray) -> Tensor:
        return self._tensor(rows).to(torch.bfloat16 if self.bfloat16 else torch.float32)

    def quick(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16)

    def _tensor(self, array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).to(self.device)


def _whole(rows: np.ndarray) -> np.ndarray:
    """Leave out rows beyond a multiple of GRAIN."""
    return rows[: max(GRAIN, len(rows) // GRAIN * GRAIN)]


def run(settings: Settings, folder: Path, learner_kind: Any = Learner, tables_kind: Any = GameTables) -> None:
    """Learn to the end, measuring on the way."""
    torch.set_num_threads(1)
    note_start(folder, 0, asdict(settings))
    learner, main = learner_kind(settings, device_named(settings.device)), Situations(settings.rules, main_share=1.0)
    tables = tables_kind(settings.tables, main, settings.seed)
    tables.length = EARLY_HANDS
    if settings.start:
        tables.numbers = Numbers(**start_of(settings).facts["winning"])
    log: list[dict[str, Any]] = []
    noted: list[Noted] = []
    used, decisions, fits = 0.0, 0, 0
    while learner.done < 1:
        began = time.process_time()
        if learner.weights.winning and tables.length == EARLY_HANDS:
            tables.begin_with(replace(main, main_share=settings.main_share), HANDS)
        hands = tables.play(learner.choose, learner.weights)
        noted.append(learner.learn(hands) | habits(hands))
        if learner.done >= settings.points_only + (fits + 1) * (1 - settings.points_only) / (settings.fits + 1):
            tables.fit_winning()
            fits += 1
        used += time.process_time() - began
        decisions += hands.actions
        learner.done = used / (60 * settings.minutes)
        if learner.done * settings.evaluations >= len(log) + 1:
            facts = {"minutes": used / 60, "iterations": tables.hands, "decisions": decisions}
            facts["winning"] = tables.numbers._asdict()
            log.append(facts | means(noted))
            noted.clear()
            keep(learner, folder, facts)
            log[-1] |= measured(folder, settings)
            write_whole(folder / "log.jsonl", "".join(json.dumps(one) + "\n" for one in log))
            write_whole(folder / "curve.svg", curve(log))
            print(line(log[-1]), flush=True)


def start_of(settings: Settings) -> Checkpoint:
    return last_whole(Path(settings.start), lambda checkpoint: None, print)[0]


def habits(d: Decisions) -> Noted:
    nil = d.finished.nils > 0
    return {"nils": float(nil.mean()), "nils_kept": float((d.finished.tricks[nil] == 0).mean()) if nil.any() else 0.0}


def keep(learner: Learner, folder: Path, facts: dict[str, Any]) -> None:
    """Write the networks with the chance of winning, and the averaged policy as a level."""
    nets = {"policy": learner.policy, "average": learner.average, "critic": learner.critic}
    tensors = {f"{name}.{key}": t for name, net in nets.items() for key, t in net.state_dict().items()}
    write_checkpoint(folder, tensors, facts)
    settings = learner.settings
    level = Level(
        level_tensors(learner.average),
        name=folder.name,
        style="Learned from nothing.",
        recipe=json.dumps(asdict(settings)),
        rules=settings.rules,
        ratings={},
        trained=facts,
    )
    level.write(folder / "level.safetensors")


def measured(folder: Path, settings: Settings) -> dict[str, Any]:
    """Play duplicate games against the opponents."""
    found = {}
    for name in OPPONENTS:
        level = str(folder / "level.safetensors")
        match = arena.play(level, name, settings.rules, settings.games, seed=EVALUATION_SEED, jobs=1).as_dict()
        found[name] = {key: match[key] for key in ("win_rate", "win_rate_ci", "points_per_hand")}
        found[name] |= {key: match["stats"]["a"][key] for key in ("mean_bid", "nil_rate", "nil_kept", "set_rate")}
    return found


def line(row: dict[str, Any]) -> str:
    won = ", ".join(f"{name} {row[name]['win_rate']:.1%} ({row[name]['points_per_hand']:+.1f})" for name in OPPONENTS)
    time_and_size = f"{row['minutes']:6.1f} core-minutes, {row['decisions'] / 1e6:6.1f} M decisions"
    return f"{time_and_size}: beats {won}; {row['nils']:.1%} nils, {row['nils_kept']:.0%} kept"


def curve(log: list[dict[str, Any]]) -> bytes:
    """Draw the games won by core-minutes."""

    def draw(axis: Any) -> None:
        minutes = [row["minutes"] for row in log]
        for name in OPPONENTS:
            won, low, high = np.array([[row[name]["win_rate"], *row[name]["win_rate_ci"]] for row in log]).T
            axis.errorbar(minutes, won, [won - low, high - won], label=f"against {name}", marker=".", capsize=2)
        axis.axhline(0.5, color="grey", lw=0.8)
        axis.set(title="games won, 95 % intervals", xlabel="core-minutes", ylim=(0, 1))
        axis.legend()

    return panels([draw])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="the folder (default: runs/selfplay-SEED)")
    for one in fields(Settings):
        default = getattr(Settings(), one.name)
        kind, count = (float, 2) if isinstance(default, tuple) else (type(default), None)
        parser.add_argument(f"--{one.name.replace('_', '-')}", type=kind, nargs=count, default=default)
    given = vars(parser.parse_args())
    folder = given.pop("out") or Path("runs") / f"selfplay-{given['seed']}"
    try:
        settings = Settings(**given)
        if checkpoint_files(folder):
            raise SpadesError(f"{folder} holds a run already: name another folder with --out")
        (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
        lock_folder(folder)
        run(settings, folder)
    except SpadesError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
