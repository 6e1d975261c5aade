"""The loop: stage by stage, round by round, a hand at every table and what is learned from it.

    train(recipe, folder)                      from the start
    train(recipe, folder, resume=True)         from the last checkpoint, to the same end

What a round draws follows from the seed, the worker and the round's number alone, so a run that was killed goes on as
if nothing had happened.
"""

import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from agents import load
from spades_env import SpadesVectorEnv
from train import workers
from train.checkpoints import Checkpoint, RunError, Say, checkpoint_files, last_whole, layout, set_aside
from train.collect import Chooser, Hand, asked, new_hands, play_hand
from train.evaluate import evaluate
from train.export import level_of, load_start, ratings_of
from train.foresight import Witness, foresee
from train.imitate import Lesson, imitate
from train.learner import Learner, best_device, device_named
from train.nets import Policy, parameters
from train.pace import Pace
from train.plots import draw_curves
from train.pool import Member, Pool
from train.recipe import Foresee, Imitate, Recipe, SelfPlay, Stage, kind_of
from train.rewards import Weights, reward_of
from train.runs import Run
from train.selfplay import Player, self_play

Learned = tuple[Hand, dict[str, float]]  # what was played, and numbers that tell how it went
SAY_S = 10.0  # seconds between two lines of progress
DRAW_S = 20.0  # … and between two drawings of the curves, at least


def train(recipe: Recipe, folder: Path, resume: bool = False, device: str | None = None, say: Say = print) -> Path:
    """Follow a recipe to its end; the level file it leaves."""
    chosen = workers.start(device_named(device) if device else best_device())
    try:
        return Training(recipe, folder, resume, chosen, say).finish()
    finally:
        workers.stop()


class Chance(NamedTuple):
    """What a round draws from."""

    number: int
    rng: np.random.Generator
    generator: torch.Generator


class Company(NamedTuple):
    """Whom the learner meets in a round."""

    met: list[Member]
    seats: np.ndarray
    others: list[Chooser]


