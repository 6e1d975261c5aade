"""The networks of train/jax_ppo.py: rows, outputs and ends are those of the compiled and of the torch code."""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.paths import ROOT

from spades_env.xla import Spades, random_action
from spades_env.xla.playing import apply

torch = pytest.importorskip("torch")
sys.path.append(str(ROOT / "train"))
import jax_ppo  # noqa: E402

from spades_env.agents.network import rows  # noqa: E402

TABLES, LAST = 24, 55  # decisions of a hand before its last
ENV = Spades("match", observes=False, trusted=True)


@pytest.fixture(scope="module")
def hands():
    """Return states of random hands, [56, TABLES, …], and what each action makes of the table."""

    def one(state, key):
        bits = jax.random.bits(key, (TABLES,), jnp.uint32)
        action = jax.vmap(random_action)(state.legal_action_mask, bits)
        over = jax.vmap(lambda t, action: apply(t, ENV.rules, action)[0])(state.table, action)
        return jax.vmap(ENV.step)(state, action), (state, over)

    first = jax.jit(jax.vmap(ENV.init))(jax.random.split(jax.random.key(0), TABLES))
    return jax.jit(lambda state: jax.lax.scan(one, state, jax.random.split(jax.random.key(1), LAST + 1))[1])(first)


@pytest.fixture(scope="module")
def seen(hands):
    """Return central states, int8[56 · TABLES, …]."""
    states = jax.jit(jax.vmap(jax.vmap(ENV.central_state)))(hands[0])
    return np.asarray(states).reshape(-1, states.shape[-1])


@pytest.mark.parametrize(("kind", "columns"), [("policy", rows.POLICY), ("critic", rows.CRITIC)])
def test_rows_are_those_of_the_kernels(seen, kind, columns):
    expected = np.empty((len(seen), columns.shape[1] + rows.NUM_TALLIES), np.int8)
    rows.write_rows(seen, np.arange(len(seen)), columns, expected)
    np.testing.assert_array_equal(jax.jit(jax.vmap(jax_ppo.arranged))(seen)[kind], expected)


def test_networks_compute_what_torch_does(seen):
    row = jax.jit(jax.vmap(jax_ppo.arranged))(seen[4 * TABLES :])  # ends are worth nothing before all have bid
    ends = np.random.default_rng(0).random((len(row["critic"]), 18), np.float32)
    params = jax_ppo.begin(ENV, jax_ppo.Settings(tables=2, width=32, suit_width=16))[0].params
    nets = {kind: net(32, 16) for kind, net in jax_ppo.NETS.items()}
    for kind, net in nets.items():
        net.load_state_dict({name: torch.tensor(np.asarray(x)) for name, x in params[kind].items()}, strict=False)
    inputs = {kind: torch.tensor(np.asarray(x), dtype=torch.float32) for kind, x in row.items()}
    with torch.no_grad():
        cards, calls = nets["policy"].card_logits(inputs["policy"]), nets["policy"].call_advantages(inputs["policy"])
        value, tricks = nets["critic"](inputs["critic"], torch.tensor(ends))
    found = *jax_ppo.policy(params["policy"], row["policy"]), *jax_ppo.critic(params["critic"], row["critic"], ends)
    for mine, torchs in zip(found, (cards, calls, value, tricks), strict=True):
        dealt = slice(52) if mine.shape[-1] == 54 else slice(None)
        np.testing.assert_allclose(mine[..., dealt], torchs[..., dealt], atol=1e-5)


def test_the_last_end_is_what_the_hand_pays(hands):
    state, over = jax.tree.map(lambda x: x[LAST], hands)
    ends = jax.jit(jax.vmap(lambda t: jax_ppo.ends_of(t, ENV.rules)))(state.table)
    paid = jax.jit(jax.vmap(lambda before, after: jax_ppo.gained(before, after, ENV.rules)))(state.table, over)
    mine = state.table.turn & 1
    tricks = (over.tricks - state.table.tricks).reshape(TABLES, 2, 2).sum(1)
    of_side = np.take_along_axis(np.asarray(tricks), np.asarray(mine)[:, None], 1)
    breaks = ((state.table.nils > 0) & (state.table.tricks == 0) & (over.tricks > 0)).any(1)
    found = np.take_along_axis(np.asarray(ends), of_side, 1)[:, 0] * (1 - 2 * mine)
    np.testing.assert_allclose(found[~breaks], paid[~breaks], atol=1e-5)
    assert not breaks.all()
