"""Learn Spades from nothing in one jitted loop: tables, networks and learner never leave the device.

    pip install ".[jax,train,onnx]"
    python train/jax_ppo.py --minutes 20                      # of wall time, without evaluations
    spades arena runs/jax/level.onnx rule --rules match

The ideas of train/selfplay.py, without what needs the host. Under the rules `match` a hand is 56 decisions at every
table, so an update is one hand of all tables: four calls, then 52 cards, then learning from them.

calls       a head regresses the advantage of the bid that was made, and play is a softmax of it; a quota keeps
            nils tried
cards       a clipped policy gradient
critic      sees all hands; predicts how many more tricks its side wins. What these are worth follows from the rules,
            and it learns a correction
annealing   learning rate, temperature of bids and weight of entropy fall together
averaging   the level that is measured and kept has averaged weights

The folder gets level.onnx, which plays in the arena.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import torch

from spades_env.agents import arena
from spades_env.agents.atomic_files import write_whole
from spades_env.game.cards import BID_ZERO, NUM_CARDS
from spades_env.game.observe import LAYOUT, NUM_FEATURES, STATE_LAYOUT, TABLE_ROWS
from spades_env.training.own.graph import traced
from spades_env.xla import Spades, playing

RULES = "match"
CALLS, PLAYS = 4, 52  # of a hand
NIL = 0
EXPLORED, EXPLORING_TAU = 0.08, 0.4  # share of the bids that are made at another temperature
QUOTA, TRIED = 0.06, 0.5  # share of the hands, those least bad for a nil, and how many of them must bid it
OPPONENT = "rule"  # measured against, never learned from
POINTS = 100.0  # a reward of 1

Params = dict[str, Any]
BY_SUIT = ("hand", "unseen", "table", "played")
OTHERS = [name for name, _, _ in TABLE_ROWS if name not in (*BY_SUIT, "passed", "order", "void")]
COUNTS = ("trick", "score_hundreds", "score_ones", "bags", "side_bid", "side_made")


@dataclass(frozen=True)
class Settings:
    seed: int = 0
    minutes: float = 20.0
    tables: int = 256
    width: int = 128  # of the layers that read the table
    suit_width: int = 64  # of those that read a suit
    minibatches: int = 32  # of a hand
    rate: tuple[float, float] = (1e-3, 4e-5)  # learning rate, at first and at last,
    tau: tuple[float, float] = (0.15, 0.01)  # … like the temperature of bids,
    entropy: tuple[float, float] = (0.015, 0.0006)  # … and the weight of the bonus on the entropy of cards
    trace: float = 0.9
    clip: float = 0.2
    average: float = 0.95  # what the averaged weights keep at each hand
    evaluations: int = 6
    games: int = 200  # of an evaluation


class Step(NamedTuple):
    """Decisions as they are learned from, [N, …]."""

    state: Any  # int8[STATE_SIZE]: the observation, then all hands
    mask: Any
    seat: Any
    action: Any
    log_prob: Any
    value: Any


# Networks: the four suits are read with the same weights, then the table as a whole


def columns_by_suit(names: tuple[str, ...]) -> np.ndarray:
    """Return the columns of each suit in blocks of cards, and whether the seats are void in it, int[4, L]."""
    starts = [STATE_LAYOUT[name].start + NUM_CARDS * i for name in names for i in range(STATE_LAYOUT[name].size // 54)]
    cards = [[start + 13 * suit + rank for start in starts for rank in range(13)] for suit in range(4)]
    void = LAYOUT["void"].start + np.arange(16).reshape(4, 4).T
    return np.concatenate([np.array(cards), void], 1)


SUITS = {"policy": columns_by_suit(BY_SUIT), "critic": columns_by_suit((*BY_SUIT, "hands"))}
TABLE = np.concatenate([np.arange(NUM_FEATURES)[LAYOUT[name].place] for name in OTHERS])
SCALE = np.concatenate([np.full(LAYOUT[name].size, 0.1 if name in COUNTS else 1.0, np.float32) for name in OTHERS])


def new_network(key, kind: str, width: int, suit_width: int) -> Params:
    lane = SUITS[kind].shape[1]
    shapes = {"suits": (lane, suit_width), "table": (len(TABLE) + 2 * suit_width, width), "table2": (width, width)}
    if kind == "policy":
        shapes |= {"cards": (lane + suit_width + width, suit_width), "places": (suit_width, 13), "calls": (width, 16)}
    else:
        shapes |= {"value": (width, 1), "tricks": (width, 14)}
    last, params = ("places", "calls", "value", "tricks"), {}
    for name, (inputs, outputs) in shapes.items():
        key, own = jax.random.split(key)
        size = 0.01 if name in last else (2 / inputs) ** 0.5
        params[name] = size * jax.random.normal(own, (inputs, outputs)), jnp.zeros(outputs)
    return params


def layer(params: Params, name: str, x):
    return x @ params[name][0] + params[name][1]


def read(params: Params, kind: str, x, join: Callable, scale):
    """Return the lanes [B, 4, L], every suit [B, 4, E] and the table [B, W]; for arrays of JAX or torch."""
    lanes = x[:, SUITS[kind].ravel()].reshape(-1, 4, SUITS[kind].shape[1])
    suits = layer(params, "suits", lanes).clip(0)
    table = join([x[:, TABLE] * scale, suits[:, 3], suits[:, :3].sum(1)], 1)
    table = layer(params, "table", table).clip(0)
    return lanes, suits, layer(params, "table2", table).clip(0)


def policy(params: Params, x, join: Callable = jnp.concatenate, scale: Any = SCALE):
    """Return the logits of cards and the advantages of calls, float32[B, 70], from observations."""
    lanes, suits, table = read(params, "policy", x, join, scale)
    weight, bias = params["cards"]
    own = lanes.shape[2] + suits.shape[2]
    cards = join([lanes, suits], 2) @ weight[:own] + (table @ weight[own:])[:, None] + bias
    places = layer(params, "places", cards.clip(0)).reshape(-1, 52)
    return join([places, 0 * places[:, :2], layer(params, "calls", table)], 1)


def critic(params: Params, state):
    """Return the value of a decision for its seat, and the logits of the tricks its side will still win."""
    x = state.astype(jnp.float32)
    table = read(params, "critic", x, jnp.concatenate, SCALE)[2]
    tricks = layer(params, "tricks", table)
    return layer(params, "value", table)[:, 0] + (jax.nn.softmax(tricks) * worth(x)).sum(1), tricks


def worth(x):
    """Return what 0 … 13 more tricks of a side are worth to it by both sides' bids; nothing until all have bid."""
    bids = x[:, LAYOUT["side_bid"].place]
    won = tricks_won(x)[:, :, None] + jnp.stack([jnp.arange(14.0), -jnp.arange(14.0)])
    won = won.at[:, 1].add((13 - tricks_won(x).sum(1))[:, None])  # the other side wins what is left
    points = jnp.where(won >= bids[:, :2, None], 9 * bids[:, :2, None] + won, -10 * bids[:, :2, None])
    plays = x[:, LAYOUT["phase"].start + 3]
    return plays[:, None] * (points[:, 0] - points[:, 1]) / POINTS


