"""The PettingZoo environment: its contract, its rewards, its copies, its refusals."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test
from support.game.envs import ALL_RULES, BLIND_PASSING, bury, choose, mask_of, play_on, same, snapshot
from support.strategies import scaled

from spades_env import Game, IllegalActionError, Rules, RulesError, spades_v0
from spades_env.envs.aec import AGENTS
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_ACTIONS
from spades_env.game.episodes import ILLEGAL_REWARDS
from spades_env.game.observe import HANDS, LAYOUT, NUM_FEATURES, STATE_SIZE

MAKERS = (spades_v0.env, spades_v0.raw_env)
makers = pytest.mark.parametrize("make", MAKERS, ids=("env", "raw_env"))
all_rules = pytest.mark.parametrize("rules", ALL_RULES)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_nothing_is_done_or_seen_before_the_first_reset():
    env = spades_v0.raw_env()
    for early in (
        lambda: env.step(54),
        lambda: env.observe("player_0"),
        lambda: env.view("player_0"),
        env.state,
        gymnasium.make("spades_env:Spades-v0").unwrapped.view,  # pyright: ignore[reportAttributeAccessIssue]
    ):
        with pytest.raises(ResetNeeded, match="reset"):
            early()


# PettingZoo's own tests


@makers
@all_rules
def test_api(make, rules):
    api_test(make(rules, episode="hand"), num_cycles=20)


@makers
@pytest.mark.parametrize("options", [{"mask_in": "info"}, {"obs_dtype": "float32"}, {"truncate_after": 1}])
def test_api_with_other_switches(make, options):
    api_test(make(episode="hand", **options), num_cycles=20)


@makers
@all_rules
def test_seeds(make, rules):
    seed_test(lambda: make(rules, episode="hand"), num_cycles=scaled(200))


@makers
def test_rendering(make):
    pytest.importorskip("pygame")
    render_test(lambda render_mode: make(render_mode=render_mode))  # pyright: ignore[reportArgumentType] — its hint is wrong


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")
@pytest.mark.parametrize("name", ["spades-v0", "spades_v0", "spades", "spades_env/spades_v0", "spades_env/spades-v0"])
def test_registered(name):
    env: Any = pettingzoo.make("aec", name, rules="solo")
    env.reset(seed=3)
    assert env.unwrapped.rules == Rules.preset("solo")
    assert env.unwrapped.game_seed == 3
    assert env.unwrapped.metadata["name"] == "spades_v0"  # as PettingZoo's own games write theirs
    assert pettingzoo.spec("aec", name).id in ("spades-v0", "spades_env/spades-v0")


# Spaces and observations


@makers
@all_rules
def test_observations_and_states_lie_in_their_spaces(make, rules, rng):
    env = make(rules, episode="hand")
    env.reset(seed=1)
    while True:
        for agent in AGENTS:
            observation = env.observe(agent)
            assert list(observation) == ["observation", "action_mask"]
            assert env.observation_space(agent).contains(observation)
            assert observation["action_mask"].any() == (agent == env.agent_selection and not ended(env))
        assert env.state_space.contains(env.state())
        if ended(env):
            return
        play_on(env, rng, 1)


def ended(env) -> bool:
    return any(env.terminations.values()) or any(env.truncations.values())


def test_a_state_is_an_observation_and_all_hands(rng):
    env: Any = spades_v0.raw_env(BLIND_PASSING)
    env.reset(seed=4)
    play_on(env, rng, 30)
    for seat, agent in enumerate(AGENTS):
        state = env.state(agent)
        assert state[:NUM_FEATURES].tolist() == env.observe(agent)["observation"].tolist()
        left = state[HANDS + 54 : HANDS + 108]
        hand = env.unwrapped.view(AGENTS[(seat + 1) % 4]).hand
        assert np.flatnonzero(left).tolist() == hand
    assert env.state().shape == (STATE_SIZE,)
    assert env.state().tolist() == env.state("player_0").tolist()


def test_every_agent_has_its_space_made_once(rng):
    env: Any = spades_v0.raw_env()
    spaces = [env.observation_space(agent) for agent in AGENTS] + [env.action_space(agent) for agent in AGENTS]
    env.reset(seed=1)
    saved = env.get_state()
    play_on(env, rng, 5)
    env.set_state(saved)
    env.reset()
    again = [env.observation_space(agent) for agent in AGENTS] + [env.action_space(agent) for agent in AGENTS]
    assert all(one is other for one, other in zip(spaces, again, strict=True))
    assert len({id(space) for space in spaces}) == len(spaces)  # seeding one must not seed another


def test_observations_are_fresh(rng):
    env: Any = spades_v0.raw_env(mask_in="info")
    env.reset(seed=1)
    first, mask = env.observe("player_0"), env.infos[env.agent_selection]["action_mask"]
    kept, kept_mask = first.copy(), mask.copy()
    play_on(env, rng, 20)
    assert (first == kept).all()
    assert (mask == kept_mask).all()
    assert not np.shares_memory(env.observe("player_0"), env.observe("player_0"))


def test_what_each_agent_sees_is_its_view(rng):
    env: Any = spades_v0.env("solo")
    env.reset(seed=8)
    for _ in range(8):
        play_on(env, rng, 7)
        for agent in AGENTS:
            assert same(env.observe(agent), env.view(agent).observation()._asdict())


@makers
def test_floats_are_the_same_numbers(make, rng):
    ints, floats = make(), make(obs_dtype="float32")
    for env in (ints, floats):
        env.reset(seed=2)
    for action in play_on(ints, rng, 40):
        floats.step(action)
    for agent in AGENTS:
        one, other = ints.observe(agent), floats.observe(agent)
        assert other["observation"].dtype == np.float32
        assert other["action_mask"].dtype == np.int8
        assert same(one, other)
        assert floats.observation_space(agent).contains(other)
    assert floats.state().dtype == np.float32
    assert floats.state_space.contains(floats.state())


@makers
def test_the_mask_may_stand_in_info(make, rng):
    env = make(mask_in="info", episode="hand")
    env.reset(seed=2)
    while not ended(env):
        for agent in AGENTS:
            assert list(env.infos[agent]) == ["action_mask"]
            mask = env.infos[agent]["action_mask"]
            assert mask.dtype == np.int8
            assert same(mask, env.view(agent).action_mask)
            assert env.observation_space(agent).contains(env.observe(agent))
        play_on(env, rng, 1)
    assert bury(env)


@makers
def test_infos_are_empty_by_default(make, rng):
    env = make(episode="hand")
    env.reset(seed=1)
    while not ended(env):
        assert env.infos == {agent: {} for agent in AGENTS}
        play_on(env, rng, 1)
    assert env.infos == {agent: {} for agent in AGENTS}


# Episodes and rewards


@makers
@all_rules
def test_the_end_of_an_episode(make, rules, rng):
    env = make(rules, episode="hand")
    env.reset(seed=5)
    play_on(env, rng, 200)
    assert env.terminations == dict.fromkeys(AGENTS, True)
    assert env.truncations == dict.fromkeys(AGENTS, False)
    assert all(type(value) is bool for value in [*env.terminations.values(), *env.truncations.values()])
    assert set(env.rewards) == set(AGENTS)
    assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-3)
    assert env._cumulative_rewards == env.rewards  # a hand pays once
    final = dict(env.rewards)
    for agent in AGENTS:
        assert env.agent_selection == agent
        observation, reward, terminated, truncated, _ = env.last()
        assert (reward, terminated, truncated) == (final[agent], True, False)
        assert not observation["action_mask"].any()
        assert env.step(None) is None
        assert all(env.observe(each)["observation"].any() for each in AGENTS)
    assert env.agents == []


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.array])
@makers
def test_a_dead_agent_takes_none_only(make, kind, rng):
    env = make(episode="hand")
    env.reset(seed=5)
    play_on(env, rng, 200)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(kind(57))
    assert bury(env) == list(AGENTS)


@makers
def test_all_are_truncated_at_once(make, rng):
    env = make(truncate_after=2)
    env.reset(seed=6)
    assert len(play_on(env, rng, 1000)) > 100
    assert env.truncations == dict.fromkeys(AGENTS, True)
    assert env.terminations == dict.fromkeys(AGENTS, False)
    assert any(env.rewards.values())
    assert bury(env) == list(AGENTS)


def test_truncation_counts_the_hands_of_this_env(rng):
    """A game that starts at hand 7 also lasts two hands."""
    env: Any = spades_v0.raw_env(truncate_after=2)
    env.reset(seed=6, options={"hand_number": 7})
    play_on(env, rng, 1000)
    assert env.truncations["player_0"]
    assert env.view("player_0").hand_number == 8


@all_rules
@pytest.mark.parametrize("reward", ["points", "win"])
def test_rewards_are_those_of_the_game(rules, reward, rng):
    """Over hundreds of hands, every seat gets the Game's points when the hand is scored, and in its next `last`."""
    env: Any = spades_v0.raw_env(rules, reward=reward, truncate_after=10)
    hands = 0
    while hands < scaled(25):
        env.reset()
        game = Game(env.rules, env.game_seed)
        waiting = dict.fromkeys(AGENTS, 0.0)  # paid since the agent's last step
        while not ended(env):
            agent = env.agent_selection
            observation, paid, *_ = env.last()
            assert paid == pytest.approx(waiting[agent])
            assert observation["action_mask"].tolist() == game.action_mask.tolist()
            action = choose(rng, observation["action_mask"])
            finished = len(game.results)
            game.apply(action)
            env.step(action)
            expected = expected_rewards(game, finished, reward, ended(env))
            assert [env.rewards[each] for each in AGENTS] == pytest.approx(expected, abs=1e-3)
            waiting[agent] = 0.0
            waiting = {each: waiting[each] + env.rewards[each] for each in AGENTS}
        assert game.over == env.terminations["player_0"]
        hands += len(game.results)
        bury(env)


