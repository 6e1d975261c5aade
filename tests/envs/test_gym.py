"""The Gymnasium environment of one seat, and the agents in the other seats."""

import copy
import pickle
import subprocess
import sys
import types
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from support.game.envs import ALL_RULES, BLIND_PASSING, InBatches, LastLegal, choose, first_legal, same
from support.strategies import scaled

from spades_env import Game, IllegalActionError, Rules, spades_v0
from spades_env.envs.aec import AGENTS
from spades_env.envs.gym_env import SpadesEnv
from spades_env.envs.gym_vector import SpadesGymVectorEnv
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_ACTIONS
from spades_env.game.episodes import ILLEGAL_REWARDS

all_rules = pytest.mark.parametrize("rules", ALL_RULES)
all_seats = pytest.mark.parametrize("seat", range(4))


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def episode(env, rng, seed=None, moves=10_000) -> list:
    """Yield everything a random learner sees: (observation, info), then the result of each step."""
    seen: list[tuple] = [env.reset(seed=seed)]
    for _ in range(moves):
        seen.append(env.step(choose(rng, seen[-1][-1]["action_mask"])))
        if seen[-1][2] or seen[-1][3]:
            break
    return seen


def same_episodes(one: list, other: list) -> bool:
    return len(one) == len(other) and all(
        all(same(part, counterpart) for part, counterpart in zip(step, again, strict=True))
        for step, again in zip(one, other, strict=True)
    )


# Gymnasium's contract


@pytest.mark.parametrize("options", [{}, {"flat": True}, {"obs_dtype": "float32"}, {"illegal": "terminate"}])
@all_rules
def test_check_env(rules, options):
    env: Any = gymnasium.make("Spades-v0", rules=rules, **options).unwrapped
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize("render_mode", SpadesEnv.metadata["render_modes"])
def test_check_env_with_pictures(render_mode):
    pytest.importorskip("pygame")
    check_env(gymnasium.make("Spades-v0", render_mode=render_mode).unwrapped)


def test_checks_pass_on_a_plain_install():
    """Without pygame the environments offer text alone, and say what is missing to whoever wants more."""
    code = """
import sys
sys.modules["pygame"] = None
import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import render_test
from spades_env import spades_v0
check_env(gymnasium.make("spades_env:Spades-v0").unwrapped)
render_test(lambda render_mode: spades_v0.raw_env(render_mode=render_mode))
assert spades_v0.raw_env.metadata["render_modes"] == ["ansi"]
assert gymnasium.make_vec("spades_env:Spades-v0", num_envs=1).metadata["render_modes"] == ["ansi"]
env = spades_v0.raw_env(render_mode="rgb_array")
env.reset(seed=1)
try:
    env.render()
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "pictures of the table need pygame: pip install spades-env[render]\n"


@pytest.mark.parametrize(
    "make",
    [
        "import gymnasium; env = gymnasium.make('spades_env:Spades-v0', rules='solo')",
        "import spades_env, gymnasium; env = gymnasium.make('Spades-v0', rules='solo')",
    ],
)
def test_registered(make):
    code = f"""