def tricks_won(x):
    """Return the tricks of both sides, own side first, [B, 2]."""
    by_seat = x[:, LAYOUT["tricks"].place].reshape(-1, 4, 14) @ jnp.arange(14.0)
    return by_seat[:, :2] + by_seat[:, 2:]


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
    """Let the seats to move act at every table."""
    seen = jax.vmap(env.central_state)(state)
    mask, logits = state.legal_action_mask, policy(params["policy"], seen[:, :NUM_FEATURES].astype(jnp.float32))
    if bidding:
        action = BID_ZERO + sample_calls(key, logits[:, BID_ZERO:], mask[:, BID_ZERO:], tau)
    else:
        action = jax.random.categorical(key, jnp.where(mask, logits, -jnp.inf))
    log_prob = chosen(jax.nn.log_softmax(jnp.where(mask, logits, -1e9)), action)
    step = Step(seen, mask, state.current_player, action, log_prob, critic(params["critic"], seen)[0])
    after = jax.vmap(env.step)(state, action)
    tricks = jax.vmap(lambda state, card: playing.play(state.table, env.rules, card).tricks)(state, action)
    return after, (step, after.rewards, tricks)


def play(env: Spades, params: dict[str, Params], tau, state, key):
    """Play a hand at every table; return the decisions [56, N, …], what it paid, and each seat's tricks, [N, 4]."""
    keys = jax.random.split(key, CALLS + PLAYS)
    state, bids = jax.lax.scan(partial(act, env, params, tau, True), state, keys[:CALLS])
    state, cards = jax.lax.scan(partial(act, env, params, tau, False), state, keys[CALLS:])
    steps = jax.tree.map(lambda *both: jnp.concatenate(both), bids[0], cards[0])
    return state, steps, cards[1][-1] / POINTS, cards[2][-1]


