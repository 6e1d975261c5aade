"""What a user of the JAX environment relies on: illegal actions, ended games, seeds, scans, rules as arguments."""

import subprocess
import sys
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.game.twins import GAMES, HANDS, LAST_SEEN, Twins, programs
from support.paths import ROOT

from spades_env import Game, Rules
from spades_env.errors import SpadesError
from spades_env.game.cards import deck
from spades_env.game.episodes import next_seed
from spades_env.game.observe import STATE_SIZE
from spades_env.xla import Spades, pair, random_action, stacked_rules

AUTO = GAMES | {"auto_reset": True}


@pytest.fixture(scope="module")
def single():
    """Return begin and step of one table that does not go on by itself, for any rules."""
    begin = jax.jit(lambda rules, seed: Spades(rules, "hand").init_seed(seed))
    return begin, jax.jit(lambda rules, state, action: Spades(rules, "hand").step(state, action))


def hands_of(state) -> list[list[int]]:
    owner, order = np.asarray(state.table.owner), np.asarray(state.table.order)
    return [np.flatnonzero((owner == seat) & (order == 0)).tolist() for seat in range(4)]


def seed_of(state) -> int:
    high, low = (int(part) for part in state.table.seed)
    return high << 32 | low


@pytest.mark.parametrize("rules", ["classic", "house", "solo"])
def test_a_seed_deals_what_a_game_deals(single, rules):
    for seed in (0, 7, 2**64 - 1):
        state = single[0](Spades(rules).rules, pair(seed))
        assert hands_of(state) == Game(rules, seed=seed).hands
        assert sorted(card for hand in hands_of(state) for card in hand) == list(deck(Rules.of(rules).trumps))


def test_an_illegal_action_ends_the_episode_and_is_fined(single):
    begin, step = single
    rules = Spades("classic").rules
    state = begin(rules, pair(5))
    mover = int(state.current_player)
    ended = step(rules, state, 0)  # a card, where a bid is due
    assert bool(ended.terminated)
    assert np.asarray(ended.rewards).tolist() == [-500.0 * (seat == mover) for seat in range(4)]
    assert ended.legal_action_mask.all()
    again = step(rules, ended, 54)
    assert bool(again.terminated)
    assert not np.asarray(again.rewards).any()
    assert hands_of(again) == hands_of(state)


@pytest.mark.parametrize("action", [-1, 70, 1000])
def test_an_action_that_is_none_is_illegal(single, action):
    state = single[0](Spades("classic").rules, pair(5))
    assert bool(single[1](Spades("classic").rules, state, action).terminated)


def test_after_an_illegal_action_the_next_game_is_dealt_in_full():
    """Wherever it happens: the next deck is shuffled by plays, and these may be missing."""
    rng, wrong = np.random.default_rng(2), 0
    twins = Twins(5, GAMES)
    state, shared = twins.state, twins.shared
    for _ in range(60):
        mask = np.asarray(state.legal_action_mask)
        actions = (mask * rng.random(mask.shape)).argmax(1)
        illegal = rng.random(len(mask)) < 0.03
        actions = np.where(illegal, ((1 - mask) * rng.random(mask.shape)).argmax(1), actions).astype(np.int32)
        illegal &= ~mask[np.arange(len(mask)), actions]
        before, state = state, twins.jax_step(shared, state, actions)
        was, became = (jax.tree.map(np.asarray, each) for each in (before, state))
        for i in np.flatnonzero(illegal):
            old, new = (jax.tree.map(lambda x, i=i: x[i], each) for each in (was, became))
            expected = int(next_seed(np.uint64(seed_of(old))))
            assert (bool(new.terminated), bool(new.truncated)) == (True, False)
            assert seed_of(new) == expected
            assert hands_of(new) == Game(twins.rules[i], seed=expected).hands
            wrong += 1
    assert wrong > 100