class Training:
    """A run in progress."""

    def __init__(self, recipe: Recipe, folder: Path, resume: bool, device: torch.device, say: Say):
        self.recipe, self.say = recipe, say if workers.rank() == 0 else lambda text: None
        self.learner = Learner(recipe.network, device, recipe.seed)
        self.pool = Pool(recipe.pool, recipe.seed)
        self.past: dict[str, Policy] = {}
        self.rounds, self.decisions, self.seconds = 0, 0, 0.0
        self.pace, self.drawn = Pace(recipe), -math.inf
        if recipe.start and not resume:
            load_start(self.learner, Path(recipe.start), self.say)
        self.run = self._open(folder, resume)
        if resume:
            self._restore()

    def finish(self) -> Path:
        """All rounds that are left."""
        self._announce()
        begun, first, said = time.monotonic() - self.seconds, self.decisions, 0.0
        started = time.monotonic()
        for number, stage, done in self.recipe.moments(self.rounds):
            numbers = self._timed_round(number, stage, done)
            self.rounds, self.seconds = number + 1, time.monotonic() - begun
            rate = (self.decisions - first) / (time.monotonic() - started)
            self._log(number, {"stage": kind_of(stage), **workers.mean(numbers)}, rate)
            if time.monotonic() - said > SAY_S:
                said = time.monotonic()
                self._tell(stage, numbers, rate)
            self._keep(number)
        return self._close()

    def _timed_round(self, number: int, stage: Stage, done: float) -> dict[str, float]:
        start = time.monotonic()
        numbers = self._round(number, stage, done)
        self.pace.note(number, time.monotonic() - start)
        return numbers

    def _round(self, number: int, stage: Stage, done: float) -> dict[str, float]:
        """A hand at every table, and what is learned from it."""
        seed, worker = self.recipe.seed, workers.rank()
        generator = self.learner.generator(seed, worker, number)
        chance = Chance(number, np.random.default_rng([seed, worker, number]), generator)
        env = new_hands(self.recipe.rules, self.recipe.tables, chance.rng)
        match stage:
            case Imitate():
                hand, numbers = self._imitate(env, stage, done, chance)
            case Foresee():
                hand, numbers = self._foresee(env, stage, done, chance)
            case SelfPlay():
                hand, numbers = self._self_play(env, stage, done, chance)
        self.decisions += hand.actions * workers.count()
        return numbers

    def _imitate(self, env: SpadesVectorEnv, stage: Imitate, done: float, chance: Chance) -> Learned:
        agent = load(stage.agent, seed=self.recipe.seed)
        player = self.learner.sampler(chance.generator) if stage.player == "learner" else None
        lesson = Lesson(agent, stage, chance.rng, player)
        hand = play_hand(env, np.zeros((env.num_envs, 4), np.int64), [lesson])
        reward = self._reward(hand)
        return hand, imitate(self.learner, hand, reward, lesson.notes(), stage, done, chance.generator)

    def _foresee(self, env: SpadesVectorEnv, stage: Foresee, done: float, chance: Chance) -> Learned:
        company = self._company(chance)
        witness = Witness(self.learner.sampler(chance.generator), stage, chance.rng)
        hand, reward, numbers = self._play(env, witness, company)
        values = witness.values(env.compiled_rules[0], self.recipe.reward)
        return hand, numbers | foresee(self.learner, hand, reward, values, stage, done, chance.generator)

    def _self_play(self, env: SpadesVectorEnv, stage: SelfPlay, done: float, chance: Chance) -> Learned:
        player = Player(self.learner, chance.generator)
        hand, reward, numbers = self._play(env, player, self._company(chance))
        return hand, numbers | self_play(self.learner, hand, player, reward, stage, done, chance.generator)

    def _company(self, chance: Chance) -> Company:
        """Who sits where against the learner; who is met is the same for all workers."""
        met = self.pool.meet(np.random.default_rng([self.recipe.seed, chance.number]))
        seats = self.pool.seats(chance.rng, self.recipe.tables, met)
        sampler = self.learner.sampler
        others = [asked(m.agent) if m.agent else sampler(chance.generator, self.past[m.name]) for m in met]
        return Company(met, seats, others)

    def _play(
        self, env: SpadesVectorEnv, learner: Chooser, company: Company
    ) -> tuple[Hand, np.ndarray, dict[str, float]]:
        """The hand, what it paid, and how the learner fared against whom."""
        hand = play_hand(env, company.seats, [learner, *company.others])
        reward = self._reward(hand)
        return hand, reward, self.pool.note(company.seats, company.met, reward)

    def _reward(self, hand: Hand) -> np.ndarray:
        return reward_of(hand.before, hand.after, hand.deeds, Weights.of(self.recipe.reward))

    def _keep(self, number: int) -> None:
        """What is due after a round: a past self, an evaluation, a checkpoint, curves."""
        rounds, recipe = number + 1, self.recipe
        last = rounds == recipe.rounds
        if recipe.pool.past and rounds % recipe.pool.every == 0:
            self._add_past(f"{rounds:06d}")
        if workers.rank():
            return
        evaluated = recipe.evaluate.every and (rounds % recipe.evaluate.every == 0 or last)
        saved = rounds % recipe.checkpoint == 0 or last
        if evaluated:
            self._evaluate(number)
        if saved:
            self._save()
        if (evaluated or saved) and not last and time.monotonic() - self.drawn > DRAW_S:
            draw_curves(self.run)
            self.drawn = time.monotonic()

    def _add_past(self, name: str) -> None:
        self.past[name] = self._past_self(self.learner.policy.state_dict())
        gone = self.pool.add(name)
        if gone:
            del self.past[gone]

    def _past_self(self, weights: dict[str, torch.Tensor]) -> Policy:
        policy = Policy(self.recipe.network.width, self.recipe.network.suit_width)
        policy.load_state_dict(weights)
        return policy.to(self.learner.device).eval()

    # Files

    def _open(self, folder: Path, resume: bool) -> Run:
        """The run's folder; the first worker makes it."""
        if workers.rank() == 0:
            run = Run.resume(folder, self.recipe) if resume else Run.begin(folder, self.recipe)
            workers.wait()
            return run
        workers.wait()
        return Run(folder, self.recipe)

    def _save(self) -> None:
        tensors = self.learner.tensors()
        for name, policy in self.past.items():
            tensors |= {f"past.{name}.{key}": value for key, value in policy.state_dict().items()}
        facts = {"decisions": self.decisions, "seconds": self.seconds, "pool": self.pool.state()}
        self.run.save(self.rounds, tensors, facts)

    def _restore(self) -> None:
        """Go on from the last whole checkpoint; before the first one, begin anew."""
        damaged = []
        if checkpoint_files(self.run.folder):
            checkpoint, damaged = last_whole(self.run.folder, self._check, self.say)
            self._go_on(checkpoint)
        elif self.recipe.start:
            load_start(self.learner, Path(self.recipe.start), self.say)
        workers.wait()  # until all have read what gets another name now
        if workers.rank() == 0:
            for path in damaged:
                self.say(f"{path} is kept as {set_aside(path).name}")
            self.run.cut_metrics(self.rounds)

    def _check(self, checkpoint: Checkpoint) -> None:
        """RunError for a checkpoint that the run cannot go on from."""
        self.learner.check(checkpoint)
        pool: Any = checkpoint.facts.get("pool")
        if not self.pool.fits(pool):
            raise RunError(f"{checkpoint.path} cannot be read as a checkpoint: its pool is not that of the recipe")
        own = layout(self.learner.policy.state_dict())
        for name in self.pool.past_in(pool):
            if layout(checkpoint.under(f"past.{name}.")) != own:
                raise RunError(f"{checkpoint.path} is of another size than the recipe in its past self {name}")

    def _go_on(self, checkpoint: Checkpoint) -> None:
        """As after a checkpoint."""
        facts = checkpoint.facts
        self.rounds, self.decisions, self.seconds = facts["rounds"], facts["decisions"], facts["seconds"]
        self.learner.restore(checkpoint.tensors)
        self.pool.restore(facts["pool"])
        self.past = {
            name: self._past_self(checkpoint.under(f"past.{name}.")) for name in self.pool.past_in(facts["pool"])
        }

    def _level(self):
        trained = {"rounds": self.rounds, "decisions": self.decisions, "seconds": round(self.seconds)}
        return level_of(self.learner.policy, self.recipe, trained)

    # What is told

    def _log(self, number: int, numbers: dict, rate: float) -> None:
        if workers.rank() == 0:
            clock = {"decisions": self.decisions, "seconds": round(self.seconds, 2), "per_second": round(rate)}
            self.run.log(number, numbers | clock)

    def _announce(self) -> None:
        recipe, learner = self.recipe, self.learner
        precision = "bfloat16" if learner.bfloat16 else "float32"
        workers_text = f", {workers.count()} workers" if workers.count() > 1 else ""
        begun = f", from round {self.rounds}" if self.rounds else ""
        self.say(
            f"{recipe.name}: {recipe.rounds} rounds of one hand at {recipe.tables} tables on {learner.device} "
            f"({precision}{workers_text}), policy of {parameters(learner.policy):,} weights{begun}; "
            f"all is kept in {self.run.folder}"
        )

    def _tell(self, stage: Stage, numbers: dict[str, float], rate: float) -> None:
        recipe = self.recipe
        share = self.rounds / recipe.rounds
        left = self.pace.left(self.rounds)
        still = "" if left is None else f", about {clock(left)} left"
        shown = ("agreement", "loss_imitation", "gain", "entropy", "explained", "kl")
        facts = ", ".join(f"{name} {numbers[name]:.3f}" for name in shown if name in numbers)
        self.say(
            f"{100 * share:5.1f} %  round {self.rounds}/{recipe.rounds}  {kind_of(stage):9s} {rate:,.0f} decisions/s"
            f"{still}  {facts}"
        )

    def _evaluate(self, number: int) -> None:
        for name, result in evaluate(self._level(), self.recipe):
            low, high = result.win_rate_ci
            wins, points = result.win_rate, result.points_per_hand
            self.run.log(
                number, {"evaluation": name, f"wins/{name}": wins, "ci": [low, high], f"points/{name}": points}
            )
            self.say(f"         wins {wins:.1%} [{low:.1%}, {high:.1%}] against {name}, {points:+.1f} points a hand")

    def _close(self) -> Path:
        path = self.run.folder / "level.safetensors"
        if workers.rank() == 0:
            ratings = ratings_of(self.run.folder, self.recipe, self.rounds)
            replace(self._level(), ratings=ratings).write(path, half=True)
            draw_curves(self.run)
            self.run.close()
            self.say(f"done: {self.decisions:,} decisions in {clock(self.seconds)}; the level is {path}")
        workers.wait()
        return path


def clock(seconds: float) -> str:
    """1:02:03 or 2:03."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
