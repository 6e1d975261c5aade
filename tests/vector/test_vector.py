"""Many tables at once: the vector environment against single games."""

import copy
import os
import pickle

import numpy as np
import pytest
from support.game.envs import ALL_RULES, all_same, choose_all, same
from support.strategies import scaled

from spades_env import Game, IllegalActionError, Rules, SpadesVectorEnv
from spades_env.checks import usable_cores
from spades_env.game.cards import SEATS
from spades_env.game.episodes import next_seed
from spades_env.game.observe import NUM_FEATURES, STATE_SIZE
from spades_env.vector.env import STAY
from spades_env.vector.threads import TABLES_PER_THREAD


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def shown(env: SpadesVectorEnv) -> list[np.ndarray]:
    """Return copies of all that a vector env shows."""
    arrays = (*env._step, env.terminated, env.truncated, env.final_observation, env.final_scores, env.winner, env.seeds)
    return [array.copy() for array in arrays] + [env.scores, env.hand_numbers]


# Against single games


class Twin:
    """What one table should show, computed from a Game."""

    def __init__(self, rules, seed, episode, reward, truncate_after):
        self.rules, self.episode, self.reward, self.truncate_after = rules, episode, reward, truncate_after
        self.begin(seed)

    def begin(self, seed) -> None:
        self.seed = int(seed)
        self.game = Game(self.rules, self.seed)

    def step(self, action) -> tuple[list[float], bool, bool]:
        """Take an action; return rewards by seat, terminated, truncated."""
        game = self.game
        finished = len(game.results)
        game.apply(action)
        if len(game.results) == finished:
            return [0.0] * 4, False, False
        terminated = game.over or self.episode == "hand"
        truncated = not terminated and len(game.results) == self.truncate_after
        return self.pay(terminated), terminated, truncated

    def pay(self, terminated: bool) -> list[float]:
        game, sides = self.game, self.game.rules.sides
        if self.reward == "win":
            best = max(game.scores)
            decided = terminated and game.scores.count(best) == 1
            return [(1.0 if game.scores[seat % sides] == best else -1.0) * decided for seat in range(4)]
        points = game.results[-1].points
        return [points[seat % sides] - (sum(points) - points[seat % sides]) / (sides - 1) for seat in range(4)]


MIXED = [*ALL_RULES, "classic", "solo"]


@pytest.mark.parametrize("rules", [*ALL_RULES, MIXED], ids=lambda rules: rules if isinstance(rules, str) else "mixed")
@pytest.mark.parametrize(
    ("episode", "reward", "truncate_after"),
    [("game", "points", 3), ("game", "win", 50), ("hand", "points", 50), ("hand", "win", None)],
)
def test_each_table_is_a_game(rules, episode, reward, truncate_after, rng):
    n = len(MIXED)
    each = rules if isinstance(rules, list) else [rules] * n
    env = SpadesVectorEnv(n, rules, episode, seed=70, reward=reward, truncate_after=truncate_after)
    twins = [Twin(rules, 70 + i, episode, reward, truncate_after) for i, rules in enumerate(each)]
    step = env.reset()
    for _ in range(scaled(250)):
        for i, twin in enumerate(twins):
            features, mask = twin.game.view(twin.game.turn).observation()
            assert step.turn[i] == twin.game.turn
            assert same(step.observation[i], features)
            assert same(step.mask[i], mask)
        actions = choose_all(rng, step.mask)
        step = env.step(actions)
        for i, twin in enumerate(twins):
            rewards, terminated, truncated = twin.step(actions[i])
            assert step.reward[i].tolist() == pytest.approx(rewards, abs=1e-3)
            assert step.done[i] == (terminated or truncated)
            if step.done[i]:
                assert (env.terminated[i], env.truncated[i]) == (terminated, truncated)
                check_end(env, i, twin.game)
                twin.begin(env.seeds[i])


def check_end(env: SpadesVectorEnv, i: int, game: Game) -> None:
    """Check the next seed, and what the ended table looked like."""
    sides = game.rules.sides
    results = game.results[-1]
    assert env.final_scores[i, :sides].tolist() == results.scores
    if game.over:
        assert env.winner[i] == (-1 if game.winner is None else game.winner)
        for seat in range(4):
            assert same(env.final_observation[i, seat], game.view(seat).features)


def test_the_next_game_has_the_next_seed(rng):
    env = SpadesVectorEnv(3, episode="hand", seed=[5, 2**64 - 1, 0])
    step = env.reset()
    before = env.seeds.copy()
    while not step.done.all():
        step = env.step(env.random_actions())
        for i in np.flatnonzero(step.done):
            assert env.seeds[i] == next_seed(before[i])
            before[i] = env.seeds[i]
            assert same(step.observation[i], Game(seed=int(env.seeds[i])).view(step.turn[i]).features)
        if step.done.any():
            break
    env.reset()
    assert env.seeds.tolist() == [next_seed(seed) for seed in before]


