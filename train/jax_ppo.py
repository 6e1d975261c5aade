"""Learn Spades from nothing in one jitted loop: tables, networks and learner never leave the device.

    pip install ".[jax,train]"
    python train/jax_ppo.py --minutes 20                   # of wall time, without evaluations
    spades arena runs/jax/level.safetensors rule --rules match

The ideas of train/selfplay.py, without what needs the host. Under the rules `match` a hand is 56 decisions at every
table, so an update is one hand of all tables: four calls, then 52 cards, then learning from those with a choice.

calls       a head regresses the advantage of the bid that was made; play is a softmax of it. A quota keeps nils tried
cards       a clipped policy gradient, on the decisions that matter most
critic      sees all hands; predicts tricks and broken nils. What these are worth follows from the rules
reward      points
annealing   learning rates, temperature of bids and weight of entropy fall together
averaging   the level that is measured and kept has averaged weights

The file reads from top to bottom: what a hand is worth, the networks, playing, learning, the run. The folder gets
level.safetensors and log.jsonl, a line for each evaluation.
"""

import argparse
import json
import time
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import torch

from spades_env.agents import arena
from spades_env.agents.arena.match import even
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.network import rows
from spades_env.agents.network.level import Level
from spades_env.checks import LARGEST_SEED, whole
from spades_env.errors import SpadesError
from spades_env.game.cards import BID_ZERO, NUM_CARDS, NUM_TRICKS
from spades_env.game.observe import LAYOUT, STATE_SIZE
from spades_env.game.state import NO_NIL, PASS
from spades_env.training import nets
from spades_env.xla import Spades
from spades_env.xla.playing import apply
from spades_env.xla.scoring import end_hand
from spades_env.xla.table import SEATS, JaxTable, of_mates, seen_from

Params = dict[str, Any]
POINTS = 100.0  # a reward of 1
LEFT = NUM_TRICKS + 1  # how many tricks may be to come
RULES = "match"
HANDS = 10  # of a game
CALLS, PLAYS = 4, 52  # of a hand
NIL = 0
EXPLORED, EXPLORING_TAU = 0.08, 0.4  # share of the bids that are made at another temperature
QUOTA, TRIED = 0.06, 0.5  # share of the hands, those least bad for a nil, and how many of them must bid it
LEAST_KEPT = 0.15  # chance of any card to be learned from
OPPONENT = "rule"  # measured against, never learned from
LEVEL = "level.safetensors"


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

    def __post_init__(self):
        whole("seed", self.seed, 0, LARGEST_SEED)
        even("games", self.games)
        for name in ("minutes", "tables", "width", "suit_width", "minibatches", "evaluations"):
            if not getattr(self, name) > 0:
                raise SpadesError(f"{name} must be more than 0, not {getattr(self, name)}")


# What a hand is worth


def gained(before: JaxTable, after: JaxTable, r):
    """Return what the first side has gained on the other by a finished hand; bags are charged for at once."""
    by_side = after.points - (after.bags - before.bags) * (r.bag_cost / r.bag_limit)
    return (by_side[0] - by_side[1]) / POINTS


def ends_of(t: JaxTable, r):
    """Return what each end of a hand is worth to the seat to move, float32[18]; all 0 while bids are made.

    First by how many more tricks its side wins, NaN where fewer are left; then what a broken nil of each seat changes.
    """
    left, mine = NUM_TRICKS - (t.num_plays >> 2), (t.turn & 1) == (SEATS & 1)
    bids_nil = t.nils != NO_NIL
    takes = ~bids_nil | (of_mates(bids_nil) & (SEATS < 2))  # one seat of each side
    takes &= ~of_mates(takes) | (SEATS < 2)

    def worth(tricks, broken):
        more = takes * jnp.where(mine, tricks, left - tricks) + (broken == SEATS)
        return gained(t, end_hand(replace(t, tricks=t.tricks + more), r)[0], r) * (1 - 2 * (t.turn & 1))

    counts, seats = jnp.arange(LEFT), (t.turn + SEATS) & 3
    need = (mine * ~bids_nil * (t.bids - t.tricks)).sum().clip(0, left)
    breaks = jax.vmap(worth, (None, 0))(need, seats) - worth(need, -1)
    stands = seen_from(bids_nil & (t.tricks == 0), t.turn)
    tricks = jnp.where(counts > left, jnp.nan, jax.vmap(worth, (0, None))(counts, -1))
    return jnp.concatenate([tricks, stands * breaks]) * (t.phase >= PASS)


# Networks: those of spades_env/training/nets.py, by torch's names and shapes, so that a trained one becomes a level

