"""Learn Spades from nothing in one jitted loop: tables, networks and learner never leave the device.

    pip install ".[jax,train]"
    python train/jax_ppo.py --minutes 20                   # of wall time, without evaluations
    spades arena runs/jax/level.safetensors rule --rules match

The ideas of train/selfplay.py, without what needs the host. Under the rules `match` a hand is 56 decisions at every
table, so an update is one hand of all tables: four calls, then 52 cards, then learning from those with a choice.

calls       a head regresses the advantage of the bid that was made, and play is a softmax of it; a quota keeps
            nils tried
cards       a clipped policy gradient, on the decisions that matter most
critic      sees all hands; predicts tricks and broken nils. What these are worth follows from the rules, and it learns
            a correction
reward      points
annealing   learning rates, temperature of bids and weight of entropy fall together
averaging   the level that is measured and kept has averaged weights

The folder gets level.safetensors and log.jsonl, a line for each evaluation.
"""

import argparse
import json
import time
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax_nets import Params, arranged, critic, ends_of, gained, new_params, policy, write_level

from spades_env.agents import arena
from spades_env.agents.atomic_files import write_whole
from spades_env.game.cards import BID_ZERO, NUM_CARDS
from spades_env.xla import Spades
from spades_env.xla.playing import apply
from spades_env.xla.table import SEATS

RULES = "match"
HANDS = 10  # of a game
CALLS, PLAYS = 4, 52  # of a hand
NIL = 0
EXPLORED, EXPLORING_TAU = 0.08, 0.4  # share of the bids that are made at another temperature
QUOTA, TRIED = 0.06, 0.5  # share of the hands, those least bad for a nil, and how many of them must bid it
LEAST_KEPT = 0.15  # chance of any card to be learned from
OPPONENT = "rule"  # measured against, never learned from


@dataclass(frozen=True)
class Settings:
    seed: int = 0
    minutes: float = 20.0
    tables: int = 512
    width: int = 128  # of the layers that read the table
    suit_width: int = 64  # of those that read a suit
    minibatches: int = 16  # of a hand
    rate: tuple[float, float] = (1e-3, 4e-5)  # learning rate, at first and at last,
    critic_rate: tuple[float, float] = (1e-3, 1e-4)
    tau: tuple[float, float] = (0.15, 0.01)  # … like the temperature of bids,
    entropy: tuple[float, float] = (0.015, 0.0006)  # … and the weight of the bonus on the entropy of cards
    trace: float = 0.9  # λ of the advantages,
    critic_trace: float = 0.97  # … and of the critic's targets
    clip: float = 0.2
    keep: float = 0.3  # share of the cards that are learned from, most of them with a choice,
    critic_keep: float = 0.36  # … and of the decisions that the critic learns from
    call_weight: float = 0.1
    trick_weight: float = 0.05  # of the tricks in the critic's loss
    average: float = 0.9985  # what the averaged weights keep at each step
    evaluations: int = 6
    games: int = 200  # of an evaluation


class Step(NamedTuple):
    """Decisions as they are learned from, [N, …]."""

    seen: Any  # int8: a row of the policy,
    open: Any  # … and of the critic
    ends: Any  # float32[18], what may still happen
    mask: Any
    seat: Any
    won: Any  # tricks of its side
    choice: Any  # whether there was one
    action: Any
    log_prob: Any
    value: Any


# Playing


def sample_calls(key, advantage, mask, tau):
    """Return a bid at every table: a softmax, some flatter, and a quota of nils where they look least bad."""
    flat, noise, tried = jax.random.split(key, 3)
    tau = jnp.where(jax.random.uniform(flat, (len(mask), 1)) < EXPLORED, EXPLORING_TAU, tau)
    advantage = jnp.where(mask, advantage, -jnp.inf)
    drawn = (advantage / tau + jax.random.gumbel(noise, mask.shape)).argmax(1)
    behind = advantage.max(1) - advantage[:, NIL]
    must = (behind <= jnp.quantile(behind, QUOTA)) & (jax.random.uniform(tried, drawn.shape) < TRIED)
    return jnp.where(must, NIL, drawn)


def act(env: Spades, params: dict[str, Params], tau, bidding: bool, state, key):
    """Let the seats to move act at every table; return also what the hand was worth and its tricks, if it is over."""
    row = jax.vmap(arranged)(jax.vmap(env.central_state)(state))
    mask, (cards, calls) = state.legal_action_mask, policy(params["policy"], row["policy"])
    ends = jax.vmap(lambda t: ends_of(t, env.rules))(state.table)
    if bidding:
        action = BID_ZERO + sample_calls(key, calls, mask[:, BID_ZERO:], tau)
        log_prob = jnp.zeros(len(mask))
    else:
        cards = jnp.where(mask[:, :NUM_CARDS], cards, -1e9)
        action = jax.random.categorical(key, cards)
        log_prob = chosen(jax.nn.log_softmax(cards), action)
    value = critic(params["critic"], row["critic"], ends)[0]
    turn = state.current_player
    won = jnp.where((turn[:, None] ^ SEATS) & 1, 0, state.table.tricks).sum(1)
    seen = row["policy"], row["critic"], ends, mask[:, :NUM_CARDS], turn, won, mask.sum(1) > 1
    step = Step(*seen, action, log_prob, value)
    over = jax.vmap(lambda t, action: apply(t, env.rules, action)[0])(state.table, action)
    worth = jax.vmap(lambda before, after: gained(before, after, env.rules))(state.table, over)
    return jax.vmap(env.step)(state, action), (step, worth, over.tricks)


