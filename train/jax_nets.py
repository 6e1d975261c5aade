"""The networks of spades_env/training/nets.py in JAX, the rows they read, and what the critic need not learn.

    arranged(state)                  rows of the policy and of the critic, from one central state
    policy(params, row)              logits of cards, advantages of calls
    critic(params, row, ends)        value and tricks to come
    gained(before, after, rules)     what a finished hand was worth; ends_of(table, rules): what each end would be

Parameters have torch's names and shapes: random ones come from there, and trained ones become a level.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch

from spades_env.agents.network import rows
from spades_env.agents.network.level import Level
from spades_env.game.cards import NUM_CARDS, NUM_TRICKS
from spades_env.game.observe import LAYOUT, STATE_SIZE
from spades_env.game.state import NO_NIL, PASS
from spades_env.training import nets
from spades_env.xla.scoring import end_hand
from spades_env.xla.table import SEATS, JaxTable, at, of_mates

Params = dict[str, Any]
POINTS = 100.0  # a reward of 1
LEFT = NUM_TRICKS + 1  # how many tricks may be to come

NETS = {"policy": nets.Policy, "critic": nets.Critic}
SPADES = 0  # the mode of trumps, which decides where a row's cards come from
COLUMNS = {
    kind: np.where(columns[SPADES] < 0, STATE_SIZE - 1 - columns[SPADES], columns[SPADES])  # after all: a 0, a 1
    for kind, columns in (("policy", rows.POLICY), ("critic", rows.CRITIC))
}
PLACE = np.eye(rows.NUM_CARD_LOGITS, dtype=np.float32)[:, rows.PLACES[SPADES, :NUM_CARDS]]


def scale(kind: str) -> np.ndarray:
    """Return the factors that bring a row's inputs to about one."""
    net = NETS[kind]()
    return np.concatenate([np.tile(net.lane_scale.numpy(), rows.LANES), net.other_scale.numpy()])


SCALES = {kind: scale(kind) for kind in NETS}


def tallies(x):
    """Return what follows from a state and is easier to read one-hot, as rows.write_tallies does."""
    block = {name: x[LAYOUT[name].place] for name in ("side_bid", "side_made", "bags", "trick", "nil", "blind_nil")}
    need = (block["side_bid"] - block["side_made"] - rows.LEAST_NEED).clip(0, rows.NEEDS - 1)
    bags = block["bags"].clip(0, rows.BAGS - 1)
    nil, none_won = block["nil"] | block["blind_nil"], x[LAYOUT["tricks"].place][::14]
    hot = [need[:, None] == np.arange(rows.NEEDS), bags[:, None] == np.arange(rows.BAGS)]
    left = NUM_TRICKS - block["trick"] == np.arange(rows.LEFT)
    return jnp.concatenate([*(one.astype(jnp.int8).ravel() for one in (*hot, left)), nil & none_won, nil & ~none_won])


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


def new_params(seed: int, *widths: int) -> dict[str, Params]:
    """Return random parameters of both networks."""
    torch.manual_seed(seed)
    both = {kind: net(*widths).named_parameters() for kind, net in NETS.items()}
    return {kind: {name: jnp.asarray(x.detach()) for name, x in params} for kind, params in both.items()}


def write_level(path: Path, params: Params, rules: str, **facts: Any) -> None:
    """Write the policy of these parameters as a level."""
    net = nets.Policy(len(params["table.bias"]), len(params["suits.bias"]))
    net.load_state_dict({name: torch.tensor(np.asarray(x)) for name, x in params.items()}, strict=False)
    texts = {"name": path.parent.name, "style": "Learned from nothing, in JAX.", "rules": rules}
    Level(nets.level_tensors(net), **texts, ratings={}, **facts).write(path)


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
    stands = jax.vmap(partial(at, bids_nil & (t.tricks == 0)))(seats)
    tricks = jnp.where(counts > left, jnp.nan, jax.vmap(worth, (0, None))(counts, -1))
    return jnp.concatenate([tricks, stands * breaks]) * (t.phase >= PASS)
