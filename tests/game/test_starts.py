"""Where episodes begin: at the beginning, where a dict says, or in a situation that the game's seed draws."""

import copy
import json
import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from support.game.envs import ALL_RULES, choose, choose_all, same
from support.game.tables import random_rules
from support.strategies import scaled

from spades_env import Game, Rules, SpadesVectorEnv, spades_v0
from spades_env.envs.gym_env import SpadesEnv
from spades_env.envs.gym_vector import SpadesGymVectorEnv
from spades_env.game.episodes import next_seed
from spades_env.game.random_situations import DEEPEST, FRESH, USUAL_HANDS, USUAL_TARGET, situation, standings
from spades_env.game.starts import BEGINNING, SITUATIONS, Start

LATE = {"scores": [430, 380], "bags": [8, 2], "dealer": 2, "hand_number": 9}
STARTS = [{}, LATE, {"dealer": 3}, {"scores": (-120, 0)}, {"bags": np.array([9, 9])}, {"hand_number": 2}, SITUATIONS]
all_starts = pytest.mark.parametrize("start", STARTS, ids=str)


def facts(game: Game) -> tuple:
    return game.scores, game.bags, game.dealer, game.hand_number


def drawn(rules: str | Rules, count: int) -> list[dict[str, Any]]:
    return [situation(rules, seed) for seed in range(count)]


# The distribution


def test_a_game_can_begin_in_every_situation():
    rng = random.Random(3)
    for seed in range(scaled(300)):
        rules = random_rules(rng)
        game = Game(rules, seed, **situation(rules, seed))
        target = rules.target or USUAL_TARGET
        assert not game.over
        assert max(game.scores) < target
        assert min(game.scores) > (-DEEPEST * target if rules.floor is None else rules.floor)
        assert max(game.bags) < (rules.bag_limit or 1)
        assert game.hand_number < (rules.max_hands or USUAL_HANDS)


def test_the_seed_decides():
    assert drawn("classic", 20) == drawn("classic", 20)
    assert len({str(one) for one in drawn("classic", 60)}) > 40
    assert situation("classic", 2**64 - 1) == situation("classic", 2**64 - 1)


@pytest.mark.parametrize("rules", ["classic", "solo", "showdown", "classic target=off max_hands=8"])
def test_environments_and_training_draw_from_one_distribution(rules):
    """The quartiles of scores, bags and hands finished are those of `standings`, which training calls."""
    count = 4000
    own, sides = Rules.parse(rules), Rules.parse(rules).sides
    ours = drawn(own, count)
    theirs = standings(np.random.default_rng(4), [own] * count, FRESH)
    found = [np.array([one[name] for one in ours]) for name in ("scores", "bags", "hand_number")]
    target = own.target or USUAL_TARGET
    for mine, training, width in zip(
        found, theirs, (target, own.bag_limit or 1, own.max_hands or USUAL_HANDS), strict=True
    ):
        training = training[:, :sides] if training.ndim == 2 else training
        assert abs((mine == 0).mean() - (training == 0).mean()) < 0.04
        for share in (0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98):
            assert abs(np.quantile(mine, share) - np.quantile(training, share)) <= 0.06 * width, (share, width)


def test_a_share_begins_at_the_beginning_and_every_seat_deals():
    ours = drawn("classic", 2000)
    fresh = [one for one in ours if one["hand_number"] == 0 and not any(one["scores"]) and not any(one["bags"])]
    assert abs(len(fresh) / len(ours) - FRESH) < 0.04
    assert {one["dealer"] for one in ours} == {0, 1, 2, 3}
    for seed, one in enumerate(ours[:50]):
        assert one["dealer"] == (Game(seed=seed).dealer + one["hand_number"]) % 4