def test_an_illegal_action_after_a_truncation_terminates():
    """The flag of the game that was cut off is still there when the next one begins."""
    env = Spades("classic", auto_reset=True)
    state = jax.jit(env.init_seed)(pair(5))
    cut = jax.jit(env.step)(replace(state, truncated=jnp.bool_(True)), -1)
    assert (bool(cut.terminated), bool(cut.truncated)) == (True, False)


def test_a_scan_without_checks_plays_the_same():
    """`trusted`, without observations, in one scan under vmap, against single steps with checks."""
    env = Spades("classic", **HANDS, auto_reset=True, observes=False, trusted=True)

    def play(state, key):
        def one(state, key):
            bits = jax.random.bits(key, (8,), jnp.uint32)
            actions = jax.vmap(random_action)(state.legal_action_mask, bits)
            state = jax.vmap(env.step)(state, actions)
            return state, (actions, state.rewards, state.terminated)

        return jax.lax.scan(one, state, jax.random.split(key, 120))

    begun = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), 8))
    state, (actions, rewards, ended) = jax.jit(play)(begun, jax.random.key(1))
    assert ended.sum() >= 8
    rules = Spades.stacked(["classic"] * 8).rules
    begin, step = programs(tuple((HANDS | LAST_SEEN).items()))
    checked = begin(rules, begun.table.seed, *np.zeros((2, 8, 4), np.int32), np.zeros(8, np.int32))
    for i in range(120):
        checked = step(rules, checked, actions[i])
        np.testing.assert_array_equal(checked.rewards, rewards[i])
        np.testing.assert_array_equal(checked.terminated, ended[i])
    jax.tree.map(np.testing.assert_array_equal, checked.table, state.table)


def test_the_observation_of_a_seat_and_the_central_state(single):
    env = Spades("classic")
    state = single[0](env.rules, pair(3))
    game = Game("classic", seed=3)
    observe = jax.jit(env.observe)
    for seat in range(4):
        np.testing.assert_array_equal(observe(state, seat), game.view(seat).features)
    central = np.asarray(jax.jit(env.central_state)(state))
    assert central.shape == (STATE_SIZE,)
    np.testing.assert_array_equal(central[:824], state.observation)
    assert np.flatnonzero(central[824 : 824 + 54]).tolist() == game.hands[game.turn]


@pytest.mark.parametrize("legal", [[3, 17, 40, 69], range(70), range(1, 70, 2)], ids=["few", "all", "every other"])
def test_actions_at_random_are_uniform(legal):
    mask, bits = jnp.zeros(70, bool).at[jnp.array(legal)].set(True), np.linspace(0, 2**32 - 1, 7000).astype(np.uint32)
    drawn = jax.jit(jax.vmap(random_action, (None, 0)))(mask, bits)
    actions, counts = np.unique(np.asarray(drawn), return_counts=True)
    assert actions.tolist() == list(legal)
    assert counts.max() - counts.min() <= 2


@pytest.mark.parametrize(
    ("options", "words"),
    [({"episode": "year"}, "episode"), ({"reward": "fame"}, "reward"), ({"truncate_after": 0}, "truncate_after")],
)
def test_a_wrong_option_is_refused_in_a_sentence(options, words):
    with pytest.raises(SpadesError, match=words):
        Spades("classic", **options)


def test_jax_is_asked_for_by_its_extra_and_imported_by_nobody_else():
    code = "import sys; import spades_env.envs, spades_env.vector.env; assert 'jax' not in sys.modules\n"
    code += (
        "sys.modules['jax'] = None\ntry:\n    import spades_env.xla\nexcept ImportError as error:\n    print(error)\n"
    )
    code += "except Exception as error:\n    print(type(error).__name__, error)\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == 'MissingExtraError spades_env.xla needs jax: pip install "spades-env[jax]"'


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5])
def test_seeds_that_are_refused(seed):
    with pytest.raises(SpadesError, match="seed must be a whole number from 0 to 18446744073709551615"):
        pair(seed)


def test_no_tables_have_no_rules():
    with pytest.raises(SpadesError, match="expected the rules of at least one table"):
        stacked_rules([])