import sys
import spades_env
assert not [name for name in sys.modules if name.endswith(("gym_env", "gym_vector", "spades_v0"))]
{make}
env.reset(seed=1)
assert env.unwrapped.game_seed == 1
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_the_environment_is_an_attribute_of_the_package():
    code = """
import spades_env
assert spades_env.spades_v0.env()
assert not hasattr(spades_env, "spades_v1")
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


@all_rules
@all_seats
def test_everything_lies_in_its_space(rules, seat, rng):
    for flat in (False, True):
        env = SpadesEnv(rules, seat, episode="hand", flat=flat)
        for i, (observation, *outcome, info) in enumerate(episode(env, rng, seed=1)):
            assert env.observation_space.contains(observation)
            assert list(info) == ["action_mask", "illegal"]
            assert info["action_mask"].dtype == np.int8
            assert type(info["illegal"]) is bool
            assert info["action_mask"].any()
            if not flat:
                assert list(observation) == ["observation", "action_mask"]
                assert same(observation["action_mask"], info["action_mask"])
            if i:
                assert [type(value) for value in outcome] == [float, bool, bool]


def test_flat_observations_are_the_features(rng):
    plain = episode(SpadesEnv(episode="hand"), np.random.default_rng(1), seed=3)
    flat = episode(SpadesEnv(episode="hand", flat=True, obs_dtype="float32"), np.random.default_rng(1), seed=3)
    for (one, *_), (other, *_) in zip(plain, flat, strict=True):
        assert other.dtype == np.float32
        assert same(one["observation"], other)


def test_arrays_are_fresh(rng):
    env = SpadesEnv()
    seen = episode(env, rng, seed=3, moves=5)
    arrays = [array for step in seen for array in (*step[0].values(), step[-1]["action_mask"])]
    kept = copy.deepcopy(arrays)
    assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])
    env.reset()
    assert all(same(array, before) for array, before in zip(arrays, kept, strict=True))


def test_wrappers_reach_what_learners_need():
    env: Any = gymnasium.make("Spades-v0")
    _, info = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == bool
    assert same(masks, info["action_mask"])
    assert env.get_wrapper_attr("view")().seat == 0


# The game


@all_rules
@all_seats
def test_a_seed_plays_that_game(rules, seat, rng):
    """Compare with a Game whose other seats are played by the same agents."""
    env = SpadesEnv(rules, seat, (first_legal, LastLegal()), LastLegal(), truncate_after=4)
    agents = {(seat + 1) % 4: first_legal, (seat + 2) % 4: LastLegal().act, (seat + 3) % 4: LastLegal().act}
    for seed in range(scaled(3)):
        game = Game(rules, seed)
        observation, _ = env.reset(seed=seed)
        total, terminated, truncated = 0.0, False, False
        while not (terminated or truncated):
            others_play(game, agents, most_hands=4)
            features, mask = game.view(seat).observation()
            assert game.turn == seat
            assert same(observation, {"observation": features, "action_mask": mask})
            action = choose(rng, mask)
            game.apply(action)
            observation, reward, terminated, truncated, _ = env.step(action)
            total += reward
        others_play(game, agents, most_hands=4)
        assert (terminated, truncated) == (game.over, not game.over)
        assert total == pytest.approx(lead(game, seat), abs=1e-2)


def others_play(game: Game, agents: dict, most_hands: int) -> None:
    while not game.over and game.turn in agents and len(game.results) < most_hands:
        game.apply(agents[game.turn](game.view(game.turn)))


def lead(game: Game, seat: int) -> float:
    """Return the points of a seat's side minus the mean of the others'."""
    own = game.scores[game.rules.side(seat)]
    return own - (sum(game.scores) - own) / (game.rules.sides - 1)


@pytest.mark.parametrize("reward", ["points", "win"])
@all_seats
def test_the_learner_gets_what_its_seat_is_paid(seat, reward, rng):
    """Compare with the PettingZoo env: a step's reward is the sum of all rewards since the last step."""
    env = SpadesEnv("solo", seat, first_legal, reward=reward, truncate_after=8)
    aec = spades_v0.raw_env("solo", reward=reward, truncate_after=8)
    env.reset(seed=4)
    aec.reset(seed=4)
    agent = AGENTS[seat]
    terminated = truncated = False
    while not (terminated or truncated):
        while aec.agent_selection != agent:
            aec.step(first_legal(aec.view(aec.agent_selection)))
        action = choose(rng, aec.observe(agent)["action_mask"])
        _, reward_here, terminated, truncated, _ = env.step(action)
        aec.step(action)
        while aec.agent_selection != agent and not any(aec.terminations.values()) and not any(aec.truncations.values()):
            aec.step(first_legal(aec.view(aec.agent_selection)))
        assert reward_here == pytest.approx(aec._cumulative_rewards[agent])
    assert aec.terminations[agent] == terminated
    assert aec.truncations[agent] == truncated


def test_the_last_observation_is_the_end(rng):
    *_, (observation, reward, terminated, truncated, info) = episode(SpadesEnv(episode="hand"), rng, seed=2)
    assert (terminated, truncated) == (True, False)
    assert reward
    assert observation["action_mask"].all()
    assert info["action_mask"].all()