def play(env: Spades, params: dict[str, Params], tau, state, key):
    """Play a hand at every table; return the decisions [56, N, …], what it paid the first side, and seats' tricks."""
    keys = jax.random.split(key, CALLS + PLAYS)
    state, bids = jax.lax.scan(partial(act, env, params, tau, True), state, keys[:CALLS])
    state, cards = jax.lax.scan(partial(act, env, params, tau, False), state, keys[CALLS:])
    steps = jax.tree.map(lambda *both: jnp.concatenate(both), bids[0], cards[0])
    return state, steps, cards[1][-1], cards[2][-1]


# Learning


def advantages(steps: Step, paid, of: Settings):
    """Return the generalised advantages and the critic's targets, [56, N]: a value is one number with two signs."""

    def back(carry, step):
        after, ahead, further = carry
        sign = 1 - 2 * (step.seat & 1)
        delta = after - sign * step.value
        now = sign * step.value, delta + of.trace * ahead, delta + of.critic_trace * further
        carry = tuple(jnp.where(step.choice, new, old) for new, old in zip(now, carry, strict=True))
        return carry, (sign * now[1], step.value + sign * now[2])

    return jax.lax.scan(back, (paid, 0 * paid, 0 * paid), steps, reverse=True)[1]


def chosen(values, actions):
    return jnp.take_along_axis(values, actions[:, None], 1)[:, 0]


def that_matter(key, n: int, advantage, log_prob, choice):
    """Draw n cards about in proportion to |advantage| · (1 − probability); return them, and weights that make up."""
    matter = jnp.abs(advantage) * (1 - jnp.exp(log_prob)) + 1e-6
    chance, factor = choice * 1.0, 1.0
    for _ in range(8):
        factor = factor * n / chance.sum()
        chance = choice * (factor * matter).clip(LEAST_KEPT, 1)
    order = jnp.argsort(jax.random.uniform(key, chance.shape) / chance)[:n]
    return order, (choice / jnp.maximum(chance, LEAST_KEPT))[order] * n / choice.sum()


def policy_loss(params: Params, batch, of: Settings, entropy):
    """Return the loss on some cards (Step, advantage, weight) and some calls (Step, advantage)."""
    (step, a, weight), (call, gain_of_call) = batch
    log_probs = jax.nn.log_softmax(jnp.where(step.mask, policy(params, step.seen)[0], -1e9))
    ratio = jnp.exp(chosen(log_probs, step.action) - step.log_prob)
    gain = jnp.minimum(ratio * a, jnp.clip(ratio, 1 - of.clip, 1 + of.clip) * a)
    bonus = -(jnp.exp(log_probs) * log_probs).sum(1)
    made = chosen(policy(params, call.seen)[1], call.action - BID_ZERO)
    return of.call_weight * jnp.square(made - gain_of_call).mean() - (weight * (gain + entropy * bonus)).mean()


def critic_loss(params: Params, batch, of: Settings):
    """Return the loss on some decisions (Step, target, tricks to come)."""
    step, target, to_come = batch
    value, tricks = critic(params, step.open, step.ends)
    return jnp.square(value - target).mean() - of.trick_weight * chosen(tricks, to_come).mean()


def adam(params, moments, gradient, rate, count, longest: float):
    """Return parameters and moments after a step of Adam, the gradient clipped to a length."""
    length = jnp.sqrt(sum(jnp.square(g).sum() for g in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda g: g * longest / jnp.maximum(length, longest), gradient)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], gradient)
    second = jax.tree.map(lambda m, g: 0.999 * m + 0.001 * g * g, moments[1], gradient)
    unbiased = (1 - 0.9**count, first), (1 - 0.999**count, second)
    mean, square = (jax.tree.map(lambda x, by=by: x / by, moment) for by, moment in unbiased)
    params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-5), params, mean, square)
    return params, (first, second)


def annealed(ends: tuple[float, float], done):
    """Return a number that falls from the first to the last, slowly at first."""
    return ends[0] * (ends[1] / ends[0]) ** (jnp.minimum(done, 1) ** 3)