# Calls and arguments


def test_arrays_stay_where_they_are():
    env = SpadesVectorEnv(4, seed=1)
    step = env.reset()
    addresses = [array.ctypes.data for array in step]
    for _ in range(70):
        step = env.step(env.random_actions())
    assert [array.ctypes.data for array in step] == addresses
    assert step.observation.shape == (4, NUM_FEATURES)
    assert (step.observation.dtype, step.mask.dtype, step.reward.dtype) == (np.int8, np.int8, np.float32)


def test_torch_shares_the_memory():
    torch = pytest.importorskip("torch")
    env = SpadesVectorEnv(4, seed=1)
    step = env.reset()
    tensors = [torch.from_numpy(array) for array in step]
    env.step(env.random_actions())
    for tensor, array in zip(tensors, step, strict=True):
        assert tensor.data_ptr() == array.ctypes.data
        assert same(tensor.numpy(), array)


@pytest.mark.parametrize("threads", [2, 3, 8])
@pytest.mark.parametrize("autoreset", [True, False])
def test_any_number_of_threads_gives_the_same(threads, autoreset):
    n, steps = 37, scaled(150)
    rules = (list(ALL_RULES) * n)[:n]
    one, many = (
        SpadesVectorEnv(n, rules, seed=3, truncate_after=2, autoreset=autoreset, threads=count)
        for count in (1, threads)
    )
    assert same(one.reset()._asdict(), many.reset()._asdict())
    for _ in range(steps):
        actions = one.random_actions()
        assert same(actions, many.random_actions())
        one.step(actions)
        many.step(actions)
        assert all_same(shown(one), shown(many))
        assert same(one.state(), many.state())
        assert one.views().tobytes() == many.views().tobytes()
    many.close()
    many.step(many.random_actions())
    many.close()