def test_no_step_after_the_end(rng):
    env = SpadesEnv(episode="hand")
    with pytest.raises(ResetNeeded):
        env.step(57)
    episode(env, rng, seed=2)
    with pytest.raises(ResetNeeded):
        env.step(57)
    assert env.action_masks().all()
    env.reset()
    assert not env.action_masks().all()


def test_truncation(rng):
    steps = episode(SpadesEnv(truncate_after=2, opponents=first_legal), rng, seed=2)
    *_, terminated, truncated, _ = steps[-1]
    assert (terminated, truncated) == (False, True)
    assert len(steps) > 2 * 13


def test_blind_bids_and_passes_are_steps(rng):
    env = SpadesEnv(BLIND_PASSING, truncate_after=2)
    seen = set()
    for seed in range(20):
        for observation, *_ in episode(env, rng, seed=seed)[:-1]:
            mask = observation["action_mask"]
            hand = observation["observation"][:54]
            if mask[LOOK]:
                assert set(np.flatnonzero(mask)) == {BLIND_NIL, LOOK}
                assert not hand.any()
                seen.add("blind")
            elif mask[BID_ZERO]:
                assert hand.sum() == 13
                seen.add("bid")
            else:
                seen.add("play")
                seen |= {"pass"} if env.view().phase == "pass" else set()
    assert {"blind", "bid", "play"} <= seen
    _, info = env.reset(seed=1)
    passed = 0
    while not passed:
        _, _, terminated, truncated, info = env.step(int(np.flatnonzero(env.action_masks())[0]))  # blind nil
        passed += env.view().phase == "pass"
        if terminated or truncated:
            env.reset()
    assert info["action_mask"][:54].any()


def test_reset_options():
    deal = Game(seed=99).hands
    setup = {"deal": deal, "dealer": 2, "scores": [120, -30], "bags": [3, 9], "hand_number": 4}
    env = SpadesEnv(seat=1, opponents=first_legal)
    observation, _ = env.reset(seed=5, options=setup | {"unknown": 1})
    game = Game(seed=5, **setup)
    others_play(game, dict.fromkeys((0, 2, 3), first_legal), 1)
    assert same(observation["observation"], game.view(1).features)
    env.reset(options={"rules": "solo", "seed": 8})
    assert env.game_seed == 8
    assert env.view().rules == Rules.preset("solo")
    env.reset()
    assert env.view().rules == Rules()


@pytest.mark.parametrize("options", [5, [], "dealer", ("dealer", 1), 0])
@pytest.mark.parametrize("wrapped", [False, True])
def test_options_are_a_dict(wrapped, options):
    env: Any = gymnasium.make("Spades-v0") if wrapped else SpadesEnv()
    before, _ = env.reset(seed=5)
    with pytest.raises(ValueError, match="options must be a dict or None, not "):
        env.reset(seed=6, options=options)
    assert env.unwrapped.game_seed == 5
    assert same(env.unwrapped.view().features, before["observation"])
    env.step(57)  # the game goes on


def test_without_a_seed_the_generator_goes_on():
    env = SpadesEnv()
    seeds = []
    seed: Any
    for seed in (np.int64(11), None, None, 11, None):
        env.reset(seed=seed)
        seeds.append(env.game_seed)
    assert seeds[0] == seeds[3] == 11
    assert seeds[1] == seeds[4]
    assert len(set(seeds)) == 3


# Actions


@pytest.mark.parametrize("action", [0, LOOK, -1, 70, 10**30, np.int8(3)])
def test_illegal_actions(action):
    lenient, strict, final = (SpadesEnv(illegal=illegal) for illegal in ("random", "raise", "terminate"))
    for env in (lenient, strict, final):
        env.reset(seed=2)
    *_, info = lenient.step(action)
    assert info["illegal"]
    assert lenient.view().bids[0] is not None
    assert not lenient.step(int(np.flatnonzero(info["action_mask"])[0]))[-1]["illegal"]
    before = strict.view().features
    with pytest.raises(IllegalActionError):
        strict.step(action)
    assert same(strict.view().features, before)
    assert not strict.step(57)[-1]["illegal"]
    observation, reward, terminated, truncated, info = final.step(action)
    assert (reward, terminated, truncated, info["illegal"]) == (ILLEGAL_REWARDS["points"], True, False, True)
    assert observation["action_mask"].all()
    with pytest.raises(ResetNeeded):
        final.step(57)