def test_sides_and_numbers_are_independent():
    scores = np.array([one["scores"] for one in drawn("solo", 4000)], float)
    spread = scores - scores.mean(1, keepdims=True)
    close = np.corrcoef(spread.T)  # what the common progress leaves: −1/3 among four
    assert np.abs(close[np.triu_indices(4, 1)] + 1 / 3).max() < 0.08


# Every environment


@all_starts
@pytest.mark.parametrize("rules", ["classic", "pagat"])
def test_one_table_begins_where_the_same_game_does(rules, start):
    expected = Start(start, [Rules.of(rules)]).setup(Rules.of(rules), 7)
    game = Game(rules, 7, **expected)
    aec: Any = spades_v0.raw_env(rules, start=start)
    aec.reset(seed=7)
    assert aec.view("player_0").state.tobytes() == game.view(0).state.tobytes()
    env: Any = gymnasium.make("spades_env:Spades-v0", rules=rules, start=start, disable_env_checker=True)
    env.reset(seed=7)
    assert facts(env.unwrapped.view()) == facts(game)
    wrapped: Any = spades_v0.env(rules, start=start)
    wrapped.reset(seed=7)
    assert facts(wrapped.unwrapped.view("player_2")) == facts(game)


@all_starts
@pytest.mark.parametrize("threads", [1, 2])
def test_many_tables_begin_where_the_same_games_do(start, threads):
    """At the first episode and at those that follow by auto-reset."""
    env = SpadesVectorEnv(9, "classic", "hand", seed=20, start=start, threads=threads)
    check = Start(start, env.rules)
    env.reset()
    rng, ends = np.random.default_rng(1), 0
    for _ in range(scaled(130)):
        for i in np.flatnonzero(env.done).tolist():
            seed = int(env.seeds[i])
            game = Game("classic", seed, **check.setup(env.rules[i], seed))
            assert env.view(i, 1).state.tobytes() == game.view(1).state.tobytes()
            ends += 1
        env.step(choose_all(rng, env.mask))
    env.close()
    assert ends >= 9 * (scaled(130) // 57)


def test_many_tables_of_all_rules_draw_their_own_situations():
    rng = random.Random(5)
    rules = [*map(Rules.of, ALL_RULES), *(random_rules(rng) for _ in range(scaled(30)))]
    env = SpadesVectorEnv(len(rules), rules, seed=50, start=SITUATIONS)
    env.reset()
    for i, own in enumerate(rules):
        game = Game(own, 50 + i, **situation(own, 50 + i))
        assert env.view(i, game.turn).state.tobytes() == game.view(game.turn).state.tobytes()
        assert np.flatnonzero(env.mask[i]).tolist() == game.legal_actions()
    which = np.arange(len(rules)) % 2 == 0
    before = env.tables
    env.reset(which=which)
    for i, own in enumerate(rules):
        seed = next_seed(np.uint64(50 + i)) if which[i] else 50 + i
        assert env.seeds[i] == seed
        assert env.scores[i, : own.sides].tolist() == situation(own, int(seed))["scores"]
        assert which[i] or before[i] == env.tables[i]


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
@pytest.mark.parametrize("start", [LATE, SITUATIONS], ids=["dict", "situations"])
def test_learners_at_many_tables_meet_the_games_of_one_table(start, mode):
    options: dict[str, Any] = {"episode": "hand", "start": start, "reward_scale": 0.25}
    envs = gymnasium.make_vec("spades_env:Spades-v0", 4, autoreset_mode=mode, **options)
    single = SpadesEnv(**options)
    observations, infos = envs.reset(seed=60)
    rng, ends = np.random.default_rng(2), 0
    present = single.reset(seed=60)[0]
    while ends < 3:
        assert same({name: array[0] for name, array in observations.items()}, present)
        actions = choose_all(rng, infos["action_mask"])
        observations, rewards, terminations, _, infos = envs.step(actions)
        present, reward, terminated, _, _ = single.step(actions[0])
        assert rewards[0] == reward
        assert terminations[0] == terminated
        if terminated:
            ends += 1
            if mode == AutoresetMode.NEXT_STEP:
                observations, _, _, _, infos = envs.step(actions)
            present = single.reset(seed=int(envs.unwrapped.seeds[0]))[0]  # pyright: ignore[reportAttributeAccessIssue]
    envs.close()


def test_the_default_is_the_beginning():
    for env in (
        SpadesVectorEnv(5, seed=1),
        SpadesVectorEnv(5, seed=1, start=BEGINNING),
        SpadesVectorEnv(5, seed=1, start={}),
    ):
        env.reset()
        assert [env.view(i, 0).state.tobytes() for i in range(5)] == [
            Game(seed=1 + i).view(0).state.tobytes() for i in range(5)
        ]


def test_options_of_a_reset_come_before_start():
    env = SpadesEnv(start=LATE)
    env.reset(seed=3, options={"scores": [10, 20]})
    assert env.view().scores == [10, 20]
    assert env.view().bags == [8, 2]
    env.reset(seed=3)
    assert env.view().scores == [430, 380]
    drawing = SpadesEnv(start=SITUATIONS)
    drawing.reset(seed=0, options={"rules": "solo", "bags": [0, 0, 0, 0]})
    assert drawing.view().scores == situation("solo", 0)["scores"]


def test_standings_of_a_reset_come_before_start():
    both = [SpadesVectorEnv(6, seed=9, start=start) for start in (BEGINNING, SITUATIONS)]
    scores, hands = np.full((6, 4), 90, np.int32), np.full(6, 5, np.int32)
    for env in both:
        env.reset(scores=scores, hand_numbers=hands)
    assert both[0].tables.tobytes() == both[1].tables.tobytes()
    assert both[0].scores[0, 0] == 90


def test_truncation_counts_the_hands_of_the_episode():
    env = SpadesVectorEnv(3, truncate_after=1, start={"hand_number": 20}, seed=1)
    env.reset()
    while not env.done.any():
        env.play_random(np.ones(4, bool))
    assert (env.truncated | env.terminated).all()
    table: Any = spades_v0.raw_env(truncate_after=1, start={"hand_number": 20})
    table.reset(seed=1)
    rng = np.random.default_rng(0)
    while not any(table.truncations.values()) and not any(table.terminations.values()):
        table.step(choose(rng, table.last()[0]["action_mask"]))
    assert table.view("player_0").hand_number == 20


def test_bag_penalties_come_within_one_hand():
    """Which is why single hands are worth training on from situations."""
    env = SpadesVectorEnv(scaled(200), episode="hand", seed=1, start={"bags": [9, 9]})
    env.reset()
    while not env.done.all():
        env.play_random(np.ones(4, bool))
    assert (env.final_scores[:, :2] < -60).any()


def test_environments_with_a_start_are_copied():
    env = SpadesVectorEnv(4, seed=1, start=SITUATIONS)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        env.reset(seed=5)
        other.reset(seed=5)
        assert env.tables.tobytes() == other.tables.tobytes()
    made = gymnasium.make("spades_env:Spades-v0", start=LATE)
    assert made.spec is not None
    assert json.loads(made.spec.to_json())["kwargs"]["start"] == LATE


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (
            "middle",
            'start must be "beginning", "situations" or a dict of scores, bags, dealer, hand_number, not \'middle\'',
        ),
        (None, "start must be"),
        ([430, 380], "start must be"),
        ({"score": [1, 2]}, r"start has no 'score' \(did you mean 'scores'\?\): it takes scores, bags"),
        ({1: 2}, "start has no 1: it takes scores"),
        ({"scores": [1, 2, 3, 4]}, "start does not fit the rules classic.*scores must list 2 numbers"),
        ({"scores": [1, "x"]}, "scores must be a whole number"),
        ({"bags": [10, 0]}, "bags must be a whole number from 0 to 9"),
        ({"dealer": 4}, "dealer must be a whole number from 0 to 3"),
        ({"hand_number": -1}, "hand_number must be a whole number"),
    ],
)
def test_what_no_episode_can_start_from_is_refused(start, words):
    for make in (spades_v0.env, spades_v0.raw_env, SpadesEnv):
        with pytest.raises(ValueError, match=words):
            make(start=start)
    for make in (SpadesVectorEnv, SpadesGymVectorEnv):
        with pytest.raises(ValueError, match=words):
            make(2, start=start)