def test_no_more_threads_than_cores(monkeypatch):
    """Count the cores that this process may use, if the system reports them, else all."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {1, 4, 5}, raising=False)
    assert usable_cores() == SpadesVectorEnv(9 * TABLES_PER_THREAD).threads == 3
    assert SpadesVectorEnv(1).threads == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert usable_cores() == SpadesVectorEnv(3 * TABLES_PER_THREAD).threads == 2


def test_without_autoreset_tables_wait():
    env = SpadesVectorEnv(6, episode="hand", seed=2, autoreset=False)
    step = env.reset()
    ends = np.zeros(6, int)
    while not ends.all():
        step = env.step(env.random_actions())
        assert step.mask.any(axis=1).all()
        ends += step.done
    assert ends.tolist() == [1] * 6  # reported once
    assert step.mask.all()
    assert env.terminated.all()
    final = step.observation.copy()
    assert env.random_actions().tolist() == [STAY] * 6
    env.step(np.full(6, 99))  # with any action
    assert same(step.observation, final)
    assert not step.done.any()
    assert not step.reward.any()
    for i in range(6):
        assert same(final[i], env.final_observation[i, step.turn[i]])
    seeds = env.seeds.copy()
    which = np.array([True, False] * 3)
    env.reset(which=which)
    assert same(env.seeds != seeds, which)
    assert same(env.terminated, ~which)
    assert same(step.observation[~which], final[~which])
    env.step(env.random_actions())


def test_stay_leaves_a_table_alone():
    env = SpadesVectorEnv(4, seed=2)
    step = env.reset()
    for _ in range(60):
        before = step.observation.copy()
        actions = env.random_actions()
        actions[[0, 2]] = STAY
        env.step(actions)
        assert same(step.observation[[0, 2]], before[[0, 2]])
        assert not step.reward[[0, 2]].any()
        assert (step.observation[[1, 3]] != before[[1, 3]]).any(axis=1).all()


def test_random_actions_where_asked_for():
    env, other, third = (SpadesVectorEnv(4, seed=2) for _ in range(3))
    for each in (env, other, third):
        each.reset()
    which = np.array([True, False, False, True])
    actions = env.random_actions(which=which)
    assert same(actions == STAY, ~which)
    assert same(actions[which], other.random_actions()[which])  # each table has its own generator
    assert same(env.random_actions()[~which], third.random_actions()[~which])
    out = np.zeros(4, np.int64)
    assert env.random_actions(out) is out


def test_random_actions_are_legal_and_even():
    env = SpadesVectorEnv(scaled(2000), seed=1)
    step = env.reset()
    bids = env.random_actions()
    assert step.mask[np.arange(env.num_envs), bids].all()
    if env.num_envs >= 1000:
        assert np.bincount(bids - 54, minlength=14).min() > env.num_envs / 14 / 2


def test_seats_play_at_random_until_another_is_to_move():
    env, by_hand = (SpadesVectorEnv(8, seed=4, episode="hand", autoreset=False) for _ in range(2))
    one, other = env.reset(), by_hand.reset()
    seats = np.array([True, False, True, True])
    for _ in range(20):
        env.play_random(seats)
        rewards = np.zeros((8, 4))
        done = np.zeros(8, bool)
        while True:
            waiting = seats[other.turn] & ~by_hand.terminated
            if not waiting.any():
                break
            by_hand.step(by_hand.random_actions(which=waiting))
            rewards += other.reward
            done |= other.done
        assert all_same(shown(env)[:3] + shown(env)[5:], shown(by_hand)[:3] + shown(by_hand)[5:])
        assert same(one.reward, rewards)
        assert same(one.done, done)
        west = one.turn == 1
        actions = np.where(west & ~env.terminated, one.mask.argmax(axis=1), STAY)
        env.step(actions)
        by_hand.step(actions)
    assert env.terminated.all()


def test_an_illegal_action_moves_no_table():
    env = SpadesVectorEnv(5, seed=2)
    step = env.reset()
    for _ in range(30):
        step = env.step(env.random_actions())
    before = shown(env)
    for wrong in (int(np.flatnonzero(step.mask[3] == 0)[0]), 70, -2, 1 << 40):
        actions = step.mask.argmax(axis=1)
        actions[3] = wrong
        with pytest.raises(IllegalActionError, match=rf"table 3: {SEATS[step.turn[3]]} cannot .*no table has moved"):
            env.step(actions)
        assert all_same(shown(env), before)
    env.step(step.mask.argmax(axis=1))


@pytest.mark.parametrize(
    "actions", [np.zeros(3, int), np.zeros((4, 1), int), np.full(4, 57.0), np.ones(4, bool), 57, ["57"] * 4, [None] * 4]
)
def test_odd_actions_are_refused(actions):
    env = SpadesVectorEnv(4, seed=2)
    env.reset()
    before = shown(env)
    with pytest.raises(ValueError, match=r"actions must be int\[4\]"):
        env.step(actions)
    assert all_same(shown(env), before)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_any_whole_numbers_are_actions(dtype):
    env = SpadesVectorEnv(4, seed=2)
    env.reset()
    env.step(np.full(4, 57, dtype))
    assert (env.hand_numbers == 0).all()


def test_the_first_reset_begins_all_tables():
    with pytest.raises(ValueError, match="first reset begins all"):
        SpadesVectorEnv(2).reset(which=np.array([True, False]))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 2.0}, "num_envs"),
        ({"rules": ["classic"]}, "list of 2"),
        ({"rules": "cutthroat"}, "unknown preset"),
        ({"episode": "match"}, "episode"),
        ({"reward": "chips"}, "reward"),
        ({"truncate_after": -1}, "truncate_after"),
        ({"threads": 0}, "threads"),
        ({"seed": -1}, "seed"),
        ({"seed": [1, 2, 3]}, "seed"),
        ({"seed": [1, 2.5]}, "seed"),
    ],
)
def test_a_bad_argument_says_so(options, words):
    with pytest.raises(ValueError, match=words):
        SpadesVectorEnv(**{"num_envs": 2} | options)


@pytest.mark.parametrize("which", [[1, 0], np.array([True]), np.array([1, 0])])
def test_a_bad_choice_of_tables_says_so(which):
    env = SpadesVectorEnv(2, seed=1)
    env.reset()
    with pytest.raises(ValueError, match=r"which must be bool\[2\]"):
        env.reset(which=which)


def test_seeds():
    def first(seed, n=3) -> np.ndarray:
        return SpadesVectorEnv(n, seed=seed).reset().observation

    assert same(first(5), first([5, 6, 7]))
    assert same(first(np.array([5, 6, 7], np.uint64)), first(np.int64(5)))
    assert same(first(np.array(5)), first(5))
    assert not same(first(5), first(6))
    assert not same(first(None), first(None))
    env = SpadesVectorEnv(3, seed=1)
    env.reset()
    env.reset(seed=5)
    assert env.seeds.tolist() == [5, 6, 7]
    env.reset(seed=[1, 2, 9], which=np.array([False, False, True]))
    assert env.seeds.tolist() == [5, 6, 9]
    for wrong in (2**64 - 1, np.array(5.0)):  # the second table would have none; no whole number
        with pytest.raises(ValueError, match="seed must be"):
            first(wrong)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("threads", [1, 2])
def test_copies_play_on_by_themselves(copied, threads):
    env = SpadesVectorEnv(6, MIXED[:6], seed=3, truncate_after=2, threads=threads)
    env.reset()
    for _ in range(40):
        env.step(env.random_actions())
    twin = copied(env)
    one, other = env._step, twin._step
    for _ in range(90):
        actions = env.random_actions()
        assert same(actions, twin.random_actions())
        one, other = env.step(actions), twin.step(actions)
        assert same(one._asdict(), other._asdict())
    assert not any(np.shares_memory(a, b) for a, b in zip(one, other, strict=True))
    for each in (env, twin):
        each.close()


def test_looking():
    env = SpadesVectorEnv(6, MIXED[:6], seed=3)
    step = env.reset()
    for _ in range(33):
        env.step(env.random_actions())
    states, views, (compiled, which) = env.state(), env.views(), env.compiled_rules
    assert states.shape == (6, STATE_SIZE)
    assert same(states[:, :NUM_FEATURES], step.observation)
    assert len(compiled) == len(set(env.rules))
    for i in range(6):
        view = env.view(i, int(step.turn[i]))
        assert same(view.features, step.observation[i])
        assert same(view.action_mask, step.mask[i])
        assert view.state.tobytes() == views[i : i + 1].tobytes()
        assert view.rules == env.rules[i] == Rules.of(MIXED[i])
        assert view.compiled_rules.tobytes() == compiled[which[i] : which[i] + 1].tobytes()
        assert env.scores[i, : view.rules.sides].tolist() == view.scores
        mine = states[i, NUM_FEATURES : NUM_FEATURES + 54]
        assert same(np.flatnonzero(mine), view.hand)


def test_soak(rng):
    """Play about a hundred hands, two per game: each game's rewards add up to its scores."""
    n = scaled(100)
    env = SpadesVectorEnv(n, seed=8, truncate_after=2)
    env.reset()
    total, games = np.zeros((n, 4)), 0
    while games < n:
        step = env.step(env.random_actions())
        assert (step.mask.sum(axis=1) > 0).all()
        total += step.reward
        for i in np.flatnonzero(step.done):
            lead = env.final_scores[i, 0] - env.final_scores[i, 1]
            assert total[i].tolist() == [lead, -lead, lead, -lead]
            total[i] = 0
            games += 1