def test_the_stand_in_for_an_illegal_action_is_seeded():
    def play(env) -> list:
        return [env.reset(seed=6), *(env.step(-1) for _ in range(12))]

    assert same_episodes(play(SpadesEnv()), play(SpadesEnv()))


@pytest.mark.parametrize("illegal", ["random", "terminate", "raise"])
@pytest.mark.parametrize("action", [None, "57", 57.0, np.array([57])])
def test_what_is_no_number_is_refused(action, illegal):
    env = SpadesEnv(illegal=illegal)
    env.reset(seed=2)
    with pytest.raises(IllegalActionError, match="actions are the numbers 0 to 69"):
        env.step(action)
    env.step(np.array(57))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seat": 4}, "seat"),
        ({"episode": "match"}, "episode"),
        ({"illegal": "ignore"}, "illegal"),
        ({"render_mode": "3d"}, "render_mode"),
        ({"obs_dtype": "int16"}, "obs_dtype"),
        ({"opponents": 3}, "an agent must be a name, .*, not 3"),
        ({"partner": object()}, "an agent must be a name"),
        ({"opponents": ("random",) * 3}, "left and the right"),
    ],
)
def test_a_bad_argument_says_so(options, words):
    with pytest.raises(ValueError, match=words):
        SpadesEnv(**options)


# Opponents


def test_random_opponents_follow_the_seed():
    def play(*seeds) -> list[list]:
        env = SpadesEnv(truncate_after=3)
        return [episode(env, np.random.default_rng(5), seed) for seed in seeds]

    one, other, third = play(3, 4, 3)
    assert same_episodes(one, third)
    assert not same_episodes(one, other)
    assert all(same_episodes(a, b) for a, b in zip(play(3, None, None), play(3, None, None), strict=True))


def test_who_sits_where():
    asked = []

    def listening(name):
        def act(view):
            asked.append((name, view.seat))
            return first_legal(view)

        return act

    left, right, partner = map(listening, ("left", "right", "partner"))
    env = SpadesEnv("solo", 1, [left, right], partner, episode="hand")
    episode(env, np.random.default_rng(1), seed=1)
    assert set(asked) == {("left", 2), ("partner", 3), ("right", 0)}
    asked.clear()
    episode(SpadesEnv("classic", 3, (left, right)), np.random.default_rng(1), seed=1, moves=3)
    assert set(asked) == {("left", 0), ("left", 1), ("right", 2)}


def test_random_and_other_agents_mix(rng):
    for opponents, partner in (("random", first_legal), (first_legal, "random"), (("random", LastLegal()), None)):
        env = SpadesEnv(BLIND_PASSING, 2, opponents, partner, truncate_after=2)
        one, other = (episode(env, np.random.default_rng(2), seed=9) for _ in range(2))
        assert same_episodes(one, other)


def test_agents_see_views_only():
    def curious(view):
        seat = view.seat
        assert view.state.hands[0][[other for other in range(4) if other != seat]].sum() == 0
        assert not view.state.seed[0]
        return first_legal(view)

    episode(SpadesEnv(opponents=curious), np.random.default_rng(1), seed=1, moves=40)


@pytest.mark.parametrize("answer", [0, -1, 99, None])
def test_an_opponent_that_errs_is_named(answer):
    env = SpadesEnv("showdown", opponents=(first_legal, lambda view: answer), partner=first_legal)
    with pytest.raises(IllegalActionError, match="the agent at East answered"):
        env.reset(seed=1)  # West deals: North and East bid before the learner
    with pytest.raises(ResetNeeded):
        env.step(57)


def test_an_agent_that_breaks_down_stops_the_episode():
    def broken(view):
        raise ZeroDivisionError

    env = SpadesEnv("showdown", opponents=broken)
    with pytest.raises(ZeroDivisionError):
        env.reset(seed=1)
    with pytest.raises(ResetNeeded):
        env.step(57)


# Agents by name