def test_a_start_fits_the_rules_of_every_table():
    with pytest.raises(ValueError, match=r"does not fit the rules solo.*scores must list 4 numbers"):
        SpadesVectorEnv(2, ["classic", "solo"], start={"scores": [1, 2]})
    with pytest.raises(ValueError, match="must list 4 numbers"):
        SpadesEnv(start=LATE).reset(options={"rules": "solo"})


# reward_scale


@pytest.mark.parametrize("reward", ["points", "win"])
@pytest.mark.parametrize("scale", [1, 0.01, 3.0, np.float32(0.5)])
def test_every_reward_is_scaled(reward, scale):
    plain, scaled_env = (
        SpadesVectorEnv(8, "classic", "hand", seed=4, reward=reward, **one) for one in ({}, {"reward_scale": scale})
    )
    plain.reset()
    scaled_env.reset()
    paid = 0
    for _ in range(60):
        actions = plain.random_actions()
        one, other = plain.step(actions).reward, scaled_env.step(actions).reward
        assert np.allclose(other, one * float(scale), rtol=1e-6)
        assert scale != 1 or other.tobytes() == one.tobytes()
        paid += np.count_nonzero(one)
    assert paid > 0


def test_one_table_scales_its_rewards_and_the_price_of_an_illegal_action():
    def total(env: Any) -> float:
        env.reset(seed=8)
        done, reward = False, 0.0
        while not done:
            _, paid, done, _, _ = env.step(int(env.unwrapped.action_masks().argmax()))
            reward += paid
        return reward

    assert total(SpadesEnv(episode="hand", reward_scale=0.01)) == pytest.approx(total(SpadesEnv(episode="hand")) / 100)
    env = SpadesEnv(illegal="terminate", reward_scale=0.01)
    env.reset(seed=1)
    assert env.step(0)[1] == -5
    envs = SpadesGymVectorEnv(2, illegal="terminate", reward="win", reward_scale=2)
    envs.reset(seed=1)
    assert envs.step(np.array([0, 0]))[1].tolist() == [-2, -2]
    wrapped: Any = spades_v0.env(reward_scale=0.1)
    wrapped.reset(seed=1)
    mover = wrapped.agent_selection
    wrapped.step(0)
    assert wrapped.rewards[mover] == -50


def test_an_aec_env_scales_its_rewards():
    paid = []
    for scale in (1.0, 0.01):
        env: Any = spades_v0.raw_env(episode="hand", reward_scale=scale)
        env.reset(seed=2)
        rng = np.random.default_rng(0)
        while not any(env.terminations.values()):
            env.step(choose(rng, env.last()[0]["action_mask"]))
        paid.append([env.rewards[agent] for agent in env.possible_agents])
    assert np.allclose(np.array(paid[0]) / 100, paid[1], rtol=1e-6)
    assert any(paid[0])


@pytest.mark.parametrize("scale", [0, -1, "1", None, 10**400, 2e6, float("nan"), float("inf"), True, [1.0]])
def test_what_no_reward_can_be_scaled_by_is_refused(scale):
    for make in (spades_v0.env, SpadesEnv, lambda **options: SpadesVectorEnv(2, **options), SpadesGymVectorEnv):
        with pytest.raises(
            ValueError, match=r"reward_scale must be a number above 0, such as 0.01, up to 1000000, not"
        ):
            make(reward_scale=scale)