def expected_rewards(game: Game, finished: int, reward: str, is_end: bool) -> list[float]:
    """Return the rewards by seat, from a Game after its last move."""
    sides = [game.rules.side(seat) for seat in range(4)]
    if reward == "win":
        if not game.over or game.winner is None or not is_end:
            return [0.0] * 4
        return [1.0 if side == game.winner else -1.0 for side in sides]
    if len(game.results) == finished:
        return [0.0] * 4
    points = game.results[-1].points
    others = game.rules.sides - 1
    return [points[side] - (sum(points) - points[side]) / others for side in sides]


def test_a_won_hand_is_a_won_episode(rng):
    env: Any = spades_v0.raw_env(episode="hand", reward="win")
    for seed in range(scaled(20)):
        env.reset(seed=seed)
        play_on(env, rng, 200)
        scores = env.view("player_0").scores
        ahead = (scores[0] > scores[1]) - (scores[0] < scores[1])
        assert [env.rewards[agent] for agent in AGENTS] == [ahead, -ahead, ahead, -ahead]


# Actions


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint8, np.array])
@makers
def test_any_whole_number_is_an_action(make, kind):
    env = make()
    env.reset(seed=1)
    turn = env.agent_selection
    assert env.step(kind(57)) is None
    assert env.agent_selection != turn
    assert env.view(turn).bids[AGENTS.index(turn)] == 3