@pytest.fixture
def agents(monkeypatch):
    """Provide a package `agents` that knows one agent, and records the names it is asked for."""
    package: Any = types.ModuleType("spades_env.agents")
    package.loaded = []

    def check_name(name):
        if name != "milly":
            raise ValueError(f"no agent is named {name!r}")

    def load(name, seed=None):
        check_name(name)
        package.loaded.append(seed)
        return LastLegal()

    package.check_name, package.load = check_name, load
    monkeypatch.setitem(sys.modules, "spades_env.agents", package)
    return package


def test_agents_by_name(agents):
    env = SpadesEnv(opponents="milly", partner="random")
    assert not agents.loaded
    env.reset()
    assert len(set(agents.loaded)) == 2
    env.reset()
    assert len(agents.loaded) == 2
    env.reset(seed=1)
    seeded = agents.loaded[2:]
    env.reset(seed=1)
    assert agents.loaded[4:] == seeded
    plain = SpadesEnv(opponents=LastLegal(), partner="random")
    one, other = (episode(each, np.random.default_rng(1), seed=4) for each in (env, plain))
    assert same_episodes(one, other)


def test_an_unknown_name_is_refused_when_the_env_is_made(agents):
    for make in (SpadesEnv, SpadesGymVectorEnv):
        with pytest.raises(ValueError, match="no agent is named 'nobody'"):
            make(partner="nobody")


def test_our_package_refuses_an_unknown_name_at_once():
    with pytest.raises(ValueError, match="unknown agent 'ruler' \\(did you mean 'rule'"):
        gymnasium.make("Spades-v0", opponents="bis/ruler")
    gymnasium.make("Spades-v0", opponents="bis/rule", partner="Milly")


class WithTwo:
    """An agent with two arguments, as PettingZoo calls one."""

    def act(self, observation, agent):
        return 57


@pytest.mark.parametrize(
    "opponents", [WithTwo(), WithTwo().act, lambda: 57, LastLegal], ids=["object", "method", "lambda", "class"]
)
def test_an_agent_must_take_a_view(opponents):
    with pytest.raises(ValueError, match=r"must take a view alone, and .* takes"):
        SpadesEnv(opponents=opponents)


def test_what_else_an_agent_may_take():
    for opponent in (lambda view, seed=0: first_legal(view), lambda *views: first_legal(*views), max):
        SpadesEnv(opponents=opponent)


# Copies


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("wrapped", [False, True])
def test_copies_play_on_by_themselves(copied, wrapped):
    options = {"rules": BLIND_PASSING, "opponents": (InBatches(), "random"), "truncate_after": 2}
    env: Any = gymnasium.make("Spades-v0", **options) if wrapped else SpadesEnv(**options)
    rng = np.random.default_rng(3)
    episode(env, rng, seed=7, moves=9)
    twin = copied(env)
    one, other = (play_on(each, np.random.default_rng(4)) for each in (env, twin))
    assert same_episodes(one, other)
    env.reset()
    twin.reset()
    assert env.unwrapped.game_seed == twin.unwrapped.game_seed


def play_on(env, rng) -> list:
    seen = [env.step(choose(rng, env.unwrapped.action_masks()))]
    while not (seen[-1][2] or seen[-1][3]):
        seen.append(env.step(choose(rng, seen[-1][-1]["action_mask"])))
    return seen


# Pictures


def test_render():
    pytest.importorskip("pygame")
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray), ("human", type(None))):
        env = SpadesEnv(seat=2, render_mode=mode)  # pyright: ignore
        env.reset(seed=1)
        env.step(57)
        assert isinstance(env.render(), kind)
        twin = copy.deepcopy(env)
        env.close()
        env.close()
        assert isinstance(twin.render(), kind)
        twin.close()


def test_render_without_a_mode_warns():
    env = SpadesEnv()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_soak(rng):
    """Play many hands under all rules, a third of the actions drawn from all, legal or not."""
    for rules in ALL_RULES:
        env = SpadesEnv(rules, truncate_after=3)
        for _ in range(scaled(10)):
            _, info = env.reset()
            ended = False
            while not ended:
                assert info["action_mask"].any()
                blind = rng.random() < 1 / 3
                action = int(rng.integers(NUM_ACTIONS)) if blind else choose(rng, info["action_mask"])
                legal = bool(info["action_mask"][action])
                _, reward, terminated, truncated, info = env.step(action)
                assert info["illegal"] != legal
                assert np.isfinite(reward)
                ended = terminated or truncated
