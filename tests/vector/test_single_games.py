"""Each table of the vector environment is a single game: it shows, pays and ends the same."""

import numpy as np
import pytest
from support.game.envs import ALL_RULES, MIXED_RULES, choose_all, same
from support.strategies import scaled

from spades_env import Game, SpadesVectorEnv
from spades_env.game.episodes import next_seed


@pytest.fixture
def rng():
    return np.random.default_rng(0)


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


@pytest.mark.parametrize(
    "rules", [*ALL_RULES, MIXED_RULES], ids=lambda rules: rules if isinstance(rules, str) else "mixed"
)
@pytest.mark.parametrize(
    ("episode", "reward", "truncate_after"),
    [("game", "points", 3), ("game", "win", 50), ("hand", "points", 50), ("hand", "win", None)],
)
def test_each_table_is_a_game(rules, episode, reward, truncate_after, rng):
    n = len(MIXED_RULES)
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