@pytest.mark.parametrize("action", [0, 53, BLIND_NIL, LOOK, -1, 70, 10**30, None, "0", 57.0, np.array([57])])
def test_raw_env_refuses_and_nothing_has_moved(action):
    env: Any = spades_v0.raw_env()
    env.reset(seed=1)
    before = snapshot(env)
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert snapshot(env) == before
    env.step(BID_ZERO + 3)


def test_raw_env_says_why():
    env: Any = spades_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"cannot play the .*: it is time to bid"):
        env.step(0)


@pytest.mark.parametrize("reward", ["points", "win"])
def test_env_ends_the_episode_at_an_illegal_action(reward):
    env: Any = spades_v0.env(reward=reward)
    env.reset(seed=1)
    culprit = env.agent_selection
    env.step(0)
    assert all(env.terminations.values())
    assert env.rewards == {agent: ILLEGAL_REWARDS[reward] * (agent == culprit) for agent in AGENTS}
    assert bury(env) == list(AGENTS)
    env.reset(seed=1)
    assert not any(env.terminations.values())
    env.step(57)


def test_env_refuses_what_is_no_action_at_all():
    env: Any = spades_v0.env()
    env.reset(seed=1)
    with pytest.raises(AssertionError):
        env.step(70)


# Resets


@makers
@all_rules
def test_a_seed_names_the_game(make, rules, rng):
    env = make(rules)
    for seed in (0, 7, np.int64(7), 2**64 - 1):
        env.reset(seed=seed)
        game = Game(rules, int(seed))
        play_both(env, game, rng, 30)