NETS = {"policy": nets.Policy, "critic": nets.Critic}
SPADES = 0  # the mode of trumps, which decides where a row's cards come from
COLUMNS = {
    kind: np.where(columns[SPADES] < 0, STATE_SIZE - 1 - columns[SPADES], columns[SPADES])  # after all: a 0, a 1
    for kind, columns in (("policy", rows.POLICY), ("critic", rows.CRITIC))
}
SCALES = {  # what brings a row's inputs to about one
    kind: np.concatenate([np.tile(net().lane_scale.numpy(), rows.LANES), net().other_scale.numpy()])
    for kind, net in NETS.items()
}
PLACE = np.eye(rows.NUM_CARD_LOGITS, dtype=np.float32)[:, rows.PLACES[SPADES, :NUM_CARDS]]


def tallies(x):
    """Return what follows from a state and is easier to read one-hot, as rows.write_tallies does."""
    block = {name: x[LAYOUT[name].place] for name in ("side_bid", "side_made", "bags", "trick", "nil", "blind_nil")}
    need, bags = block["side_bid"] - block["side_made"] - rows.LEAST_NEED, block["bags"]
    nil, none_won = block["nil"] | block["blind_nil"], x[LAYOUT["tricks"].place][::14]
    counts = (need, rows.NEEDS), (bags, rows.BAGS), (NUM_TRICKS - block["trick"], rows.LEFT)
    hot = [(x.clip(0, n - 1)[:, None] == np.arange(n)).astype(jnp.int8).ravel() for x, n in counts]
    return jnp.concatenate([*hot, nil & none_won, nil & ~none_won])


def arranged(state) -> dict[str, Any]:
    """Return the rows of both networks."""
    features, more = jnp.concatenate([state, jnp.array([0, 1], jnp.int8)]), tallies(state)
    return {kind: jnp.concatenate([features[columns], more]) for kind, columns in COLUMNS.items()}


def linear(params: Params, name: str, x):
    return x @ params[f"{name}.weight"].T + params[f"{name}.bias"]


def read(params: Params, kind: str, row):
    """Return the lanes [B, 4, L], every suit [B, 4, E] and the table [B, W]."""
    x = row.astype(jnp.float32) * SCALES[kind]
    lanes, others = x[:, : -rows.NUM_OTHERS].reshape(len(x), rows.LANES, -1), x[:, -rows.NUM_OTHERS :]
    suits = jax.nn.relu(linear(params, "suits", lanes))
    table = jnp.concatenate([others, suits[:, 3], suits[:, :3].sum(1)], 1)
    return lanes, suits, jax.nn.relu(linear(params, "table2", jax.nn.relu(linear(params, "table", table))))


def policy(params: Params, row):
    """Return the logits of cards, float32[B, 54], and the advantages of calls, float32[B, 16]."""
    lanes, suits, table = read(params, "policy", row)
    both, weight = jnp.concatenate([lanes, suits], 2), params["cards.weight"].T
    own = both.shape[2]
    again = jax.nn.relu(both @ weight[:own] + (table @ weight[own:] + params["cards.bias"])[:, None])
    places = linear(params, "places", jax.nn.relu(linear(params, "cards2", again)))
    return nets.GAIN * places.reshape(len(row), -1) @ PLACE, linear(params, "bids", table)


def critic(params: Params, row, ends):
    """Return the value of a decision for its seat, and the log-probabilities of the tricks its side will still win."""
    table = read(params, "critic", row)[2]
    by_tricks, by_breaks = ends[:, :LEFT], ends[:, LEFT:]
    tricks = jax.nn.log_softmax(jnp.where(jnp.isnan(by_tricks), -1e9, linear(params, "tricks", table)))
    known = (jnp.exp(tricks) * jnp.nan_to_num(by_tricks)).sum(1)
    known += (jax.nn.sigmoid(linear(params, "breaks", table)) * by_breaks).sum(1)
    return known + linear(params, "correction", table)[:, 0], tricks


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


class Learner(NamedTuple):
    params: dict[str, Params]  # of both networks
    average: Params  # of the policy
    moments: dict[str, Any]  # of Adam
    count: Any  # of steps, from 1


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


def policy_loss(params: Params, cards, calls, of: Settings, entropy):
    """Return the loss on some cards (Step, advantage, weight) and some calls (Step, advantage)."""
    step, a, weight = cards
    call, gain_of_call = calls
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
    by, root = 1 - 0.9**count, jnp.sqrt(1 - 0.999**count)  # both begin at 0
    params = jax.tree.map(lambda p, m, v: p - rate * m / by / (jnp.sqrt(v) / root + 1e-5), params, first, second)
    return params, (first, second)


def annealed(ends: tuple[float, float], done):
    """Return a number that falls from the first to the last, slowly at first."""
    return ends[0] * (ends[1] / ends[0]) ** (jnp.minimum(done, 1) ** 3)