def in_batches(of: Settings, data, order):
    """Return these rows of arrays [N, …] as [minibatches, n, …]."""
    order = order[: len(order) // of.minibatches * of.minibatches]
    return jax.tree.map(lambda x: x[order].reshape(of.minibatches, -1, *x.shape[1:]), data)


def update(env: Spades, of: Settings, carry, key, done):
    """Play a hand at every table and learn from it; return also what bids and cards have come to."""
    params, average, moments, count, state = carry
    played, matter, mixed, some = jax.random.split(key, 4)
    state, steps, paid, tricks = play(env, params, annealed(of.tau, done), state, played)
    advantage, target = advantages(steps, paid, of)
    to_come = jnp.where(steps.seat & 1, tricks[:, 1] + tricks[:, 3], tricks[:, 0] + tricks[:, 2]) - steps.won
    each = steps, advantage, target, to_come
    steps, advantage, target, to_come = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), each)
    calls = CALLS * of.tables  # the first rows; the others are cards
    cards = (x[calls:] for x in (advantage, steps.log_prob, steps.choice))
    order, weight = that_matter(matter, int(of.keep * PLAYS * of.tables), *cards)
    weights = jnp.zeros(len(target)).at[order + calls].set(weight)
    seen = jnp.argsort(jax.random.uniform(some, target.shape) / steps.choice)[: int(of.critic_keep * len(target))]
    parts = (
        in_batches(of, (steps, advantage, weights), order + calls),
        in_batches(of, (steps, advantage), jax.random.permutation(mixed, calls)),
        in_batches(of, (steps, target, to_come), seen),
    )

    def learn(carry, batch):
        params, average, moments, count = carry
        losses = {
            "policy": lambda p: policy_loss(p, batch[:2], of, annealed(of.entropy, done)),
            "critic": lambda p: critic_loss(p, batch[2], of),
        }
        params, moments = dict(params), dict(moments)
        for kind, rate, longest in (("policy", of.rate, 0.5), ("critic", of.critic_rate, 1.0)):
            gradient = jax.grad(losses[kind])(params[kind])
            rate = annealed(rate, done)
            params[kind], moments[kind] = adam(params[kind], moments[kind], gradient, rate, count, longest)
        average = jax.tree.map(lambda a, p: of.average * a + (1 - of.average) * p, average, params["policy"])
        return (params, average, moments, count + 1), None

    (params, average, moments, count), _ = jax.lax.scan(learn, (params, average, moments, count), parts)
    bids = steps.action[:calls] - BID_ZERO
    explained = 1 - jnp.square(target - steps.value).mean() / jnp.square(target).mean()
    noted = {"bid": bids.mean(), "nils": (bids == 0).mean(), "explained": explained}
    return (params, average, moments, count, state), noted


# The run


def begin(env: Spades, of: Settings):
    """Return the networks, the policy's average, moments, the number of steps, and the tables."""
    params = new_params(of.seed, of.width, of.suit_width)
    nothing = jax.tree.map(jnp.zeros_like, params)
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(of.seed), of.tables))
    moments = {kind: (zeros, zeros) for kind, zeros in nothing.items()}
    return params, params["policy"], moments, jnp.float32(1), state


def run(of: Settings, folder: Path) -> None:
    """Learn to the end, measuring on the way."""
    env = Spades(RULES, truncate_after=HANDS, auto_reset=True, observes=False, trusted=True)
    carry, key = begin(env, of), jax.random.key(of.seed + 1)
    learn = jax.jit(partial(update, env, of)).lower(carry, key, 0.0).compile()
    used, hands, log = 0.0, 0, list[dict[str, Any]]()
    while used < 60 * of.minutes:
        began = time.monotonic()
        carry, noted = learn(carry, jax.random.fold_in(key, hands), used / (60 * of.minutes))
        noted = {name: float(value) for name, value in noted.items()}
        used, hands = used + time.monotonic() - began, hands + of.tables
        if used >= 60 * of.minutes * (len(log) + 1) / of.evaluations:
            log.append({"minutes": used / 60, "decisions": (CALLS + PLAYS) * hands} | noted)
            facts = {"recipe": json.dumps(asdict(of)), "trained": log[-1].copy()}
            write_level(folder / "level.safetensors", carry[1], RULES, **facts)
            log[-1] |= measured(folder, of)
            write_whole(folder / "log.jsonl", "".join(json.dumps(one) + "\n" for one in log))
            print(", ".join(f"{name} {x:.4g}" for name, x in log[-1].items() if isinstance(x, float)), flush=True)


def measured(folder: Path, of: Settings) -> dict[str, Any]:
    """Play duplicate games against the opponent."""
    match = arena.play(str(folder / "level.safetensors"), OPPONENT, RULES, of.games, seed=1, jobs=1).as_dict()
    return {key: match[key] for key in ("win_rate", "win_rate_ci", "points_per_hand")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for one in fields(Settings):
        if one.type in (int, float):
            parser.add_argument(f"--{one.name.replace('_', '-')}", type=one.type, default=one.default)
    parser.add_argument("--out", type=Path, default=Path("runs/jax"))
    given = vars(parser.parse_args())
    folder = given.pop("out")
    folder.mkdir(parents=True, exist_ok=True)
    run(Settings(**given), folder)


if __name__ == "__main__":
    main()