# Learning


def advantages(steps: Step, paid, trace: float):
    """Return the generalised advantages seat by seat, [56, N]: a seat's next value is that of its next decision."""

    def back(carry, step):
        following, traced = carry
        mine = step.seat[:, None] == jnp.arange(4)
        advantage = (jnp.where(mine, following + trace * traced, 0)).sum(1) - step.value
        carry = jnp.where(mine, step.value[:, None], following), jnp.where(mine, advantage[:, None], traced)
        return carry, advantage

    return jax.lax.scan(back, (paid, jnp.zeros_like(paid)), steps, reverse=True)[1]


def chosen(values, actions):
    return jnp.take_along_axis(values, actions[:, None], 1)[:, 0]


def loss(params: dict[str, Params], cards, calls, of: Settings, entropy):
    """Return the loss on some decisions of each kind: (Step, advantage, tricks to come)."""
    (step, advantage, _), (call, gained, _) = cards, calls
    x = jnp.concatenate([step.state, call.state])
    logits = policy(params["policy"], x[:, :NUM_FEATURES].astype(jnp.float32))
    log_probs = jax.nn.log_softmax(jnp.where(step.mask, logits[: len(step.seat)], -1e9))
    ratio = jnp.exp(chosen(log_probs, step.action) - step.log_prob)
    a = advantage / (advantage.std() + 1e-6)
    gain = jnp.minimum(ratio * a, jnp.clip(ratio, 1 - of.clip, 1 + of.clip) * a)
    bonus = -(jnp.exp(log_probs) * jnp.where(step.mask, log_probs, 0)).sum(1)
    on_calls = jnp.square(chosen(logits[len(step.seat) :], call.action) - gained).mean()
    value, tricks = critic(params["critic"], x)
    old, target = (jnp.concatenate([one, other]) for one, other in ((step.value, call.value), (advantage, gained)))
    to_come = jnp.concatenate([cards[2], calls[2]])
    on_value = jnp.square(value - old - target).mean()
    on_tricks = -chosen(jax.nn.log_softmax(tricks), to_come).mean()
    return on_calls + on_value + 0.05 * on_tricks - (gain + entropy * bonus).mean()


def adam(params, moments, gradient, rate, count):
    """Return parameters and moments after a step of Adam, the gradient clipped to length 1."""
    length = jnp.sqrt(sum(jnp.square(g).sum() for g in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda g: g / jnp.maximum(length, 1), gradient)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], gradient)
    second = jax.tree.map(lambda m, g: 0.999 * m + 0.001 * g * g, moments[1], gradient)
    size = rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    return jax.tree.map(lambda p, m, v: p - size * m / (jnp.sqrt(v) + 1e-5), params, first, second), (first, second)


def annealed(ends: tuple[float, float], done):
    return ends[0] * (ends[1] / ends[0]) ** (jnp.minimum(done, 1) ** 3)