def in_batches(of: Settings, data, order):
    """Return these rows of arrays [N, …] as [minibatches, n, …]."""
    order = order[: len(order) // of.minibatches * of.minibatches]
    return jax.tree.map(lambda x: x[order].reshape(of.minibatches, -1, *x.shape[1:]), data)


def prepared(of: Settings, keys, steps: Step, paid, tricks):
    """Return the minibatches of cards, calls and what the critic sees, and what bids and cards have come to."""
    matter, mixed, some = keys
    to_come = jnp.where(steps.seat & 1, tricks[:, 1] + tricks[:, 3], tricks[:, 0] + tricks[:, 2]) - steps.won
    each = steps, *advantages(steps, paid, of), to_come
    steps, advantage, target, to_come = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), each)
    calls = CALLS * of.tables  # the first rows; the others are cards
    cards = (x[calls:] for x in (advantage, steps.log_prob, steps.choice))
    order, weight = that_matter(matter, int(of.keep * PLAYS * of.tables), *cards)
    weights = jnp.zeros(len(target)).at[order + calls].set(weight)
    seen = jnp.argsort(jax.random.uniform(some, target.shape) / steps.choice)[: int(of.critic_keep * len(target))]
    bids = steps.action[:calls] - BID_ZERO
    explained = 1 - jnp.square(target - steps.value).mean() / jnp.square(target).mean()
    return (
        in_batches(of, (steps, advantage, weights), order + calls),
        in_batches(of, (steps, advantage), jax.random.permutation(mixed, calls)),
        in_batches(of, (steps, target, to_come), seen),
    ), {"bid": bids.mean(), "nils": (bids == 0).mean(), "explained": explained}


def improve(of: Settings, done, learner: Learner, batch):
    """Return the learner after a step of both networks."""
    cards, calls, seen = batch
    losses = {
        "policy": lambda p: policy_loss(p, cards, calls, of, annealed(of.entropy, done)),
        "critic": lambda p: critic_loss(p, seen, of),
    }
    params, moments = {}, {}
    for kind, rate, longest in (("policy", of.rate, 0.5), ("critic", of.critic_rate, 1.0)):
        before = learner.params[kind], learner.moments[kind]
        gradient = jax.grad(losses[kind])(before[0])
        params[kind], moments[kind] = adam(*before, gradient, annealed(rate, done), learner.count, longest)
    average = jax.tree.map(lambda a, p: of.average * a + (1 - of.average) * p, learner.average, params["policy"])
    return Learner(params, average, moments, learner.count + 1), None


def update(env: Spades, of: Settings, carry, key, done):
    """Play a hand at every table and learn from it; return also what is logged."""
    learner, state = carry
    played, *drawn = jax.random.split(key, 4)
    state, steps, paid, tricks = play(env, learner.params, annealed(of.tau, done), state, played)
    batches, noted = prepared(of, drawn, steps, paid, tricks)
    learner, _ = jax.lax.scan(partial(improve, of, done), learner, batches)
    return (learner, state), noted


# The run


def begin(env: Spades, of: Settings):
    """Return the learner and the tables."""
    torch.manual_seed(of.seed)
    both = {kind: net(of.width, of.suit_width).named_parameters() for kind, net in NETS.items()}
    params = {kind: {name: jnp.asarray(x.detach()) for name, x in own} for kind, own in both.items()}
    moments = {kind: (jax.tree.map(jnp.zeros_like, own),) * 2 for kind, own in params.items()}
    learner = Learner(params, params["policy"], moments, jnp.float32(1))
    return learner, jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(of.seed), of.tables))


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
            decisions = (CALLS + PLAYS) * hands
            log.append({"minutes": used / 60, "decisions": decisions, "per_second": decisions / used} | noted)
            keep(carry[0].average, of, folder, log[-1].copy())
            log[-1] |= measured(folder, of)
            write_whole(folder / "log.jsonl", "".join(json.dumps(one) + "\n" for one in log))
            print(", ".join(f"{name} {x:.4g}" for name, x in log[-1].items() if isinstance(x, float)), flush=True)


def keep(policy: Params, of: Settings, folder: Path, facts: dict[str, Any]) -> None:
    """Write the policy as a level."""
    net = nets.Policy(of.width, of.suit_width)
    net.load_state_dict({name: torch.tensor(np.asarray(x)) for name, x in policy.items()}, strict=False)
    style, recipe = "Learned from nothing, in JAX.", json.dumps(asdict(of))
    level = Level(nets.level_tensors(net), folder.name, style, recipe, RULES, ratings={}, trained=facts)
    level.write(folder / LEVEL)


def measured(folder: Path, of: Settings) -> dict[str, Any]:
    """Play duplicate games against the opponent."""
    match = arena.play(str(folder / LEVEL), OPPONENT, RULES, of.games, seed=1, jobs=1).as_dict()
    return {key: match[key] for key in ("win_rate", "win_rate_ci", "points_per_hand")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for one in fields(Settings):
        if one.type in (int, float):
            parser.add_argument(f"--{one.name.replace('_', '-')}", type=one.type, default=one.default)
    parser.add_argument("--out", type=Path, default=Path("runs/jax"))
    given = vars(parser.parse_args())
    folder = given.pop("out")
    try:
        settings = Settings(**given)
        if (folder / LEVEL).exists():
            raise SpadesError(f"{folder} holds a run already: name another folder with --out")
        folder.mkdir(parents=True, exist_ok=True)
        run(settings, folder)
    except SpadesError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