# Buffers, order of calls, processes


@pytest.mark.parametrize(
    ("method", "value"),
    [
        ("state", np.zeros((3, STATE_SIZE - 1), np.int8)),
        ("state", np.zeros((3, STATE_SIZE), np.int16)),
        ("state", np.zeros((3, 2 * STATE_SIZE), np.int8)[:, ::2]),
        ("random_actions", np.zeros(2, np.int64)),
        ("random_actions", [0, 0, 0]),
        ("views", np.zeros(3, np.int64)),
        ("play_random", [True, False, False, False]),
        ("play_random", np.ones(3, bool)),
    ],
)
def test_a_buffer_of_another_form_is_refused(method, value):
    env = SpadesVectorEnv(3, seed=1)
    env.reset()
    with pytest.raises(ValueError, match="must be"):
        getattr(env, method)(value)


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.step(np.zeros(2, np.int64)),
        lambda env: env.play_random(np.ones(4, bool)),
        lambda env: env.random_actions(),
        lambda env: env.state(),
        lambda env: env.views(),
        lambda env: env.view(0, 0),
    ],
)
def test_nothing_can_be_asked_before_the_first_reset(call):
    with pytest.raises(RuntimeError, match="call reset"):
        call(SpadesVectorEnv(2, seed=1))


def test_a_great_unsigned_action_is_not_taken_for_stay():
    env = SpadesVectorEnv(2, seed=1)
    env.reset()
    with pytest.raises(IllegalActionError, match="table 0"):
        env.step(np.full(2, 2**64 - 1, np.uint64))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # JAX, if tests before have used it: the child has none
def test_a_forked_process_plays_on():
    env = SpadesVectorEnv(8, seed=1, threads=2)
    env.reset()
    env.step(env.random_actions())
    child = os.fork()
    if child == 0:
        env.step(env.random_actions())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_random_moves_follow_from_the_seed_of_the_game():
    """Also in games that began by auto-reset."""
    env = SpadesVectorEnv(1, episode="hand", seed=1)
    env.reset()
    while not env.step(env.random_actions()).done[0]:
        pass
    other = SpadesVectorEnv(1, episode="hand", seed=int(env.seeds[0]))
    other.reset()
    for _ in range(20):
        actions = env.random_actions()
        assert actions == other.random_actions()
        assert np.array_equal(env.step(actions).observation, other.step(actions).observation)