def update(env: Spades, of: Settings, carry, key, done):
    """Play a hand at every table and learn from it; return also what bids and cards have come to."""
    params, average, moments, count, state = carry
    played, *keys = jax.random.split(key, 3)
    state, steps, paid, tricks = play(env, params, annealed(of.tau, done), state, played)
    advantage = advantages(steps, paid, of.trace)
    won = jax.vmap(tricks_won)(steps.state.astype(jnp.float32))[..., 0].astype(jnp.int32)
    of_side = tricks + jnp.roll(tricks, 2, 1)
    data = steps, advantage, jnp.where(steps.seat & 1, of_side[:, 1], of_side[:, 0]) - won

    def batches(part, key):
        flat = jax.tree.map(lambda x: x[part].reshape(-1, *x.shape[2:]), data)
        order = jax.random.permutation(key, len(flat[1]))[: len(flat[1]) // of.minibatches * of.minibatches]
        return jax.tree.map(lambda x: x[order].reshape(of.minibatches, -1, *x.shape[1:]), flat)

    def learn(carry, batch):
        params, moments, count = carry
        gradient = jax.grad(loss)(params, *batch, of, annealed(of.entropy, done))
        params, moments = adam(params, moments, gradient, annealed(of.rate, done), count)
        return (params, moments, count + 1), None

    parts = batches(slice(CALLS, None), keys[0]), batches(slice(CALLS), keys[1])
    (params, moments, count), _ = jax.lax.scan(learn, (params, moments, count), parts)
    average = jax.tree.map(lambda a, p: of.average * a + (1 - of.average) * p, average, params["policy"])
    bids = steps.action[:CALLS] - BID_ZERO
    noted = {"bid": bids.mean(), "nils": (bids == 0).mean(), "spread": jnp.abs(advantage).mean()}
    return (params, average, moments, count, state), noted


# The run


class Exported(torch.nn.Module):
    """The policy as torch sees it, to be written as ONNX."""

    def __init__(self, params: Params):
        super().__init__()
        self.params = {name: tuple(torch.tensor(np.asarray(x)) for x in both) for name, both in params.items()}

    def forward(self, x):
        return policy(self.params, x, torch.cat, torch.from_numpy(SCALE))


def begin(env: Spades, of: Settings):
    """Return the networks, their average, moments, the number of steps, and the tables."""
    one, other, deals = jax.random.split(jax.random.key(of.seed), 3)
    nets = {"policy": one, "critic": other}
    params = {kind: new_network(key, kind, of.width, of.suit_width) for kind, key in nets.items()}
    nothing = jax.tree.map(jnp.zeros_like, params)
    state = jax.vmap(env.init)(jax.random.split(deals, of.tables))
    return params, params["policy"], (nothing, nothing), jnp.float32(1), state


def run(of: Settings, folder: Path) -> None:
    """Learn to the end, measuring on the way."""
    env = Spades(RULES, truncate_after=None, auto_reset=True, observes=False, trusted=True)
    carry, key = begin(env, of), jax.random.key(of.seed + 1)
    learn = jax.jit(partial(update, env, of)).lower(carry, key, 0.0).compile()
    used, hands, log = 0.0, 0, list[str]()
    while used < 60 * of.minutes:
        began = time.monotonic()
        carry, noted = learn(carry, jax.random.fold_in(key, hands), used / (60 * of.minutes))
        noted = {name: float(value) for name, value in noted.items()}
        used, hands = used + time.monotonic() - began, hands + of.tables
        if used >= 60 * of.minutes * (len(log) + 1) / of.evaluations:
            write_whole(folder / "level.onnx", traced(Exported(carry[1]), NUM_FEATURES))
            log.append(measured(folder, of))
            decisions, notes = (CALLS + PLAYS) * hands, ", ".join(f"{name} {x:.2f}" for name, x in noted.items())
            progress = f"{used / 60:.1f} min, {decisions / 1e6:.1f} M decisions, {decisions / used / 1e3:.1f} k/s"
            print(f"{progress}; {notes}; {log[-1]}", flush=True)


def measured(folder: Path, of: Settings) -> str:
    """Play duplicate games against the opponent."""
    match = arena.play(str(folder / "level.onnx"), OPPONENT, RULES, of.games, seed=1, jobs=1).as_dict()
    return f"{OPPONENT}: won {match['win_rate']:.1%}, {match['points_per_hand']:+.1f} points a hand"


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