def play_both(env, game: Game, rng, moves: int) -> None:
    """Make the same random moves in the env and the Game, and compare their views."""
    for _ in range(moves):
        assert env.agent_selection == AGENTS[game.turn]
        assert mask_of(env).tolist() == game.action_mask.tolist()
        for seat, agent in enumerate(AGENTS):
            assert env.view(agent).features.tolist() == game.view(seat).features.tolist()
        action = choose(rng, game.action_mask)
        env.step(action)
        game.apply(action)


def test_without_a_seed_the_generator_goes_on():
    def games(env) -> list[int]:
        seeds = []
        for seed in (11, None, None, 11, None):
            env.reset(seed=seed)
            seeds.append(env.unwrapped.game_seed)
        return seeds

    one, other = games(spades_v0.env()), games(spades_v0.raw_env())
    assert one == other
    assert one[0] == one[3] == 11
    assert one[1] == one[4]
    assert len(set(one)) == 3


def test_unseeded_envs_differ():
    seeds = set()
    for _ in range(5):
        env: Any = spades_v0.env()
        env.reset()
        seeds.add(env.game_seed)
        assert isinstance(env.np_random, np.random.Generator)
    assert len(seeds) == 5


@makers
def test_reset_options(make, rng):
    deal = Game(seed=99).hands
    setup = {"deal": deal, "dealer": 2, "scores": [120, -30], "bags": [3, 9], "hand_number": 4}
    env = make()
    env.reset(seed=5, options=setup | {"unknown": object(), "rules": "classic nil_bonus=50"})
    play_both(env, Game("classic nil_bonus=50", seed=5, **setup), rng, 100)
    env.reset(seed=5)  # options hold for one game
    play_both(env, Game(seed=5), rng, 10)


def test_the_seed_option_names_the_game_alone():
    env: Any = spades_v0.raw_env()
    env.reset(seed=1, options={"seed": 5})
    assert env.game_seed == 5
    env.reset()
    after_option = env.game_seed
    env.reset(seed=1)
    env.reset()
    assert env.game_seed == after_option  # the generator is that of seed 1


@makers
@pytest.mark.parametrize(
    ("seed", "options", "words"),
    [
        (-1, None, "seed"),
        (2**64, None, "seed"),
        (1.5, None, "seed"),
        (True, None, "seed"),
        (1, {"dealer": 4}, "dealer"),
        (1, {"scores": [1]}, "scores"),
        (1, {"deal": [[0] * 13] * 4}, "twice"),
        (1, {"rules": "cutthroat"}, "unknown preset"),
        (1, 5, "options must be a dict or None, not 5"),
        (1, [("dealer", 1)], "options must be a dict"),
        (1, False, "options must be a dict"),
    ],
)
def test_a_bad_reset_says_so(make, seed, options, words):
    env = make()
    env.reset(seed=3)
    before = snapshot(env)
    with pytest.raises(ValueError, match=words):
        env.reset(seed=seed, options=options)
    assert snapshot(env.unwrapped) == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"episode": "match"}, "episode must be one of game, hand"),
        ({"reward": "chips"}, "reward must be one of points, win"),
        ({"truncate_after": 0}, "truncate_after"),
        ({"render_mode": "3d"}, "render_mode"),
        ({"obs_dtype": "float64"}, "obs_dtype"),
        ({"mask_in": "both"}, "mask_in"),
        ({"render_seat": 4}, "render_seat"),
        ({"rules": "cutthroat"}, "unknown preset"),
    ],
)
def test_a_bad_argument_says_so(options, words):
    with pytest.raises(ValueError, match=words):
        spades_v0.env(**options)
    assert issubclass(RulesError, ValueError)


# Copies


def by_deepcopy(env):
    return copy.deepcopy(env)


def by_pickle(env):
    return pickle.loads(pickle.dumps(env))


def by_clone(env):
    return env.clone()


def by_state(env):
    """Restore the state in another env with the same arguments."""
    other = spades_v0.env(BLIND_PASSING)
    other.reset()
    other.set_state(env.get_state())
    return other


@pytest.mark.parametrize("copied", [by_deepcopy, by_pickle, by_clone, by_state])
@pytest.mark.parametrize("moves", [0, 3, 10, 37])
def test_copies_play_on_by_themselves(copied, moves, rng):
    env: Any = spades_v0.env(BLIND_PASSING)
    env.reset(seed=21)
    play_on(env, rng, moves)
    twin = copied(env)
    before = snapshot(env.unwrapped)
    assert snapshot(twin.unwrapped) == before
    made = play_on(twin, rng, 60)
    assert snapshot(env.unwrapped) == before
    for action in made:
        env.step(action)
    assert snapshot(env.unwrapped) == snapshot(twin.unwrapped)
    for each in (env, twin):
        each.reset()
    assert env.unwrapped.game_seed == twin.unwrapped.game_seed


def test_a_copy_of_the_last_moments(rng):
    env: Any = spades_v0.env(episode="hand")
    env.reset(seed=2)
    play_on(env, rng, 200)
    env.step(None)
    twin = by_pickle(env)
    assert bury(twin) == bury(env) == ["player_1", "player_2", "player_3"]


def test_back_to_a_moment(rng):
    env: Any = spades_v0.env()
    env.reset(seed=2)
    play_on(env, rng, 20)
    moment, then = env.get_state(), snapshot(env.unwrapped)
    for _ in range(3):
        play_on(env, rng, 100)
        env.set_state(moment)
        assert snapshot(env.unwrapped) == then


# Long runs


@makers
def test_soak(make, rng):
    """Check masks and the sums of rewards over many hands under all rules."""
    hands = 0
    for rules in ALL_RULES:
        env = make(rules, truncate_after=5)
        for _ in range(scaled(12)):
            env.reset()
            total = dict.fromkeys(AGENTS, 0.0)
            for agent in env.agent_iter():
                observation, reward, terminated, truncated, _ = env.last()
                total[agent] += reward
                assert observation["action_mask"].sum() == len(env.view(agent).legal_actions())
                env.step(None if terminated or truncated else choose(rng, observation["action_mask"]))
            scores = env.view("player_0").scores
            expected = [side_lead(scores, side) for side in range(len(scores))]
            assert list(total.values()) == pytest.approx([expected[seat % len(scores)] for seat in range(4)], abs=1e-2)
            hands += env.view("player_0").hand_number + 1
    assert hands >= scaled(12) * len(ALL_RULES)


def side_lead(scores: list[int], side: int) -> float:
    """Return a side's points minus the mean of the others'."""
    return scores[side] - (sum(scores) - scores[side]) / (len(scores) - 1)


def test_the_layout_is_what_the_space_says():
    assert sum(block.size for block in LAYOUT.values()) == NUM_FEATURES
    env: Any = spades_v0.raw_env()
    assert env.observation_space("player_0")["observation"].shape == (NUM_FEATURES,)
    assert env.action_space("player_0").n == NUM_ACTIONS


def test_env_takes_its_arguments_in_the_order_of_raw_env():
    made: Any = spades_v0.env("solo", "hand", "win", 3, "ansi")
    raw = made.unwrapped
    assert (raw.rules, raw.terms.episode, raw.terms.reward) == (Rules.preset("solo"), "hand", "win")
    assert (raw.terms.truncate_after, made.render_mode) == (3, "ansi")
